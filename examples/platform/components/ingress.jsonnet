local kap = import 'lib/kapitan.libjsonnet';
local kube = import 'kap/kube.libsonnet';
local p = kap.inventory().parameters;
local ingress = p.ingress;

{
  ingress: kube.namespaced('networking.k8s.io/v1', 'Ingress', p.target_name) {
    metadata+: { annotations: ingress.annotations },
    spec: {
      ingressClassName: ingress.class,
      tls: [{ hosts: [ingress.host], secretName: p.target_name + '-tls' }],
      rules: [{
        host: ingress.host,
        http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: p.target_name, port: { name: 'http' } } } }] },
      }],
    },
  },
}
