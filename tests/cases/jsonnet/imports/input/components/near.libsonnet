{ who: 'near', again: import 'deep/x.libsonnet' }
