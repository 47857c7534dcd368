use super::write::text;
use crate::error::{Error, Raised};
use crate::python::{no_attribute, type_name};
use crate::reference::{Reference, malformed};
use crate::references::{Context, References};
use crate::secret::Secret;
use crate::secret_text;
use kapstan_diagnostic::{Diagnostic, Sources};
use kapstan_document::{Node, Value, json, yaml};
use kapstan_files::Kind;
use std::path::Path;
use std::sync::Arc;

/// What kind of text a file holds, by its name.
#[derive(Clone, Copy, PartialEq)]
enum Format {
    Yaml,
    Json,
    Raw,
}

/// Reveals a file, or all files of a folder (`refs --reveal --file PATH`).
///
/// YAML and JSON are written anew; other files keep their text, but for the line breaks. Of a folder only the YAML
/// files are revealed if there is any, or else the JSON files, or else the others, one behind the other in the order of
/// their names, those of a folder in front of those of its folders. Fails where the path leads nowhere, at the first
/// tag that cannot be revealed, and for broken files; even for those of a kind that is not shown.
/// Behaviour: Kapitan's `refs --reveal`, whose order is that of the disk.
pub fn reveal_path(references: &References, path: &Path, sources: &Sources) -> Result<Secret, Diagnostic> {
    let shown = path.display();
    let kind = references.host.files.kind(path).map_err(|error| unreadable(path, &error))?;
    match kind {
        Some(Kind::File) => reveal_file(references, path, sources).map(|(text, _)| Secret::new(text)),
        Some(Kind::Folder) => {
            let mut texts = [String::new(), String::new(), String::new()];
            reveal_folder(references, path, sources, &mut texts)?;
            Ok(Secret::new(texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()))
        }
        None => Err(Diagnostic::error("refs::no-such-file", format!("there is no file or folder `{shown}`"))
            .with_peer_text(shown.to_string())),
    }
}

/// Folders nested deeper than this are a loop of links or a mistake.
const MAX_FOLDERS: usize = 100;

fn reveal_folder(
    references: &References,
    path: &Path,
    sources: &Sources,
    texts: &mut [String; 3],
) -> Result<(), Diagnostic> {
    for file in super::targets::files_below(&*references.host.files, path, MAX_FOLDERS)
        .map_err(|error| unreadable(path, &error))?
    {
        let (text, format) = reveal_file(references, &file, sources)?;
        texts[format as usize].push_str(&text);
    }
    Ok(())
}

fn reveal_file(
    references: &References,
    path: &Path,
    sources: &Sources,
) -> Result<(String, Format), Diagnostic> {
    let shown = path.display().to_string();
    let bytes = references.host.files.read(path).map_err(|error| unreadable(path, &error))?;
    let format = match shown.rsplit_once('.') {
        Some((_, "yml" | "yaml")) => Format::Yaml,
        Some((_, "json")) => Format::Json,
        _ => Format::Raw,
    };
    let failed = |error: Error| {
        reveal_failed(error, &shown)
            .into_diagnostic()
            .within(format!("while revealing `{shown}`"), kapstan_document::Span::NONE)
    };
    let text = match format {
        Format::Yaml => {
            let source = sources.add(shown.clone(), bytes.clone());
            let documents = yaml::load_all(&bytes, source, &yaml::LoadOptions::default())
                .map_err(|error| error.into_diagnostic(source))?;
            let revealed = references.reveal_node(Node::from(documents), &Context::NONE).map_err(failed)?;
            yaml::write_documents(&revealed, &yaml::WriteOptions::revealed())
                .map_err(|error| failed(secret_text::unwritable(error)))?
        }
        Format::Json => {
            let source = sources.add(shown.clone(), bytes.clone());
            let document = json::load(&bytes, source).map_err(|error| error.into_diagnostic(source))?;
            let revealed = references.reveal_node(document, &Context::NONE).map_err(failed)?;
            json::write(&revealed, 4).map_err(|error| failed(secret_text::unwritable(error)))?
        }
        Format::Raw => {
            let text = text(&bytes).map_err(failed)?;
            references.reveal_text(&text, &Context::NONE).map_err(failed)?.unwrap_or(text)
        }
    };
    Ok((text, format))
}

/// Reveals standard input (`refs --reveal --file -`), whatever it holds, as raw text.
pub fn reveal_stream(references: &References, bytes: &[u8]) -> Result<Secret, Error> {
    let text = text(bytes)?;
    let revealed =
        references.reveal_text(&text, &Context::NONE).map_err(|error| reveal_failed(error, "-"))?;
    Ok(Secret::new(revealed.unwrap_or(text)))
}

/// Reveals the tags in a text of the command line (`refs --reveal --tag TEXT`).
pub fn reveal_tag(references: &References, text: &str) -> Result<Secret, Error> {
    let revealed =
        references.reveal_text(text, &Context::NONE).map_err(|error| reveal_failed(error, "None"))?;
    Ok(Secret::new(revealed.unwrap_or_else(|| text.to_owned())))
}

/// Reveals a ref file anywhere (`refs --reveal --ref-file PATH`). Its own `type` decides.
///
/// Fails where it is no ref file, and for env references, which need their path.
pub fn reveal_ref_file(references: &References, path: &Path) -> Result<Secret, Error> {
    let bytes = references.host.files.read(path).map_err(|error| {
        Error::new("refs::not-found", format!("the ref file can not be read: {error}"))
            .raised(Raised::Os, error.to_string())
            .in_file(path)
    })?;
    reveal_fields(references, &bytes).map_err(|error| reveal_failed(error, "None").in_file(path))
}

fn reveal_fields(references: &References, bytes: &[u8]) -> Result<Secret, Error> {
    let document = secret_text::load_bytes(bytes)?;
    let Value::Map(fields) = document.value else {
        let (raised, peer_text) = match type_name(&document.value) {
            "list" => (Raised::Type, "'str' object cannot be interpreted as an integer".to_owned()),
            kind => (Raised::Attribute, no_attribute(kind, "pop")),
        };
        return Err(malformed("it is not a mapping").raised(raised, peer_text));
    };
    let mut fields = Arc::unwrap_or_clone(fields);
    let mut take = |name: &str| {
        let missing = || malformed(format!("it has no `{name}`")).raised(Raised::Key, format!("'{name}'"));
        fields.remove(name).ok_or_else(missing)
    };
    let (type_name_node, data) = (take("type")?, take("data")?);
    let backend = references.backend(type_name_node.as_str().unwrap_or_default())?;
    let environment = &*references.host.environment;
    let reference = Reference::from_fields(backend, data.value, &fields, false, environment)?;
    match reference.reveal(environment)? {
        Value::Str(secret) => Ok(Secret::new(&*secret)),
        other => {
            let kind = type_name(&other);
            let shown = if other == Value::Null { "None" } else { kind };
            Err(Error::new(
                "refs::not-a-string",
                format!("the value of the reference is of type `{kind}`, not a string"),
            )
            .raised(Raised::Type, format!("write() argument must be str, not {shown}")))
        }
    }
}

/// Kapitan hides two kinds of errors behind a text of its own.
fn reveal_failed(error: Error, file_name: &str) -> Error {
    if error.is(Raised::Key) || error.is(Raised::HashMismatch) {
        return error.raised_again(Raised::Kapitan, format!("Reveal failed for file {file_name}"));
    }
    error
}

fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error("refs::unreadable", format!("`{}` can not be read: {error}", path.display()))
}
