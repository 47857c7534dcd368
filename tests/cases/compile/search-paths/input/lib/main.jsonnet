{ a: (import 'part.libsonnet') }
