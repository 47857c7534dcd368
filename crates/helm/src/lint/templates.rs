use super::{Linter, deprecations, names};
use crate::chart::{Decoder, Target, field_of};
use crate::render::{RenderOptions, render_for_lint};
use crate::{go, yaml};
use kapstan_document::Value;
use kapstan_files::Kind;

const FOLDER: &str = "templates/";

/// Whether the templates render, and what they render to.
pub(super) fn check(linter: &mut Linter<'_>) {
    let kind = linter.files.kind(&linter.folder.join("templates")).ok().flatten();
    let is_v3 = linter.profile().is_v3();
    if !is_v3 && !linter.warning(FOLDER, kind.is_none().then(|| "directory does not exist".to_owned())) {
        return;
    }
    let is_file = (kind == Some(Kind::File)).then(|| "not a directory".to_owned());
    let is_fine = if is_v3 { linter.warning(FOLDER, is_file) } else { linter.error(FOLDER, is_file) };
    if !is_fine {
        return;
    }
    let loaded = linter.chart();
    if !linter.error(FOLDER, loaded.as_ref().err().map(|error| error.text().to_owned())) {
        return;
    }
    let Ok(chart) = loaded else { return };
    let Some(rendered) = render_for_lint(&chart, linter.values, linter.options) else { return };
    if !linter.error(FOLDER, rendered.as_ref().err().map(|error| error.text().to_owned())) {
        return;
    }
    let rendered = rendered.unwrap_or_default();
    for file in &chart.templates {
        let extension = go::extension(&file.name);
        let is_allowed = matches!(extension, ".yaml" | ".yml" | ".tpl" | ".txt");
        linter.error(
            &file.name,
            (!is_allowed).then(|| {
                format!(
                    "file extension '{extension}' not valid. Valid extensions are .yaml, .yml, .tpl, or .txt"
                )
            }),
        );
        let is_yaml =
            if is_v3 { extension == ".yaml" } else { matches!(&*extension.to_lowercase(), ".yaml" | ".yml") };
        let path = go::join(chart.name(), &file.name);
        let output = rendered.iter().find(|output| output.path == path).filter(|_| is_yaml);
        let text = output.map(|output| String::from_utf8_lossy(&output.text)).unwrap_or_default();
        if !text.trim().is_empty() && !manifests(linter, &file.name, &text) {
            return;
        }
    }
}

/// Looks at the documents of an output; false where one cannot be read, which ends the checks of all.
fn manifests(linter: &mut Linter<'_>, name: &str, text: &str) -> bool {
    linter.warning(name, top_indent(text));
    for document in documents(text) {
        let read = Object::read(document, linter.options);
        let problem = read.as_ref().err().map(|problem| format!("unable to parse YAML: {problem}"));
        if !linter.error(name, problem) {
            return false;
        }
        let Ok(Some(object)) = read else { continue };
        linter.warning(name, names::problem(&object.kind, &object.name));
        let given = linter.options.kube_version.as_deref();
        linter
            .warning(name, deprecations::problem(&object.api_version, &object.kind, given, linter.profile()));
        linter.error(name, selector(&object, text));
        linter.error(name, list_annotations(&object));
    }
    true
}

fn top_indent(text: &str) -> Option<String> {
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    line.starts_with([' ', '\t']).then(|| {
        format!(
            "document starts with an illegal indent: {}, which may cause parsing problems",
            go::quote(line)
        )
    })
}

fn selector(object: &Object, text: &str) -> Option<String> {
    let wants = matches!(&*object.kind, "Deployment" | "ReplicaSet" | "DaemonSet" | "StatefulSet");
    (wants && !text.contains("matchLabels") && !text.contains("matchExpressions")).then(|| {
        let name = go::quote(&object.name);
        format!("a {} must contain matchLabels or matchExpressions, and {name} does not", object.kind)
    })
}

fn list_annotations(object: &Object) -> Option<String> {
    object
        .has_policy_in_list
        .then(|| "annotation 'helm.sh/resource-policy' within List objects are ignored".to_owned())
}

/// What the checks want to know of a document.
#[derive(Debug, Default)]
pub(super) struct Object {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) name: String,
    has_policy_in_list: bool,
}

impl Object {
    /// Reads it; none for an empty document.
    pub(super) fn read(text: &str, options: &RenderOptions<'_>) -> Result<Option<Self>, String> {
        let source = options.sources.add("rendered", text.as_bytes());
        let node = yaml::read(text.as_bytes(), source).map_err(|error| error.text)?;
        if node.is_null() {
            return Ok(None);
        }
        let mut object = Self::default();
        let mut decoder = Decoder::default();
        for (key, value) in decoder.fields(&node, Target { structure: "", path: "" }, "rules.k8sYamlStruct") {
            match field_of(&["apiVersion", "Kind", "Metadata"], key) {
                Some("apiVersion") => decoder.string(
                    value,
                    Target { structure: "k8sYamlStruct", path: "apiVersion" },
                    &mut object.api_version,
                ),
                Some("Kind") => {
                    decoder.string(
                        value,
                        Target { structure: "k8sYamlStruct", path: "Kind" },
                        &mut object.kind,
                    );
                }
                Some(_) => {
                    let target = Target { structure: "k8sYamlStruct", path: "Metadata" };
                    for (key, value) in decoder.fields(value, target, "rules.k8sYamlMetadata") {
                        let mut namespace = String::new();
                        let (path, field) = match field_of(&["Namespace", "Name"], key) {
                            Some("Name") => ("Metadata.Name", &mut object.name),
                            Some(_) => ("Metadata.Namespace", &mut namespace),
                            None => continue,
                        };
                        decoder.string(value, Target { structure: "k8sYamlMetadata", path }, field);
                    }
                }
                None => {}
            }
        }
        decoder.finish()?;
        if object.kind == "List"
            && let Some(Value::Seq(items)) = node.get("items").map(|items| &items.value)
        {
            object.has_policy_in_list = items.iter().any(|item| {
                let annotations = item.get("metadata").and_then(|metadata| metadata.get("annotations"));
                annotations.is_some_and(|annotations| annotations.get("helm.sh/resource-policy").is_some())
            });
        }
        Ok(Some(object))
    }
}

/// The documents of a text, separated at lines that begin with `---` and end with nothing that counts.
pub(super) fn documents(text: &str) -> Vec<&str> {
    let mut documents = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\n---") {
        documents.push(&rest[..at]);
        let after = &rest[at + 4..];
        rest = after.split_once('\n').map_or("", |(_, rest)| rest);
    }
    if !rest.is_empty() {
        documents.push(rest);
    }
    documents
}
