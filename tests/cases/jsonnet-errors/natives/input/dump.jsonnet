local kap = import 'lib/kapitan.libjsonnet';
{ a: kap.yaml_dump(function(x) x) }
