use super::{Input, Worker};
use crate::item::{ItemRun, first};
use crate::reads::{Door, Read};
use crate::run::Run;
use kapstan_diagnostic::{Diagnostic, Position, Span};
use kapstan_document::{Map, Node, Text, Value, python};
use kapstan_files::{Files, Kind, glob, slashed};
use kapstan_jinja2::{
    Context, Entry, Environment, Function, Host, Limits, LoadError, Mapping, RenderError, Source,
};
use std::path::{Component, Path, PathBuf};
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// Renders a template, or every template below a folder, to files of the same names and permissions.
///
/// Behaviour: Kapitan's input type `jinja2`. Files whose names begin with a dot are passed over.
pub(super) fn compile(
    item_run: &Rc<ItemRun>,
    _worker: &mut Worker,
    input: Input<'_>,
) -> Result<(), Box<Diagnostic>> {
    let context = context(item_run)?;
    let templates = templates(item_run, input.path)?;
    if !templates.is_empty() {
        check_filters(item_run)?;
    }
    // Nothing is written before every template is rendered: an item that may fail leaves all of them or none.
    let mut rendered = Vec::new();
    for (path, name) in templates {
        let text = render(item_run, &path, &context)?;
        let mode = item_run.door.mode(&path).map_err(|error| unreadable(item_run, &path, &error))?;
        rendered.push((name, text, mode));
    }
    for (name, text, mode) in rendered {
        let name = output_name(item_run, &name)?;
        item_run.write_text(&name, &text, mode, input.number)?;
    }
    Ok(())
}

/// Fails where the file with filters that the user names is not there.
fn check_filters(item_run: &ItemRun) -> Result<(), Box<Diagnostic>> {
    let settings = &item_run.run.settings;
    let is_there = || matches!(item_run.door.kind(&settings.jinja2_filters), Ok(Some(_)));
    if !settings.needs_jinja2_filters || is_there() {
        return Ok(());
    }
    let message = format!("the Jinja2 filters `{}` are not there", settings.jinja2_filters.display());
    Err(Diagnostic::error("jinja2::no-filters", message).at(item_run.item().span).into())
}

/// Renders a template with nothing but the given names: what jsonnet code asks for.
pub(super) fn render_alone(
    item_run: &Rc<ItemRun>,
    path: &Path,
    names: Map,
) -> Result<String, Box<Diagnostic>> {
    let mut context = Context::new();
    for (name, value) in names.iter() {
        context = context.with_node(text_of(name), value);
    }
    render(item_run, path, &context)
}

/// The templates that a path stands for, and what they are called below it.
fn templates(item_run: &ItemRun, path: &Path) -> Result<Vec<(PathBuf, String)>, Box<Diagnostic>> {
    let kind = item_run.door.kind(path).map_err(|error| unreadable(item_run, path, &error))?;
    if kind.is_none() {
        // A link that leads nowhere: Kapitan looks for templates below it.
        return Ok(Vec::new());
    }
    if kind != Some(Kind::Folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Ok(if name.starts_with('.') { Vec::new() } else { vec![(path.to_path_buf(), name)] });
    }
    let mut found = Vec::new();
    collect(item_run, path, "", 0, &mut found)?;
    Ok(found)
}

/// How deeply folders of templates may be nested.
const DEEPEST: usize = 100;

fn collect(
    item_run: &ItemRun,
    folder: &Path,
    below: &str,
    depth: usize,
    found: &mut Vec<(PathBuf, String)>,
) -> Result<(), Box<Diagnostic>> {
    if depth > DEEPEST {
        let message = format!("folders are nested more than {DEEPEST} deep in `{}`", folder.display());
        return Err(Diagnostic::error("compile::too-deep", message).at(item_run.item().span).into());
    }
    let entries = item_run.door.list(folder).map_err(|error| unreadable(item_run, folder, &error))?;
    for entry in entries {
        let path = folder.join(&entry.name);
        let name = if below.is_empty() { entry.name.clone() } else { format!("{below}/{}", entry.name) };
        match entry.kind {
            Some(Kind::Folder) if entry.is_link => {}
            Some(Kind::Folder) => collect(item_run, &path, &name, depth + 1, found)?,
            _ if entry.name.starts_with('.') => {}
            _ => found.push((path, name)),
        }
    }
    Ok(())
}

/// The name of the output file: with `suffix_remove`, all characters at the end that occur in the suffix are cut off,
/// which is what Kapitan does. Fails where there is no suffix to cut off.
fn output_name(item_run: &ItemRun, name: &str) -> Result<String, Box<Diagnostic>> {
    let item = item_run.item();
    if !item.flag("suffix_remove") {
        return Ok(name.to_owned());
    }
    let Some(suffix) = item.text("suffix_stripped") else {
        let message = "`suffix_remove` needs a string in `suffix_stripped`, which is null";
        let peer_text = "endswith first arg must be str or a tuple of str, not NoneType";
        let problem = Diagnostic::error("compile::no-suffix", message).with_peer_text(peer_text);
        return Err(problem.at(item.field("suffix_stripped").span.or(item.span)).into());
    };
    let is_cut = name.ends_with(&*suffix);
    let cut = name.trim_end_matches(|character| is_cut && suffix.contains(character));
    Ok(cut.to_owned())
}

/// A thread that compiles has a large stack: macros may call each other as deeply as in Python.
const LIMITS: Limits = Limits { stack: 64 << 20, ..Limits::DEFAULT };

/// The names that a template sees: the inventory of the target and of all targets, topics, parameters of the item and
/// the target's variables, which may hide the others.
fn context(item_run: &Rc<ItemRun>) -> Result<Context, Box<Diagnostic>> {
    let named = item_run.named_target()?;
    let root = item_run.values.root(&named.name);
    let everything = Rc::new(InventoryGlobal(Rc::downgrade(item_run)));
    let mut input_params = item_run.item().field("input_params").as_map().cloned().unwrap_or_default();
    if !input_params.contains("compile_path") {
        let folder = item_run.folder_on_disk();
        input_params.insert("compile_path", slashed(&folder));
    }
    let mut context = Context::new()
        .with_mapping("inventory_global", everything)
        .with_watched("inventory", &named.document, item_run.values.clone(), root)
        .with_function("topics", Rc::new(TopicsFunction(Rc::downgrade(item_run))))
        .with_node("input_params", &input_params.into());
    let project = named.project.as_ref();
    for (name, value) in project.iter().flat_map(|project| project.vars.iter()) {
        context = context.with_node(text_of(name), value);
    }
    Ok(context)
}

fn text_of(key: &kapstan_document::Key) -> Text {
    python::str(&Value::from(key.scalar.clone())).into()
}

fn render(item_run: &Rc<ItemRun>, path: &Path, context: &Context) -> Result<String, Box<Diagnostic>> {
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let run = &item_run.run;
    let host = TemplateHost {
        run: run.clone(),
        door: item_run.door.clone(),
        folders: std::iter::once(folder).chain(run.search_paths.iter().cloned()).collect(),
        target_name: item_run.target_name.clone(),
        secrets: item_run.target.secrets().cloned(),
    };
    let mut environment = Environment::sharing(Arc::new(host), run.templates.clone()).with_limits(LIMITS);
    if matches!(run.files.kind(&run.settings.jinja2_filters), Ok(Some(Kind::File))) {
        environment = environment.with_python_filters(run.settings.jinja2_filters.to_string_lossy());
    }
    environment.render(&name, context).map_err(|error| problem(item_run, path, error))
}

fn problem(item_run: &ItemRun, path: &Path, error: RenderError) -> Box<Diagnostic> {
    let peer_text = format!("Jinja2 error: failed to render {}: {}", path.display(), error.peer_text());
    let mut problem = Diagnostic::error("jinja2::failed", error.message.clone()).with_peer_text(peer_text);
    let mut frames = error.frames.iter();
    let place = match frames.next() {
        Some(innermost) => line_span(item_run, &innermost.file, innermost.line),
        None => line_span(item_run, &slashed(path), 1),
    };
    problem = problem.at(place);
    for frame in frames {
        let span = line_span(item_run, &frame.file, frame.line);
        problem = problem.within(format!("in template `{}`", frame.file), span);
    }
    if let Some(hint) = error.hint {
        problem = problem.with_hint(hint);
    }
    problem.into()
}

/// The line of a template, without the blanks around it.
fn line_span(item_run: &ItemRun, file: &str, line: u32) -> Span {
    let Ok(text) = item_run.run.files.read(Path::new(file)) else { return Span::NONE };
    let sources = &item_run.run.sources;
    let id = sources.add(file, text);
    let Some(source) = sources.get(id) else { return Span::NONE };
    let start = source.offset(Position { line, column: 1 });
    let content = source.line(line).unwrap_or_default();
    let indentation = content.len() - content.trim_start().len();
    Span::new(id, start + indentation, start + content.trim_end().len())
}

fn unreadable(item_run: &ItemRun, path: &Path, error: &std::io::Error) -> Box<Diagnostic> {
    let message = format!("cannot read `{}`: {error}", path.display());
    Diagnostic::error("compile::unreadable", message).at(item_run.item().span).into()
}

/// What templates may ask of the run; everything is recorded with the compile item.
struct TemplateHost {
    run: Arc<Run>,
    door: Arc<Door>,
    /// Where templates are looked for: beside the one that is rendered, then in the search paths.
    folders: Vec<PathBuf>,
    target_name: Text,
    secrets: Option<Node>,
}

impl Host for TemplateHost {
    /// Behaviour: Jinja2's `FileSystemLoader`: names never lead out of the folder.
    fn load(&self, name: &str) -> Result<Source, LoadError> {
        let is_inside =
            Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let relative = name.trim_start_matches('/');
        if !(is_inside || name.starts_with('/') && !name.split('/').any(|part| part == "..")) {
            return Err(LoadError::NotFound(name.to_owned()));
        }
        for folder in &self.folders {
            let path = folder.join(relative);
            if !matches!(self.door.kind(&path), Ok(Some(Kind::File))) {
                continue;
            }
            let file = slashed(&path);
            let bytes = self
                .door
                .read(&path)
                .map_err(|error| LoadError::Failed(format!("cannot read `{file}`: {error}")))?;
            let text =
                std::str::from_utf8(&bytes).map_err(|error| LoadError::Failed(not_utf8(&bytes, error)))?;
            return Ok(Source { text: text.into(), file });
        }
        // The folder in which the tree is being made has another name in every run.
        let stage = self.run.output.stage.root();
        let lasting = self.folders.iter().filter(|folder| !folder.starts_with(stage));
        let folders: Vec<String> = lasting.map(|folder| python::repr_str(&slashed(folder))).collect();
        let name = python::repr_str(name);
        Err(LoadError::NotFound(format!("{name} not found in search paths: {}", folders.join(", "))))
    }

    fn glob(&self, pattern: &str) -> Result<Vec<String>, String> {
        let found = glob(&*self.door, Path::new(pattern)).map_err(|error| error.to_string())?;
        let is_file = |path: &PathBuf| matches!(self.door.kind(path), Ok(Some(Kind::File)));
        Ok(found.iter().filter(|path| is_file(path)).map(|path| slashed(path)).collect())
    }

    fn reveals(&self) -> bool {
        self.run.references.settings().reveal
    }

    fn reveal(&self, text: &str) -> Result<String, String> {
        let context = kapstan_refs::Context {
            target_name: Some(&self.target_name),
            secrets: self.secrets.as_ref(),
            observer: &*self.door,
        };
        let revealed = self.run.references.reveal_text(text, &context).map_err(|error| error.to_string())?;
        Ok(revealed.unwrap_or_else(|| text.to_owned()))
    }

    fn now(&self) -> i64 {
        self.door.record(Read::Clock);
        self.run.host.now()
    }

    fn zone(&self, time: i64) -> (i32, String) {
        self.door.record(Read::Clock);
        self.run.host.zone(time)
    }

    fn random(&self) -> u64 {
        self.door.record(Read::Clock);
        self.run.host.random()
    }
}

/// Python's text for bytes that are not UTF-8.
fn not_utf8(bytes: &[u8], error: std::str::Utf8Error) -> String {
    let at = error.valid_up_to();
    let byte = bytes.get(at).copied().unwrap_or_default();
    let reason = match error.error_len() {
        None => "unexpected end of data",
        Some(_) if (0xC2..=0xF4).contains(&byte) => "invalid continuation byte",
        Some(_) => "invalid start byte",
    };
    format!("'utf-8' codec can't decode byte 0x{byte:02x} in position {at}: {reason}")
}

/// Every target's inventory, by name, each rendered when it is looked at. What a template keeps may outlive the item, so
/// it does not keep it alive.
struct InventoryGlobal(Weak<ItemRun>);

impl Mapping for InventoryGlobal {
    fn keys(&self) -> Vec<Text> {
        let Some(item_run) = self.0.upgrade() else { return Vec::new() };
        item_run.door.record(Read::TargetNames);
        item_run.run.targets.names().to_vec()
    }

    fn get(&self, key: &str) -> Result<Option<Entry>, String> {
        let Some(item_run) = self.0.upgrade() else { return Ok(None) };
        let Some(shown) = item_run.run.targets.get(key) else {
            item_run.door.record(Read::TargetNames);
            return Ok(None);
        };
        let shown = shown.map_err(|problems| first(&problems).message)?;
        let root = item_run.values.root(&shown.name);
        Ok(Some(Entry { node: shown.document.clone(), watch: Some((item_run.values.clone(), root)) }))
    }
}

/// `topics("name")`, and `topics()` for all.
struct TopicsFunction(Weak<ItemRun>);

impl Function for TopicsFunction {
    fn call(&self, positional: &[Node], named: &[(Text, Node)]) -> Result<Node, String> {
        let item_run = self.0.upgrade().ok_or("the compile item that is asked is over")?;
        let by_name = || named.iter().find(|(name, _)| &**name == "name").map(|(_, value)| value);
        let name = positional.first().or_else(by_name).and_then(Node::as_str).filter(|name| !name.is_empty());
        item_run.door.record(Read::Topic(name.map(Text::from)));
        let run = &item_run.run;
        let topics = run.topics.consumed_by(&run.targets, &item_run.target_name, name);
        topics.map_err(|problems| first(&problems).message)
    }
}
