use crate::search::normal;
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_document::Text;
use kapstan_files::{Attributes, Stage};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The output of a run: the stage, and who wrote which file.
pub(crate) struct Output {
    pub(crate) stage: Arc<Stage>,
    written: Mutex<FxHashMap<PathBuf, Writer>>,
    /// Folders of items, as they are written.
    begun: Mutex<FxHashSet<PathBuf>>,
}

/// Who wrote a file, and what.
#[derive(Clone)]
pub(crate) struct Writer {
    /// The target.
    pub(crate) target: Text,
    /// Which compile item of the target, and which of its input paths: what is written twice by the same one comes from
    /// several search paths.
    pub(crate) origin: (usize, usize),
    /// The compile item.
    pub(crate) span: Span,
    content: u64,
}

impl Writer {
    pub(crate) fn new(target: Text, origin: (usize, usize), span: Span) -> Self {
        Self { target, origin, span, content: 0 }
    }
}

impl Output {
    pub(crate) fn new(stage: Arc<Stage>) -> Self {
        Self { stage, written: Mutex::default(), begun: Mutex::default() }
    }

    /// Whether no item before wrote its folder like this. Kapitan makes the folder for the first one only, so that it stays
    /// away where something removed it in between.
    pub(crate) fn is_first(&self, folder: &Path) -> bool {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.insert(folder.to_path_buf())
    }

    /// The place of a path in the tree. Fails where it would lead out of the tree.
    pub(crate) fn place(path: &Path, span: Span) -> Result<PathBuf, Box<Diagnostic>> {
        normal(path).ok_or_else(|| {
            let message = format!("output path `{}` leaves `compiled/`", path.display());
            Diagnostic::error("compile::output-leaves-tree", message).at(span).into()
        })
    }

    /// Makes a folder of the tree.
    pub(crate) fn create_folder(&self, folder: &Path, span: Span) -> Result<(), Box<Diagnostic>> {
        self.stage.create_folder(folder).map_err(|error| cannot_write(folder, &error, span))
    }

    /// Writes a file of the tree, and the folders above it. Returns a warning where an earlier item of the target wrote
    /// something else there, which is lost, as in Kapitan. Fails where another target did: there Kapitan's result is
    /// a matter of chance.
    pub(crate) fn write(
        &self,
        path: &Path,
        content: &[u8],
        attributes: Attributes,
        writer: &Writer,
    ) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
        let warning = self.claim(path, content, writer)?;
        let first = self.stage.write(path, content, attributes);
        let result = match (first, path.parent()) {
            (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
                match self.stage.create_folder(folder) {
                    // Windows does not tell a missing folder from a file in its place before it is to be made.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        Err(io::ErrorKind::NotADirectory.into())
                    }
                    made => made.and_then(|()| self.stage.write(path, content, attributes)),
                }
            }
            (result, _) => result,
        };
        result.map_err(|error| cannot_write(path, &error, writer.span))?;
        Ok(warning)
    }

    fn claim(
        &self,
        path: &Path,
        content: &[u8],
        writer: &Writer,
    ) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
        let mut hasher = FxHasher::default();
        hasher.write(content);
        hasher.write_usize(content.len());
        let claim = Writer { content: hasher.finish(), ..writer.clone() };
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(before) = written.insert(path.to_path_buf(), claim.clone()) else { return Ok(None) };
        let path = path.display();
        if before.content == claim.content || (before.target == claim.target && before.origin == claim.origin)
        {
            return Ok(None);
        }
        if before.target == claim.target {
            let message =
                format!("this compile item overwrites `compiled/{path}`, which an earlier one wrote");
            let warning = Diagnostic::warning("compile::overwritten", message);
            return Ok(Some(warning.at(claim.span).with_label(before.span, "the earlier one")));
        }
        let (first, second) =
            if before.target <= claim.target { (&before, &claim) } else { (&claim, &before) };
        let message =
            format!("targets `{}` and `{}` both write `compiled/{path}`", first.target, second.target);
        let problem = Diagnostic::error("compile::outputs-collide", message);
        Err(problem.at(second.span).with_label(first.span, "the other one").into())
    }

    /// Forgets who wrote what below a path that was removed.
    pub(crate) fn forget(&self, path: &Path) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.retain(|file, _| !file.starts_with(path));
    }
}

fn cannot_write(path: &Path, error: &io::Error, span: Span) -> Box<Diagnostic> {
    let path = path.display();
    let message = match error.kind() {
        io::ErrorKind::IsADirectory | io::ErrorKind::PermissionDenied | io::ErrorKind::AlreadyExists => {
            format!(
                "cannot write the file `compiled/{path}`: a folder is there, or it may not be written ({error})"
            )
        }
        io::ErrorKind::NotADirectory => {
            format!("cannot write `compiled/{path}`: a folder above it is a file")
        }
        _ => format!("cannot write `compiled/{path}`: {error}"),
    };
    Diagnostic::error("compile::cannot-write", message).at(span).into()
}
