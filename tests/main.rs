//! The integration tests: one binary, a file a command.

mod support;

mod servers_up;
