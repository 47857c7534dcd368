use jrsonnet_gcmodule::{Acyclic, Trace, Tracer};
use std::ops::Deref;

/// Something that jrsonnet's garbage collector need not look into.
///
/// It may hold jrsonnet values only where no cycle can lead back to it.
pub(crate) struct Opaque<T: 'static>(pub(crate) T);

impl<T> Trace for Opaque<T> {
    fn trace(&self, _tracer: &mut Tracer<'_>) {}

    fn is_type_tracked() -> bool {
        false
    }
}

#[expect(
    unsafe_code,
    reason = "the trait is a promise to the collector; breaking it leaks memory and does nothing else"
)]
// SAFETY: the content is never traced, so a reference from it only keeps its object alive.
unsafe impl<T> Acyclic for Opaque<T> {}

impl<T> Deref for Opaque<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> Clone for Opaque<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> std::fmt::Debug for Opaque<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("..")
    }
}
