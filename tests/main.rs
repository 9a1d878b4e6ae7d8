//! The integration tests: one binary, a file a command.

mod support;

mod backup;
mod cleanup;
mod harness;
mod restore;
mod servers_up;
