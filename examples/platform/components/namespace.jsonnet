local kap = import 'lib/kapitan.libjsonnet';
local kube = import 'kap/kube.libsonnet';
local namespace = kap.inventory().parameters.namespace;

{
  // One file, three documents.
  namespace: [
    kube.object('v1', 'Namespace', namespace.name) { metadata+: { labels+: namespace.labels } },
    kube.namespaced('v1', 'ResourceQuota', 'quota') {
      spec: { hard: { 'requests.cpu': namespace.quota.cpu, 'requests.memory': namespace.quota.memory } },
    },
    kube.namespaced('networking.k8s.io/v1', 'NetworkPolicy', 'closed') { spec: { podSelector: {}, policyTypes: ['Ingress'] } },
  ],
}
