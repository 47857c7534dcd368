//! The door through which a compile item reads: whatever it looks at is recorded.

use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Place, Text, Witness};
use kapstan_files::{Entry, Files, Kind};
use kapstan_refs::Observer;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Something that a compile item looked at.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Read {
    /// The content of a file.
    File(PathBuf),
    /// Whether something is at a path, and what.
    Probe(PathBuf),
    /// The names in a folder.
    Listing(PathBuf),
    /// The permissions of a file.
    Mode(PathBuf),
    /// A value of a target's document, whether it is there or not.
    Value {
        /// The target.
        target: Text,
        /// Keys from the document's root, joined by `:`.
        path: String,
    },
    /// The keys or the length, or all, of a container of a target's document.
    Container {
        /// The target.
        target: Text,
        /// Keys from the document's root, joined by `:`.
        path: String,
    },
    /// The names of all targets.
    TargetNames,
    /// A topic, or all of them.
    Topic(Option<Text>),
    /// A variable of the environment.
    Variable(String),
    /// The time.
    Clock,
    /// Something that cannot be followed: a program was run.
    Program,
}

/// Files as one compile item sees them. Every look is recorded.
pub struct Door {
    files: Arc<dyn Files>,
    log: Mutex<FxHashSet<Read>>,
    warnings: Mutex<Vec<Diagnostic>>,
}

impl Door {
    /// A door to `files`, with nothing recorded.
    pub fn new(files: Arc<dyn Files>) -> Self {
        Self { files, log: Mutex::default(), warnings: Mutex::default() }
    }

    /// Records a look that does not go through the files.
    pub fn record(&self, read: Read) {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).insert(read);
    }

    /// Keeps a warning of the item.
    pub fn warn(&self, warning: Diagnostic) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
    }

    /// Takes all that was looked at.
    fn take(&self) -> FxHashSet<Read> {
        std::mem::take(&mut *self.log.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes all warnings.
    pub fn take_warnings(&self) -> Vec<Diagnostic> {
        std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Everything that a compile item looked at.
pub struct ItemReads {
    others: FxHashSet<Read>,
    values: ValueLog,
}

impl ItemReads {
    /// Takes what a door and the documents recorded.
    pub fn take(door: &Door, values: &ValueReads) -> Self {
        Self { others: door.take(), values: values.state.take() }
    }

    /// All of it, sorted.
    pub fn list(&self) -> Vec<Read> {
        let mut reads: Vec<Read> = self.others.iter().cloned().chain(self.values.reads()).collect();
        reads.sort();
        reads
    }
}

/// Reference files are files that the item read.
impl Observer for Door {
    fn ref_file_read(&self, path: &Path) {
        self.record(Read::File(path.to_path_buf()));
    }

    fn warned(&self, warning: Diagnostic) {
        self.warn(warning);
    }
}

impl Files for Door {
    fn read(&self, path: &Path) -> io::Result<Arc<[u8]>> {
        self.record(Read::File(path.to_path_buf()));
        self.files.read(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<Entry>> {
        self.record(Read::Listing(path.to_path_buf()));
        self.files.list(path)
    }

    fn kind(&self, path: &Path) -> io::Result<Option<Kind>> {
        self.record(Read::Probe(path.to_path_buf()));
        self.files.kind(path)
    }

    fn lies_at(&self, path: &Path) -> io::Result<bool> {
        self.record(Read::Probe(path.to_path_buf()));
        self.files.lies_at(path)
    }

    fn mode(&self, path: &Path) -> io::Result<Option<u32>> {
        self.record(Read::Mode(path.to_path_buf()));
        self.files.mode(path)
    }

    fn size(&self, path: &Path) -> io::Result<Option<u64>> {
        self.files.size(path)
    }

    fn modified(&self, path: &Path) -> io::Result<Option<SystemTime>> {
        self.files.modified(path)
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        self.files.absolute(path)
    }
}

/// Records which values of targets' documents one compile item looks at.
#[derive(Default)]
pub struct ValueReads {
    state: RefCell<ValueLog>,
}

#[derive(Default)]
struct ValueLog {
    places: Vec<Step>,
    roots: FxHashMap<Text, Place>,
}

/// A place: what is below it, and how it was looked at.
struct Step {
    /// It is the document of a target.
    is_root: bool,
    below: FxHashMap<Box<str>, Place>,
    is_looked_up: bool,
    is_enumerated: bool,
}

impl ValueReads {
    /// With nothing recorded.
    pub fn new() -> Rc<Self> {
        Rc::default()
    }

    /// The place of a target's document.
    pub fn root(&self, target: &Text) -> Place {
        let mut log = self.state.borrow_mut();
        if let Some(place) = log.roots.get(target) {
            return *place;
        }
        let place = log.add(true);
        log.roots.insert(target.clone(), place);
        place
    }
}

impl ValueLog {
    fn add(&mut self, is_root: bool) -> Place {
        let place = Place(u32::try_from(self.places.len()).unwrap_or(u32::MAX));
        self.places.push(Step {
            is_root,
            below: FxHashMap::default(),
            is_looked_up: false,
            is_enumerated: false,
        });
        place
    }

    fn reads(&self) -> impl Iterator<Item = Read> {
        self.roots.iter().flat_map(|(target, root)| {
            let mut reads = Vec::new();
            self.collect(target, *root, String::new(), &mut reads);
            reads
        })
    }

    fn collect(&self, target: &Text, place: Place, path: String, reads: &mut Vec<Read>) {
        let step = &self.places[place.0 as usize];
        for (key, below) in &step.below {
            let path = if step.is_root { key.to_string() } else { format!("{path}:{key}") };
            self.collect(target, *below, path, reads);
        }
        if step.is_enumerated {
            reads.push(Read::Container { target: target.clone(), path: path.clone() });
        }
        if step.is_looked_up {
            reads.push(Read::Value { target: target.clone(), path });
        }
    }
}

impl Witness for ValueReads {
    fn entered(&self, container: Place, key: &str) -> Place {
        let mut log = self.state.borrow_mut();
        if let Some(place) = log.places[container.0 as usize].below.get(key) {
            return *place;
        }
        let place = log.add(false);
        log.places[place.0 as usize].is_looked_up = true;
        log.places[container.0 as usize].below.insert(key.into(), place);
        place
    }

    fn enumerated(&self, container: Place) {
        self.state.borrow_mut().places[container.0 as usize].is_enumerated = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kapstan_files::Memory;

    #[test]
    fn every_kind_of_look_is_recorded_once() {
        let door = Door::new(Arc::new(Memory::new().with("a/b", "x")));
        door.read(Path::new("a/b")).unwrap();
        door.read(Path::new("a/b")).unwrap();
        door.list(Path::new("a")).unwrap();
        assert_eq!(door.kind(Path::new("nothing")).unwrap(), None);
        let expected = [Read::File("a/b".into()), Read::Probe("nothing".into()), Read::Listing("a".into())];
        assert_eq!(ItemReads::take(&door, &ValueReads::default()).list(), expected);
    }

    #[test]
    fn values_are_recorded_with_their_paths() {
        let reads = ValueReads::new();
        let root = reads.root(&"prod".into());
        let parameters = reads.entered(root, "parameters");
        let list = reads.entered(parameters, "hosts");
        reads.enumerated(list);
        let door = Door::new(Arc::new(Memory::new()));
        let paths = ItemReads::take(&door, &reads).list();
        let value = |path: &str| Read::Value { target: "prod".into(), path: path.into() };
        let container = Read::Container { target: "prod".into(), path: "parameters:hosts".into() };
        assert_eq!(paths, [value("parameters"), value("parameters:hosts"), container]);
    }
}
