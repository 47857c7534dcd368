use super::{Input, Worker};
use crate::item::ItemRun;
use kapstan_diagnostic::Diagnostic;
use std::fs;
use std::rc::Rc;

/// Removes what was compiled before in this run: a file or a folder below `compiled/`.
///
/// Behaviour: Kapitan's input type `remove`, except that nothing outside the tree that is being made is ever removed;
/// Kapitan deletes source files that the path matches.
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
    let result =
        if input.path.is_dir() { fs::remove_dir_all(input.path) } else { fs::remove_file(input.path) };
    result.map_err(|error| {
        let message = format!("cannot remove `compiled/{}`: {error}", below.display());
        Diagnostic::error("compile::cannot-remove", message).at(item_run.item().span)
    })?;
    item_run.run.output.forget(below);
    Ok(())
}

/// Whether the path lies in the tree of the run before, which the run replaces anyway: `compiled/...` is found there, too.
fn is_old_output(item_run: &ItemRun, input: Input<'_>) -> bool {
    input.path.starts_with(item_run.run.settings.output_path.join("compiled"))
}
