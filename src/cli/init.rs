use super::Failure;
use super::arguments::InitArguments;
use super::context::{Context, unavailable};
use include_dir::{Dir, DirEntry, include_dir};
use kapstan_diagnostic::Diagnostic;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The repository that `init` starts with.
static SKELETON: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/skeleton");

/// Fills a folder with the skeleton. Fails, and writes nothing, where one of its files is there already.
pub(crate) fn run(context: &Context<'_>, arguments: &InitArguments) -> Result<(), Failure> {
    if arguments.template_git_url.is_some() || arguments.checkout_ref.is_some() {
        return Err(unavailable("templates from git (`--template_git_url`, `--checkout_ref`)"));
    }
    let folder = context.absolute(&arguments.directory);
    let mut files = Vec::new();
    collect(&SKELETON, &mut files);
    let in_the_way: Vec<Diagnostic> = files
        .iter()
        .filter(|(path, _)| fs::symlink_metadata(folder.join(path)).is_ok())
        .map(|(path, _)| {
            Diagnostic::error(
                "init::in-the-way",
                format!("`{}` is there already", arguments.directory.join(path).display()),
            )
        })
        .collect();
    if !in_the_way.is_empty() {
        return Err(in_the_way.into());
    }
    let mut out = io::stdout().lock();
    for (path, content) in files {
        write(&folder.join(path), content).map_err(|error| {
            let message = format!("cannot write `{}`: {error}", arguments.directory.join(path).display());
            vec![Diagnostic::error("init::cannot-write", message)]
        })?;
        writeln!(out, "{}", path.display().to_string().replace('\\', "/"))?;
    }
    context.reporter.note("\nNext: kapstan compile");
    Ok(())
}

fn collect(folder: &'static Dir<'_>, files: &mut Vec<(&'static Path, &'static [u8])>) {
    for entry in folder.entries() {
        match entry {
            DirEntry::File(file) => files.push((file.path(), file.contents())),
            DirEntry::Dir(below) => collect(below, files),
        }
    }
    files.sort();
}

fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::File::create_new(path)?.write_all(content)
}
