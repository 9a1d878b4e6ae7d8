//! `delete`: the znode, then its files; what is valid is saved first, set expired, and given time for its readers.

use std::collections::BTreeMap;

use clap::Args;
use futures::stream::{self, StreamExt as _};

use super::arguments::{BackupOptions, ChangeOptions, globs, ids};
use super::cells::{not_found, not_readable};
use super::outcome::{Outcome, Word};
use super::own_store::require_own_store;
use super::report::report;
use super::saving;
use crate::carry_out::backup::Saved;
use crate::carry_out::delete::{self, Item, Why};
use crate::clock::now_ms;
use crate::cluster::{ZooKeeper, snapshots};
use crate::commands::Context;
use crate::error::{Error, Kind, Result};
use crate::fault;
use crate::plan::deletion::{self, BATCH, Manner};
use crate::read::{self, Whole};
use crate::render::counted;
use crate::snapshot::{ProducerId, State};
use crate::store::Store;
use crate::time::rfc3339;

/// Delete snapshots
///
/// What is valid or undecodable is saved first. A valid one is set expired, a minute is waited for the coordinator's
/// readers, then the znode goes and its files after it. A job that still needs its snapshot starts from today's log ends
/// without it, and rows that it has not committed stay.
#[derive(Args)]
pub struct Arguments {
    /// The producer ids; ids that begin with a dash stand after --
    #[arg(value_name = "ID", required_unless_present = "globs")]
    ids: Vec<String>,

    /// All ids that match this pattern; repeatable
    #[arg(long = "match", value_name = "GLOB")]
    globs: Vec<String>,

    /// Only if the znode is still in this state, as `get` shows it; with one id
    #[arg(long, value_name = "N", conflicts_with = "globs")]
    if_mzxid: Option<String>,

    /// The jobs are stopped: delete without waiting for readers
    #[arg(long)]
    job_stopped: bool,

    /// Not one of the files is in the store, and it is the coordinator's store all the same
    #[arg(long)]
    store_checked: bool,

    /// Let an absent id be an error
    #[arg(long)]
    must_exist: bool,

    #[command(flatten)]
    backup: BackupOptions,

    #[command(flatten)]
    change: ChangeOptions,
}

/// Run `delete`.
pub(super) async fn run(arguments: &Arguments, context: &Context) -> Result<Option<Kind>> {
    // Read.
    arguments.change.require_answerable(context)?;
    let wanted = ids(&arguments.ids)?;
    let patterns = globs(&arguments.globs)?;
    let if_mzxid = arguments.if_mzxid.as_deref().map(mzxid).transpose()?;
    if if_mzxid.is_some() && wanted.len() != 1 {
        return Err(Error::usage("--if-mzxid goes with one id"));
    }
    if !arguments.change.dry_run {
        context.require_writable()?;
    }
    let journal = arguments.change.journal("delete")?;
    let store = context.store()?;
    let zookeeper = context.zookeeper().await?;
    let reading = async {
        snapshots::require_root(&zookeeper).await?;
        let wanted = with_matches(wanted, &patterns, &zookeeper, context).await?;
        zookeeper.sync().await?;
        let found = read_all(&wanted, &zookeeper, store.as_ref(), context).await?;
        if !arguments.store_checked {
            require_own_store(found.values(), &zookeeper, store.as_ref()).await?;
        }
        Ok((wanted, found))
    };
    let (wanted, found) = context.stop.abortable(reading).await?;

    // Plan.
    if let Some(mzxid) = if_mzxid {
        require_state(&wanted, &found, mzxid)?;
    }
    let mut outcomes: Vec<Outcome> =
        wanted.iter().filter(|id| !found.contains_key(*id)).map(|id| absent(id, arguments)).collect();
    let (going, unreadable): (Vec<_>, Vec<_>) =
        found.iter().partition(|(_, whole)| whole.seen.stat().is_some());
    outcomes.extend(unreadable.iter().map(|(id, whole)| refused(id, whole)));

    // Show.
    if arguments.change.dry_run {
        outcomes.extend(going.iter().map(|(id, whole)| announced(id, whole)));
        return report(context, None, outcomes, true).await;
    }
    if !going.is_empty() {
        show(context, &going, arguments);
        arguments.change.confirm(context, &question(going.len())).await?;
    }

    // Carry out.
    fault::point("planned").await;
    let saved = save_all(&going, arguments, &zookeeper, store.as_ref(), context).await?;
    fault::point("delete.saved").await;
    let means = context.means(&zookeeper, store.as_ref(), &journal);
    let progress = context.terminal.progress("deleting", Some(going.len() as u64));
    for batch in going.chunks(BATCH) {
        if let Err(error) = context.stop.check().and_then(|()| journal.check()) {
            outcomes.extend(
                batch.iter().map(|(id, _)| Outcome::snapshot(id.as_str(), Word::Skipped).failed(&error)),
            );
            continue;
        }
        let items: Vec<Item> = batch
            .iter()
            .map(|(id, whole)| item(id, whole, saved.contains_key(*id) || !arguments.backup.is_wanted()))
            .collect();
        let why = Why::Asked { job_stopped: arguments.job_stopped };
        for ((id, whole), ended) in batch.iter().zip(delete::delete(&means, &items, why).await) {
            let mut outcome = Outcome::snapshot(id.as_str(), Word::Deleted).deleted(ended);
            if outcome.outcome == Word::NotFound {
                outcome = absent(id, arguments);
            }
            outcome.mzxid = whole.seen.stat().map(|stat| stat.mzxid);
            if let Some(saved) = saved.get(*id) {
                outcome.backup = Some(saved.path.display().to_string());
                outcome.backup_complete = Some(saved.complete);
            }
            outcomes.push(outcome);
        }
        progress.inc(batch.len() as u64);
    }
    drop(progress);

    // Report.
    report(context, Some(&journal), outcomes, false).await
}

fn mzxid(text: &str) -> Result<i64> {
    crate::snapshot::input::decimal(text)
        .map_err(|why| Error::usage(format!("--if-mzxid: {why}")).hint("it is the mzxid that `get` shows"))
}

/// Add the ids that match; a pattern that matches nothing is no error, as with an absent id.
async fn with_matches(
    mut wanted: Vec<ProducerId>,
    patterns: &[globset::GlobMatcher],
    zookeeper: &ZooKeeper,
    context: &Context,
) -> Result<Vec<ProducerId>> {
    if patterns.is_empty() {
        return Ok(wanted);
    }
    let names = snapshots::names(zookeeper).await?.unwrap_or_default();
    let before = wanted.len();
    for name in names.iter().filter(|name| patterns.iter().any(|pattern| pattern.is_match(name))) {
        match ProducerId::from_name(name) {
            Some(id) => wanted.push(id),
            None => context.terminal.warn(format!("{name:?} matches and is left: it is no producer id")),
        }
    }
    if wanted.len() == before {
        context.terminal.status("no snapshot matches");
    }
    wanted.sort();
    wanted.dedup();
    Ok(wanted)
}

async fn read_all(
    ids: &[ProducerId],
    zookeeper: &ZooKeeper,
    store: &dyn Store,
    context: &Context,
) -> Result<BTreeMap<ProducerId, Whole>> {
    let progress = context.terminal.progress("reading snapshots", Some(ids.len() as u64));
    let read: Vec<Result<Option<Whole>>> = stream::iter(ids)
        .map(|id| async {
            let whole = read::one(zookeeper, store, id.as_str(), 4).await;
            progress.inc(1);
            whole
        })
        .buffered(context.at_once())
        .collect()
        .await;
    let mut found = BTreeMap::new();
    for (id, whole) in ids.iter().zip(read) {
        if let Some(whole) = whole? {
            found.insert(id.clone(), whole);
        }
    }
    Ok(found)
}

fn require_state(wanted: &[ProducerId], found: &BTreeMap<ProducerId, Whole>, mzxid: i64) -> Result<()> {
    for id in wanted {
        if let Some(whole) = found.get(id)
            && whole.seen.stat().is_none_or(|stat| stat.mzxid != mzxid)
        {
            return Err(delete::changed(id, &whole.seen));
        }
    }
    Ok(())
}

fn absent(id: &ProducerId, arguments: &Arguments) -> Outcome {
    let outcome = Outcome::snapshot(id.as_str(), Word::NotFound);
    if arguments.must_exist {
        let mut outcome = outcome.failed(&not_found(id));
        outcome.outcome = Word::NotFound;
        return outcome;
    }
    outcome
}

fn refused(id: &ProducerId, whole: &Whole) -> Outcome {
    let why = whole.seen.fault().unwrap_or_default();
    Outcome::snapshot(id.as_str(), Word::Failed).failed(&not_readable(id.as_str(), why))
}

fn announced(id: &ProducerId, whole: &Whole) -> Outcome {
    let mut outcome = Outcome::snapshot(id.as_str(), Word::WouldDelete);
    let registration = whole.seen.registration();
    outcome.state = Some(whole.state(now_ms()).to_string());
    outcome.expiration_time = registration.map(|r| r.expiration_time);
    outcome.expires_at = registration.and_then(|r| rfc3339(r.expiration_time));
    outcome.mzxid = whole.seen.stat().map(|stat| stat.mzxid);
    outcome
}

fn item(id: &ProducerId, whole: &Whole, saved: bool) -> Item {
    Item { id: id.clone(), mzxid: whole.seen.stat().map_or(0, |stat| stat.mzxid), saved }
}

/// Show the plan: what goes, and what it costs.
fn show(context: &Context, going: &[(&ProducerId, &Whole)], arguments: &Arguments) {
    let now = now_ms();
    let waits = going.iter().any(|(_, whole)| match (whole.seen.data(), whole.seen.stat()) {
        (Some(data), Some(stat)) => {
            deletion::manner(data, stat, now, arguments.job_stopped) == Manner::AfterReaders
        }
        _ => false,
    });
    for (id, whole) in going.iter().take(20) {
        // Of what cannot be decoded nobody knows the tables.
        let tables = whole.seen.registration().map(|r| format!(", {}", counted(r.tables.len(), "table")));
        context.terminal.plan(format!("{id}: {}{}", whole.state(now), tables.unwrap_or_default()));
    }
    if going.len() > 20 {
        context.terminal.plan(format!("and {} more", going.len() - 20));
    }
    if waits {
        let seconds = delete::READERS.as_secs();
        let batches = if going.len() > BATCH { format!(", once for each {BATCH}") } else { String::new() };
        context.terminal.plan(format!(
            "what is valid is set expired first, and {seconds} s are waited for its readers{batches}"
        ));
    }
    if going.iter().any(|(_, whole)| whole.seen.state(now) != State::Expired) {
        context.terminal.plan("a job that still needs its snapshot will not undo what it has not committed");
    }
}

fn question(count: usize) -> String {
    if count == 1 { "Delete this snapshot?".into() } else { format!("Delete these {count} snapshots?") }
}

/// Save what is valid or undecodable before anything is deleted.
async fn save_all(
    going: &[(&ProducerId, &Whole)],
    arguments: &Arguments,
    zookeeper: &ZooKeeper,
    store: &dyn Store,
    context: &Context,
) -> Result<BTreeMap<ProducerId, Saved>> {
    let mut saved = BTreeMap::new();
    let Some(folder) = arguments.backup.folder(context)? else { return Ok(saved) };
    let now = now_ms();
    let wanted: Vec<_> = going.iter().filter(|(_, whole)| deletion::wants_backup(&whole.seen, now)).collect();
    if wanted.is_empty() {
        return Ok(saved);
    }
    let catalog = saving::names(zookeeper, context).await;
    for (id, whole) in wanted {
        context.stop.check()?;
        let done = saving::save(whole, &catalog, store, context, folder.clone()).await?;
        saved.insert((*id).clone(), done);
    }
    Ok(saved)
}
