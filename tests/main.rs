//! The integration tests: one binary, a file a command.

mod support;

mod harness;
mod held;
mod interop;
mod readers;
mod server_faults;
mod servers_up;
