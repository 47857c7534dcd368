use crate::targets::{Problems, Targets};
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_document::{Map, Node, Value, python};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// What targets publish under `parameters.kapitan.topics`: from the name of a topic to what each target says of it.
///
/// Behaviour: Kapitan's topics. A target that only consumes a topic is not listed in it.
#[derive(Default)]
pub struct Topics {
    all: OnceLock<Result<Node, Problems>>,
}

impl Topics {
    /// All topics: name to `{parameters: {targets: {target: parameters}}}`, in the order of the targets. Renders every
    /// target when it is first asked.
    pub fn all(&self, targets: &Targets) -> Result<Node, Problems> {
        self.all.get_or_init(|| collect(targets)).clone()
    }

    /// One topic; an unknown one has no targets.
    pub fn named(&self, targets: &Targets, name: &str) -> Result<Node, Problems> {
        Ok(self.all(targets)?.get(name).cloned().unwrap_or_else(|| topic(Map::new())))
    }

    /// One topic, or all, as the code of a target may see it: it must have declared that it consumes what it asks for.
    pub fn consumed_by(&self, targets: &Targets, target: &str, name: Option<&str>) -> Result<Node, Problems> {
        let declared = declared_by(targets, target)?;
        let asked: Vec<String> = match name {
            Some(name) => vec![name.to_owned()],
            None => self
                .all(targets)?
                .as_map()
                .into_iter()
                .flat_map(Map::keys)
                .map(|key| python::str(&Value::from(key.scalar.clone())).into_owned())
                .collect(),
        };
        let undeclared: BTreeSet<&str> =
            asked.iter().map(String::as_str).filter(|name| !declared.contains(*name)).collect();
        if !undeclared.is_empty() {
            let lines: Vec<String> = undeclared
                .iter()
                .map(|name| format!("  parameters.kapitan.topics.{name}.consume: true"))
                .collect();
            let message = format!(
                "target '{target}' must declare the topic(s) it consumes. Add to its inventory:\n{}",
                lines.join("\n")
            );
            return Err(vec![Diagnostic::error("compile::topic-not-declared", message)].into());
        }
        match name {
            Some(name) => self.named(targets, name),
            None => self.all(targets),
        }
    }
}

fn collect(targets: &Targets) -> Result<Node, Problems> {
    let mut topics = Map::new();
    for target in targets.all()? {
        for (name, settings) in target.topics().into_iter().flat_map(Map::iter) {
            let Some(parameters) = settings.get("parameters").filter(|parameters| !parameters.is_null())
            else {
                continue;
            };
            if topics.get_key(&name.scalar).is_none() {
                topics.insert(name.clone(), topic(Map::new()));
            }
            let publishers = topics
                .get_key_mut(&name.scalar)
                .and_then(Node::as_map_mut)
                .and_then(|topic| topic.get_mut("parameters"))
                .and_then(Node::as_map_mut)
                .and_then(|parameters| parameters.get_mut("targets"))
                .and_then(Node::as_map_mut);
            if let Some(publishers) = publishers {
                publishers.insert(kapstan_document::Key::new(target.name.clone()), parameters.clone());
            }
        }
    }
    Ok(topics.into())
}

fn topic(publishers: Map) -> Node {
    let mut parameters = Map::new();
    parameters.insert("targets", publishers);
    let mut topic = Map::new();
    topic.insert("parameters", Node::new(parameters, Span::NONE));
    topic.into()
}

fn declared_by(targets: &Targets, target: &str) -> Result<BTreeSet<String>, Problems> {
    let Some(shown) = targets.get(target) else { return Ok(BTreeSet::new()) };
    let shown = shown?;
    let consumes =
        |settings: &Node| matches!(settings.get("consume").map(|flag| &flag.value), Some(Value::Bool(true)));
    let topics = shown.topics().into_iter().flat_map(Map::iter);
    let declared = topics.filter(|(_, settings)| consumes(settings));
    Ok(declared.map(|(name, _)| python::str(&Value::from(name.scalar.clone())).into_owned()).collect())
}
