//! The door through which a compile item reads: whatever it looks at is recorded.

use kapstan_diagnostic::Diagnostic;
use kapstan_document::{Place, Text, Witness};
use kapstan_files::{Entry, Files, Kind};
use kapstan_refs::Observer;
use rustc_hash::FxHashSet;
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

    /// All that was looked at, sorted, and all warnings.
    pub fn finish(&self) -> (Vec<Read>, Vec<Diagnostic>) {
        let log = std::mem::take(&mut *self.log.lock().unwrap_or_else(PoisonError::into_inner));
        let mut reads: Vec<Read> = log.into_iter().collect();
        reads.sort();
        (reads, std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner)))
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

    fn mode(&self, path: &Path) -> io::Result<Option<u32>> {
        self.record(Read::Mode(path.to_path_buf()));
        self.files.mode(path)
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
    /// Where each place lies: the target for a root, otherwise the container and the key.
    places: Vec<Step>,
    known: rustc_hash::FxHashMap<Step, Place>,
    looked_up: FxHashSet<Place>,
    enumerated: FxHashSet<Place>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Step {
    Root(Text),
    Below(Place, Box<str>),
}

impl ValueReads {
    /// With nothing recorded.
    pub fn new() -> Rc<Self> {
        Rc::default()
    }

    /// The place of a target's document.
    pub fn root(&self, target: &Text) -> Place {
        self.state.borrow_mut().place(Step::Root(target.clone()))
    }

    /// Everything that was looked at.
    pub fn reads(&self) -> Vec<Read> {
        let log = self.state.borrow();
        let looked_up = log.looked_up.iter().map(|place| {
            let (target, path) = log.path(*place);
            Read::Value { target, path }
        });
        let enumerated = log.enumerated.iter().map(|place| {
            let (target, path) = log.path(*place);
            Read::Container { target, path }
        });
        looked_up.chain(enumerated).collect()
    }
}

impl ValueLog {
    fn place(&mut self, step: Step) -> Place {
        if let Some(place) = self.known.get(&step) {
            return *place;
        }
        let place = Place(u32::try_from(self.places.len()).unwrap_or(u32::MAX));
        self.places.push(step.clone());
        self.known.insert(step, place);
        place
    }

    fn path(&self, place: Place) -> (Text, String) {
        let mut keys = Vec::new();
        let mut at = place;
        loop {
            match &self.places[at.0 as usize] {
                Step::Root(target) => {
                    keys.reverse();
                    return (target.clone(), keys.join(":"));
                }
                Step::Below(container, key) => {
                    keys.push(&**key);
                    at = *container;
                }
            }
        }
    }
}

impl Witness for ValueReads {
    fn entered(&self, container: Place, key: &str) -> Place {
        let mut log = self.state.borrow_mut();
        let place = log.place(Step::Below(container, key.into()));
        log.looked_up.insert(place);
        place
    }

    fn enumerated(&self, container: Place) {
        self.state.borrow_mut().enumerated.insert(container);
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
        assert_eq!(door.finish().0, expected);
    }

    #[test]
    fn values_are_recorded_with_their_paths() {
        let reads = ValueReads::new();
        let root = reads.root(&"prod".into());
        let parameters = reads.entered(root, "parameters");
        let list = reads.entered(parameters, "hosts");
        reads.enumerated(list);
        let mut paths: Vec<Read> = reads.reads();
        paths.sort();
        let value = |path: &str| Read::Value { target: "prod".into(), path: path.into() };
        let container = Read::Container { target: "prod".into(), path: "parameters:hosts".into() };
        assert_eq!(paths, [value("parameters"), value("parameters:hosts"), container]);
    }
}
