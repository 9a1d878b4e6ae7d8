//! `backup`: the znode's bytes and its files' bytes, one file a snapshot.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use futures::stream::{self, StreamExt as _};

use super::arguments::globs;
use super::cells::not_readable;
use super::outcome::{Outcome, Word};
use super::report::report;
use super::saving;
use crate::carry_out::backup::Saved;
use crate::cluster::{ZooKeeper, snapshots};
use crate::commands::Context;
use crate::error::{Error, Kind, Result};
use crate::read;
use crate::snapshot::{Catalog, ProducerId};
use crate::store::Store;

/// Save snapshots into a folder
///
/// One file a snapshot, with the bytes of its znode and of its files, for `restore`, `register -f` and the records.
#[derive(Args)]
pub struct Arguments {
    /// Only the ids that match one of these patterns
    #[arg(value_name = "GLOB")]
    globs: Vec<String>,

    /// The folder, which is made where it is missing
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    to: PathBuf,
}

/// Run `backup`.
pub(super) async fn run(arguments: &Arguments, context: &Context) -> Result<Option<Kind>> {
    let globs = globs(&arguments.globs)?;
    if arguments.to.as_os_str().is_empty() {
        return Err(Error::usage("--to names no folder"));
    }
    let store = context.store()?;
    let zookeeper = context.zookeeper().await?;
    let mut names =
        context.stop.abortable(async { Ok(snapshots::names(&zookeeper).await?.unwrap_or_default()) }).await?;
    let absent: Vec<String> =
        arguments.globs.iter().filter(|glob| is_id(glob) && !names.contains(glob)).cloned().collect();
    names.retain(|name| globs.is_empty() || globs.iter().any(|glob| glob.is_match(name)));
    let catalog = saving::names(&zookeeper, context).await;
    let progress = context.terminal.progress("backing up", Some(names.len() as u64));
    let source = Source { zookeeper: &zookeeper, store: store.as_ref(), catalog: &catalog, context };
    let mut outcomes: Vec<Outcome> = stream::iter(&names)
        .map(|name| source.back_up(name, &arguments.to))
        .buffered(context.at_once())
        .inspect(|_| progress.inc(1))
        .collect()
        .await;
    drop(progress);
    // Who names a snapshot by its id must not go on without its backup.
    outcomes.extend(absent.iter().map(|id| {
        let error = Error::new(Kind::NotFound, format!("there is no snapshot {id}"));
        let mut outcome = Outcome::snapshot(id, Word::NotFound).failed(&error);
        outcome.outcome = Word::NotFound;
        outcome
    }));
    if outcomes.is_empty() {
        context.terminal.status("no snapshots");
    }
    report(context, None, outcomes, false).await
}

/// Say whether a pattern is an id, which matches itself alone.
fn is_id(glob: &str) -> bool {
    ProducerId::from_name(glob).is_some()
}

/// What backups are taken of.
struct Source<'a> {
    zookeeper: &'a ZooKeeper,
    store: &'a dyn Store,
    catalog: &'a Catalog,
    context: &'a Context,
}

impl Source<'_> {
    async fn back_up(&self, name: &str, folder: &Path) -> Outcome {
        match self.save(name, folder).await {
            Ok(None) => Outcome::snapshot(name, Word::NotFound).because("it went meanwhile"),
            Ok(Some(saved)) => {
                let mut outcome = Outcome::snapshot(name, Word::BackedUp);
                outcome.backup = Some(saved.path.display().to_string());
                outcome.backup_complete = Some(saved.complete);
                if !saved.complete {
                    outcome.end = Some(Kind::Partial);
                    outcome.reason = Some("not every file could be read".into());
                }
                outcome
            }
            Err(error) => Outcome::snapshot(name, Word::Failed).failed(&error),
        }
    }

    async fn save(&self, name: &str, folder: &Path) -> Result<Option<Saved>> {
        self.context.stop.check()?;
        let Some(whole) = read::one(self.zookeeper, self.store, name, 4).await? else { return Ok(None) };
        if whole.seen.stat().is_none() {
            let why = whole.seen.fault().unwrap_or_default();
            return Err(not_readable(name, why));
        }
        saving::save(&whole, self.catalog, self.store, self.context, folder.to_owned()).await.map(Some)
    }
}
