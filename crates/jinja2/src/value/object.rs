use super::{Dict, Value};
use crate::environment::Function;
use crate::program::{Macro, Program};
use crate::run::{Activation, BlockCode, Context, Generator, Loop};
use kapstan_document::Text;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// What is neither data nor undefined.
pub(crate) enum Object {
    Namespace(Rc<Dict>),
    Macro {
        code: Arc<Macro>,
        program: Arc<Program>,
        scope: Rc<Activation>,
    },
    Loop(Loop),
    /// An imported template: its name, what it exports, its text.
    Module {
        name: Text,
        exports: Rc<Dict>,
        text: Text,
    },
    /// `self` of a template.
    Template(Rc<Context>),
    /// A block of `self`, or `super`: the versions of the block, and which one it is.
    Block {
        name: Text,
        context: Rc<Context>,
        versions: Vec<BlockCode>,
        depth: usize,
    },
    Cycler {
        items: Vec<Value>,
        at: Cell<usize>,
    },
    Joiner {
        separator: Value,
        used: Cell<bool>,
    },
    /// A method with its object.
    Method {
        receiver: Value,
        name: &'static str,
    },
    /// A function or class that every template sees.
    Builtin(&'static str),
    /// A function of the host.
    Host {
        name: Text,
        function: Rc<dyn Function>,
    },
    Generator(RefCell<Generator>),
    View(View),
    /// The difference of two times, in microseconds.
    TimeDelta(i128),
}

/// Which part of a dict a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ViewKind {
    Keys,
    Values,
    Items,
}

/// What `dict.keys()`, `.values()` and `.items()` return.
pub(crate) struct View {
    pub kind: ViewKind,
    pub dict: Rc<Dict>,
}

impl Object {
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Namespace(_) => "Namespace",
            Self::Macro { .. } => "Macro",
            Self::Loop(_) => "LoopContext",
            Self::Module { .. } => "TemplateModule",
            Self::Template(_) => "TemplateReference",
            Self::Block { .. } => "BlockReference",
            Self::Cycler { .. } => "Cycler",
            Self::Joiner { .. } => "Joiner",
            Self::Method { receiver, name } if is_python_method(receiver, name) => "method",
            Self::Method { .. } => "builtin_function_or_method",
            Self::Builtin("lipsum") => "function",
            Self::Builtin(_) => "type",
            Self::Host { .. } => "function",
            Self::Generator(generator) => {
                generator.try_borrow().map_or("generator", |generator| generator.label.0)
            }
            Self::View(View { kind: ViewKind::Keys, .. }) => "dict_keys",
            Self::View(View { kind: ViewKind::Values, .. }) => "dict_values",
            Self::View(View { kind: ViewKind::Items, .. }) => "dict_items",
            Self::TimeDelta(_) => "datetime.timedelta",
        }
    }

    pub(super) fn owner_name(&self) -> &'static str {
        match self {
            Self::Namespace(_) => "jinja2.utils.Namespace object",
            Self::Macro { .. } => "jinja2.runtime.Macro object",
            Self::Loop(_) => "jinja2.runtime.LoopContext object",
            Self::Module { .. } => "jinja2.environment.TemplateModule object",
            Self::Template(_) => "jinja2.runtime.TemplateReference object",
            Self::Block { .. } => "jinja2.runtime.BlockReference object",
            Self::Cycler { .. } => "jinja2.utils.Cycler object",
            Self::Joiner { .. } => "jinja2.utils.Joiner object",
            Self::Method { receiver, name } if is_python_method(receiver, name) => "method object",
            Self::Method { .. } => "builtin_function_or_method object",
            Self::Builtin("lipsum") => "function object",
            Self::Builtin(_) => "type object",
            Self::Host { .. } => "function object",
            Self::Generator(generator) => match generator.try_borrow().map_or("generator", |g| g.label.0) {
                "reversed" => "reversed object",
                "list_reverseiterator" => "list_reverseiterator object",
                "range_iterator" => "range_iterator object",
                "dict_reversekeyiterator" => "dict_reversekeyiterator object",
                _ => "generator object",
            },
            Self::View(View { kind: ViewKind::Keys, .. }) => "dict_keys object",
            Self::View(View { kind: ViewKind::Values, .. }) => "dict_values object",
            Self::View(View { kind: ViewKind::Items, .. }) => "dict_items object",
            Self::TimeDelta(_) => "datetime.timedelta object",
        }
    }
}

/// Whether a method is written in Python rather than built in.
pub(crate) fn is_python_method(receiver: &Value, _name: &str) -> bool {
    matches!(receiver, Value::Object(_) | Value::Markup(_))
}

impl Drop for Object {
    fn drop(&mut self) {
        match self {
            Self::Generator(generator) => super::defer(generator.get_mut().take_parts().into_iter()),
            Self::Loop(state) => super::defer(state.take_parts().into_iter()),
            Self::Method { receiver, .. } => {
                super::defer(std::iter::once(std::mem::replace(receiver, Value::None)));
            }
            Self::Cycler { items, .. } => super::defer(std::mem::take(items).into_iter()),
            _ => {}
        }
    }
}
