use crate::program::{Function, Program, Slot};
use crate::run::Loop;
use crate::value::{Object, Value};
use kapstan_document::Text;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// Names that a template sees, over those of an outer layer.
pub(crate) struct Layer {
    names: FxHashMap<Text, Value>,
    outer: Option<Rc<Layer>>,
}

impl Layer {
    /// What every template sees.
    pub(crate) fn globals() -> FxHashMap<Text, Value> {
        ["range", "dict", "lipsum", "cycler", "joiner", "namespace"]
            .into_iter()
            .map(|name| (name.into(), Value::object(Object::Builtin(name))))
            .collect()
    }

    pub(crate) fn root(names: FxHashMap<Text, Value>) -> Self {
        Self { names, outer: None }
    }

    pub(crate) fn over(names: FxHashMap<Text, Value>, outer: &Rc<Self>) -> Rc<Self> {
        if names.is_empty() { outer.clone() } else { Rc::new(Self { names, outer: Some(outer.clone()) }) }
    }

    fn get(&self, name: &str) -> Option<Value> {
        let mut layer = self;
        loop {
            if let Some(value) = layer.names.get(name) {
                return Some(value.clone());
            }
            layer = layer.outer.as_deref()?;
        }
    }
}

/// A version of a block: that of one template.
#[derive(Clone)]
pub(crate) struct BlockCode {
    pub program: Arc<Program>,
    pub index: usize,
}

impl PartialEq for BlockCode {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.program, &other.program) && self.index == other.index
    }
}

/// The names of a template that is being rendered, those that it sets at its top, and its blocks.
pub(crate) struct Context {
    pub name: Text,
    parent: Rc<Layer>,
    pub vars: RefCell<FxHashMap<Text, Value>>,
    pub exported: RefCell<FxHashSet<Text>>,
    /// The versions of each block, that of the innermost template first.
    pub blocks: RefCell<FxHashMap<Text, Vec<BlockCode>>>,
    pub autoescape: Cell<bool>,
}

impl Context {
    pub(crate) fn new(program: &Arc<Program>, parent: Rc<Layer>) -> Self {
        let context = Self {
            name: program.name.clone(),
            parent,
            vars: RefCell::default(),
            exported: RefCell::default(),
            blocks: RefCell::default(),
            autoescape: Cell::new(false),
        };
        context.add_blocks(program);
        context
    }

    /// No names at all.
    pub(crate) fn empty() -> Self {
        Self {
            name: "".into(),
            parent: Rc::new(Layer::root(FxHashMap::default())),
            vars: RefCell::default(),
            exported: RefCell::default(),
            blocks: RefCell::default(),
            autoescape: Cell::new(false),
        }
    }

    /// Puts the blocks of a template behind those that are there.
    pub(crate) fn add_blocks(&self, program: &Arc<Program>) {
        let mut blocks = self.blocks.borrow_mut();
        for (index, (name, _)) in program.blocks.iter().enumerate() {
            blocks.entry(name.clone()).or_default().push(BlockCode { program: program.clone(), index });
        }
    }

    pub(crate) fn resolve(&self, name: &str) -> Option<Value> {
        let own = self.vars.borrow().get(name).cloned();
        own.or_else(|| self.parent.get(name))
    }

    /// Everything that is visible now, and `locals` over it.
    pub(crate) fn snapshot(&self, locals: FxHashMap<Text, Value>) -> Rc<Layer> {
        let own = Layer::over(self.vars.borrow().clone(), &self.parent);
        Layer::over(locals, &own)
    }

    /// The same template with more names.
    pub(crate) fn derived(&self, locals: FxHashMap<Text, Value>) -> Self {
        Self {
            name: self.name.clone(),
            parent: self.snapshot(locals),
            vars: RefCell::default(),
            exported: RefCell::default(),
            blocks: RefCell::new(self.blocks.borrow().clone()),
            autoescape: Cell::new(self.autoescape.get()),
        }
    }
}

/// A function that is running, or that something defined in it still holds on to.
pub(crate) struct Activation {
    pub program: Arc<Program>,
    pub context: Rc<Context>,
    slots: RefCell<Vec<Option<Value>>>,
    outer: Option<Rc<Activation>>,
    /// The line of the statement that is running.
    pub line: Cell<u32>,
    pub parent_template: RefCell<Option<Arc<Program>>>,
    /// The recursive loop that this is a call of.
    pub recursion: Option<Loop>,
}

impl Activation {
    pub(crate) fn new(
        program: &Arc<Program>,
        context: &Rc<Context>,
        function: &Function,
        outer: Option<&Rc<Activation>>,
    ) -> Self {
        Self {
            program: program.clone(),
            context: context.clone(),
            slots: RefCell::new(vec![None; function.slots]),
            outer: outer.cloned(),
            line: Cell::new(1),
            parent_template: RefCell::new(None),
            recursion: None,
        }
    }

    /// A function that is defined in a running one.
    pub(crate) fn inside(outer: &Rc<Self>, function: &Function) -> Self {
        Self::new(&outer.program, &outer.context, function, Some(outer))
    }

    pub(crate) fn get(&self, slot: Slot) -> Option<Value> {
        let mut scope = self;
        for _ in 0..slot.up {
            scope = scope.outer.as_deref()?;
        }
        scope.slots.borrow().get(slot.index as usize)?.clone()
    }

    pub(crate) fn set(&self, index: u32, value: Option<Value>) {
        let before = match self.slots.borrow_mut().get_mut(index as usize) {
            Some(slot) => std::mem::replace(slot, value),
            None => None,
        };
        // Dropped only here: what a value drags along may look at this very activation.
        drop(before);
    }

    /// Lets go of all values, those that the template exports among them.
    pub(super) fn release(&self) {
        crate::value::defer(self.slots.take().into_iter().flatten());
        crate::value::defer(self.context.vars.take().into_values());
    }
}

impl Drop for Activation {
    fn drop(&mut self) {
        crate::value::defer(std::mem::take(self.slots.get_mut()).into_iter().flatten());
    }
}
