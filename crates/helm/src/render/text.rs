use super::failure::{executed, parsed};
use super::functions::functions;
use super::options::RenderOptions;
use super::templates::{Templates, execution};
use crate::chart::File;
use crate::error::{Error, Result};
use crate::values::table_of;
use kapstan_document::Node;
use kapstan_gotemplate::{LARGE_STACK, Map, Set, Value, on_large_stack};
use std::sync::Arc;

/// Runs a template that belongs to no chart, with the functions of charts; `.` is the values, which are a mapping.
///
/// `path` is what messages call it. Fails with Helm's texts. Runs on a thread of its own with a large stack.
pub fn render_text(
    path: &str,
    text: Arc<[u8]>,
    values: &Node,
    options: &RenderOptions<'_>,
) -> Result<Vec<u8>> {
    on_large_stack(LARGE_STACK + (16 << 20), || run(path, text, values, options))
        .unwrap_or_else(|error| Err(Error::new("helm::no-thread", format!("no room for a thread: {error}"))))
}

fn run(path: &str, text: Arc<[u8]>, values: &Node, options: &RenderOptions<'_>) -> Result<Vec<u8>> {
    let values = table_of(values).map_err(|error| Error::new("helm::values-too-deep", error.to_string()))?;
    let file = File { name: path.to_owned(), data: text.clone(), modified: None };
    let mut templates = Templates::default();
    templates.add(path.to_owned(), &file, Map::new(), String::new());
    let mut set = Set::new("gotpl", functions(options)).with_stack(LARGE_STACK);
    set.parse(path, &*text).map_err(|error| parsed(&error, &templates, options))?;
    let made = set
        .execute(path, Value::Map(values), &execution(options))
        .map_err(|error| executed(&error, &templates, options))?;
    Ok(made.to_vec())
}
