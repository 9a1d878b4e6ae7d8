//! The integration tests: one binary, a file a command.

mod support;

mod cleanup;
mod harness;
mod servers_up;
