// Kubernetes objects with what all of ours have in common.
local kap = import 'lib/kapitan.libjsonnet';
local inventory = kap.inventory();
local p = inventory.parameters;

{
  labels:: {
    'app.kubernetes.io/name': p.target_name,
    'app.kubernetes.io/managed-by': 'kapitan',
    cluster: p.cluster.name,
    [if 'tenant' in p then 'tenant']: p.tenant.name,
  },

  object(apiVersion, kind, name):: {
    apiVersion: apiVersion,
    kind: kind,
    metadata: { name: name, labels: $.labels },
  },

  namespaced(apiVersion, kind, name):: $.object(apiVersion, kind, name) { metadata+: { namespace: p.namespace.name } },

  // A list of environment variables, sorted by name.
  env(values):: [{ name: name, value: values[name] } for name in std.objectFields(values)],

  // Variables whose values stand in a Secret of the given name.
  secretEnv(secret, names):: [
    { name: name, valueFrom: { secretKeyRef: { name: secret, key: name } } }
    for name in names
  ],

  container(name, image):: {
    name: name,
    image: image,
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  },
}
