local kap = import 'lib/kapitan.libjsonnet';
{
  a: {
    read: kap.file_read('data/a.txt'),
    exists: kap.file_exists('data/a.txt').exists,
    missing: kap.file_exists('data/none.txt'),
    list: std.sort(kap.dir_files_list('data')),
    contents: kap.dir_files_read('data'),
  },
}
