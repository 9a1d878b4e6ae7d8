//! The integration tests: one binary, a file a command.

mod support;

mod harness;
mod interrupt;
mod servers_up;
