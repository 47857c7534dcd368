use crate::error::{Class, Outcome, RenderError};

/// How much of the thread's stack may be used: whatever nests asks here first, so that no input can overflow it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackLimit {
    base: usize,
    budget: usize,
}

/// An address in the caller's frame, near enough.
#[inline(never)]
fn here() -> usize {
    let marker = 0u8;
    std::ptr::from_ref(std::hint::black_box(&marker)).addr()
}

impl StackLimit {
    /// From here on, `budget` bytes may be used.
    pub(crate) fn from_here(budget: usize) -> Self {
        Self { base: here(), budget }
    }

    /// Fails as Python does when it is too deep.
    pub(crate) fn check(self) -> Outcome<()> {
        if self.base.abs_diff(here()) > self.budget {
            return Err(too_deep());
        }
        Ok(())
    }
}

/// Python's text for it.
pub(crate) fn too_deep() -> Box<RenderError> {
    RenderError::new(Class::Recursion, "maximum recursion depth exceeded")
}
