//! Files as engines see them.
//!
//! An engine takes a [`Files`] and never touches the disk itself, so that a test can hand it a map and the program
//! decides what may be read. Paths are passed as the caller has them; [`Disk`] resolves relative ones against its base.

mod cached;
mod disk;
mod glob;
mod links;
mod memory;
mod spelling;
mod stage;

pub use cached::Cached;
pub use disk::Disk;
pub use glob::{fnmatch, glob, is_pattern};
pub use memory::Memory;
pub use spelling::slashed;
pub use stage::{Attributes, Stage, outermost};

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// What lies at a path, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file (or a device, pipe, ...: something to read).
    File,
    /// A folder.
    Folder,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name, without any folder. Names that are not UTF-8 are replaced character by character.
    pub name: String,
    /// What it is, links followed; none for a link that leads nowhere.
    pub kind: Option<Kind>,
    /// Whether it is a symbolic link.
    pub is_link: bool,
}

/// Read access to a tree of files. Implementations are shared by threads.
pub trait Files: Send + Sync {
    /// The whole content of a file. Fails as reading does, with `NotFound` or `IsADirectory` where that is the reason.
    fn read(&self, path: &Path) -> io::Result<Arc<[u8]>>;

    /// The entries of a folder, sorted by name.
    fn list(&self, path: &Path) -> io::Result<Vec<Entry>>;

    /// What lies at a path, or none if nothing does. Fails where that cannot be told.
    fn kind(&self, path: &Path) -> io::Result<Option<Kind>>;

    /// Whether something lies at a path, a link that leads nowhere included. Fails where that cannot be told.
    fn lies_at(&self, path: &Path) -> io::Result<bool>;

    /// The permissions of a file as on Unix (the last twelve bits), where the system has such a thing.
    fn mode(&self, path: &Path) -> io::Result<Option<u32>>;

    /// How many bytes a regular file has; none for what is none and may never end (a device, a pipe).
    fn size(&self, path: &Path) -> io::Result<Option<u64>>;

    /// When a file was last modified, where that is known.
    fn modified(&self, path: &Path) -> io::Result<Option<SystemTime>>;

    /// The path with which other programs and messages name this file: absolute, links in it left as they are.
    fn absolute(&self, path: &Path) -> std::path::PathBuf;
}
