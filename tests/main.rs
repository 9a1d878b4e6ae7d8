//! The integration tests: one binary, a file a command.

mod support;

mod harness;
mod interrupt;
mod lost;
mod outage;
mod servers_up;
mod side_by_side;
