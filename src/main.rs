//! The program: parses the arguments, runs the command, prints its result or its errors, and chooses the exit code.

fn main() {}
