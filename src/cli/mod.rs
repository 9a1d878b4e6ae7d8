//! The command line: its options, and where each value comes from.

pub mod options;
pub mod settings;
