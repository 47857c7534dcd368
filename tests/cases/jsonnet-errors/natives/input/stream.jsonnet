local kap = import 'lib/kapitan.libjsonnet';
{ a: kap.yaml_load_stream('broken.yml') }
