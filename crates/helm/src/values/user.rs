use super::assign::{Form, assign};
use super::json;
use crate::Profile;
use crate::chart::{merge, read_values};
use crate::error::{Error, Result};
use kapstan_diagnostic::{Diagnostic, Sources};
use kapstan_document::{Map, Node};
use kapstan_files::Files;
use std::path::Path;
use std::sync::Arc;

/// Where the values of a user come from, each kind in the order of the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueOptions {
    /// `--values`: files; `-` is standard input.
    pub files: Vec<String>,
    /// `--set-json`
    pub json: Vec<String>,
    /// `--set`
    pub set: Vec<String>,
    /// `--set-string`
    pub strings: Vec<String>,
    /// `--set-file`
    pub set_files: Vec<String>,
    /// `--set-literal`
    pub literals: Vec<String>,
}

/// What values are read with.
#[derive(Clone, Copy)]
pub struct ValueContext<'c> {
    /// The files.
    pub files: &'c dyn Files,
    /// What `-` stands for, read by who knows standard input; none where there is no such thing.
    pub standard_input: Option<&'c [u8]>,
    /// Where the files that messages point into are kept.
    pub sources: &'c Sources,
    /// Which Helm is followed.
    pub profile: Profile,
}

/// The values of a user: files in their order, then assignments by kind, whatever the order of the command line.
///
/// A mapping. Numbers of files and JSON are doubles, integers of `--set` are integers; a null stays a null.
pub fn user_values(options: &ValueOptions, context: &ValueContext<'_>) -> Result<Node> {
    let mut values = Node::from(Map::new());
    for file in &options.files {
        let content = context.read(file).map_err(|problem| Error::new("helm::values-unreadable", problem))?;
        let name = if file.trim() == "-" { "standard input" } else { file };
        let source = context.sources.add(name, content.clone());
        let read = read_values(&content, source, context.profile).map_err(|error| {
            Error::with_peer(error.diagnostic, format!("failed to parse {file}: {}", error.text))
        })?;
        merge(&mut values, read);
    }
    for text in &options.json {
        set_json(text, &mut values, context.profile)?;
    }
    let read = |path: &str| context.read(path).map(|content| content.to_vec());
    let kinds: [(&str, &[String], Form<'_>); 4] = [
        ("--set", &options.set, Form::Text { is_string: false }),
        ("--set-string", &options.strings, Form::Text { is_string: true }),
        ("--set-file", &options.set_files, Form::File(&read)),
        ("--set-literal", &options.literals, Form::Literal),
    ];
    for (flag, texts, form) in &kinds {
        for text in *texts {
            assign(text, &mut values, form, context.profile)
                .map_err(|problem| malformed(flag, text, &problem))?;
        }
    }
    Ok(values)
}

fn malformed(flag: &str, text: &str, problem: &str) -> Error {
    let diagnostic =
        Diagnostic::error("helm::assignment", format!("`{flag} {text}` cannot be read: {problem}"));
    Error::with_peer(diagnostic, format!("failed parsing {flag} data: {problem}"))
}

fn set_json(text: &str, values: &mut Node, profile: Profile) -> Result<()> {
    let refused = |what: &str, problem: &str| {
        let message = format!("`--set-json {text}` cannot be read: {problem}");
        let diagnostic = Diagnostic::error("helm::assignment", message);
        Err(Error::with_peer(diagnostic, format!("failed parsing --set-json data{what} {text}")))
    };
    if !profile.is_v3() && text.trim().starts_with('{') {
        return match json::whole(text.trim()) {
            Ok(object) => {
                merge(values, object);
                Ok(())
            }
            Err(problem) => refused(" JSON:", &problem),
        };
    }
    assign(text, values, &Form::Json, profile).or_else(|problem| refused("", &problem))
}

impl ValueContext<'_> {
    /// The content of a file as a user names it; fails in Go's words.
    fn read(&self, path: &str) -> std::result::Result<Arc<[u8]>, String> {
        if path.trim() == "-" {
            return Ok(Arc::from(self.standard_input.unwrap_or_default()));
        }
        if path.starts_with("http://") || path.starts_with("https://") {
            return Err(format!("{path} is not fetched: values come from files"));
        }
        self.files.read(Path::new(path)).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => format!("open {path}: no such file or directory"),
            std::io::ErrorKind::IsADirectory => format!("read {path}: is a directory"),
            std::io::ErrorKind::PermissionDenied => format!("open {path}: permission denied"),
            _ => format!("read {path}: {error}"),
        })
    }
}
