local kap = import 'lib/kapitan.libjsonnet';
{ a: importstr 'bytes' }
