/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// The input is at fault.
    Input = 1,
    /// The command line is at fault.
    Usage = 2,
    /// The program is at fault.
    Fault = 3,
    /// There is an update, which `self update --check` was asked; dnf's number for it.
    Available = 100,
}
