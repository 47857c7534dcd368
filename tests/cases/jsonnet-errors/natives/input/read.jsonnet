local kap = import 'lib/kapitan.libjsonnet';
{ a: kap.file_read('none.txt') }
