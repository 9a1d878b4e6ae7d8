//! The integration tests: one binary, a file a command.

mod support;

mod backup;
mod cleanup;
mod generated;
mod get;
mod harness;
mod held;
mod interop;
mod interrupt;
mod list;
mod readers;
mod restore;
mod server_faults;
mod servers_up;
