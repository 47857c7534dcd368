use crate::functions::Functions;
use crate::parse::ast::Tree;
use crate::parse::{ParseError, parse};
use crate::run::{Error, Limits, Options, Run};
use crate::stack::StackLimit;
use crate::value::{Text, Value};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Templates that know one another by name, and the functions they may call.
///
/// A clone is O(1): definitions are in layers, and what a clone adds lies above what it shares.
#[derive(Clone)]
pub struct Set {
    name: Text,
    functions: Functions,
    top: Rc<Layer>,
    texts: Rc<RefCell<Texts>>,
    stack: usize,
}

#[derive(Clone, Default)]
struct Layer {
    trees: FxHashMap<Text, Rc<Tree>>,
    below: Option<Rc<Layer>>,
    /// How many layers are below.
    height: usize,
}

/// A deeper stack of layers is made one again.
const MOST_LAYERS: usize = 8;

/// What was parsed for [`Set::derive`]: trees depend on the functions and the text, not on what else is defined.
#[derive(Default)]
struct Texts {
    parsed: FxHashMap<(Text, Text), Rc<[Rc<Tree>]>>,
    bytes: usize,
}

/// How much text is kept.
const MOST_CACHED: usize = 64 << 20;

impl Set {
    /// An empty set. The name stands in the error for a template that is not there; Helm's is `gotpl`.
    pub fn new(name: impl Into<Text>, functions: Functions) -> Self {
        Self {
            name: name.into(),
            functions,
            top: Rc::default(),
            texts: Rc::default(),
            stack: Limits::default().stack,
        }
    }

    /// Lets parsing use that much of the thread's stack.
    #[must_use]
    pub fn with_stack(mut self, bytes: usize) -> Self {
        self.stack = bytes;
        self
    }

    /// Its name.
    pub fn name(&self) -> &Text {
        &self.name
    }

    /// The functions its templates may call.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// Adds the template that a text is, and those it defines. A later definition replaces an earlier one, unless it is
    /// blank. Fails where the text does not parse, and then adds nothing.
    pub fn parse(&mut self, name: impl Into<Text>, text: impl Into<Text>) -> Result<(), ParseError> {
        let stack = StackLimit::from_here(self.stack);
        for tree in parse(&name.into(), &text.into(), &self.functions, stack)? {
            self.add(tree);
        }
        Ok(())
    }

    /// Runs a template with a value, into text. Fails where there is none of that name, where what it does goes wrong,
    /// and where it takes more than the limits allow.
    pub fn execute(&self, name: impl AsRef<[u8]>, data: Value, options: &Options) -> Result<Text, Error> {
        Run::new(self.clone(), options).named(name.as_ref(), data).map_err(|error| *error)
    }

    /// The names of the templates it has, sorted.
    pub fn names(&self) -> Vec<Text> {
        let mut names: Vec<Text> = self.layers().flat_map(|layer| layer.trees.keys().cloned()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether it has a template of that name.
    pub fn contains(&self, name: impl AsRef<[u8]>) -> bool {
        self.get(name.as_ref()).is_some()
    }

    fn layers(&self) -> impl Iterator<Item = &Layer> {
        std::iter::successors(Some(&*self.top), |layer| layer.below.as_deref())
    }

    pub(crate) fn get(&self, name: &[u8]) -> Option<&Rc<Tree>> {
        self.layers().find_map(|layer| layer.trees.get(name))
    }

    /// Adds a tree, unless it is blank and there is another.
    fn add(&mut self, tree: Rc<Tree>) {
        if tree.is_empty() && self.get(&tree.name).is_some() {
            return;
        }
        if Rc::get_mut(&mut self.top).is_none() {
            self.top = Rc::new(self.layer_above());
        }
        Rc::make_mut(&mut self.top).trees.insert(tree.name.clone(), tree);
    }

    fn layer_above(&self) -> Layer {
        if self.top.height < MOST_LAYERS {
            let below = Some(Rc::clone(&self.top));
            return Layer { trees: FxHashMap::default(), below, height: self.top.height + 1 };
        }
        let mut layers: Vec<&Layer> = self.layers().collect();
        layers.reverse();
        let all = layers.into_iter().flat_map(|layer| &layer.trees);
        Layer {
            trees: all.map(|(name, tree)| (name.clone(), Rc::clone(tree))).collect(),
            below: None,
            height: 0,
        }
    }

    /// A set over this one with what a text defines, and the template that the text is.
    pub(crate) fn derive(
        &self,
        name: &Text,
        text: &Text,
        stack: StackLimit,
    ) -> Result<(Self, Rc<Tree>), ParseError> {
        let key = (name.clone(), text.clone());
        let known = self.texts.borrow().parsed.get(&key).cloned();
        let trees = match known {
            Some(trees) => trees,
            None => {
                let trees: Rc<[Rc<Tree>]> = parse(name, text, &self.functions, stack)?.into();
                let mut texts = self.texts.borrow_mut();
                if texts.bytes + text.len() <= MOST_CACHED {
                    texts.bytes += text.len();
                    texts.parsed.insert(key, Rc::clone(&trees));
                }
                trees
            }
        };
        let mut derived = self.clone();
        for tree in trees.iter() {
            derived.add(Rc::clone(tree));
        }
        let own = trees.iter().find(|tree| tree.name == *name).cloned();
        Ok((derived, own.expect("a text is always a template itself")))
    }
}
