local kap = import 'lib/kapitan.libjsonnet';
{ a: kap.yaml_load('a.txt') }
