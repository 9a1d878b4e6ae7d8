//! The integration tests: one binary, a file a command.

mod support;

mod cleanup;
mod generated;
mod get;
mod harness;
mod list;
mod servers_up;
