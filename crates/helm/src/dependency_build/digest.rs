//! The digest by which a lock is known to belong to its chart.

use crate::chart::{Chart, Dependency, Lock};
use crate::error::{Error, Result};
use crate::{Profile, yaml};
use kapstan_document::Node;
use kapstan_document::json::go::{self, Style};
use sha2::{Digest, Sha256};

/// The digest over what a chart asks for and what was locked for it.
pub(super) fn of(wanted: &[Dependency], locked: &[Dependency]) -> String {
    sum(&format!("[{},{}]", list(Some(wanted)), list(Some(locked))))
}

/// Refuses a lock that does not belong to its chart. For charts of form v1 Helm 2's digest counts too.
pub(super) fn check(chart: &Chart, lock: &Lock, profile: Profile) -> Result<()> {
    let wanted = chart.metadata.dependencies.as_deref();
    let locked = lock.dependencies.as_deref();
    let resolved = wanted.map(|wanted| without_aliases(wanted, locked.unwrap_or_default()));
    if sum(&format!("[{},{}]", list(resolved.as_deref()), list(locked))) == lock.digest {
        return Ok(());
    }
    let text = if chart.metadata.api_version == "v1" {
        if sum(&format!("{{\"dependencies\":{}}}", list(wanted))) == lock.digest {
            return Ok(());
        }
        "the lock file (requirements.lock) is out of sync with the dependencies file (requirements.yaml). Please update the \
         dependencies"
    } else if profile.is_v3() {
        "the lock file (Chart.lock) is out of sync with the dependencies file (Chart.yaml). Please update the dependencies"
    } else {
        "the lock file (Chart.lock) is out of sync with the dependencies file (Chart.yaml). Please update the dependencies \
         with 'helm dependency update'"
    };
    Err(Error::new("helm::lock-out-of-date", text))
}

/// The wishes with addresses in the place of `@name` and `alias:name`: the lock has them.
fn without_aliases(wanted: &[Dependency], locked: &[Dependency]) -> Vec<Dependency> {
    let mut wanted = wanted.to_vec();
    for dependency in &mut wanted {
        let is_alias = dependency.repository.starts_with('@') || dependency.repository.starts_with("alias:");
        let found = locked.iter().find(|locked| is_alias && locked.name == dependency.name);
        if let Some(found) = found {
            dependency.repository.clone_from(&found.repository);
        }
    }
    wanted
}

fn sum(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

fn list(dependencies: Option<&[Dependency]>) -> String {
    let Some(dependencies) = dependencies else { return "null".to_owned() };
    let items: Vec<String> = dependencies.iter().map(object).collect();
    format!("[{}]", items.join(","))
}

/// A dependency as Go writes its struct: the fields in their order, most of them only where they hold something.
fn object(dependency: &Dependency) -> String {
    let mut fields = vec![("name", text(&dependency.name))];
    let mut add = |name, value: String, is_there: bool| {
        if is_there {
            fields.push((name, value));
        }
    };
    add("version", text(&dependency.version), !dependency.version.is_empty());
    add("repository", text(&dependency.repository), true);
    add("condition", text(&dependency.condition), !dependency.condition.is_empty());
    let tags: Vec<Node> = dependency.tags.iter().map(|tag| Node::from(tag.as_str())).collect();
    add("tags", json(&Node::from(tags)), !dependency.tags.is_empty());
    add("enabled", "true".to_owned(), dependency.enabled);
    let imports: Vec<Node> = dependency.import_values.iter().cloned().map(yaml::with_doubles).collect();
    add("import-values", json(&Node::from(imports)), !dependency.import_values.is_empty());
    add("alias", text(&dependency.alias), !dependency.alias.is_empty());
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

fn text(text: &str) -> String {
    json(&Node::from(text))
}

/// The nodes come from a reader that bounds the depth, and finite numbers are all that it lets through.
fn json(node: &Node) -> String {
    go::write(node, Style::Compact, kapstan_document::yaml::go::MAX_WRITE_DEPTH).unwrap_or_default()
}
