//! Metadata and locks as the documents that Helm writes.

use super::{Dependency, Lock, Metadata};
use kapstan_document::{Map, Node};

/// A mapping without what is empty.
#[derive(Default)]
struct Fields(Map);

impl Fields {
    fn text(mut self, key: &str, text: &str) -> Self {
        if !text.is_empty() {
            self.0.insert(key, text);
        }
        self
    }

    fn always(mut self, key: &str, text: &str) -> Self {
        self.0.insert(key, text);
        self
    }

    fn list(mut self, key: &str, items: Vec<Node>) -> Self {
        if !items.is_empty() {
            self.0.insert(key, items);
        }
        self
    }

    fn flag(mut self, key: &str, value: bool) -> Self {
        if value {
            self.0.insert(key, true);
        }
        self
    }

    fn node(self) -> Node {
        self.0.into()
    }
}

fn texts(texts: &[String]) -> Vec<Node> {
    texts.iter().map(|text| Node::from(text.as_str())).collect()
}

impl Metadata {
    /// As Helm writes it into `Chart.yaml`; charts of form v1 have their dependencies elsewhere when packaged.
    pub(crate) fn to_node(&self, with_dependencies: bool) -> Node {
        let maintainers = self.maintainers.iter().map(|maintainer| {
            let fields = Fields::default().text("name", &maintainer.name).text("email", &maintainer.email);
            fields.text("url", &maintainer.url).node()
        });
        let annotations = self.annotations.iter().flatten();
        let annotations =
            annotations.fold(Fields::default(), |fields, (key, value)| fields.always(key, value)).node();
        let dependencies = self.dependencies.iter().flatten().filter(|_| with_dependencies);
        let mut node = Fields::default()
            .text("name", &self.name)
            .text("home", &self.home)
            .list("sources", texts(&self.sources))
            .text("version", &self.version)
            .text("description", &self.description)
            .list("keywords", texts(&self.keywords))
            .list("maintainers", maintainers.collect())
            .text("icon", &self.icon)
            .text("apiVersion", &self.api_version)
            .text("condition", &self.condition)
            .text("tags", &self.tags)
            .text("appVersion", &self.app_version)
            .flag("deprecated", self.deprecated)
            .text("kubeVersion", &self.kube_version)
            .list("dependencies", dependencies.map(Dependency::to_node).collect())
            .text("type", &self.kind)
            .node();
        if annotations.as_map().is_some_and(|map| !map.is_empty())
            && let Some(map) = node.as_map_mut()
        {
            map.insert("annotations", annotations);
        }
        node
    }
}

impl Dependency {
    fn to_node(&self) -> Node {
        Fields::default()
            .always("name", &self.name)
            .text("version", &self.version)
            .always("repository", &self.repository)
            .text("condition", &self.condition)
            .list("tags", texts(&self.tags))
            .flag("enabled", self.enabled)
            .list("import-values", self.import_values.clone())
            .text("alias", &self.alias)
            .node()
    }
}

impl Lock {
    /// As Helm writes it into `Chart.lock`.
    pub(crate) fn to_node(&self) -> Node {
        // A lock without a time has Go's first one.
        let generated = if self.generated.is_empty() { "0001-01-01T00:00:00Z" } else { &self.generated };
        let mut node = Fields::default().always("generated", generated).always("digest", &self.digest).node();
        if let Some(map) = node.as_map_mut() {
            let nodes = |list: &Vec<Dependency>| list.iter().map(Dependency::to_node).collect::<Vec<_>>();
            map.insert(
                "dependencies",
                self.dependencies.as_ref().map_or(Node::NULL, |list| nodes(list).into()),
            );
        }
        node
    }
}
