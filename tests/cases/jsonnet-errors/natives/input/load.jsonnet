local kap = import 'lib/kapitan.libjsonnet';
{ a: kap.yaml_load('none.yml') }
