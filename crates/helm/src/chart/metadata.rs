use super::decode::{Decoder, Target, field_of};
use crate::error::{Error, Result};
use crate::{Profile, go, version};
use kapstan_document::{Node, Value};

/// What a `Chart.yaml` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// The name of the chart; of a subchart with an alias, that.
    pub name: String,
    /// A page about the project.
    pub home: String,
    /// Where the sources are.
    pub sources: Vec<String>,
    /// The version of the chart.
    pub version: String,
    /// One sentence.
    pub description: String,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// Who looks after it.
    pub maintainers: Vec<Maintainer>,
    /// The address of an icon.
    pub icon: String,
    /// `v1` or `v2`.
    pub api_version: String,
    /// A condition (of old charts).
    pub condition: String,
    /// Tags (of old charts).
    pub tags: String,
    /// The version of what the chart installs.
    pub app_version: String,
    /// Whether it should not be used any more.
    pub deprecated: bool,
    /// Free entries, sorted by key; none where the file has no such field.
    pub annotations: Option<Vec<(String, String)>>,
    /// Which versions of Kubernetes it needs.
    pub kube_version: String,
    /// The charts it is made of, in order; none where the files have no such field.
    pub dependencies: Option<Vec<Dependency>>,
    /// Empty, `application` or `library`.
    pub kind: String,
}

/// Who looks after a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Maintainer {
    /// A person's or an organisation's name.
    pub name: String,
    /// An address for mail.
    pub email: String,
    /// A page.
    pub url: String,
}

/// A chart that another one needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dependency {
    /// The name in its `Chart.yaml`; once dependencies are processed, the alias where there is one.
    pub name: String,
    /// Which versions will do.
    pub version: String,
    /// Where it comes from.
    pub repository: String,
    /// Paths of values that switch it, comma-separated.
    pub condition: String,
    /// Tags that switch it.
    pub tags: Vec<String>,
    /// Whether it is on; decided when dependencies are processed.
    pub enabled: bool,
    /// Which of its values the parent takes over: strings, or mappings with `child` and `parent`.
    pub import_values: Vec<Node>,
    /// The name that it goes by in the parent.
    pub alias: String,
}

impl Dependency {
    /// The name under which the parent knows it.
    pub fn known_as(&self) -> &str {
        if self.alias.is_empty() { &self.name } else { &self.alias }
    }
}

/// What a `Chart.lock` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lock {
    /// When it was made, as written.
    pub generated: String,
    /// The digest over what was locked.
    pub digest: String,
    /// The charts with their exact versions; none where the list is missing or null.
    pub dependencies: Option<Vec<Dependency>>,
}

/// A list of structs some of which may be null, which validation refuses.
struct Nullable<T> {
    items: Vec<T>,
    has_null: bool,
}

/// The files are read into one of these, one after the other: `requirements.yaml` adds to `Chart.yaml`.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) metadata: Metadata,
    pub(crate) has_null_maintainer: bool,
    has_null_dependency: bool,
}

const FIELDS: &[&str] = &[
    "name",
    "home",
    "sources",
    "version",
    "description",
    "keywords",
    "maintainers",
    "icon",
    "apiVersion",
    "condition",
    "tags",
    "appVersion",
    "deprecated",
    "annotations",
    "kubeVersion",
    "dependencies",
    "type",
];
const MAINTAINER_FIELDS: &[&str] = &["name", "email", "url"];
const DEPENDENCY_FIELDS: &[&str] =
    &["name", "version", "repository", "condition", "tags", "enabled", "import-values", "alias"];
const LOCK_FIELDS: &[&str] = &["generated", "digest", "dependencies"];

impl Draft {
    /// Takes over what a document says; fails with Go's words where kinds do not fit.
    pub(crate) fn take(&mut self, node: &Node, profile: Profile) -> std::result::Result<(), String> {
        self.take_with(Decoder::default(), node, profile)
    }

    /// The same, but a field that Helm does not know is a problem too.
    pub(crate) fn take_strictly(&mut self, node: &Node, profile: Profile) -> std::result::Result<(), String> {
        self.take_with(Decoder::strict(), node, profile)
    }

    fn take_with(
        &mut self,
        mut decoder: Decoder,
        node: &Node,
        profile: Profile,
    ) -> std::result::Result<(), String> {
        let package = package(profile);
        let root = Target { structure: "", path: "" };
        for (key, value) in decoder.fields(node, root, &format!("{package}.Metadata")) {
            let Some(path) = field_of(FIELDS, key) else {
                decoder.unknown(key);
                continue;
            };
            self.field(&mut decoder, Target { structure: "Metadata", path }, value, package);
        }
        decoder.finish()
    }

    fn field(&mut self, decoder: &mut Decoder, target: Target<'_>, value: &Node, package: &str) {
        let md = &mut self.metadata;
        let text = match target.path {
            "name" => &mut md.name,
            "home" => &mut md.home,
            "version" => &mut md.version,
            "description" => &mut md.description,
            "icon" => &mut md.icon,
            "apiVersion" => &mut md.api_version,
            "condition" => &mut md.condition,
            "tags" => &mut md.tags,
            "appVersion" => &mut md.app_version,
            "kubeVersion" => &mut md.kube_version,
            "type" => &mut md.kind,
            "sources" => return decoder.strings(value, target, &mut md.sources),
            "keywords" => return decoder.strings(value, target, &mut md.keywords),
            "deprecated" => return decoder.boolean(value, target, &mut md.deprecated),
            "annotations" => return decoder.string_map(value, target, &mut md.annotations),
            "maintainers" => {
                let read = structs(decoder, value, target, &format!("{package}.Maintainer"), maintainer);
                if let Some(read) = read {
                    self.has_null_maintainer = read.has_null;
                    md.maintainers = read.items;
                }
                return;
            }
            _ => {
                let read = structs(decoder, value, target, &format!("{package}.Dependency"), dependency);
                self.has_null_dependency = read.as_ref().is_some_and(|read| read.has_null);
                md.dependencies =
                    read.map(|read| read.items).or(md.dependencies.take().filter(|_| !value.is_null()));
                return;
            }
        };
        decoder.string(value, target, text);
    }

    /// The metadata, cleaned and checked as Helm does before anything is done with a chart.
    pub(crate) fn validate(mut self) -> Result<Metadata> {
        let md = &mut self.metadata;
        for text in [
            &mut md.name,
            &mut md.description,
            &mut md.home,
            &mut md.icon,
            &mut md.condition,
            &mut md.tags,
            &mut md.app_version,
            &mut md.kube_version,
        ] {
            sanitize(text);
        }
        md.sources.iter_mut().chain(&mut md.keywords).for_each(sanitize);
        check_required(md)?;
        if self.has_null_maintainer {
            return invalid("maintainers must not contain empty or null nodes");
        }
        for maintainer in &mut md.maintainers {
            [&mut maintainer.name, &mut maintainer.email, &mut maintainer.url].into_iter().for_each(sanitize);
        }
        if self.has_null_dependency {
            return invalid("dependencies must not contain empty or null nodes");
        }
        check_dependencies(md.dependencies.as_deref_mut().unwrap_or_default())?;
        Ok(self.metadata)
    }
}

fn check_required(md: &Metadata) -> Result<()> {
    if md.api_version.is_empty() {
        return invalid("chart.metadata.apiVersion is required");
    }
    if md.name.is_empty() {
        return invalid("chart.metadata.name is required");
    }
    if md.name == "." || md.name == ".." {
        return invalid(&format!("chart.metadata.name {} is not allowed", go::quote(&md.name)));
    }
    if md.name != go::base(&md.name) {
        return invalid(&format!("chart.metadata.name {} is invalid", go::quote(&md.name)));
    }
    if md.version.is_empty() {
        return invalid("chart.metadata.version is required");
    }
    if !version::is_version(&md.version) {
        return invalid(&format!("chart.metadata.version {} is invalid", go::quote(&md.version)));
    }
    if !matches!(md.kind.as_str(), "" | "application" | "library") {
        return invalid("chart.metadata.type must be application or library");
    }
    Ok(())
}

fn check_dependencies(dependencies: &mut [Dependency]) -> Result<()> {
    let mut known: Vec<String> = Vec::new();
    for dependency in dependencies {
        for text in [
            &mut dependency.name,
            &mut dependency.version,
            &mut dependency.repository,
            &mut dependency.condition,
        ] {
            sanitize(text);
        }
        dependency.tags.iter_mut().for_each(sanitize);
        let is_alias = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if !dependency.alias.bytes().all(is_alias) {
            let name = go::quote(&dependency.name);
            return invalid(&format!("dependency {name} has disallowed characters in the alias"));
        }
        let key = dependency.known_as().to_owned();
        if known.contains(&key) {
            return invalid(&format!("more than one dependency with name or alias {}", go::quote(&key)));
        }
        known.push(key);
    }
    Ok(())
}

fn invalid<T>(text: &str) -> Result<T> {
    Err(Error::new("helm::invalid-chart", format!("validation: {text}")))
}

/// Any blank becomes a space, what cannot be printed goes.
fn sanitize(text: &mut String) {
    let clean = |character: char| {
        if go::is_space(character) { Some(' ') } else { Some(character).filter(|c| go::is_print(*c)) }
    };
    *text = text.chars().filter_map(clean).collect();
}

impl Lock {
    /// Reads what a lock file says; none for an empty one.
    pub(crate) fn read(node: &Node, profile: Profile) -> std::result::Result<Option<Self>, String> {
        if node.is_null() {
            return Ok(None);
        }
        let package = package(profile);
        let mut lock = Self::default();
        let mut decoder = Decoder::default();
        let root = Target { structure: "", path: "" };
        for (key, value) in decoder.fields(node, root, &format!("{package}.Lock")) {
            let Some(path) = field_of(LOCK_FIELDS, key) else { continue };
            let target = Target { structure: "Lock", path };
            match path {
                "generated" => decoder.string(value, target, &mut lock.generated),
                "digest" => decoder.string(value, target, &mut lock.digest),
                _ => {
                    let read =
                        structs(&mut decoder, value, target, &format!("{package}.Dependency"), dependency);
                    lock.dependencies = read.map(|read| read.items);
                }
            }
        }
        decoder.finish().map(|()| Some(lock))
    }
}

/// The Go package whose types error texts name.
fn package(profile: Profile) -> &'static str {
    if profile.is_v3() { "chart" } else { "v2" }
}

/// A list of structs; none where it is null or no list.
fn structs<T: Default>(
    decoder: &mut Decoder,
    node: &Node,
    target: Target<'_>,
    go_type: &str,
    read: impl Fn(&mut Decoder, &str, &str, &Node, &mut T),
) -> Option<Nullable<T>> {
    let Value::Seq(nodes) = &node.value else {
        if !node.is_null() {
            decoder.mismatch(node, target, &format!("[]*{go_type}"));
        }
        return None;
    };
    let mut list = Nullable { items: Vec::new(), has_null: false };
    for node in nodes.iter() {
        list.has_null |= node.is_null();
        let mut item = T::default();
        for (key, value) in decoder.fields(node, target, go_type) {
            read(decoder, target.path, key, value, &mut item);
        }
        list.items.push(item);
    }
    Some(list)
}

fn maintainer(decoder: &mut Decoder, path: &str, key: &str, value: &Node, item: &mut Maintainer) {
    let Some(field) = field_of(MAINTAINER_FIELDS, key) else { return decoder.unknown(key) };
    let path = format!("{path}.{field}");
    let target = Target { structure: "Maintainer", path: &path };
    let text = match field {
        "name" => &mut item.name,
        "email" => &mut item.email,
        _ => &mut item.url,
    };
    decoder.string(value, target, text);
}

fn dependency(decoder: &mut Decoder, path: &str, key: &str, value: &Node, item: &mut Dependency) {
    let Some(field) = field_of(DEPENDENCY_FIELDS, key) else { return decoder.unknown(key) };
    let path = format!("{path}.{field}");
    let target = Target { structure: "Dependency", path: &path };
    let text = match field {
        "name" => &mut item.name,
        "version" => &mut item.version,
        "repository" => &mut item.repository,
        "condition" => &mut item.condition,
        "alias" => &mut item.alias,
        "tags" => return decoder.strings(value, target, &mut item.tags),
        "enabled" => return decoder.boolean(value, target, &mut item.enabled),
        _ => {
            match &value.value {
                Value::Seq(nodes) => item.import_values = nodes.to_vec(),
                Value::Null => item.import_values.clear(),
                _ => decoder.mismatch(value, target, "[]interface {}"),
            }
            return;
        }
    };
    decoder.string(value, target, text);
}
