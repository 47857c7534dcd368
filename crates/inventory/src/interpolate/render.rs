use super::Interpolation;
use super::layers::{Mismatch, join as join_layer};
use super::measure::MAX_BYTES;
use crate::lookup::{Miss, MissKind, lookup};
use crate::path::{Step, join};
use crate::problem;
use crate::template::{Part, Query, Reference, Template, text_with};
use crate::tree::{Kind, Tree};
use crate::words;
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_document::yaml::{self, Dialect, LoadOptions};
use kapstan_document::{Node, Value};

/// Why a value cannot be rendered.
pub(super) enum Failure {
    /// A reference leads nowhere. Collected, and ignored where a later layer replaces the value.
    Unresolved(Unresolved),
    /// Layers that do not go together, with the peer's line about it. The other values can still be rendered.
    Mismatch(Diagnostic, String),
    /// There is no use in going on.
    Fatal(Vec<Diagnostic>),
}

/// A reference that leads nowhere, and the string that makes it.
pub(super) struct Unresolved {
    pub(super) miss: Miss,
    pub(super) span: Span,
    pub(super) text: String,
}

impl Interpolation<'_> {
    /// The value with its references replaced and its layers joined. What it refers to is rendered already.
    pub(super) fn render(&mut self, value: &Tree, path: &[Step]) -> Result<Tree, Failure> {
        match value {
            Tree::Template(template) => self.render_template(template),
            Tree::Marked(marked) => self.render(&marked.tree, path),
            Tree::Layers(layers) => self.render_layers(layers, value, path),
            Tree::Plain(_) | Tree::Dict(_) | Tree::List(_) => Ok(value.clone()),
        }
    }

    fn render_template(&mut self, template: &Template) -> Result<Tree, Failure> {
        match template.parts.as_slice() {
            [Part::Reference(reference)] => self.follow(reference, template),
            [Part::Query(query)] => self.ask(query, template),
            parts => {
                let mut text = String::new();
                for part in parts {
                    match part {
                        Part::Text(part) => text.push_str(part),
                        Part::Reference(reference) => {
                            let found = self.follow(reference, template)?;
                            text.push_str(&words::str(&found, &self.rules.syntax));
                        }
                        Part::Query(_) => {
                            let reason = "an inventory query cannot be part of a longer string";
                            return Err(Failure::Fatal(vec![problem::bad_query(reason, template.span)]));
                        }
                    }
                    if text.len() > MAX_BYTES {
                        return Err(Failure::Fatal(vec![problem::too_large(template.span)]));
                    }
                }
                Ok(Tree::Plain(Node::new(text, template.span)))
            }
        }
    }

    fn follow(&self, reference: &Reference, template: &Template) -> Result<Tree, Failure> {
        let syntax = &self.rules.syntax;
        let mut resolve = |path: &str| {
            let found = lookup(&self.base, path, syntax)?;
            Ok(words::str(&found, syntax).into_owned())
        };
        let found = reference.path_with(&mut resolve).and_then(|path| lookup(&self.base, &path, syntax));
        match (found, &reference.default) {
            (Err(miss), Some(default)) if miss.kind == MissKind::Unresolved => {
                let text = text_with(default, &mut resolve).map_err(|miss| self.missed(miss, template))?;
                self.read_default(&text, template)
            }
            (found, _) => found.map_err(|miss| self.missed(miss, template)),
        }
    }

    /// The value of a default, which is YAML.
    fn read_default(&self, text: &str, template: &Template) -> Result<Tree, Failure> {
        let options = LoadOptions { dialect: Dialect::SerdeYaml, ..LoadOptions::default() };
        let source = template.span.source();
        let source = source.unwrap_or_else(|| self.report.add_source(text));
        let loaded = yaml::load(text.as_bytes(), source, &options);
        loaded.map(|node| Tree::Plain(without_places(&node, template.span))).map_err(|error| {
            let reason = format!("the default of the reference is no YAML: {}", error.problem);
            Failure::Fatal(vec![Diagnostic::error(problem::REFERENCE_SYNTAX, reason).at(template.span)])
        })
    }

    fn missed(&self, miss: Miss, template: &Template) -> Failure {
        let shown = format!("${{{}}}", miss.path);
        if miss.kind == MissKind::Unresolved {
            return Failure::Unresolved(Unresolved {
                miss,
                span: template.span,
                text: template.text.to_string(),
            });
        }
        let span = self.report.narrow(template.span, &shown);
        Failure::Fatal(vec![problem::unresolved(&miss, &shown, span)])
    }

    fn ask(&mut self, query: &Query, template: &Template) -> Result<Tree, Failure> {
        let exports = (self.exports)().map_err(|problems| {
            let within =
                |problem: Diagnostic| problem.within("while answering an inventory query", template.span);
            Failure::Fatal(problems.into_iter().map(within).collect())
        })?;
        let answer = query
            .answer(&self.base, &exports)
            .map_err(|miss| Failure::Fatal(vec![problem::bad_query(&miss.reason, template.span)]))?;
        Ok(Tree::Plain(answer))
    }

    fn render_layers(&mut self, layers: &[Tree], all: &Tree, path: &[Step]) -> Result<Tree, Failure> {
        let mut output = Tree::Plain(Node::NULL);
        let mut ignored = None;
        let mut is_constant = false;
        for (at, layer) in layers.iter().enumerate() {
            let (overwrite, constant) = match layer {
                Tree::Marked(marked) => (marked.overwrite, marked.constant),
                _ => (false, false),
            };
            let is_last = at + 1 == layers.len();
            let new = match self.render(layer, path) {
                Err(Failure::Unresolved(unresolved))
                    if self.rules.ignore_overwritten_missing_references
                        && !is_last
                        && !output.is_dict()
                        && !output.is_list() =>
                {
                    self.report.undefined(&unresolved);
                    ignored = Some(unresolved);
                    Tree::Plain(Node::NULL)
                }
                rendered => rendered?,
            };
            if is_constant {
                if self.rules.strict_constant_parameters {
                    return Err(self.changed_constant(&layers[at - 1], layer, path));
                }
                continue;
            }
            if overwrite {
                output = new;
            } else {
                let joined = join_layer(output, new, self.rules);
                output =
                    joined.map_err(|mismatch| self.mismatch(mismatch, layer, &layers[at - 1], all, path))?;
            }
            is_constant = constant;
        }
        match ignored {
            Some(unresolved) if output.is_dict() || output.is_list() => Err(Failure::Unresolved(unresolved)),
            _ => Ok(output),
        }
    }

    fn changed_constant(&self, constant: &Tree, new: &Tree, path: &[Step]) -> Failure {
        let path = join(path, &self.rules.syntax);
        let uris = format!("{}; {}", self.report.uri(constant), self.report.uri(new));
        let line = format!("Attempt to change constant value, at {path}, in {uris}");
        Failure::Mismatch(problem::changed_constant(&path, new.span(), constant.span()), line)
    }

    fn mismatch(&self, mismatch: Mismatch, new: &Tree, base: &Tree, all: &Tree, path: &[Step]) -> Failure {
        let path = join(path, &self.rules.syntax);
        let sides = [new, base].map(|tree: &Tree| (tree.kind(), tree.span()));
        let name = |kind: Kind| kind.peer_name();
        let line = format!(
            "Cannot merge {} over {}, at {path}, in {}",
            name(sides[0].0),
            name(sides[1].0),
            self.report.uri(all)
        );
        Failure::Mismatch(mismatch.into_diagnostic(&path, sides[0], sides[1]), line)
    }
}

/// The same value, all of it at one place: its own places are those of a text that is no file.
fn without_places(node: &Node, span: Span) -> Node {
    match &node.value {
        Value::Seq(items) => {
            let items: Vec<Node> = items.iter().map(|item| without_places(item, span)).collect();
            Node::new(items, span)
        }
        Value::Map(map) => {
            let mut map = (**map).clone();
            map.iter_mut().for_each(|(_, value)| *value = without_places(value, span));
            Node::new(map, span)
        }
        value => Node::new(value.clone(), span),
    }
}
