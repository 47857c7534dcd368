use super::Manifest;
use super::head::Head;

/// When a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Before an installation.
    PreInstall,
    /// After an installation.
    PostInstall,
    /// Before removal.
    PreDelete,
    /// After removal.
    PostDelete,
    /// Before an upgrade.
    PreUpgrade,
    /// After an upgrade.
    PostUpgrade,
    /// Before going back to an older revision.
    PreRollback,
    /// After going back.
    PostRollback,
    /// For `helm test`.
    Test,
}

impl Event {
    /// The event that an annotation names.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "pre-install" => Self::PreInstall,
            "post-install" => Self::PostInstall,
            "pre-delete" => Self::PreDelete,
            "post-delete" => Self::PostDelete,
            "pre-upgrade" => Self::PreUpgrade,
            "post-upgrade" => Self::PostUpgrade,
            "pre-rollback" => Self::PreRollback,
            "post-rollback" => Self::PostRollback,
            "test" | "test-success" => Self::Test,
            _ => return None,
        })
    }
}

/// A document that runs at certain events and is no part of the release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// The document.
    pub manifest: Manifest,
    /// When it runs.
    pub events: Vec<Event>,
    /// Its place among the hooks of an event, lowest first.
    pub weight: i64,
    /// When it is removed again, as written.
    pub delete_policies: Vec<String>,
}

/// What the annotation of a document makes of it.
pub(super) enum Role {
    Manifest(Manifest),
    Hook(Hook),
    /// A hook of an event that does not exist, which Helm leaves out: what the annotation says.
    Unknown(String),
}

const HOOK: &str = "helm.sh/hook";
const WEIGHT: &str = "helm.sh/hook-weight";
const DELETE: &str = "helm.sh/hook-delete-policy";

/// Tells hooks from manifests.
pub(super) fn role(manifest: Manifest, head: &Head) -> Role {
    let Some(names) = head.annotation(HOOK) else { return Role::Manifest(manifest) };
    let events: Option<Vec<Event>> = list(names).map(|name| Event::from_name(&name)).collect();
    let Some(events) = events else { return Role::Unknown(names.to_owned()) };
    let weight = head.annotation(WEIGHT).and_then(|weight| weight.parse().ok()).unwrap_or(0);
    let delete_policies = head.annotation(DELETE).map(|names| list(names).collect()).unwrap_or_default();
    Role::Hook(Hook { manifest, events, weight, delete_policies })
}

fn list(names: &str) -> impl Iterator<Item = String> {
    names.split(',').map(|name| name.trim().to_lowercase())
}
