use super::Call;
use crate::imports::{exists, os_error, read_text};
use crate::python_path::join;
use crate::session::{Session, runtime_error};
use crate::value::object;
use jrsonnet_evaluator::{Result, Val};
use kapstan_diagnostic::Diagnostic;
use kapstan_files::Kind;
use std::path::Path;

/// The first search path that has `name`, joined with it.
pub(super) fn find(session: &Session, name: &str) -> Option<String> {
    session.search_paths.iter().map(|path| join(path, name)).find(|path| exists(session, path))
}

/// The last candidate, which Kapitan names when there was none.
pub(super) fn last_tried(session: &Session, name: &str) -> String {
    session.search_paths.last().map(|path| join(path, name)).unwrap_or_default()
}

pub(super) fn jinja2_render_file(call: &Call<'_>) -> Result<Val> {
    let context = super::text::load_json(&call.json(1)?)?;
    let name = call.path(0)?;
    let session = &call.session;
    let Some(path) = find(session, &name) else {
        let tried = last_tried(session, &name);
        return Err(runtime_error(&format!("jinja2 failed to render, could not find file: {tried}")));
    };
    let rendered = session.host.render_jinja2(&path, context);
    rendered.map(Val::from).map_err(|problem| {
        let reason = problem.peer_text.as_deref().unwrap_or(&problem.message);
        let text = format!("Jsonnet jinja2 failed to render {path}: {reason}");
        session.fail(Diagnostic { peer_text: Some(text), ..*problem })
    })
}

pub(super) fn file_read(call: &Call<'_>) -> Result<Val> {
    let name = call.path(0)?;
    let path = find(&call.session, &name);
    let path = path.ok_or_else(|| runtime_error(&format!("Could not find file {name}")))?;
    read_text(&call.session, &path).map(Val::from).map_err(|error| runtime_error(&error))
}

pub(super) fn file_exists(call: &Call<'_>) -> Result<Val> {
    let found = find(&call.session, &call.path(0)?);
    let exists = Val::Bool(found.is_some());
    Ok(object([("exists".to_owned(), exists), ("path".to_owned(), found.unwrap_or_default().into())]))
}

pub(super) fn dir_files_list(call: &Call<'_>) -> Result<Val> {
    let name = call.path(0)?;
    let folder = find(&call.session, &name);
    let folder = folder.ok_or_else(|| runtime_error(&format!("Could not find folder {name}")))?;
    let names = files_in(&call.session, &folder)?;
    Ok(Val::Arr(names.into_iter().map(Val::from).collect()))
}

/// Null where there is no such folder.
pub(super) fn dir_files_read(call: &Call<'_>) -> Result<Val> {
    let Some(folder) = find(&call.session, &call.path(0)?) else { return Ok(Val::Null) };
    let mut contents = Vec::new();
    for name in files_in(&call.session, &folder)? {
        let path = join(&folder, &name);
        let text = read_text(&call.session, &path).map_err(|error| runtime_error(&error))?;
        contents.push((name, Val::from(text)));
    }
    Ok(object(contents))
}

/// The names of the files in a folder, sorted: Kapitan has them in the order of the disk.
fn files_in(session: &Session, folder: &str) -> Result<Vec<String>> {
    let entries = session.host.files().list(Path::new(folder));
    let entries = entries.map_err(|error| runtime_error(&os_error(&error, folder)))?;
    Ok(entries.into_iter().filter(|entry| entry.kind == Some(Kind::File)).map(|entry| entry.name).collect())
}
