local lib = import 'lib.libsonnet';
{ a: lib.check(-1) }
