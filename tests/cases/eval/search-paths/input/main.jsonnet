import 'a.libsonnet'
