use super::failure::{executed, parsed};
use super::functions::functions;
use super::options::RenderOptions;
use crate::chart::File;
use crate::error::Result;
use crate::manifests::RenderedFile;
use crate::{go, objects};
use kapstan_gotemplate::functions::helm::without_no_value;
use kapstan_gotemplate::value::take_apart;
use kapstan_gotemplate::{LARGE_STACK, Limits, Map, MissingKey, Options, Set, Value};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The templates of all charts of a rendering, by path.
#[derive(Default)]
pub(super) struct Templates {
    by_path: BTreeMap<String, Template>,
}

struct Template {
    text: Arc<[u8]>,
    /// What it sees. All templates of a chart see the same.
    data: Map,
    base_path: String,
}

impl Templates {
    pub(super) fn add(&mut self, path: String, file: &File, data: Map, base_path: String) {
        self.by_path.insert(path, Template { text: file.data.clone(), data, base_path });
    }

    /// Parses all of them into one set and runs those that are no partials, in Helm's order: what lies deeper first, then
    /// by name, backwards; so that charts replace what their subcharts define.
    pub(super) fn render(&self, options: &RenderOptions<'_>) -> Result<Vec<RenderedFile>> {
        let mut order: Vec<(&String, &Template)> = self.by_path.iter().collect();
        order.sort_by_key(|(path, _)| path.matches('/').count());
        order.reverse();
        let mut set = Set::new("gotpl", functions(options)).with_stack(LARGE_STACK);
        for (path, template) in &order {
            set.parse(path.as_str(), &*template.text).map_err(|error| parsed(&error, self, options))?;
        }
        let execution = execution(options);
        let mut files = Vec::new();
        for (path, template) in order {
            if go::base(path).starts_with('_') {
                continue;
            }
            let names = [("Name", Value::str(path)), ("BasePath", Value::str(&template.base_path))];
            let names = objects::as_values(&Map::from_entries(names), options.profile);
            template.data.insert("Template", Value::Map(names));
            let text = set
                .execute(path, Value::Map(template.data.clone()), &execution)
                .map_err(|error| executed(&error, self, options))?;
            let text = if options.strict { text } else { without_no_value(text) };
            files.push(RenderedFile { path: path.clone(), text: text.to_vec() });
        }
        Ok(files)
    }

    /// The text of a template.
    pub(super) fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        self.by_path.get(path).map(|template| template.text.clone())
    }
}

impl Drop for Templates {
    /// Many renderings may take place in one process, and templates like to put what they see into what they see.
    fn drop(&mut self) {
        take_apart(self.by_path.values().map(|template| Value::Map(template.data.clone())));
    }
}

/// How templates of charts run.
pub(super) fn execution(options: &RenderOptions<'_>) -> Options {
    let missing_key = if options.strict { MissingKey::Error } else { MissingKey::Zero };
    let limits = Limits { stack: LARGE_STACK, ..Limits::default() };
    Options { missing_key, limits, host: Some(Rc::new((options.host)())) }
}
