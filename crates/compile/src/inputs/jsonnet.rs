use super::{Input, Worker, jinja2};
use crate::item::{ItemRun, first};
use crate::reads::{Door, Read};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Map, Node, Text, Value, python};
use kapstan_files::{Files, slashed};
use kapstan_jsonnet::{Evaluation, Evaluator, Host, Watched};
use std::path::PathBuf;
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// The evaluator of a thread, made when the first file is evaluated.
#[derive(Default)]
pub(super) struct Engine(Option<Evaluator>);

/// Evaluates a jsonnet file; each field of the result becomes a file, any other value one file named after the input.
///
/// Behaviour: Kapitan's input type `jsonnet`.
pub(super) fn compile(
    item_run: &Rc<ItemRun>,
    worker: &mut Worker,
    input: Input<'_>,
) -> Result<(), Box<Diagnostic>> {
    let file = slashed(input.path);
    let search_paths: Vec<String> = item_run.run.search_paths.iter().map(|path| slashed(path)).collect();
    let evaluation = Evaluation {
        file: &file,
        search_paths: &search_paths,
        external_variables: &[("target", &item_run.target_name)],
        host: Rc::new(JsonnetHost { item_run: Rc::downgrade(item_run), door: item_run.door.clone() }),
        sources: &item_run.run.sources,
    };
    let evaluator = worker.jsonnet.0.get_or_insert_with(Evaluator::new);
    let result = evaluator.evaluate(&evaluation)?;
    drop(evaluation);
    for (name, value) in files(&file, result) {
        item_run.write_value(&name, value, input.number)?;
    }
    Ok(())
}

fn files(file: &str, result: Node) -> Vec<(String, Node)> {
    match result.value {
        Value::Map(fields) => {
            let named = |(key, value): (&kapstan_document::Key, &Node)| {
                (python::str(&Value::from(key.scalar.clone())).into_owned(), value.clone())
            };
            fields.iter().map(named).collect()
        }
        _ => {
            let name = file.rsplit('/').next().unwrap_or(file);
            let stem = match name.rfind('.') {
                Some(dot) if dot > 0 => &name[..dot],
                _ => name,
            };
            vec![(stem.to_owned(), result)]
        }
    }
}

/// What jsonnet code may ask of the run; everything is recorded with the compile item.
///
/// Values of jsonnet may outlive the item, so they do not keep it alive.
struct JsonnetHost {
    item_run: Weak<ItemRun>,
    door: Arc<Door>,
}

/// How code asks for a target. Kapitan fills `target_full_path` in where a target that is being compiled is asked for
/// by name.
#[derive(Clone, Copy)]
enum View {
    Alone,
    AmongAll,
}

impl JsonnetHost {
    fn item_run(&self) -> Result<Rc<ItemRun>, Box<Diagnostic>> {
        let is_over = || Diagnostic::error("compile::internal", "the compile item that is asked is over");
        self.item_run.upgrade().ok_or_else(|| is_over().into())
    }

    /// Code may name an inventory folder; there is one, wherever the name leads.
    fn check_path(&self, path: Option<&str>) -> Result<(), Box<Diagnostic>> {
        let Some(path) = path.filter(|path| !path.is_empty()) else { return Ok(()) };
        let run = &self.item_run()?.run;
        let beside = run.search_paths.iter().map(|search_path| search_path.join(path));
        let mut places = std::iter::once(PathBuf::from(path)).chain(beside);
        if places.any(|place| matches!(self.door.kind(&place), Ok(Some(_)))) {
            return Ok(());
        }
        let message = format!("inventory `{path}` not found in the search paths");
        Err(Diagnostic::error("compile::inventory-not-found", message).into())
    }

    fn shown(&self, target: &str, path: Option<&str>, view: View) -> Result<Watched, Box<Diagnostic>> {
        self.check_path(path)?;
        let item_run = self.item_run()?;
        let run = &item_run.run;
        let shown = match run.targets.get(target) {
            Some(shown) => shown.map_err(|problems| first(&problems))?,
            None => {
                let message = format!("no target is named `{target}`");
                let problem = Diagnostic::error("compile::unknown-target", message);
                return Err(problem.with_peer_text("'NoneType' object has no attribute 'model_dump'").into());
            }
        };
        let document = match view {
            View::Alone if run.is_selected(target) => shown.document_with_path(),
            View::Alone | View::AmongAll => shown.document.clone(),
        };
        let root = item_run.values.root(&shown.name);
        Ok(Watched { document, witness: Some((item_run.values.clone(), root)) })
    }
}

impl Host for JsonnetHost {
    fn files(&self) -> &dyn Files {
        &*self.door
    }

    fn targets(&self, path: Option<&str>) -> Result<Vec<Text>, Box<Diagnostic>> {
        self.check_path(path)?;
        self.door.record(Read::TargetNames);
        Ok(self.item_run()?.run.targets.names().to_vec())
    }

    fn inventory(&self, target: &str, path: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        self.shown(target, path, View::Alone)
    }

    fn inventory_among_all(&self, target: &str, path: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        self.shown(target, path, View::AmongAll)
    }

    fn topics(&self, name: Option<&str>) -> Result<Watched, Box<Diagnostic>> {
        let item_run = self.item_run()?;
        let run = &item_run.run;
        let name = name.filter(|name| !name.is_empty());
        self.door.record(Read::Topic(name.map(Text::from)));
        let topics = run.topics.consumed_by(&run.targets, &item_run.target_name, name);
        topics.map(Watched::from).map_err(|problems| first(&problems))
    }

    fn render_jinja2(&self, path: &str, context: Node) -> Result<String, Box<Diagnostic>> {
        let context = match context.value {
            Value::Map(map) => (*map).clone(),
            _ => Map::new(),
        };
        jinja2::render_alone(&self.item_run()?, path.as_ref(), context)
    }

    fn trace(&self, line: &str) {
        if let Ok(item_run) = self.item_run() {
            item_run.run.host.trace(line);
        }
    }
}
