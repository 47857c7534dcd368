//! One case: a folder with `case.toml`, `input/` and `expected/`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Failure;

/// What `case.toml` says, with the folder it stands in.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The folder's path under `tests/cases`, which is the test's name.
    #[serde(skip)]
    pub name: String,
    /// The folder itself.
    #[serde(skip)]
    pub folder: PathBuf,
    /// The one rule that the case shows, in a sentence.
    pub shows: String,
    /// The tool that the case may be compared with.
    #[serde(default)]
    pub oracle: Option<Peer>,
    /// Why that tool's answer is another one. Such a case is not run against it.
    #[serde(default)]
    pub oracle_differs: Option<String>,
    /// What the machine must have: `unix`.
    #[serde(default)]
    pub requires: Vec<Need>,
    /// The folder to use as input, relative to the project's, where it is not `input/` beside the file.
    #[serde(default)]
    pub input: Option<String>,
    /// Symbolic links to make in the copy of `input/`: path to target.
    #[serde(default)]
    pub links: BTreeMap<String, String>,
    /// The runs, in order. A case with one run writes the fields of its step at the top of the file.
    pub steps: Vec<Step>,
}

/// One run of the program.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The arguments.
    pub command: Vec<String>,
    /// The name that the program is started through.
    #[serde(default = "own_name")]
    pub args0: String,
    /// The folder that it is started in, relative to the copy of `input/`.
    #[serde(default)]
    pub folder: String,
    /// The exit status that is expected.
    #[serde(default)]
    pub status: i32,
    /// What it reads from standard input.
    #[serde(default)]
    pub stdin: String,
    /// Environment variables, beside the few that every run gets.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Whether standard error is compared. Without this it is when the run is expected to fail.
    #[serde(default)]
    pub messages: Option<bool>,
    /// Whether standard output is compared. It is, unless the text is not ours to fix (a usage text).
    #[serde(default)]
    pub output: Option<bool>,
    /// Files to write before the run: path to text.
    #[serde(default)]
    pub write: BTreeMap<String, String>,
    /// Files and folders to remove before the run.
    #[serde(default)]
    pub remove: Vec<String>,
}

/// A tool whose answers ours are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Peer {
    /// Kapitan.
    Kapitan,
    /// Helm 4: the cases' `kapstan helm` is its `helm`.
    Helm4,
    /// Helm 3, which cases ask for with `--helm-compat 3`.
    Helm3,
}

impl Peer {
    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Kapitan, Self::Helm4, Self::Helm3].into_iter().find(|peer| peer.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kapitan => "kapitan",
            Self::Helm4 => "helm4",
            Self::Helm3 => "helm3",
        }
    }
}

/// Something that not every machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Need {
    /// File modes, symbolic links, bytes in file names, a shell, the colours of its terminals.
    Unix,
}

const STEP_FIELDS: &[&str] =
    &["command", "args0", "folder", "status", "stdin", "env", "messages", "output", "write", "remove"];

fn own_name() -> String {
    "kapstan".into()
}

/// Arguments that only kapstan has, and how many words belong to each.
const OWN_ARGUMENTS: &[(&str, usize)] = &[("--helm-compat", 2), ("--helm-errors", 1)];

impl Step {
    /// The name and the arguments with which a peer is asked the same.
    pub fn for_peer(&self, peer: Peer) -> (&'static str, Vec<String>) {
        if peer == Peer::Kapitan {
            return ("kapitan", self.command.clone());
        }
        let mut words = self.command.iter().skip(usize::from(self.args0 != "helm"));
        let mut asked = Vec::new();
        while let Some(word) = words.next() {
            match OWN_ARGUMENTS.iter().find(|(name, _)| name == word) {
                Some((_, count)) => drop(words.by_ref().take(count - 1).count()),
                None => asked.push(word.clone()),
            }
        }
        ("helm", asked)
    }

    /// Whether the messages are the peer's own words.
    pub fn has_messages_of_peer(&self) -> bool {
        self.args0 == "helm" || self.command.iter().any(|word| word == "--helm-errors")
    }

    /// Whether standard error belongs to what the case shows.
    pub fn compares_messages(&self) -> bool {
        self.messages.unwrap_or(self.status != 0)
    }

    /// Whether standard output belongs to what the case shows.
    pub fn compares_output(&self) -> bool {
        self.output.unwrap_or(true)
    }
}

impl Case {
    /// Reads every case under `root`, sorted by name.
    pub fn read_all(root: &Path) -> Result<Vec<Self>, Failure> {
        let mut cases = Vec::new();
        let mut waiting = vec![root.to_path_buf()];
        while let Some(folder) = waiting.pop() {
            if folder.join("case.toml").is_file() {
                cases.push(Self::read(root, &folder)?);
                continue;
            }
            let mut entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            let found = entries.try_fold(0, |count, entry| {
                waiting.extend(entry.map(|e| e.path()).ok().filter(|p| p.is_dir()));
                Ok::<_, Failure>(count + 1)
            })?;
            if found == 0 {
                return Err(format!("{} holds no case", folder.display()));
            }
        }
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(cases)
    }

    fn read(root: &Path, folder: &Path) -> Result<Self, Failure> {
        let file = folder.join("case.toml");
        let in_file = |e: String| format!("{}: {e}", file.display());
        let text = fs::read_to_string(&file).map_err(|e| in_file(e.to_string()))?;
        let mut table: toml::Table = text.parse().map_err(|e: toml::de::Error| in_file(e.to_string()))?;
        if !table.contains_key("steps") {
            let fields = STEP_FIELDS.iter().filter_map(|f| table.remove_entry(*f));
            let step: toml::Table = fields.collect();
            table.insert("steps".into(), toml::Value::Array(vec![step.into()]));
        }
        let mut case: Self = table.try_into().map_err(|e: toml::de::Error| in_file(e.to_string()))?;
        let name = folder.strip_prefix(root).expect("cases are found under their root");
        case.name = name.to_string_lossy().replace('\\', "/");
        case.folder = folder.to_path_buf();
        Ok(case)
    }

    /// The folder that is copied for a run.
    pub fn input_folder(&self) -> PathBuf {
        match &self.input {
            Some(path) => Path::new(env!("CARGO_MANIFEST_DIR")).join(path),
            None => self.folder.join("input"),
        }
    }

    /// The name of the file in `expected/` for a stream of a step: numbered where there are several steps.
    pub fn stream_file(&self, stream: &str, step: usize) -> String {
        if self.steps.len() == 1 { stream.to_string() } else { format!("{stream}.{}", step + 1) }
    }
}
