local kap = import 'lib/kapitan.libjsonnet';
local inv = kap.inventory();
{
  a: {
    target: std.extVar('target'),
    params: inv.parameters.a,
    classes: inv.classes,
    keys: std.objectFields(inv),
    others: std.objectFields(kap.inventory_global()),
    other: kap.inventory('u').parameters.x,
  },
}
