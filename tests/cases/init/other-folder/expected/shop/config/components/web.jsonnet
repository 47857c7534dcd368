local kap = import 'lib/kapitan.libjsonnet';
local labels = import 'labels.libsonnet';

local parameters = kap.inventory().parameters;
local web = parameters.web;

{
  deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: parameters.namespace, labels: labels('web') },
    spec: {
      replicas: web.replicas,
      selector: { matchLabels: labels('web') },
      template: {
        metadata: { labels: labels('web') },
        spec: {
          containers: [
            { name: 'web', image: web.image, ports: [{ name: 'http', containerPort: web.port }] },
          ],
        },
      },
    },
  },
  service: {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: parameters.namespace, labels: labels('web') },
    spec: { selector: labels('web'), ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  },
}
