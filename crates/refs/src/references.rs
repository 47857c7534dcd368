use crate::backend::Backend;
use crate::error::{Error, Raised};
use crate::host::{Environment, Randomness, RefStore};
use crate::python::{decode_base64, no_attribute, type_name};
use crate::reference::{Location, Reference, malformed};
use crate::secret_text;
use crate::tag::{Tag, short, sub_variable, without_sub_variables};
use kapstan_diagnostic::{Diagnostic, nearest};
use kapstan_document::{Map, Node, Value, python};
use kapstan_files::{Files, Kind};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How references are treated in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The folder of the ref files (`--refs-path`).
    pub refs_path: PathBuf,
    /// Whether tags compile to payloads (`--embed-refs`).
    pub embed_refs: bool,
    /// Whether a compile run puts in the secrets themselves (`--reveal`).
    pub reveal: bool,
}

/// What the engine has of the outside.
#[derive(Clone)]
pub struct Host {
    /// Reads ref files, and files to reveal.
    pub files: Arc<dyn Files>,
    /// Writes ref files.
    pub store: Arc<dyn RefStore>,
    /// Tells variables: `KAPITAN_VAR_*` for env references, `VAULT_*` for vault's.
    pub environment: Arc<dyn Environment>,
    /// For generated secrets.
    pub randomness: Arc<dyn Randomness>,
}

/// Is told what happens on the way. Every method may be left out.
pub trait Observer: Sync {
    /// A ref file was looked for, whether it is there or not, and whether it was read now or before.
    fn ref_file_read(&self, _path: &Path) {}

    /// A ref file was created from generator functions.
    fn ref_file_created(&self, _path: &Path) {}

    /// Something that the user should know.
    fn warned(&self, _warning: Diagnostic) {}
}

/// Looks away.
impl Observer for () {}

/// For whom tags are processed.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The target; none outside a compile run.
    pub target_name: Option<&'a str>,
    /// The target's `parameters.kapitan.secrets`.
    pub secrets: Option<&'a Node>,
    /// Is told what happens.
    pub observer: &'a dyn Observer,
}

impl Context<'_> {
    /// No target, nobody looking.
    pub const NONE: Context<'static> = Context { target_name: None, secrets: None, observer: &() };
}

/// The references of a run: reads each ref file once, creates what has functions, compiles and reveals tags.
///
/// Shared by all threads. Files are created under a lock of their own, so that two targets that need the same new
/// reference get the same secret.
pub struct References {
    pub(crate) settings: Settings,
    pub(crate) host: Host,
    root: PathBuf,
    files: Mutex<FxHashMap<PathBuf, Slot>>,
    creations: Mutex<FxHashMap<PathBuf, Arc<Mutex<()>>>>,
}

/// What is known of a ref file: nothing yet, or its content. Whoever reads it holds the lock.
type Slot = Arc<Mutex<Option<Arc<RefFile>>>>;

/// A ref file, taken apart.
struct RefFile {
    data: Value,
    fields: Map,
}

impl std::fmt::Debug for References {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("References").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl References {
    /// The references below `settings.refs_path`. Nothing is read yet.
    pub fn new(settings: Settings, host: Host) -> Self {
        let root = resolved(&settings.refs_path);
        Self { settings, host, root, files: Mutex::default(), creations: Mutex::default() }
    }

    /// How references are treated.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The reference of a tag.
    ///
    /// Fails with [`Raised::FromFunction`] where it has yet to be created, and with [`Raised::Key`] where there is none.
    pub(crate) fn get(&self, tag: &Tag<'_>, context: &Context<'_>) -> Result<Reference, Error> {
        self.look_up(tag, context).map_err(|error| with_key(error, &tag.shown()))
    }

    fn look_up(&self, tag: &Tag<'_>, context: &Context<'_>) -> Result<Reference, Error> {
        if tag.functions.is_some() && sub_variable(tag.token).is_some() {
            let peer_text = "Ref: references with sub-variables must be created manually";
            let message = "a reference with a sub-variable can not be created by functions";
            return Err(Error::new("refs::sub-variable", message)
                .hint("create the reference with `refs --write`, and leave the functions out")
                .raised(Raised::Ref, peer_text));
        }
        match self.of_token(tag, context) {
            Ok(Some(reference)) => Ok(reference),
            Ok(None) => Err(malformed_token(tag)),
            Err(error) if error.is(Raised::Key) => match tag.functions {
                None => Err(error),
                Some(functions) => {
                    let token = tag.token;
                    let peer_text =
                        format!("{token}: does not exist and must be created from function: {functions}");
                    Err(error
                        .hint("it comes into being when the target is compiled without `--reveal`")
                        .raised_again(Raised::FromFunction, peer_text))
                }
            },
            Err(error) => Err(error),
        }
    }

    fn of_token(&self, tag: &Tag<'_>, context: &Context<'_>) -> Result<Option<Reference>, Error> {
        let parts: Vec<&str> = tag.token.split(':').collect();
        match parts[..] {
            [type_name, path] | [type_name, path, _, _, _] => {
                let backend = self.backend(type_name)?;
                self.read(backend, path, context).map(Some)
            }
            [type_name, payload, "embedded"] => self.embedded(type_name, payload).map(Some),
            [type_name, path, hash] => {
                let backend = self.backend(type_name)?;
                let reference = self.read(backend, path, context)?;
                match &reference.location {
                    Some(location) if location.hash != hash => Err(hash_mismatch(tag, backend, location)),
                    _ => Ok(Some(reference)),
                }
            }
            _ => Ok(None),
        }
    }

    /// The back-end of a type name. Fails for a name that is none.
    pub(crate) fn backend(&self, type_name: &str) -> Result<Backend, Error> {
        Backend::from_name(type_name).ok_or_else(|| Backend::unknown(type_name))
    }

    fn embedded(&self, backend_name: &str, payload: &str) -> Result<Reference, Error> {
        let document = secret_text::load_json(&decode_base64(&Value::from(payload))?)?;
        let backend = self.backend(backend_name)?;
        let wrong = |what: &str| {
            let message = format!("the payload of the embedded reference {what}");
            Error::new("refs::malformed-payload", message)
        };
        let Value::Map(fields) = document.value else {
            let (raised, peer_text) = match type_name(&document.value) {
                "list" => (Raised::Type, "'str' object cannot be interpreted as an integer".to_owned()),
                kind => (Raised::Attribute, no_attribute(kind, "pop")),
            };
            return Err(wrong("is not an object").raised(raised, peer_text));
        };
        let mut fields = Arc::unwrap_or_clone(fields);
        let missing =
            |name: &str| wrong(&format!("has no `{name}`")).raised(Raised::Key, format!("'{name}'"));
        fields.remove("type").ok_or_else(|| missing("type"))?;
        let data = fields.remove("data").ok_or_else(|| missing("data"))?;
        let Value::Str(data) = data.value else {
            let peer_text = no_attribute(type_name(&data.value), "encode");
            return Err(wrong("has `data` that is no string").raised(Raised::Attribute, peer_text));
        };
        let data = Value::Bytes(data.as_bytes().into());
        Reference::from_fields(backend, data, &fields, false, &*self.host.environment)
    }

    /// The reference at a path, which may end in a sub-variable.
    pub(crate) fn read(
        &self,
        backend: Backend,
        ref_path: &str,
        context: &Context<'_>,
    ) -> Result<Reference, Error> {
        let file_path = without_sub_variables(ref_path);
        let path = self.file_of(&file_path)?;
        context.observer.ref_file_read(&path);
        let file =
            self.ref_file(&path).map_err(|error| not_found_as(error, backend, ref_path).in_file(&path))?;
        let embeds = self.settings.embed_refs;
        let mut reference =
            Reference::from_fields(backend, file.data.clone(), &file.fields, embeds, &*self.host.environment)
                .map_err(|error| error.in_file(&path))?;
        let hash = hash(&file_path, &python::str(&file.data));
        reference.location = Some(Location { path: ref_path.to_owned(), hash });
        if let Some(sub_variable) = ref_path.split('@').nth(1) {
            reference.sub_variable = Some(Value::from(sub_variable));
        }
        Ok(reference)
    }

    /// The error of a tag that has no reference, with the reference that was probably meant.
    pub(crate) fn with_near_name(&self, error: Error, tag: &Tag<'_>) -> Error {
        if error.code() != "refs::not-found" {
            return error;
        }
        let path = tag.token.split(':').nth(1).map(without_sub_variables).unwrap_or_default();
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let entries = self.file_of(&path).ok().and_then(|file| self.host.files.list(file.parent()?).ok());
        let entries = entries.unwrap_or_default();
        let files = entries.iter().filter(|entry| entry.kind == Some(Kind::File));
        match nearest(name, files.map(|entry| &*entry.name)) {
            Some(near) if folder.is_empty() => error.hint(format!("did you mean `{near}`?")),
            Some(near) => error.hint(format!("did you mean `{folder}/{near}`?")),
            None => error,
        }
    }

    /// Where a ref file lies. Fails for a path that leads out of the refs folder.
    pub(crate) fn file_of(&self, ref_path: &str) -> Result<PathBuf, Error> {
        if ref_path.ends_with('/') || matches!(ref_path.rsplit('/').next(), Some("." | "..")) {
            let message = format!("`{ref_path}` names a folder, not a reference");
            return Err(
                Error::new("refs::not-found", message).raised(Raised::Key, python::repr_str(ref_path))
            );
        }
        let path = resolved(&self.settings.refs_path.join(ref_path));
        let inside = path.strip_prefix(&self.root).ok();
        let is_outside = inside.is_none_or(|path| path.components().any(|part| part == Component::ParentDir));
        if is_outside {
            let message = format!("the path `{ref_path}` leads out of the refs folder");
            return Err(Error::new("refs::outside", message));
        }
        Ok(path)
    }

    /// The content of a ref file. Fails with [`Raised::Key`] where it can not be read, or has no data.
    fn ref_file(&self, path: &Path) -> Result<Arc<RefFile>, Error> {
        let slot = lock(&self.files).entry(path.to_owned()).or_default().clone();
        let mut slot = lock(&slot);
        if let Some(file) = &*slot {
            return Ok(file.clone());
        }
        let text = self.host.files.read(path).map_err(|error| unreadable(&error))?;
        let file = Arc::new(RefFile::parse(&text)?);
        *slot = Some(file.clone());
        Ok(file)
    }

    /// Writes a reference, and lets go of what was known of its file.
    pub(crate) fn replace(&self, ref_path: &str, reference: &Reference) -> Result<PathBuf, Error> {
        let path = self.file_of(ref_path)?;
        let text = secret_text::ref_file(&reference.fields())?;
        let written = self.host.store.replace(&path, text.as_bytes());
        lock(&self.files).remove(&path);
        written.map_err(|error| unwritable(&error, &path)).map(|()| path)
    }

    /// Writes a reference that `make` makes, unless it is there already.
    pub(crate) fn create(
        &self,
        ref_path: &str,
        is_there: impl Fn() -> bool,
        make: impl FnOnce() -> Result<Reference, Error>,
    ) -> Result<Option<PathBuf>, Error> {
        let path = self.file_of(ref_path)?;
        let creation = lock(&self.creations).entry(path.clone()).or_default().clone();
        let _creation = lock(&creation);
        // The other target, or the other process, may have been faster.
        if is_there() {
            return Ok(None);
        }
        let reference = make()?;
        let text = secret_text::ref_file(&reference.fields())?;
        let created = self.host.store.create(&path, text.as_bytes()).map_err(|e| unwritable(&e, &path))?;
        if !created && is_there() {
            return Ok(None);
        }
        if !created {
            // What is there is no ref file, as far as Kapitan can see: it writes over it.
            self.host.store.replace(&path, text.as_bytes()).map_err(|e| unwritable(&e, &path))?;
        }
        lock(&self.files).remove(&path);
        Ok(Some(path))
    }
}

impl RefFile {
    fn parse(text: &[u8]) -> Result<Self, Error> {
        let document = secret_text::load_bytes(text)?;
        let Value::Map(fields) = document.value else {
            let peer_text = no_attribute(type_name(&document.value), "items");
            return Err(malformed("it is not a mapping").raised(Raised::Attribute, peer_text));
        };
        let mut fields = Arc::unwrap_or_clone(fields);
        match fields.remove("data") {
            Some(data) => Ok(Self { data: data.value, fields }),
            None => Err(malformed("it has no `data`").raised(Raised::Key, "'data'")),
        }
    }
}

/// A lock whose holder panicked is as good as any: what it guards is replaced as a whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The path without `.` and `..`, by name alone; `..` stays where nothing is left to leave.
fn resolved(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match parts.components().next_back() {
                Some(Component::Normal(_)) => {
                    parts.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => parts.push(component),
            },
            other => parts.push(other),
        }
    }
    parts
}

/// The first eight digits of SHA-256 over path and data.
fn hash(file_path: &str, data: &str) -> String {
    let mut hasher = Sha256::new();
    hasher.update(file_path.as_bytes());
    hasher.update(data.as_bytes());
    hasher.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

/// Kapitan names the tag in what goes wrong with a back-end.
pub(crate) fn with_key(error: Error, key: &str) -> Error {
    if error.is(Raised::Backend) {
        let peer_text = format!("{}\n  for key {key}", error.peer_text());
        return error.raised_again(Raised::Backend, peer_text);
    }
    error
}

fn malformed_token(tag: &Tag<'_>) -> Error {
    let message = format!("`{}` has a number of parts that no reference has", tag.shown_token());
    Error::new("refs::malformed-tag", message)
        .hint("write `type:path`, `type:path:hash` or `vaultkv:path:mount:path/in/vault:key`")
        .raised(Raised::Key, python::repr_str(&format!("{}: ref not found", tag.text)))
}

fn hash_mismatch(tag: &Tag<'_>, backend: Backend, location: &Location) -> Error {
    let Location { path, hash } = location;
    let name = backend.name();
    let peer_text =
        format!("{}: token hash does not match with stored reference hash: {name}:{path}:{hash}", tag.token);
    Error::new("refs::hash-mismatch", format!("the hash of the tag is not that of the reference, `{hash}`"))
        .hint("the reference has changed since the tag was compiled; compile again")
        .raised(Raised::HashMismatch, peer_text)
}

fn unreadable(error: &io::Error) -> Error {
    let missing = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
    let what = if missing {
        "there is no such ref file".to_owned()
    } else {
        format!("the ref file can not be read: {error}")
    };
    Error::new("refs::not-found", what).raised(Raised::Key, "")
}

/// Says which reference it is that has no file.
fn not_found_as(error: Error, backend: Backend, ref_path: &str) -> Error {
    if !(error.is(Raised::Key) && error.code() == "refs::not-found") {
        return error;
    }
    let message = format!(
        "reference `{}` of type `{}` not found: {}",
        short(ref_path),
        backend.name(),
        error.message()
    );
    Error::new("refs::not-found", message).raised(Raised::Key, python::repr_str(ref_path))
}

fn unwritable(error: &io::Error, path: &Path) -> Error {
    Error::new("refs::not-written", format!("the ref file can not be written: {error}"))
        .raised(Raised::Os, error.to_string())
        .in_file(path)
}
