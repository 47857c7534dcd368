local kap = import 'lib/kapitan.libjsonnet';
local kube = import 'kap/kube.libsonnet';
local p = kap.inventory().parameters;
local app = p.app;
local name = p.target_name;
local secret = name + '-secrets';

local container = kube.container('app', app.image) {
  ports: [{ name: 'http', containerPort: app.port }],
  env: kube.env(app.env) + kube.secretEnv(secret, std.objectFields(app.secrets)),
  resources: { requests: app.resources, limits: { memory: app.resources.memory } },
  readinessProbe: if app.port == 8080 then { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 5 },
};

{
  deployment: kube.namespaced('apps/v1', 'Deployment', name) {
    spec: {
      replicas: app.replicas,
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      template: {
        metadata: {
          labels: kube.labels,
          annotations: { 'platform.example/configuration': kap.sha256(std.manifestJsonEx(app.env, '')) },
        },
        spec: { containers: [container] },
      },
    },
  },

  service: kube.namespaced('v1', 'Service', name) {
    spec: {
      selector: { 'app.kubernetes.io/name': name },
      ports: [{ name: 'http', port: 80, targetPort: 'http' }],
    },
  },

  [if std.length(app.secrets) > 0 then 'secret']: kube.namespaced('v1', 'Secret', secret) {
    type: 'Opaque',
    stringData: app.secrets,
  },
}
