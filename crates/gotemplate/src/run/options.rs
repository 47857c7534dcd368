use std::any::Any;
use std::rc::Rc;

/// What a missing key of a map gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingKey {
    /// `missingkey=default`: no value.
    #[default]
    Absent,
    /// `missingkey=zero`: the zero value of the map's element type; nil for `interface {}`. What Helm sets.
    Zero,
    /// `missingkey=error`. What Helm sets under `--strict`.
    Error,
}

/// How much an execution may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of output, that of `include` and `tpl` on the way counted while they run.
    pub output: usize,
    /// Nodes, rounds of loops and calls: a bound for the time.
    pub steps: u64,
    /// Bytes of the thread's stack from the call of [`crate::Set::execute`] on. A render of charts, which may include
    /// a thousand levels deep, wants [`LARGE_STACK`] of a thread that has it ([`crate::on_large_stack`]).
    pub stack: usize,
}

/// What a render of charts should get.
pub const LARGE_STACK: usize = 256 << 20;

impl Default for Limits {
    /// 256 MiB of output, 200 million steps, 768 KiB of stack: right for any thread.
    fn default() -> Self {
        Self { output: 256 << 20, steps: 200_000_000, stack: 768 << 10 }
    }
}

/// How to execute.
#[derive(Clone, Default)]
pub struct Options {
    /// What a missing key gives.
    pub missing_key: MissingKey,
    /// How much it may take.
    pub limits: Limits,
    /// What functions may ask for with [`crate::Call::host`].
    pub host: Option<Rc<dyn Any>>,
}
