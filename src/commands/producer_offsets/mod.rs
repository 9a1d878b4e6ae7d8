//! `flussctl producer-offsets`: a file a verb.

mod arguments;
mod backup;
mod cleanup;
mod cleanup_plan;
mod delete;
mod get;
mod list;
mod outcome;
mod register;
mod replace;
mod report;
mod restore;
mod saving;
mod task;

use clap::Subcommand;

use super::Context;
use crate::error::{Kind, Result};

/// The verbs.
#[derive(Subcommand)]
pub enum Command {
    List(list::Arguments),
    Get(get::Arguments),
    Register(register::Arguments),
    Delete(delete::Arguments),
    Backup(backup::Arguments),
    Restore(restore::Arguments),
    Cleanup(cleanup::Arguments),
}

/// Run a verb. What is being read may be dropped at any point; what changes looks at the stop between its items.
pub(super) async fn run(command: &Command, context: &Context) -> Result<Option<Kind>> {
    match command {
        Command::List(arguments) => list::run(arguments, context).await,
        Command::Get(arguments) => get::run(arguments, context).await,
        Command::Backup(arguments) => backup::run(arguments, context).await,
        Command::Register(arguments) => register::run(arguments, context).await,
        Command::Delete(arguments) => delete::run(arguments, context).await,
        Command::Restore(arguments) => restore::run(arguments, context).await,
        Command::Cleanup(arguments) => cleanup::run(arguments, context).await,
    }
}
