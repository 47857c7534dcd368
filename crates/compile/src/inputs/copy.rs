use super::{Input, Worker};
use crate::item::ItemRun;
use crate::search::normal;
use kapstan_diagnostic::Diagnostic;
use kapstan_files::{Attributes, Files, Kind};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// Copies a file into the output folder, or the content of a folder, hidden files too, links followed.
///
/// Behaviour: Kapitan's input type `copy`; contents are not searched for references.
pub(super) fn compile(
    item_run: &Rc<ItemRun>,
    _worker: &mut Worker,
    input: Input<'_>,
) -> Result<(), Box<Diagnostic>> {
    match kind(item_run, input.path)? {
        Some(Kind::Folder) => copy_folder(item_run, input, Path::new("")),
        // A link that leads nowhere.
        None if item_run.item().ignore_missing => Ok(()),
        _ => {
            let name = PathBuf::from(input.path.file_name().unwrap_or_default());
            copy_file(item_run, input.path, &name, input.number)
        }
    }
}

/// How deeply folders may be nested: a link to a folder above makes an endless tree.
const DEEPEST: usize = 100;

fn copy_folder(item_run: &ItemRun, input: Input<'_>, below: &Path) -> Result<(), Box<Diagnostic>> {
    let folder = input.path.join(below);
    if below.components().count() > DEEPEST {
        let message = format!("folders are nested more than {DEEPEST} deep below `{}`", input.path.display());
        let hint = "a symbolic link may lead to a folder above itself";
        return Err(Diagnostic::error("compile::too-deep", message)
            .at(item_run.item().span)
            .with_hint(hint)
            .into());
    }
    let entries = item_run.door.list(&folder).map_err(|error| cannot_copy(item_run, &folder, &error))?;
    item_run.run.output.create_folder(&item_run.folder.join(below), item_run.item().output_path_span)?;
    // What can be copied is copied, as in Python; the first problem is reported after that.
    let mut outcome = Ok(());
    for entry in entries {
        let name = below.join(&entry.name);
        let copied = match entry.kind {
            Some(Kind::Folder) => copy_folder(item_run, input, &name),
            _ => copy_file(item_run, &folder.join(&entry.name), &name, input.number),
        };
        if outcome.is_ok() {
            outcome = copied;
        }
    }
    outcome
}

fn copy_file(item_run: &ItemRun, from: &Path, name: &Path, input: usize) -> Result<(), Box<Diagnostic>> {
    let failed = |error: io::Error| cannot_copy(item_run, from, &error);
    let mut name = name.to_path_buf();
    let mut to = item_run.run.output.stage.tree().join(&item_run.folder).join(&name);
    if let Some(own) = from.file_name().filter(|_| to.is_dir()) {
        // Python copies into a folder that has the file's name.
        name.push(own);
        to.push(own);
    }
    if normal(&below_root(from)) == normal(&below_root(&to)) {
        return Err(failed(io::Error::other("it would be copied onto itself")));
    }
    let content = item_run.door.read(from).map_err(failed)?;
    let mode = item_run.door.mode(from).map_err(failed)?;
    let modified = item_run.door.modified(from).map_err(failed)?;
    item_run.write_file(&name, &content, Attributes { mode, modified, ..Attributes::DEFAULT }, input)
}

/// An absolute path without what it starts from. Windows spells the root of a disk in several ways, and the tree that is
/// being made lies in a folder with a name of its own, so that nothing on another disk is taken for it.
fn below_root(path: &Path) -> PathBuf {
    path.components().skip_while(|part| matches!(part, Component::Prefix(_) | Component::RootDir)).collect()
}

fn kind(item_run: &ItemRun, path: &Path) -> Result<Option<Kind>, Box<Diagnostic>> {
    item_run.door.kind(path).map_err(|error| cannot_copy(item_run, path, &error))
}

fn cannot_copy(item_run: &ItemRun, path: &Path, error: &io::Error) -> Box<Diagnostic> {
    let message = format!("cannot copy `{}`: {error}", path.display());
    Diagnostic::error("compile::unreadable", message).at(item_run.item().span).into()
}
