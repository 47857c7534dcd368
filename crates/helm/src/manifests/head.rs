use crate::chart::{Decoder, Target, field_of};
use kapstan_document::Node;

/// What Helm wants to know of a document.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) name: String,
    /// Sorted by key.
    pub(super) annotations: Vec<(String, String)>,
}

/// The Go type of `metadata`, which has no name.
const METADATA: &str =
    r#"struct { Name string "json:\"name\""; Annotations map[string]string "json:\"annotations\"" }"#;

impl Head {
    /// Reads it; fails with Go's words where kinds do not fit.
    pub(super) fn read(node: &Node, is_v3: bool) -> Result<Self, String> {
        let package = if is_v3 { "releaseutil" } else { "util" };
        let mut head = Self::default();
        let mut decoder = Decoder::default();
        let root = Target { structure: "", path: "" };
        for (key, value) in decoder.fields(node, root, &format!("{package}.SimpleHead")) {
            let Some(path) = field_of(&["apiVersion", "kind", "metadata"], key) else { continue };
            let target = Target { structure: "SimpleHead", path };
            match path {
                "apiVersion" => decoder.string(value, target, &mut head.api_version),
                "kind" => decoder.string(value, target, &mut head.kind),
                _ => head.metadata(&mut decoder, value, target),
            }
        }
        decoder.finish().map(|()| head)
    }

    fn metadata(&mut self, decoder: &mut Decoder, node: &Node, target: Target<'_>) {
        let mut annotations = None;
        for (key, value) in decoder.fields(node, target, METADATA) {
            match field_of(&["name", "annotations"], key) {
                Some("name") => {
                    decoder.string(value, Target { structure: "", path: "metadata.name" }, &mut self.name);
                }
                Some(_) => {
                    let target = Target { structure: "", path: "metadata.annotations" };
                    decoder.string_map(value, target, &mut annotations);
                }
                None => {}
            }
        }
        self.annotations = annotations.unwrap_or_default();
    }

    /// The value of an annotation.
    pub(super) fn annotation(&self, name: &str) -> Option<&str> {
        let at = self.annotations.binary_search_by(|(key, _)| key.as_str().cmp(name)).ok()?;
        Some(&self.annotations[at].1)
    }
}
