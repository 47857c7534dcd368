import '../near.txt.libsonnet'
