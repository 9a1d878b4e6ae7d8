//! The command line: its options, where each value comes from, and what surrounds a command, whichever it is.

pub mod answer;
pub mod audit;
pub mod interrupt;
pub mod options;
pub mod progress;
mod prompt;
pub mod settings;
pub mod terminal;
pub mod trace;
