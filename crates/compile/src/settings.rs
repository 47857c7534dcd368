use kapstan_document::Text;
use kapstan_document::yaml::MultilineStyle;
use kapstan_helm::Profile;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Which targets are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Every target of the inventory.
    All,
    /// Those with one of these names. Names that no target has are passed over as long as one is found.
    Named(Vec<String>),
    /// Those whose labels hold all of these pairs.
    Labelled(Vec<(String, String)>),
}

/// Everything that a compile run depends on besides the files. Paths are absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileSettings {
    /// Where input paths and imports are looked for, in order.
    pub search_paths: Vec<PathBuf>,
    /// The folder that holds `compiled`.
    pub output_path: PathBuf,
    /// The inventory, for functions that name it.
    pub inventory_path: PathBuf,
    /// Which targets to compile.
    pub wanted: Wanted,
    /// All dependencies are wanted anew, not only those that say so themselves.
    pub fetch: bool,
    /// How many targets are compiled at a time.
    pub parallelism: NonZeroUsize,
    /// Blanks an indentation step has in YAML (2 to 9, otherwise 2) and JSON (as it is).
    pub indent: i64,
    /// How strings of several lines are written, where a target does not say otherwise.
    pub multiline_style: MultilineStyle,
    /// Null is written as nothing.
    pub null_as_empty: bool,
    /// Which Helm is followed, where a compile item does not say otherwise.
    pub helm_profile: Profile,
    /// A file of Jinja2 filters written in Python: kapstan cannot run it, but messages can name it.
    pub jinja2_filters: PathBuf,
    /// Whether that file has to be there: the user names one.
    pub needs_jinja2_filters: bool,
    /// Tells this run from others on the same machine: part of the name of the folder that the tree is made in.
    pub run_name: Text,
}

impl CompileSettings {
    /// Blanks an indentation step has in JSON: none for a negative indentation.
    pub(crate) fn indent_of_json(&self) -> usize {
        usize::try_from(self.indent).unwrap_or(0)
    }
}
