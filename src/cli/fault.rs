use crate::program;
use kapstan_diagnostic::Diagnostic;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError};

/// Does the work. A panic on the way, which is a bug of the program whatever the input, becomes a diagnostic that says
/// where it was and what to do.
pub(super) fn guard<T>(work: impl FnOnce() -> T) -> Result<T, Diagnostic> {
    let first = Arc::new(Mutex::new(None));
    let seen = first.clone();
    panic::set_hook(Box::new(move |panic| {
        let words = panic.payload_as_str().unwrap_or("no message");
        let place = panic.location().map(|place| format!(" ({place})")).unwrap_or_default();
        seen.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| format!("{words}{place}"));
    }));
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    // Only the hook of this run may write into `first`.
    drop(panic::take_hook());
    done.map_err(|_| {
        let first = first.lock().unwrap_or_else(PoisonError::into_inner).take();
        let what = first.unwrap_or_else(|| "no message".to_owned());
        let program = program::name_and_version();
        Diagnostic::error("fault", format!("{program} failed: {what}"))
            .with_hint("this is a bug of kapstan, not of your files: nothing was written to `compiled/`")
            .with_hint("please report it with this message and, if you can, the file it was reading")
    })
}

#[cfg(test)]
mod tests {
    use super::guard;

    #[test]
    fn a_panic_becomes_a_diagnostic_that_says_where() {
        let fault = guard(|| panic!("a {} thing", "bad")).expect_err("it panicked");
        assert!(fault.message.contains("a bad thing ("), "{}", fault.message);
        assert_eq!(guard(|| 3), Ok(3));
    }
}
