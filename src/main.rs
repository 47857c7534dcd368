//! The program: parses the arguments, runs the command, prints its result or its errors, and chooses the exit code.

/// musl's own allocator costs a third of the run; docs/decisions/static-binary.md has the figures.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod cli;
mod program;
mod report;
mod update;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(cli::main(std::env::args_os()) as u8)
}
