//! What the engine needs of the outside: a place to write, variables, randomness.

use std::io;
use std::path::Path;

/// Write access to the refs folder. Implementations are shared by threads.
pub trait RefStore: Send + Sync {
    /// Writes a new file, with its folders. Returns whether it did: false, with nothing changed, where the file is
    /// there already. Of several callers exactly one creates it, and a reader sees all of it or nothing.
    fn create(&self, path: &Path, content: &[u8]) -> io::Result<bool>;

    /// Writes a file, with its folders, in place of the one that may be there. A reader sees the old or the new one.
    fn replace(&self, path: &Path, content: &[u8]) -> io::Result<()>;
}

/// The variables of the environment, as far as references look at them.
pub trait Environment: Send + Sync {
    /// The value of a variable, if it is set.
    fn variable(&self, name: &str) -> Option<String>;
}

impl<F: Fn(&str) -> Option<String> + Send + Sync> Environment for F {
    fn variable(&self, name: &str) -> Option<String> {
        self(name)
    }
}

/// Where random bytes come from: the system, or a seed in tests.
pub trait Randomness: Send + Sync {
    /// Fills all of `bytes`. Fails where the system has none to give.
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()>;
}

/// The system's random bytes, fit for keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        getrandom::fill(bytes).map_err(|error| io::Error::other(error.to_string()))
    }
}
