local kap = import 'lib/kapitan.libjsonnet';
{ a: kap.yaml_load('broken.yml') }
