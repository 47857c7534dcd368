local kap = import 'lib/kapitan.libjsonnet';
{ a: std.native('none')() }
