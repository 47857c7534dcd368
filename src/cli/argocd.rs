//! `kapstan argocd`: what a config management plugin of Argo CD calls in its sidecar, where there is no shell.
//!
//! Argo CD runs the command in the application's folder and hands over what it wants in variables: `ARGOCD_APP_NAME`,
//! parameters as `PARAM_NAME` (lists as `PARAM_NAME_0`, ...), the application's `plugin.env` as `ARGOCD_ENV_NAME`. It
//! takes standard output as a stream of manifests, and shows standard error if the command fails.

use super::arguments::{ArgocdArguments, ArgocdCommand, Arguments, Command, CompileArguments};
use super::context::Context;
use super::{Failure, compile};
use clap::Parser;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::yaml::{self, LoadOptions};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

/// Runs a command below `argocd`.
pub(crate) fn run(context: &Context<'_>, arguments: &ArgocdArguments) -> Result<(), Failure> {
    match arguments.command {
        ArgocdCommand::Generate => generate(context),
    }
}

/// What the application asks for.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    /// Names of targets; never empty.
    targets: Vec<String>,
    /// Only what lies below this folder of each target, if one is named.
    folder: Option<String>,
    /// Whether references are replaced by what they stand for.
    reveal: bool,
}

impl Wish {
    /// Reads the variables that Argo CD sets. A target has the application's name unless others are named.
    fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let text = |name: &str| {
            let given =
                variable(&format!("PARAM_{name}")).or_else(|| variable(&format!("ARGOCD_ENV_{name}")));
            given.filter(|text| !text.trim().is_empty())
        };
        let listed = (0..).map_while(|place: usize| variable(&format!("PARAM_TARGETS_{place}")));
        let mut targets: Vec<String> = listed.collect();
        if let Some(text) = text("TARGETS") {
            targets.extend(text.split([' ', ',', '\n']).map(str::to_owned));
        }
        targets.retain(|name| !name.is_empty());
        if targets.is_empty() {
            let name = variable("ARGOCD_APP_NAME").filter(|name| !name.is_empty());
            targets.push(name.ok_or_else(|| {
                let message = "`ARGOCD_APP_NAME` is not set: Argo CD runs this command and says which application is meant";
                Failure::Usage(message.to_owned())
            })?);
        }
        let reveal = text("REVEAL").is_some_and(|text| matches!(text.trim(), "true" | "1" | "yes"));
        Ok(Self { targets, folder: text("FOLDER"), reveal })
    }

    /// The command line that compiles it.
    fn arguments(&self, output: &Path) -> Result<Box<CompileArguments>, Failure> {
        let mut line: Vec<OsString> =
            ["kapstan", "compile", "--quiet", "--output-path"].map(Into::into).into();
        line.push(output.into());
        line.extend(self.reveal.then(|| "--reveal".into()));
        line.push("--targets".into());
        line.extend(self.targets.iter().map(Into::into));
        match Arguments::try_parse_from(line).map(|parsed| parsed.command) {
            Ok(Some(Command::Compile(arguments))) => Ok(arguments),
            _ => Err(Failure::Usage(format!("{:?} are no names of targets", self.targets))),
        }
    }
}

/// Compiles the targets aside and writes their manifests, a stream of YAML documents in the order of their paths.
fn generate(context: &Context<'_>) -> Result<(), Failure> {
    let wish = Wish::read(|name| std::env::var(name).ok())?;
    let scratch = tempfile::Builder::new().prefix("kapstan-argocd-").tempdir()?;
    let arguments = wish.arguments(scratch.path())?;
    let compiled = compile::stage(context, &arguments)?;
    let mut stream = Vec::new();
    for change in compiled.changes()? {
        let Some(content) = change.after.filter(|_| is_wanted(&change.path, &wish)) else { continue };
        if is_manifest(context, &change.path, &content)? {
            // JSON is YAML: a separator makes it a document of the stream.
            stream.extend_from_slice(if content.starts_with(b"---") { b"" } else { b"---\n" });
            stream.extend_from_slice(&content);
            stream.extend_from_slice(if content.ends_with(b"\n") { b"" } else { b"\n" });
        }
    }
    if stream.is_empty() {
        // An application without resources is one that Argo CD would empty.
        let message = format!("no manifests come from {}", wish.targets.join(", "));
        let hint = "manifests are YAML and JSON files whose documents have `apiVersion` and `kind`";
        return Err(vec![Diagnostic::error("argocd::no-manifests", message).with_hint(hint)].into());
    }
    std::io::stdout().write_all(&stream)?;
    Ok(())
}

/// Whether a compiled file is of a kind that may hold manifests, and in the folder that was asked for.
fn is_wanted(path: &Path, wish: &Wish) -> bool {
    let is_data = path.extension().is_some_and(|end| end == "yml" || end == "yaml" || end == "json");
    let is_below = |folder: &str| {
        let folder = Path::new(folder.trim_matches('/'));
        // The parts before it are the target's own folder.
        path.ancestors().skip(1).any(|ancestor| ancestor.ends_with(folder))
    };
    is_data && wish.folder.as_deref().is_none_or(is_below)
}

/// Whether every document of a file is a manifest. Files without any are other data, such as values for a chart.
///
/// Fails if there are both: leaving a part out would be a guess.
fn is_manifest(context: &Context<'_>, path: &Path, content: &[u8]) -> Result<bool, Failure> {
    let name = Path::new("compiled").join(path);
    let source = context.sources.add(name.to_string_lossy(), content);
    let documents = yaml::load_all(content, source, &LoadOptions::default())
        .map_err(|error| vec![error.into_diagnostic(source)])?;
    let full: Vec<_> = documents.iter().filter(|document| !document.is_null()).collect();
    let has = |key: &str| {
        full.iter().filter(|document| document.get(key).is_some_and(|v| v.as_str().is_some())).count()
    };
    match (has("apiVersion").min(has("kind")), full.len()) {
        (0, _) => Ok(false),
        (manifests, all) if manifests == all => Ok(true),
        (manifests, all) => {
            let message = format!("`{}` holds {manifests} manifests among {all} documents", name.display());
            let hint = "compile what is no manifest to a file of its own";
            Err(vec![Diagnostic::error("argocd::mixed", message).with_hint(hint)].into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Wish;

    fn read(variables: &[(&str, &str)]) -> Option<Wish> {
        let find = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        Wish::read(find).ok()
    }

    fn wish(targets: &[&str], folder: Option<&str>, reveal: bool) -> Option<Wish> {
        let targets = targets.iter().map(|name| (*name).to_owned()).collect();
        Some(Wish { targets, folder: folder.map(str::to_owned), reveal })
    }

    #[test]
    fn variables_of_argo_cd_are_understood() {
        let app = ("ARGOCD_APP_NAME", "shop");
        assert_eq!(read(&[]), None);
        assert_eq!(read(&[app]), wish(&["shop"], None, false));
        assert_eq!(
            read(&[app, ("PARAM_TARGETS_0", "a"), ("PARAM_TARGETS_1", "b")]),
            wish(&["a", "b"], None, false)
        );
        assert_eq!(read(&[app, ("ARGOCD_ENV_TARGETS", "a, b")]), wish(&["a", "b"], None, false));
        assert_eq!(read(&[app, ("PARAM_TARGETS", " ")]), wish(&["shop"], None, false));
        assert_eq!(
            read(&[app, ("PARAM_FOLDER", "manifests"), ("PARAM_REVEAL", "true")]),
            wish(&["shop"], Some("manifests"), true)
        );
        assert_eq!(read(&[app, ("ARGOCD_ENV_REVEAL", "no")]), wish(&["shop"], None, false));
    }
}
