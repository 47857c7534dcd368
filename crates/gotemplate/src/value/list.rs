use super::types::{ANY_LIST, INT_LIST, ListType, STRING_LIST};
use super::{Text, Value, drop};
use std::ops::Deref;
use std::rc::Rc;

/// A slice: shared and never changed. Reads like `&[Value]`.
#[derive(Clone, Debug)]
pub struct List(Rc<Shared>);

#[derive(Debug)]
struct Shared {
    items: Vec<Value>,
    list_type: &'static ListType,
    is_nil: bool,
}

impl List {
    /// A `[]interface {}`.
    pub fn new(items: Vec<Value>) -> Self {
        Self::typed(&ANY_LIST, items)
    }

    /// A slice of that type. The items have to be of its element type.
    pub fn typed(list_type: &'static ListType, items: Vec<Value>) -> Self {
        Self(Rc::new(Shared { items, list_type, is_nil: false }))
    }

    /// A nil slice of that type: empty, but JSON has `null` for it.
    pub fn nil(list_type: &'static ListType) -> Self {
        Self(Rc::new(Shared { items: Vec::new(), list_type, is_nil: true }))
    }

    /// A `[]string`.
    pub fn strings<T: Into<Text>>(items: impl IntoIterator<Item = T>) -> Self {
        Self::typed(&STRING_LIST, items.into_iter().map(|item| Value::Str(item.into())).collect())
    }

    /// An `[]int`.
    pub fn ints(items: impl IntoIterator<Item = i64>) -> Self {
        Self::typed(&INT_LIST, items.into_iter().map(Value::Int).collect())
    }

    /// Its type.
    pub fn list_type(&self) -> &'static ListType {
        self.0.list_type
    }

    /// Whether it is a nil slice.
    pub fn is_nil(&self) -> bool {
        self.0.is_nil
    }

    /// Whether both are the same slice, not only equal ones.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// A number that tells this slice from every other that is alive.
    pub fn address(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }

    /// Whether others hold it too.
    pub(super) fn is_shared(&self) -> bool {
        Rc::strong_count(&self.0) > 1
    }

    /// Hands out the items that hold others, if nobody else holds the list.
    pub(super) fn take_parts(&mut self, parts: &mut Vec<Value>) {
        if let Some(shared) = Rc::get_mut(&mut self.0) {
            parts.extend(shared.items.drain(..).filter(drop::has_parts));
        }
    }
}

impl Deref for List {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0.items
    }
}

impl FromIterator<Value> for List {
    fn from_iter<T: IntoIterator<Item = Value>>(items: T) -> Self {
        Self::new(items.into_iter().collect())
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        drop::one_by_one(std::mem::take(&mut self.items));
    }
}
