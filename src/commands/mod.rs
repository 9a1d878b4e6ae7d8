//! The commands, a file a verb: each holds its arguments and a `run` that reads top to bottom.

mod completions;
mod context;
mod man;
mod producer_offsets;
mod start;

use std::ffi::OsString;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::cli::options::GlobalOptions;
use crate::error::Kind;
use crate::exit;

pub use self::context::Context;

/// See, register, repair and delete the producer offset snapshots of an Apache Fluss cluster
#[derive(Parser)]
#[command(name = "flussctl", version, about, propagate_version = true, arg_required_else_help = true)]
#[command(after_long_help = exit::help(ENDS))]
pub struct Flussctl {
    #[command(flatten)]
    options: GlobalOptions,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The producer offset snapshots of a cluster
    #[command(visible_alias = "po", subcommand, arg_required_else_help = true)]
    #[command(after_long_help = exit::help(ENDS))]
    ProducerOffsets(producer_offsets::Command),
    /// Print the completions of a shell
    #[command(after_long_help = exit::help(&[Kind::Failed, Kind::Usage]))]
    Completions(completions::Arguments),
    /// Print the manual, or write all manuals into a folder
    #[command(after_long_help = exit::help(&[Kind::Failed, Kind::Usage]))]
    Man(man::Arguments),
}

/// The ways in which any command may end; each verb's own page names those that it has.
const ENDS: &[Kind] = &[
    Kind::Failed,
    Kind::Usage,
    Kind::NotFound,
    Kind::AlreadyExists,
    Kind::Partial,
    Kind::Changed,
    Kind::Unreachable,
    Kind::NotPermitted,
    Kind::Unknown,
    Kind::TimedOut,
    Kind::Interrupted,
];

/// Run a command line and give its exit code.
pub fn run(arguments: &[OsString]) -> u8 {
    start::run(arguments)
}

/// Give the definition of the command line: what completions and manuals are made from.
pub fn definition() -> clap::Command {
    Flussctl::command()
}
