//! The integration tests: one binary, a file a command.

mod support;

mod harness;
mod held;
mod interop;
mod servers_up;
