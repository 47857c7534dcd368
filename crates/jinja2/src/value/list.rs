use super::{Value, Watch, from_node};
use kapstan_document::Node;
use std::cell::{Ref, RefCell, RefMut};
use std::sync::Arc;

/// A list that can change. One from a document is taken over when somebody looks into it.
pub(crate) struct List {
    state: RefCell<State>,
}

enum State {
    Document(Arc<Vec<Node>>, Option<Watch>),
    Items(Vec<Value>),
}

impl List {
    pub(crate) fn new(items: Vec<Value>) -> Self {
        Self { state: RefCell::new(State::Items(items)) }
    }

    pub(super) fn of_document(nodes: &Arc<Vec<Node>>, watch: Option<Watch>) -> Self {
        Self { state: RefCell::new(State::Document(nodes.clone(), watch)) }
    }

    fn take_over(&self) {
        let mut state = self.state.borrow_mut();
        if let State::Document(nodes, watch) = &*state {
            if let Some(watch) = watch {
                watch.enumerated();
            }
            let child = |(at, node)| {
                from_node(node, watch.as_ref().map(|watch| watch.entered(&usize::to_string(&at))))
            };
            let items = nodes.iter().enumerate().map(child).collect();
            *state = State::Items(items);
        }
    }

    /// The items. Nothing may change the list while they are held.
    pub(crate) fn items(&self) -> Ref<'_, Vec<Value>> {
        if matches!(&*self.state.borrow(), State::Document(..)) {
            self.take_over();
        }
        Ref::map(self.state.borrow(), |state| match state {
            State::Items(items) => items,
            State::Document(..) => const { &Vec::new() },
        })
    }

    /// The items, to change.
    pub(crate) fn items_mut(&self) -> RefMut<'_, Vec<Value>> {
        self.take_over();
        RefMut::map(self.state.borrow_mut(), |state| {
            if let State::Document(..) = state {
                *state = State::Items(Vec::new());
            }
            match state {
                State::Items(items) => items,
                State::Document(..) => unreachable!("a list of a document was just taken over"),
            }
        })
    }

    pub(crate) fn len(&self) -> usize {
        match &*self.state.borrow() {
            State::Document(nodes, watch) => {
                if let Some(watch) = watch {
                    watch.enumerated();
                }
                nodes.len()
            }
            State::Items(items) => items.len(),
        }
    }
}

impl Drop for List {
    fn drop(&mut self) {
        if let State::Items(items) = self.state.get_mut() {
            super::defer(std::mem::take(items).into_iter());
        }
    }
}

/// A tuple.
pub(crate) struct Tuple {
    pub items: Vec<Value>,
    /// How deep tuples nest in it; hashing goes no deeper than is safe.
    pub depth: u32,
    /// A group of the `groupby` filter: its parts have names.
    pub is_group: bool,
}

impl Tuple {
    pub(crate) fn new(items: Vec<Value>) -> Self {
        let depth_of = |item: &Value| if let Value::Tuple(tuple) = item { tuple.depth } else { 0 };
        let depth = items.iter().map(depth_of).max().unwrap_or(0).saturating_add(1);
        Self { items, depth, is_group: false }
    }

    pub(crate) fn group(grouper: Value, list: Vec<Value>) -> Self {
        let mut tuple = Self::new(vec![grouper, Value::list(list)]);
        tuple.is_group = true;
        tuple
    }
}

impl Drop for Tuple {
    fn drop(&mut self) {
        super::defer(std::mem::take(&mut self.items).into_iter());
    }
}
