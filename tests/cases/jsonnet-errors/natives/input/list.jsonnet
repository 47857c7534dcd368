local kap = import 'lib/kapitan.libjsonnet';
{ a: kap.dir_files_list('none') }
