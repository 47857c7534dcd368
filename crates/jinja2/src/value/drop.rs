use super::Value;
use std::cell::RefCell;

thread_local! {
    /// Values that wait to be dropped; none while nobody works on them.
    static PENDING: RefCell<Option<Vec<Value>>> = const { RefCell::new(None) };
}

fn has_parts(value: &Value) -> bool {
    matches!(
        value,
        Value::Tuple(_)
            | Value::List(_)
            | Value::Dict(_)
            | Value::Set(_)
            | Value::Object(_)
            | Value::Undefined(_)
    )
}

/// Drops the parts of a container one after the other instead of one inside the other, so that no depth of nesting
/// overflows the stack.
pub(crate) fn defer(values: impl Iterator<Item = Value>) {
    let mut parts = values.filter(has_parts).peekable();
    if parts.peek().is_none() {
        return;
    }
    let is_first = PENDING
        .try_with(|pending| {
            let mut pending = pending.borrow_mut();
            let is_first = pending.is_none();
            pending.get_or_insert_default().extend(parts);
            is_first
        })
        .unwrap_or(false);
    if !is_first {
        return;
    }
    while let Some(value) = PENDING.with(|pending| pending.borrow_mut().as_mut().and_then(Vec::pop)) {
        drop(value);
    }
    PENDING.with(|pending| *pending.borrow_mut() = None);
}
