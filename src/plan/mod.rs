//! The decisions: pure functions over what was read, given the time. They read no network and no clock.

pub mod age;
pub mod deletion;
pub mod orphans;
pub mod references;
pub mod register;
pub mod replace;
