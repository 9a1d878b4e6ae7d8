//! The integration tests: one binary, a file a command.

// A test that panics is a test that fails, and what a user sees is as long as it is.
#![allow(clippy::unwrap_used, clippy::similar_names, clippy::too_many_lines)]

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
mod lost;
mod outage;
mod readers;
mod readme;
mod register;
mod restore;
mod security;
mod server_faults;
mod servers_up;
mod settings;
mod side_by_side;
