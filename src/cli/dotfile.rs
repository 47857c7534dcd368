use super::Failure;
use super::spelling::integer;
use crate::report::Reporter;
use kapstan_diagnostic::{Diagnostic, Sources, Span};
use kapstan_document::yaml::{self, LoadOptions};
use kapstan_document::{Node, Value, python};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The sections that are looked at; anything else may stand beside them.
const SECTIONS: &[&str] = &[
    "compile",
    "eval",
    "global",
    "helm",
    "init",
    "inventory",
    "inventory_backend",
    "lint",
    "refs",
    "searchvar",
    "validate",
];

/// `.kapitan`: defaults of flags, by command.
pub(crate) struct Dotfile {
    root: Node,
}

impl Dotfile {
    /// Reads the file, which need not be there; an empty one says nothing.
    pub(crate) fn read(path: &Path, sources: &Arc<Sources>) -> Result<Self, Box<Diagnostic>> {
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self { root: Node::NULL });
            }
            Err(error) => {
                let message = format!("cannot read `{}`: {error}", path.display());
                return Err(Diagnostic::error("dotfile::unreadable", message).into());
            }
        };
        let source = sources.add(path.display().to_string(), text.as_slice());
        let root = yaml::load(&text, source, &LoadOptions::default())
            .map_err(|error| error.into_diagnostic(source))?;
        match &root.value {
            Value::Null => {}
            Value::Map(sections) => {
                for (name, section) in sections.iter() {
                    let is_section = name.as_str().is_some_and(|name| SECTIONS.contains(&name));
                    if is_section && !matches!(section.value, Value::Map(_) | Value::Null) {
                        return Err(wrong(section, "a mapping from flags to values").into());
                    }
                }
            }
            _ => return Err(wrong(&root, "a mapping from commands to flags").into()),
        }
        Ok(Self { root })
    }

    /// The version that the repository wants.
    pub(crate) fn version(&self) -> Option<&Node> {
        self.root.get("version").filter(|version| version.value.is_truthy())
    }

    /// The settings of a command.
    pub(crate) fn section(&self, name: &'static str) -> Section<'_> {
        Section { dotfile: self, name }
    }

    fn find(&self, section: &str, flag: &str) -> Option<&Node> {
        let in_section = |name: &str| self.root.get(name).and_then(|section| section.get(flag));
        in_section(section).or_else(|| in_section("global")).filter(|value| !value.is_null())
    }
}

fn wrong(found: &Node, expected: &str) -> Diagnostic {
    let message = format!("`.kapitan` must hold {expected} here, not {}", found.value.kind());
    Diagnostic::error("dotfile::wrong-type", message).at(found.span)
}

/// The settings of one command: its own section, then `global`.
#[derive(Clone, Copy)]
pub(crate) struct Section<'d> {
    dotfile: &'d Dotfile,
    name: &'static str,
}

impl Section<'_> {
    /// Whether anything stands there for a flag.
    pub(crate) fn says(&self, flag: &str) -> bool {
        self.dotfile.find(self.name, flag).is_some()
    }

    /// Whether a flag is switched on.
    pub(crate) fn flag(&self, flag: &str) -> bool {
        self.dotfile.find(self.name, flag).is_some_and(|value| value.value.is_truthy())
    }

    /// A word.
    pub(crate) fn text(&self, flag: &str) -> Result<Option<String>, Box<Diagnostic>> {
        let Some(value) = self.dotfile.find(self.name, flag) else { return Ok(None) };
        match &value.value {
            Value::Seq(_) | Value::Map(_) | Value::Set(_) => Err(wrong(value, "a string").into()),
            scalar => Ok(Some(python::str(scalar).into_owned())),
        }
    }

    /// A path.
    pub(crate) fn path(&self, flag: &str) -> Result<Option<PathBuf>, Box<Diagnostic>> {
        Ok(self.text(flag)?.map(PathBuf::from))
    }

    /// A number, also one that is written as a string. Anything else is a wrong use of the flag.
    pub(crate) fn number(&self, flag: &str) -> Result<Option<i64>, Failure> {
        let Some(value) = self.dotfile.find(self.name, flag) else { return Ok(None) };
        if let Value::Bool(flag) = value.value {
            return Ok(Some(i64::from(flag)));
        }
        let text = self.text(flag)?.unwrap_or_default();
        integer(&text).map(Some).map_err(|_| Failure::WrongValue(wrong(value, "an integer").into()))
    }

    /// One of a few words. Any other word is told and then left to its reader, which is what Kapitan does with it.
    pub(crate) fn choice(
        &self,
        flag: &str,
        choices: &[&str],
        reporter: &Reporter,
    ) -> Result<Option<String>, Box<Diagnostic>> {
        let text = self.text(flag)?;
        if let Some(word) = text.as_deref().filter(|word| !choices.contains(word)) {
            let message = format!("`{flag}` in `.kapitan` has no choice `{word}`");
            let names: Vec<String> = choices.iter().map(|choice| format!("`{choice}`")).collect();
            let span = self.dotfile.find(self.name, flag).map_or(Span::NONE, |value| value.span);
            let problem = Diagnostic::warning("dotfile::unknown-choice", message).at(span);
            reporter.report(&problem.with_hint(format!("choose one of {}", names.join(", "))));
        }
        Ok(text)
    }

    /// Several words.
    pub(crate) fn texts(&self, flag: &str) -> Result<Option<Vec<String>>, Box<Diagnostic>> {
        let Some(value) = self.dotfile.find(self.name, flag) else { return Ok(None) };
        let items = value.as_seq().ok_or_else(|| wrong(value, "a list"))?;
        Ok(Some(items.iter().map(|item| python::str(&item.value).into_owned()).collect()))
    }
}
