//! `flussctl producer-offsets`: a file a verb.

mod arguments;
mod backup;
mod cells;
mod cleanup;
mod cleanup_plan;
mod delete;
mod get;
mod list;
mod outcome;
mod own_store;
mod register;
mod replace;
mod report;
mod restore;
mod saving;
mod task;

use clap::Subcommand;

use super::Context;
use crate::error::{Kind, Result};
use crate::exit;

/// The verbs.
#[derive(Subcommand)]
pub enum Command {
    #[command(after_long_help = ends(&[Kind::NotFound, Kind::Partial]))]
    List(list::Arguments),
    #[command(after_long_help = ends(&[Kind::NotFound, Kind::Partial]))]
    Get(get::Arguments),
    #[command(after_long_help = ends(&[Kind::NotFound, Kind::AlreadyExists, Kind::Changed, Kind::Unknown]))]
    Register(register::Arguments),
    #[command(after_long_help = ends(&[Kind::NotFound, Kind::Partial, Kind::Changed, Kind::Unknown]))]
    Delete(delete::Arguments),
    #[command(after_long_help = ends(&[Kind::NotFound, Kind::Partial]))]
    Backup(backup::Arguments),
    #[command(after_long_help = ends(&[Kind::NotFound, Kind::Partial, Kind::Unknown]))]
    Restore(restore::Arguments),
    #[command(after_long_help = ends(&[Kind::NotFound, Kind::Partial, Kind::Changed, Kind::Unknown]))]
    Cleanup(cleanup::Arguments),
}

impl Command {
    /// Say whether it asks a few questions one after the other, with nothing to do beside them.
    pub(super) const fn is_short(&self) -> bool {
        matches!(self, Self::Get(_))
    }
}

/// Name a verb's exit codes: its own beside those that every verb has.
fn ends(own: &[Kind]) -> String {
    let common =
        [Kind::Failed, Kind::Usage, Kind::Unreachable, Kind::NotPermitted, Kind::TimedOut, Kind::Interrupted];
    let mut kinds: Vec<Kind> = own.iter().copied().chain(common).collect();
    kinds.sort_by_key(|&kind| exit::code_of(kind));
    exit::help(&kinds)
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
