use super::{Input, Worker};
use crate::item::ItemRun;
use crate::reads::Read;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::yaml::{self, LoadOptions, WriteOptions};
use kapstan_document::{Node, Value, python};
use kapstan_helm::template::{Answer, Context, Effect, Flag, Request};
use kapstan_helm::{Profile, Rendered};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Flags that Kapitan does not let through, and what it says to use instead.
const REFUSED: &[(&str, Option<&str>)] = &[
    ("set", Some("'helm_values' to specify template values")),
    ("set-file", Some("'helm_values' to specify template values")),
    ("set-string", Some("'helm_values' to specify template values")),
    ("values", Some("'helm_values_files' to specify template values files")),
    ("dry-run", None),
    ("generate-name", None),
    ("help", None),
    ("output-dir", None),
    ("show-only", None),
];

/// Renders a chart as `helm template` does and writes each file of it again, as YAML or JSON by its name.
///
/// Behaviour: Kapitan's input type `helm`, with Helm built in: `helm_path` is not looked at.
pub(super) fn compile(
    item_run: &Rc<ItemRun>,
    _worker: &mut Worker,
    input: Input<'_>,
) -> Result<(), Box<Diagnostic>> {
    let item = item_run.item();
    let Params { request, output_file } = params(item_run, input.is_first)?;
    let values = item.field("helm_values");
    let values = if values.value.is_truthy() {
        let text = yaml::write_documents(values, &WriteOptions::helm_values());
        Some(text.map_err(|error| error.into_diagnostic().at(values.span))?)
    } else {
        None
    };
    for read in [Read::Clock, Read::Variable("HELM_NAMESPACE".to_owned())] {
        item_run.door.record(read);
    }
    let (seed, host) = (request.seed.clone(), item_run.run.host.clone());
    let context = Context {
        files: &*item_run.door,
        standard_input: values.as_deref().map(str::as_bytes),
        sources: &item_run.run.sources,
        profile: profile(item_run)?,
        host: &|| host.for_templates(seed.as_deref()),
        // Other targets are at work on the others.
        threads: 1,
    };
    let files = request.run(input.path, &context).and_then(|mut answer| {
        if let Some(program) = &request.post_renderer {
            let host = &item_run.run.host;
            let arguments = &request.post_renderer_arguments;
            item_run.door.record(Read::Program);
            answer.rendered.post_render(|stream| host.filter(program, arguments, stream))?;
        }
        Ok(files(answer, &request, output_file))
    });
    let (files, rendered) = files.map_err(|error| located(item_run, error.into_diagnostic()))?;
    rendered.warnings.into_iter().for_each(|warning| item_run.door.warn(warning));
    files.iter().try_for_each(|(name, text)| write(item_run, name, text, input.number))
}

/// What the fields of the item ask Helm for.
struct Params {
    request: Request,
    output_file: Option<String>,
}

fn params(item_run: &ItemRun, is_first: bool) -> Result<Params, Box<Diagnostic>> {
    let item = item_run.item();
    let mut request = Request { include_crds: true, skip_tests: true, ..Request::default() };
    request.namespace = item_run.run.host.variable("HELM_NAMESPACE").filter(|name| !name.is_empty());
    request.api_versions.extend(item.text("kube_version").map(|version| version.to_string()));
    let mut output_file = None;
    let no_params = kapstan_document::Map::new();
    for (key, value) in item.field("helm_params").as_map().unwrap_or(&no_params).iter() {
        let name = python::scalar_str(&key.scalar);
        let text = || python::str(&value.value).into_owned();
        match &*name {
            // Kapitan takes the two out of the item's parameters when it renders the first chart.
            "name" | "output_file" if !is_first => {}
            "name" => request.name = value.value.is_truthy().then(text),
            "output_file" => output_file = value.value.is_truthy().then(text),
            "release_name" if !matches!(value.value, Value::Bool(_)) => {
                let message = "`release_name` that is not true or false names the release: write `name`";
                item_run.door.warn(Diagnostic::warning("compile::deprecated", message).at(key.span));
                request.name = request.name.take().or_else(|| value.value.is_truthy().then(text));
            }
            _ => param(&name, value, &mut request).map_err(|problem| {
                let span = key.span.or(item.span);
                Box::new(
                    Diagnostic::error("compile::helm-flag", problem.clone()).at(span).with_peer_text(problem),
                )
            })?,
        }
    }
    if let Some(file) = item.field("helm_values").value.is_truthy().then(|| "-".to_owned()) {
        request.values.files.push(file);
    }
    request.values.files.extend(item.texts("helm_values_files").iter().map(|file| file.to_string()));
    Ok(Params { request, output_file })
}

/// A parameter that is a flag of Helm. Fails with Kapitan's text, or with Helm's.
fn param(name: &str, value: &Node, request: &mut Request) -> Result<(), String> {
    if name.chars().count() == 1 {
        return Err(format!("invalid helm flag: '{name}'. helm_params supports only long flag names"));
    }
    if name.contains('-') {
        return Err(format!("helm flag names must use '_' and not '-': {name}"));
    }
    let name = name.replace('_', "-");
    match REFUSED.iter().find(|(refused, _)| *refused == name) {
        Some((_, Some(instead))) => {
            return Err(format!("helm '{name}' flag is not supported. Use {instead}"));
        }
        Some((_, None)) => return Err(format!("helm flag '{name}' is not supported.")),
        None => {}
    }
    let flag = Flag::named(&name).ok_or_else(|| format!("unknown flag: --{name}"))?;
    match (&value.value, flag.optional_value) {
        (Value::Bool(false), _) => {
            if let Effect::Switch(field) = flag.effect {
                *field(request) = false;
            }
            Ok(())
        }
        (Value::Bool(true), _) if name == "enable-dns" => {
            Err("--enable-dns lets templates ask the network, which compile items may not".to_owned())
        }
        (Value::Bool(true), Some(alone)) => flag.apply(alone, request),
        (Value::Bool(true), None) => Err(format!("--{name} wants a value, not `true`")),
        // Helm would take it for the release's name.
        (_, Some(_)) => Err(format!("--{name} takes no value: write `true` or `false`")),
        (value, None) => flag.apply(&python::str(value), request),
    }
}

fn profile(item_run: &ItemRun) -> Result<Profile, Box<Diagnostic>> {
    let item = item_run.item();
    let Some(wanted) = &item.helm_compat else { return Ok(item_run.run.settings.helm_profile) };
    let name = python::str(&wanted.value);
    Profile::from_name(&name).ok_or_else(|| {
        let message = format!("`helm_compat: {name}` is no Helm to follow: there are `4.2` and `3`");
        Box::new(Diagnostic::error("compile::helm-compat", message).at(wanted.span.or(item.span)))
    })
}

/// The files that Helm would leave in an empty folder.
fn files(
    answer: Answer,
    request: &Request,
    output_file: Option<String>,
) -> (BTreeMap<String, String>, Rendered) {
    let Answer { name, rendered } = answer;
    let mut files = BTreeMap::new();
    if let Some(file) = output_file {
        files.insert(file, rendered.text(request.output()));
        return (files, rendered);
    }
    let release = request.release_name.then_some(&*name);
    for document in rendered.tree(release, request.output()) {
        let text: &mut String = files.entry(document.path).or_default();
        if !document.is_appended && !document.is_hook {
            text.clear();
        }
        text.push_str(&document.text);
    }
    (files, rendered)
}

/// Reads a file's documents as Kapitan does and writes them in its way.
fn write(item_run: &ItemRun, name: &str, text: &str, input: usize) -> Result<(), Box<Diagnostic>> {
    let source = item_run.run.sources.add(name, text.as_bytes());
    let documents = yaml::load_all(text.as_bytes(), source, &LoadOptions::default())
        .map_err(|error| located(item_run, error.into_diagnostic(source)))?;
    let documents: Vec<Node> = documents.into_iter().filter(|document| !document.is_null()).collect();
    item_run.write_value(name, Node::from(documents), input)
}

/// A problem of a chart, at the compile item where it has no place of its own.
fn located(item_run: &ItemRun, problem: Diagnostic) -> Box<Diagnostic> {
    Box::new(if problem.labels.is_empty() { problem.at(item_run.item().span) } else { problem })
}
