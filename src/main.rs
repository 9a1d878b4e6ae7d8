//! Installs the crypto provider, runs the command, ends with its exit code.

fn main() {}
