//! Installs the crypto provider, runs the command, ends with its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    // One for the whole program and before any TLS, which panics where it has to choose. Only a second call fails.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(flussctl::commands::run(&arguments))
}
