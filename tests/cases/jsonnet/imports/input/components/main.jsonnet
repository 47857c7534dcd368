local near = import 'near.libsonnet';
local far = import 'far.libsonnet';
{ a: { near: near, far: far, text: importstr 'near.txt' } }
