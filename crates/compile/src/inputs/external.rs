use super::{Input, Worker};
use crate::item::ItemRun;
use crate::reads::Read;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::Text;
use std::rc::Rc;

/// What stands for the output folder in arguments and variables.
const FOLDER: &str = "${compiled_target_dir}";

/// Runs a program with the item's arguments and environment; it writes to the output folder itself.
///
/// Behaviour: Kapitan's input type `external`: path and arguments are joined by blanks and given to the shell.
pub(super) fn compile(
    item_run: &Rc<ItemRun>,
    _worker: &mut Worker,
    input: Input<'_>,
) -> Result<(), Box<Diagnostic>> {
    item_run.door.record(Read::Program);
    let item = item_run.item();
    let folder = item_run.folder_on_disk();
    let folder = folder.to_string_lossy();
    let words: Vec<Text> =
        std::iter::once(Text::from(input.path.to_string_lossy())).chain(item.texts("args")).collect();
    let command = words.join(" ").replace(FOLDER, &folder);
    let mut variables: Vec<(Text, Text)> = item.text_entries("env_vars");
    for name in ["PATH", "HOME"] {
        if !variables.iter().any(|(given, _)| &**given == name)
            && let Some(value) = item_run.run.host.variable(name)
        {
            variables.push((name.into(), value.into()));
        }
    }
    for (_, value) in &mut variables {
        *value = value.replace(FOLDER, &folder).into();
    }
    let finished = item_run.run.host.run(&command, &variables).map_err(|error| {
        let message = format!("cannot run `{}`: {error}", words[0]);
        Diagnostic::error("compile::external-failed", message).at(item.span)
    })?;
    if finished.is_success {
        return Ok(());
    }
    let message = format!("`{}` failed: {}", words.join(" "), finished.stderr.trim_end());
    Err(Diagnostic::error("compile::external-failed", message).at(item.span).into())
}
