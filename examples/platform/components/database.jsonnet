local kap = import 'lib/kapitan.libjsonnet';
local kube = import 'kap/kube.libsonnet';
local p = kap.inventory().parameters;
local database = p.database;
local name = p.target_name + '-database';

{
  'database-config': kube.namespaced('v1', 'ConfigMap', name) {
    data: {
      'postgresql.conf': |||
        # Written by the platform; changes are overwritten.
        listen_addresses = '*'
        max_connections = %d
        log_min_messages = %s
      ||| % [p.app.replicas * 20, p.cluster.log_level],
    },
  },

  database: kube.namespaced('apps/v1', 'StatefulSet', name) {
    spec: {
      replicas: 1,
      serviceName: name,
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
      template: {
        metadata: { labels: kube.labels { 'app.kubernetes.io/name': name } },
        spec: {
          containers: [
            kube.container('postgres', database.image) {
              env: kube.env({ POSTGRES_DB: database.name, POSTGRES_USER: database.user })
                   + kube.secretEnv(p.target_name + '-secrets', ['DATABASE_PASSWORD']),
              volumeMounts: [{ name: 'data', mountPath: '/var/lib/postgresql/data' }],
            },
          ],
        },
      },
      volumeClaimTemplates: [{
        metadata: { name: 'data' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: database.storage_class,
          resources: { requests: { storage: database.storage } },
        },
      }],
    },
  },
}
