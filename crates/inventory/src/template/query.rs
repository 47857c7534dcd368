use crate::lookup::{Miss, MissKind, lookup_parts};
use crate::tree::Tree;
use kapstan_document::{Map, Node, Text, Value};
use std::sync::Arc;

/// What every node exports, in the order of the nodes.
pub(crate) type Exports = Vec<(Text, Node)>;

/// An inventory query: which nodes, and what of their exports.
#[derive(Debug)]
pub(crate) struct Query {
    pub(super) text: Text,
    pub(super) shape: Shape,
}

#[derive(Debug)]
pub(super) enum Shape {
    /// A mapping from each node that has the export, and passes the tests, to its value.
    Values { path: Vec<Text>, tests: Vec<(Connective, Test)> },
    /// A sequence of the nodes that pass the tests.
    Nodes { tests: Vec<(Connective, Test)> },
}

/// How a test joins those before it; the first one's does not matter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Connective {
    And,
    Or,
}

#[derive(Debug)]
pub(super) struct Test {
    pub(super) export: Option<Vec<Text>>,
    pub(super) parameter: Option<Vec<Text>>,
    pub(super) value: Option<Node>,
    pub(super) comparison: Comparison,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
}

pub(super) enum Operand {
    Export(Vec<Text>),
    Parameter(Vec<Text>),
    Value(Node),
}

impl Query {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    fn tests(&self) -> &[(Connective, Test)] {
        match &self.shape {
            Shape::Values { tests, .. } | Shape::Nodes { tests } => tests,
        }
    }

    /// The parameters of the asking node that the tests need.
    pub(super) fn self_paths(&self) -> impl Iterator<Item = String> {
        self.tests().iter().filter_map(|(_, test)| test.parameter.as_ref()).map(|path| path.join(":"))
    }

    /// The answer, with `parameters` for what the tests want of the asking node.
    pub(crate) fn answer(&self, parameters: &Tree, exports: &Exports) -> Result<Node, Miss> {
        match &self.shape {
            Shape::Values { path, tests } => {
                let mut found = Map::new();
                for (name, exported) in exports {
                    if pass(tests, parameters, exported)? && exists(exported, path) {
                        found.insert(&**name, value_at(exported, path)?);
                    }
                }
                Ok(found.into())
            }
            Shape::Nodes { tests } => {
                let mut names: Vec<Node> = Vec::new();
                for (name, exported) in exports {
                    if pass(tests, parameters, exported)? {
                        names.push(name.clone().into());
                    }
                }
                Ok(names.into())
            }
        }
    }
}

/// From left to right, without precedence, every test looked at.
fn pass(tests: &[(Connective, Test)], parameters: &Tree, exported: &Node) -> Result<bool, Miss> {
    let mut result = true;
    for (at, (connective, test)) in tests.iter().enumerate() {
        let passes = test.passes(parameters, exported)?;
        result = match connective {
            _ if at == 0 => passes,
            Connective::And => result & passes,
            Connective::Or => result | passes,
        };
    }
    Ok(result)
}

impl Test {
    fn passes(&self, parameters: &Tree, exported: &Node) -> Result<bool, Miss> {
        let wanted = match &self.parameter {
            Some(path) => match lookup_parts(parameters, path.iter().map(|part| &**part))? {
                Tree::Plain(node) => Some(node),
                _ => None,
            },
            None => self.value.clone(),
        };
        let Some(wanted) = wanted.filter(|wanted| !wanted.is_null()) else {
            return Err(Miss::new(
                MissKind::Fatal,
                "a test of the inventory query has nothing to compare with",
            ));
        };
        let path = self.export.as_deref().unwrap_or_default();
        if !exists(exported, path) {
            return Ok(false);
        }
        let is_equal = value_at(exported, path)? == wanted;
        Ok(match self.comparison {
            Comparison::Equal => is_equal,
            Comparison::NotEqual => !is_equal,
        })
    }
}

/// Whether the peer takes the path for one that exists: a path that goes on behind a scalar exists when the scalar equals
/// its last part, and a sequence that contains a part as an element is not left.
fn exists(exported: &Node, path: &[Text]) -> bool {
    let mut here = exported;
    for part in path {
        match &here.value {
            Value::Map(map) => match map.get(part) {
                Some(next) => here = next,
                None => return false,
            },
            Value::Seq(items) => {
                if !items.iter().any(|item| item.as_str() == Some(part)) {
                    return false;
                }
            }
            _ => return path.last().is_some_and(|last| here.as_str() == Some(last)),
        }
    }
    true
}

fn value_at(exported: &Node, path: &[Text]) -> Result<Node, Miss> {
    match lookup_parts(&Tree::Plain(exported.clone()), path.iter().map(|part| &**part))? {
        Tree::Plain(node) => Ok(node),
        tree => Ok(Node::new(Value::Map(Arc::default()), tree.span())),
    }
}
