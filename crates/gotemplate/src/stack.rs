//! A bound for recursion.

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

    /// Whether they are.
    pub(crate) fn is_used_up(self) -> bool {
        self.base.abs_diff(here()) > self.budget
    }
}

/// Runs `work` on a thread with that much stack. Values do not leave a thread: make them in there and give text out.
///
/// Fails where the system has no room for the thread. A panic in `work` goes on here.
pub fn on_large_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work)?;
        thread.join().map_or_else(|panic| std::panic::resume_unwind(panic), Ok)
    })
}
