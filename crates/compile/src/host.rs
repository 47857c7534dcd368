use crate::reads::ItemReads;
use kapstan_document::Text;
use kapstan_gotemplate::functions::sprig::Host as TemplateHost;
use std::io;

/// What a compile run needs of the outside besides files.
pub trait Host: Send + Sync {
    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;

    /// Runs a command of the shell in the project's folder, with no environment but `variables`, and waits for its end.
    fn run(&self, command: &str, variables: &[(Text, Text)]) -> io::Result<Finished>;

    /// Seconds since 1970 in UTC: what templates take for now.
    fn now(&self) -> i64;

    /// The local zone at a time: seconds east of UTC, and its abbreviation.
    fn zone(&self, time: i64) -> (i32, String);

    /// A number that differs from run to run.
    fn random(&self) -> u64;

    /// The clock and the randomness, that of a seed if there is one, for functions of charts' templates.
    fn for_templates(&self, seed: Option<&str>) -> TemplateHost;

    /// Pipes text through a program. Fails with Helm's words for a post-renderer that fails.
    fn filter(&self, program: &str, arguments: &[String], text: &str) -> Result<String, String>;

    /// Takes a line that `std.trace` of jsonnet or a deprecation writes.
    fn trace(&self, line: &str);
}

/// How a command ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// It ended with status 0.
    pub is_success: bool,
    /// What it wrote to its standard error.
    pub stderr: String,
}

/// Is told how far a run is. All methods do nothing unless implemented.
pub trait Progress: Sync {
    /// The inventory was read.
    fn discovered(&self, _targets: usize) {}
    /// The run begins.
    fn begins(&self, _selected: usize, _discovered: usize, _parallelism: usize) {}
    /// An item of a target, counted from 0, came out; this is all that it looked at.
    fn item_done(&self, _target: &str, _item: usize, _reads: &ItemReads) {}
    /// A worker takes up a target.
    fn target_begins(&self, _path: &str) {}
    /// A target is compiled; its output is staged.
    fn target_done(&self, _path: &str) {}
    /// The run is complete and the tree in place.
    fn done(&self, _selected: usize) {}
}

/// Tells nobody.
impl Progress for () {}
