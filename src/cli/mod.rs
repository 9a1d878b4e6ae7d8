//! The command line: what surrounds a command, whichever it is.

pub mod exit;
