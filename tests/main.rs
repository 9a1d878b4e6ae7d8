//! The integration tests: one binary, a file a command.

mod support;

mod backup;
mod cleanup;
mod delete;
mod formats;
mod generated;
mod get;
mod harness;
mod held;
mod interop;
mod interrupt;
mod list;
mod readers;
mod register;
mod restore;
mod server_faults;
mod servers_up;
mod settings;
