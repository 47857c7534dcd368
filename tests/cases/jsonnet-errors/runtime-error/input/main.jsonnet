local lib = import 'lib.libsonnet';
{
  a: lib.port({ port: 'x' }),
}
