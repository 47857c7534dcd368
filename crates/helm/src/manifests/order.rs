/// The order in which Helm installs kinds.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "PriorityClass", "Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange", "PodSecurityPolicy",
    "PodDisruptionBudget", "ServiceAccount", "Secret", "SecretList", "ConfigMap", "StorageClass", "PersistentVolume",
    "PersistentVolumeClaim", "CustomResourceDefinition", "ClusterRole", "ClusterRoleList", "ClusterRoleBinding",
    "ClusterRoleBindingList", "Role", "RoleList", "RoleBinding", "RoleBindingList", "Service", "DaemonSet", "Pod",
    "ReplicationController", "ReplicaSet", "Deployment", "HorizontalPodAutoscaler", "StatefulSet", "Job", "CronJob",
    "IngressClass", "Ingress", "APIService", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration",
];

/// The kinds that Helm 3 sorts with those it does not know.
const UNKNOWN_TO_V3: &[&str] = &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/// What manifests and hooks are sorted by, stably: known kinds in their order, then others by name.
pub(super) fn rank(kind: &str, is_v3: bool) -> (usize, &str) {
    let known = KINDS.iter().position(|known| *known == kind);
    match known.filter(|_| !(is_v3 && UNKNOWN_TO_V3.contains(&kind))) {
        Some(at) => (at, ""),
        None => (KINDS.len(), kind),
    }
}
