use super::urls::{is_email, is_request_url, is_url};
use super::{LintSeverity, Linter, duplicates};
use crate::chart::Draft;
use crate::{dependency_list, go, version, yaml};
use kapstan_document::{Node, Value};

const FILE: &str = "Chart.yaml";

/// What `Chart.yaml` says.
pub(super) fn check(linter: &mut Linter<'_>) {
    let data = linter.read(FILE).unwrap_or_default();
    let source = linter.options.sources.add(FILE, data.clone());
    let read = yaml::read(&data, source).map_err(|error| error.text);
    let profile = linter.profile();
    let mut draft = Draft::default();
    let taken = read.as_ref().map_err(String::clone).and_then(|node| draft.take(node, profile));
    let format = taken.err().map(|problem| format!("unable to parse YAML\n\t{problem}"));
    if !linter.error(FILE, format) {
        return;
    }
    let Ok(node) = read else { return };
    if !profile.is_v3() {
        let twice = duplicates::find(&String::from_utf8_lossy(&data));
        let strict = if twice.is_empty() {
            Draft::default().take_strictly(&node, profile).err()
        } else {
            let problems = twice.join("\n  ");
            Some(format!("error converting YAML to JSON: yaml: unmarshal errors:\n  {problems}"))
        };
        linter.warning(
            FILE,
            strict.map(|problem| format!("failed to strictly parse chart metadata file\n\t{problem}")),
        );
    }
    check_fields(linter, &draft, &node);
}

fn check_fields(linter: &mut Linter<'_>, draft: &Draft, node: &Node) {
    let md = &draft.metadata;
    let is_form_2 = md.api_version == "v2";
    linter.error(FILE, name(&md.name));
    linter.error(FILE, form(&md.api_version));
    linter.error(FILE, type_of(node, "version"));
    linter.error(FILE, chart_version(&md.version));
    linter.error(FILE, type_of(node, "appVersion"));
    linter.error(FILE, maintainers(draft));
    let bad_source = md.sources.iter().find(|source| source.is_empty() || !is_request_url(source));
    linter.error(FILE, bad_source.map(|source| format!("invalid source URL '{source}'")));
    linter.rule(LintSeverity::Info, FILE, md.icon.is_empty().then(|| "icon is recommended".to_owned()));
    let has_bad_icon = !md.icon.is_empty() && !is_request_url(&md.icon);
    linter.error(FILE, has_bad_icon.then(|| format!("invalid icon URL '{}'", md.icon)));
    let has_kind = !md.kind.is_empty() && !is_form_2;
    let form = &md.api_version;
    linter.error(
        FILE,
        has_kind.then(|| {
            format!("chart type is not valid in apiVersion '{form}'. It is valid in apiVersion 'v2'")
        }),
    );
    let has_dependencies = md.dependencies.as_ref().is_some_and(|list| !list.is_empty()) && !is_form_2;
    linter.error(
        FILE,
        has_dependencies.then(|| {
            format!(
                "dependencies are not valid in the Chart file with apiVersion '{form}'. They are valid in apiVersion 'v2'"
            )
        }),
    );
    if !linter.profile().is_v3() {
        let is_strict = dependency_list::is_strict(&md.version);
        linter
            .warning(FILE, (!is_strict).then(|| format!("version '{}' is not a valid SemVerV2", md.version)));
    }
}

fn name(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("name is required".to_owned());
    }
    (go::base(name) != name).then(|| format!("chart name {} is invalid", go::quote(name)))
}

fn form(form: &str) -> Option<String> {
    match form {
        "v1" | "v2" => None,
        "" => Some("apiVersion is required. The value must be either \"v1\" or \"v2\"".to_owned()),
        _ => Some(format!("apiVersion '{form}' is not valid. The value must be either \"v1\" or \"v2\"")),
    }
}

fn type_of(node: &Node, key: &str) -> Option<String> {
    let found = match &node.get(key)?.value {
        Value::Str(_) => return None,
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Seq(_) => "[]interface {}",
        Value::Map(_) => "map[string]interface {}",
        _ => "float64",
    };
    Some(format!("{key} should be of type string but it's of type {found}"))
}

fn chart_version(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("version is required".to_owned());
    }
    if !version::is_version(text) {
        return Some(format!("version '{text}' is not a valid SemVer"));
    }
    let is_positive = version::is_in_range(">0.0.0-0", text);
    (!is_positive).then(|| format!("version {text} is less than or equal to 0.0.0-0"))
}

fn maintainers(draft: &Draft) -> Option<String> {
    if draft.has_null_maintainer {
        return Some("a maintainer entry is empty".to_owned());
    }
    draft.metadata.maintainers.iter().find_map(|maintainer| {
        let (name, email, url) = (&maintainer.name, &maintainer.email, &maintainer.url);
        if name.is_empty() {
            return Some("each maintainer requires a name".to_owned());
        }
        if !email.is_empty() && !is_email(email) {
            return Some(format!("invalid email '{email}' for maintainer '{name}'"));
        }
        (!url.is_empty() && !is_url(url)).then(|| format!("invalid url '{url}' for maintainer '{name}'"))
    })
}
