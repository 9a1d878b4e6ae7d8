//! The command line: what surrounds a command, whichever it is.

pub mod answer;
pub mod audit;
pub mod exit;
pub mod interrupt;
pub mod progress;
mod prompt;
pub mod terminal;
pub mod trace;
