use super::{Event, Hook, Manifest, split};
use crate::error::{Error, Result};
use crate::{Profile, go, pattern};
use kapstan_diagnostic::Diagnostic;

/// A chart, rendered.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// The files under `crds/`, where they are asked for: as they are, not separated.
    pub crds: Vec<Manifest>,
    /// The manifests, in the order of installation.
    pub manifests: Vec<Manifest>,
    /// The hooks, sorted by kind as manifests are.
    pub hooks: Vec<Hook>,
    /// What `NOTES.txt` of the chart came to, or nothing.
    pub notes: String,
    /// What is worth knowing.
    pub warnings: Vec<Diagnostic>,
    /// Which Helm is followed.
    pub profile: Profile,
    /// What a post-renderer made of CRDs and manifests, where one ran.
    pub post_rendered: Option<String>,
}

/// What of a rendering is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutputOptions {
    /// Leaves all hooks out (`--no-hooks`).
    pub no_hooks: bool,
    /// Leaves the hooks of `helm test` out (`--skip-tests`).
    pub skip_tests: bool,
}

/// A part of a rendering, in the order of printing.
#[derive(Clone, Copy, Debug)]
pub enum Document<'r> {
    /// A CRD file.
    Crd(&'r Manifest),
    /// A manifest.
    Manifest(&'r Manifest),
    /// A hook.
    Hook(&'r Hook),
}

/// A document as `--output-dir` writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeDocument {
    /// Where, from the output folder on; it never leads out of it.
    pub path: String,
    /// What is written.
    pub text: String,
    /// Whether it goes behind what the path holds already. Of a hook it also does so where the file is an old one.
    pub is_appended: bool,
    /// Whether it is a hook.
    pub is_hook: bool,
}

impl<'r> Document<'r> {
    /// Its manifest.
    pub fn manifest(self) -> &'r Manifest {
        match self {
            Self::Crd(manifest) | Self::Manifest(manifest) => manifest,
            Self::Hook(hook) => &hook.manifest,
        }
    }

    /// `---`, where it comes from, and its content.
    fn text(self) -> String {
        let Manifest { path, content, .. } = self.manifest();
        format!("---\n# Source: {path}\n{content}\n")
    }
}

impl Rendered {
    /// Everything that is printed, in order. CRDs and manifests are their old selves where a post-renderer ran.
    pub fn documents(&self, options: OutputOptions) -> impl Iterator<Item = Document<'_>> {
        let crds = self.crds.iter().map(Document::Crd);
        let manifests = self.manifests.iter().map(Document::Manifest);
        crds.chain(manifests).chain(self.wanted_hooks(options).map(Document::Hook))
    }

    fn wanted_hooks(&self, options: OutputOptions) -> impl Iterator<Item = &Hook> {
        let is_wanted = move |hook: &&Hook| {
            !(options.no_hooks || options.skip_tests && hook.events.contains(&Event::Test))
        };
        self.hooks.iter().filter(is_wanted)
    }

    /// CRDs and manifests as one stream: what a post-renderer gets in the way of Helm 3.
    pub fn stream(&self) -> String {
        let crds = self.crds.iter().map(Document::Crd);
        let manifests = self.manifests.iter().map(Document::Manifest);
        crds.chain(manifests).map(Document::text).collect()
    }

    /// Puts what `run` makes of the stream in its place. Hooks stay as they are, as with Helm 3.
    ///
    /// Fails with Helm's text where `run` fails.
    pub fn post_render(
        &mut self,
        run: impl FnOnce(&str) -> std::result::Result<String, String>,
    ) -> Result<()> {
        let made = run(&self.stream()).map_err(|problem| {
            let text = format!("error while running post render on files: {problem}");
            Error::new("helm::post-renderer", text).with_rendered("\n".to_owned())
        })?;
        self.post_rendered = Some(made);
        Ok(())
    }

    /// What `helm template` prints.
    pub fn text(&self, options: OutputOptions) -> String {
        let stream = self.post_rendered.clone().unwrap_or_else(|| self.stream());
        let mut text = format!("{}\n", stream.trim());
        text.extend(self.wanted_hooks(options).map(|hook| Document::Hook(hook).text()));
        text
    }

    /// What `helm template --show-only` prints: of each pattern in turn, the documents whose path below the chart it
    /// matches. Fails where a pattern matches none.
    pub fn show_only(&self, patterns: &[String], options: OutputOptions) -> Result<String> {
        let text = self.text(options);
        let documents = split(&text, self.profile);
        let mut shown = String::new();
        for pattern in patterns {
            let mut is_missing = true;
            for document in &documents {
                let Some(path) = source_path(document) else { continue };
                if pattern::matches(pattern, path).unwrap_or(false) {
                    is_missing = false;
                    shown.push_str(&format!("---\n{document}\n"));
                }
            }
            if is_missing {
                return Err(self.not_shown(pattern, &documents));
            }
        }
        Ok(shown)
    }

    fn not_shown(&self, pattern: &str, documents: &[&str]) -> Error {
        let peer_text = format!("could not find template {pattern} in chart");
        let mut diagnostic = Diagnostic::error(
            "helm::template-not-found",
            format!("no document comes from template `{pattern}`"),
        );
        let paths = documents.iter().filter_map(|document| source_path(document));
        if let Some(near) = kapstan_diagnostic::nearest(pattern, paths) {
            diagnostic = diagnostic.with_hint(format!("did you mean `{near}`?"));
        }
        Error::with_peer(diagnostic, peer_text)
    }

    /// What `helm template --output-dir` writes, in order. With `release` its name is a folder of its own, but not for
    /// CRDs, as with Helm.
    pub fn tree(&self, release: Option<&str>, options: OutputOptions) -> Vec<TreeDocument> {
        let mut written = Vec::new();
        let mut tree = Vec::new();
        for document in self.documents(options) {
            let source = &document.manifest().path;
            let release = release.filter(|_| !matches!(document, Document::Crd(_)));
            let path = release.map_or_else(|| go::clean(source), |release| go::join(release, source));
            let is_appended = written.contains(&path);
            if !is_appended {
                written.push(path.clone());
            }
            let is_hook = matches!(document, Document::Hook(_));
            tree.push(TreeDocument { path, text: document.text(), is_appended, is_hook });
        }
        tree
    }
}

/// The path below the chart that the first `# Source: ` of a document names.
fn source_path(document: &str) -> Option<&str> {
    const MARK: &str = "# Source: ";
    document.match_indices(MARK).find_map(|(at, _)| {
        // The chart's name may not hold a slash, but Go's pattern lets it hold a line break.
        let rest = &document[at + MARK.len()..];
        let (chart, path) = rest.split_once('/')?;
        let path = path.split('\n').next().unwrap_or(path);
        (!chart.is_empty() && !path.is_empty()).then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(path: &str, content: &str) -> Manifest {
        let text = String::new;
        Manifest {
            path: path.to_owned(),
            content: content.to_owned(),
            api_version: text(),
            kind: text(),
            name: text(),
        }
    }

    fn rendered() -> Rendered {
        let hook = |path: &str, event| Hook {
            manifest: manifest(path, "h: 1\n"),
            events: vec![event],
            weight: 0,
            delete_policies: Vec::new(),
        };
        Rendered {
            crds: vec![manifest("c/crds/x.yaml", "crd: 1\n")],
            manifests: vec![manifest("c/templates/a.yaml", "a: 1\n"), manifest("c/templates/a.yaml", "b: 2")],
            hooks: vec![
                hook("c/templates/h.yaml", Event::PreInstall),
                hook("c/templates/t.yaml", Event::Test),
            ],
            ..Rendered::default()
        }
    }

    #[test]
    fn the_stream_is_trimmed_and_hooks_follow() {
        let options = OutputOptions { skip_tests: true, ..OutputOptions::default() };
        assert_eq!(
            rendered().text(options),
            "---\n# Source: c/crds/x.yaml\ncrd: 1\n\n---\n# Source: c/templates/a.yaml\na: 1\n\n---\n\
             # Source: c/templates/a.yaml\nb: 2\n---\n# Source: c/templates/h.yaml\nh: 1\n\n"
        );
        assert_eq!(Rendered::default().text(OutputOptions::default()), "\n");
    }

    #[test]
    fn documents_are_shown_by_their_path() {
        let options = OutputOptions::default();
        let shown =
            rendered().show_only(&["templates/t.yaml".to_owned(), "crds/*".to_owned()], options).unwrap();
        assert_eq!(
            shown,
            "---\n# Source: c/templates/t.yaml\nh: 1\n\n\n---\n# Source: c/crds/x.yaml\ncrd: 1\n\n\n"
        );
        let error = rendered().show_only(&["templates/x.yaml".to_owned()], options).unwrap_err();
        assert_eq!(error.text(), "could not find template templates/x.yaml in chart");
    }

    #[test]
    fn documents_of_one_path_are_appended() {
        let tree = rendered().tree(Some("r"), OutputOptions { no_hooks: true, ..OutputOptions::default() });
        let paths: Vec<_> =
            tree.iter().map(|document| (document.path.as_str(), document.is_appended)).collect();
        assert_eq!(
            paths,
            [("c/crds/x.yaml", false), ("r/c/templates/a.yaml", false), ("r/c/templates/a.yaml", true)]
        );
    }
}
