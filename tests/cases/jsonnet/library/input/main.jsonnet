local kap = import 'lib/kapitan.libjsonnet';
{ a: { all: std.objectFieldsAll(kap), shown: std.objectFields(kap) } }
