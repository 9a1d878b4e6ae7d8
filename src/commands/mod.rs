//! The commands, a file a verb: each holds its arguments and a `run` that reads top to bottom.

mod completions;
mod context;
mod man;
mod producer_offsets;
mod start;

use std::ffi::OsString;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::cli::options::GlobalOptions;

pub use self::context::Context;

/// See, register, repair and delete the producer offset snapshots of an Apache Fluss cluster
#[derive(Parser)]
#[command(name = "flussctl", version, about, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = EXIT_CODES, disable_help_subcommand = true)]
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
    ProducerOffsets(producer_offsets::Command),
    /// Print the completions of a shell
    Completions(completions::Arguments),
    /// Print the manual, or write all manuals into a folder
    Man(man::Arguments),
}

/// What `--help` says of the exit codes.
const EXIT_CODES: &str = "\
Exit codes:
  0 done   1 failed, none of these   2 usage or refused input   3 not found   4 already exists
  5 some items failed, the rest done   6 changed meanwhile   7 unreachable or a request timed out
  8 not permitted   10 outcome unknown   11 --timeout was over first   130 interrupted";

/// Run a command line and give its exit code.
pub fn run(arguments: &[OsString]) -> u8 {
    start::run(arguments)
}

/// Give the definition of the command line: what completions and manuals are made from.
pub fn definition() -> clap::Command {
    Flussctl::command()
}
