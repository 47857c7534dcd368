local kap = import 'lib/kapitan.libjsonnet';
{ a: std.extVar('none') }
