local kap = import 'lib/kapitan.libjsonnet';
{
  a: {
    load: kap.yaml_load('one.yaml'),
    stream: kap.yaml_load_stream('many.yaml'),
    dump: kap.yaml_dump({ b: [1, { x: null }], a: 'yes', m: 'l1\nl2' }),
    dump_stream: kap.yaml_dump_stream([{ a: 1 }, { b: 2 }]),
  },
}
