//! flussctl: the operator's tool for Apache Fluss producer offset snapshots.
//!
//! Data goes one way: options -> command -> read -> plan -> carry out -> render. `main` calls [`commands`], a command uses
//! [`cli`] (options, settings, terminal), reads through [`cluster`] and [`store`], decides with the pure functions of
//! [`plan`] over the types of [`snapshot`], and hands finished records to [`render`]. Nothing points back up.

pub mod cli;
pub mod error;
pub mod render;
