use crate::evaluator::Core;
use crate::opaque::Opaque;
use crate::python_path::{folder, join, normalize};
use crate::session::{Session, runtime_error};
use jrsonnet_evaluator::{AsPathLike, ImportResolver, Result as Evaluated, SourcePath, SourceVirtual};
use jrsonnet_gcmodule::{Acyclic, Trace, Tracer};
use jrsonnet_ir::SourceFile;
use std::io;
use std::path::Path;
use std::rc::Rc;

/// Kapitan's library as users import it, and our own text of it.
pub(crate) const LIBRARY: (&str, &str) = ("lib/kapitan.libjsonnet", include_str!("kapitan.libjsonnet"));

/// The folder that messages and `std.thisFile` name for files that the binary carries.
const CARRIED: &str = "<kapitan>/";

/// How a file is imported: what the evaluator gets to see for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// With `import` only: the evaluator sees [`STAND_IN`], and the file is evaluated from the parsed sources.
    Code,
    /// With `importstr` or `importbin`, or both with these and with `import`: the evaluator sees the text.
    Text,
}

/// What the evaluator reads instead of a file that is imported as code: a variable that is bound to its value.
pub(crate) const STAND_IN: &str = "v";

/// Finds imports as Kapitan does.
pub(crate) struct Resolver(pub(crate) Opaque<Rc<Core>>);

impl Trace for Resolver {
    fn trace(&self, _tracer: &mut Tracer<'_>) {}
}

#[expect(
    unsafe_code,
    reason = "the trait is a promise to the collector; breaking it leaks memory and does nothing else"
)]
// SAFETY: its only field is never traced.
unsafe impl Acyclic for Resolver {}

impl ImportResolver for Resolver {
    fn resolve_from(&self, from: &SourcePath, path: &dyn AsPathLike) -> Evaluated<SourcePath> {
        let session = self.0.current.get()?;
        let name = path.as_path().as_ref().to_string_lossy().into_owned();
        let from = file_of(from).unwrap_or_default();
        let found = find(&session, folder(from), &name);
        let reading = self.0.use_of(from, &name);
        read(&session, &found)
            .map_err(|error| runtime_error(&format!("couldn't open import \"{name}\": {error}")))?;
        Ok(source_path(reading, &found))
    }

    fn load_file_contents(&self, resolved: &SourcePath) -> Evaluated<Vec<u8>> {
        let session = self.0.current.get()?;
        let path = file_of(resolved).unwrap_or_default();
        let text = read(&session, path)
            .map_err(|error| runtime_error(&format!("couldn't open import \"{path}\": {error}")))?;
        let parsed = match use_in(resolved) {
            Some(Use::Text) => return Ok(text.as_bytes().to_vec()),
            _ => self.0.parsed(&session, path, &text),
        };
        parsed.map(|_| STAND_IN.as_bytes().to_vec())
    }
}

/// The path under which the evaluator keeps a file: one per way of reading it.
fn source_path(reading: Use, path: &str) -> SourcePath {
    let mark = if reading == Use::Code { 'c' } else { 't' };
    SourcePath::new(SourceFile::new(format!("{mark}{path}").into()))
}

/// How the evaluator reads a source; none for one that is being evaluated from the parsed sources.
pub(crate) fn use_in(source: &SourcePath) -> Option<Use> {
    let path = source.downcast_ref::<SourceFile>()?.path().to_str()?;
    Some(if path.starts_with('c') { Use::Code } else { Use::Text })
}

/// The file that a source was read from.
pub(crate) fn file_of(source: &SourcePath) -> Option<&str> {
    match source.downcast_ref::<SourceVirtual>() {
        Some(name) => Some(&name.0),
        None => source.downcast_ref::<SourceFile>()?.path().to_str()?.get(1..),
    }
}

/// The path of an import: beside the importing file, else Kapitan's own library, else in the first search path that has
/// it; else the first again, for the message.
fn find(session: &Session, folder: &str, name: &str) -> String {
    let beside = normalize(&join(folder, name));
    if beside.starts_with(CARRIED) || exists(session, &beside) {
        return beside;
    }
    if normalize(name) == LIBRARY.0 {
        return format!("{CARRIED}{}", LIBRARY.0);
    }
    let mut candidates = session.search_paths.iter().map(|path| join(path, name));
    normalize(&candidates.find(|candidate| exists(session, candidate)).unwrap_or(beside))
}

/// `os.path.exists`.
pub(crate) fn exists(session: &Session, path: &str) -> bool {
    matches!(session.host.files().kind(Path::new(path)), Ok(Some(_)))
}

/// The text of a file as Python's `open(path).read()` has it: UTF-8, every line break a `\n`. Fails with Python's words.
fn read(session: &Session, path: &str) -> Result<Rc<str>, String> {
    if let Some(text) = session.texts.borrow().get(path) {
        return Ok(text.clone());
    }
    let text = if path.strip_prefix(CARRIED) == Some(LIBRARY.0) {
        LIBRARY.1.into()
    } else {
        Rc::from(universal_newlines(read_text(session, path)?))
    };
    session.texts.borrow_mut().insert(path.to_owned(), Rc::clone(&text));
    Ok(text)
}

pub(crate) fn universal_newlines(text: String) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}

/// The text of a file as Python's `open(path, newline="").read()` has it: UTF-8. Fails with Python's words.
pub(crate) fn read_text(session: &Session, path: &str) -> Result<String, String> {
    let bytes = session.host.files().read(Path::new(path)).map_err(|error| os_error(&error, path))?;
    std::str::from_utf8(&bytes).map(str::to_owned).map_err(|error| decode_error(&bytes, error))
}

/// `str(UnicodeDecodeError)`.
fn decode_error(bytes: &[u8], error: std::str::Utf8Error) -> String {
    let at = error.valid_up_to();
    let byte = bytes.get(at).copied().unwrap_or_default();
    let is_start = matches!(byte, 0xC2..=0xF4);
    match error.error_len() {
        None => match bytes.len() - at {
            1 => format!(
                "'utf-8' codec can't decode byte {byte:#04x} in position {at}: unexpected end of data"
            ),
            _ => format!(
                "'utf-8' codec can't decode bytes in position {at}-{}: unexpected end of data",
                bytes.len() - 1
            ),
        },
        Some(1) => {
            let reason = if is_start { "invalid continuation byte" } else { "invalid start byte" };
            format!("'utf-8' codec can't decode byte {byte:#04x} in position {at}: {reason}")
        }
        Some(length) => format!(
            "'utf-8' codec can't decode bytes in position {at}-{}: invalid continuation byte",
            at + length - 1
        ),
    }
}

/// `str(OSError)`.
pub(crate) fn os_error(error: &io::Error, path: &str) -> String {
    let (number, text) = match error.kind() {
        io::ErrorKind::NotFound => (2, "No such file or directory"),
        io::ErrorKind::PermissionDenied => (13, "Permission denied"),
        io::ErrorKind::NotADirectory => (20, "Not a directory"),
        io::ErrorKind::IsADirectory => (21, "Is a directory"),
        _ => return error.to_string(),
    };
    format!("[Errno {number}] {text}: '{path}'")
}
