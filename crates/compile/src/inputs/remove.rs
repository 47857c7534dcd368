use super::{Input, Worker};
use crate::item::ItemRun;
use kapstan_diagnostic::Diagnostic;
use std::fs;
use std::io;
use std::path::Path;
use std::rc::Rc;

/// Removes what was compiled before in this run: a file or a folder below `compiled/`.
///
/// Behaviour: Kapitan's input type `remove`, except that nothing outside the tree that is being made is ever removed;
/// Kapitan deletes source files that the path matches. What cannot be removed stays, with a warning.
pub(super) fn compile(
    item_run: &Rc<ItemRun>,
    _worker: &mut Worker,
    input: Input<'_>,
) -> Result<(), Box<Diagnostic>> {
    let tree = item_run.run.output.stage.tree();
    let Ok(below) = input.path.strip_prefix(tree) else {
        let own = input.path.strip_prefix(item_run.run.output.stage.root());
        if own.is_err() && is_old_output(item_run, input) {
            return Ok(());
        }
        let message = format!("`remove` would delete `{}`, which is not in the output", input.path.display());
        let hint = "write the path as `compiled/TARGET/...`";
        let span =
            item_run.item().input_paths.get(input.number).map_or(item_run.item().span, |(_, span)| *span);
        return Err(Diagnostic::error("compile::remove-outside", message).at(span).with_hint(hint).into());
    };
    match delete(input.path) {
        Ok(()) => item_run.run.output.forget(below),
        // The output is complete without it, and Kapitan goes on as well.
        Err(error) => {
            let message = format!("`compiled/{}` stays: {error}", below.display());
            let warning = Diagnostic::warning("compile::cannot-remove", message);
            item_run.door.warn(warning.at(item_run.item().span));
        }
    }
    Ok(())
}

/// Removes a file, a link to one, or a folder with all that is in it. Fails, as Python does, for other links.
fn delete(path: &Path) -> io::Result<()> {
    if path.is_file() {
        fs::remove_file(path)
    } else if path.is_symlink() {
        Err(io::Error::other("it is a link to something that is no file"))
    } else {
        fs::remove_dir_all(path)
    }
}

/// Whether the path lies in the tree of the run before, which the run replaces anyway: `compiled/...` is found there, too.
fn is_old_output(item_run: &ItemRun, input: Input<'_>) -> bool {
    input.path.starts_with(item_run.run.settings.output_path.join("compiled"))
}
