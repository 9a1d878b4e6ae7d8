//! `restore`: backups back into a cluster, those that are missing there, with all checks.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueHint};

use super::arguments::{ChangeOptions, ExpiryOptions, settle};
use super::cells::not_readable;
use super::outcome::{Outcome, Word};
use super::report::report;
use crate::carry_out::Means;
use crate::carry_out::backup::read_file;
use crate::carry_out::register::{self, Over, Registered, Work};
use crate::clock::now_ms;
use crate::cluster::{metadata, snapshots};
use crate::commands::Context;
use crate::error::{Context as _, Error, Kind, Result};
use crate::plan::register as plan;
use crate::read;
use crate::snapshot::backup::Backup;
use crate::snapshot::input::{Claim, Given, Row};
use crate::snapshot::znode::with_paths;
use crate::snapshot::{Catalog, Offsets, ProducerId, Registration, State, offsets_file};

use crate::time::{absolute, rfc3339};

/// Put missing snapshots back from backups
///
/// Only what is not there, only into a cluster whose tables are still the same, under new file names, and never under an
/// expiry that is past: for that, give --ttl.
#[derive(Args)]
pub struct Arguments {
    /// A backup, or a folder of backups; of several of one snapshot the youngest counts
    #[arg(value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    from: PathBuf,

    #[command(flatten)]
    expiry: ExpiryOptions,

    /// What a backup leaves out is meant to count as offset 0
    #[arg(long)]
    missing_as_zero: bool,

    /// Look again for so long whether somebody's cleanup takes the files
    #[arg(long, value_name = "DURATION")]
    settle: Option<String>,

    #[command(flatten)]
    change: ChangeOptions,
}

/// Run `restore`.
pub(super) async fn run(arguments: &Arguments, context: &Context) -> Result<Option<Kind>> {
    if !arguments.change.dry_run {
        context.require_writable()?;
    }
    let settle = settle(arguments.settle.as_ref())?;
    let now = now_ms();
    let expiry = if arguments.expiry.is_given() {
        Some(arguments.expiry.expiration_time(context, now)?)
    } else {
        None
    };
    let journal = arguments.change.journal("restore")?;
    let from = arguments.from.clone();
    let reading = tokio::task::spawn_blocking(move || read_backups(&from));
    let reading =
        async { reading.await.or_fail(Kind::Failed, || "reading the backups broke off".to_owned())? };
    let backups = context.stop.abortable(reading).await?;
    let store = context.store()?;
    let zookeeper = context.zookeeper().await?;
    let catalog = context
        .stop
        .abortable(async {
            snapshots::require_root(&zookeeper).await?;
            store.require_root().await?;
            metadata::catalog(&zookeeper).await
        })
        .await?;
    let means = context.means(&zookeeper, store.as_ref(), &journal);
    let progress = context.terminal.progress("restoring", Some(backups.len() as u64));
    let mut outcomes = Vec::new();
    for (name, backup) in backups {
        let done = async {
            context.stop.check()?;
            journal.check()?;
            let plan = plan_one(&backup?, &catalog, expiry, arguments.missing_as_zero, now)?;
            restore(&means, &plan, settle, arguments.change.dry_run).await
        };
        let outcome = match done.await {
            Ok(outcome) => outcome,
            Err(error) => Outcome::snapshot(&name, Word::Failed).failed(&error),
        };
        let word = outcome.end.map_or("done", Kind::name);
        journal.note(Some(&name), "restore", word, &[]);
        outcomes.push(outcome);
        progress.inc(1);
    }
    drop(progress);
    report(context, Some(&journal), outcomes, arguments.change.dry_run).await
}

/// Read the backups, by snapshot. A file that is none is an error of its own, under its own name.
fn read_backups(from: &Path) -> Result<BTreeMap<String, Result<Backup>>> {
    let read = |path: &Path| {
        let backup = read_file(path).and_then(|bytes| Backup::decode(&bytes));
        backup.map_err(|error| error.context(format!("{} is refused", path.display())))
    };
    let what = || format!("cannot read {}", from.display());
    let mut backups: BTreeMap<String, Result<Backup>> = BTreeMap::new();
    if !fs::metadata(from).or_fail(Kind::Usage, what)?.is_dir() {
        let backup = read(from)?;
        backups.insert(backup.snapshot.producer_id.clone(), Ok(backup));
        return Ok(backups);
    }
    for entry in fs::read_dir(from).or_fail(Kind::Usage, what)? {
        let path = entry.or_fail(Kind::Usage, what)?.path();
        if path.extension().is_none_or(|end| end != "json") {
            continue;
        }
        match read(&path) {
            Err(error) => {
                backups.insert(path.display().to_string(), Err(error));
            }
            Ok(backup) => {
                let id = backup.snapshot.producer_id.clone();
                let mzxid = |b: &Backup| b.snapshot.znode.map(|stat| stat.mzxid);
                let older = matches!(backups.get(&id), Some(Ok(there)) if (mzxid(there), there.complete) > (mzxid(&backup), backup.complete));
                if !older {
                    backups.insert(id, Ok(backup));
                }
            }
        }
    }
    if backups.is_empty() {
        return Err(Error::usage(format!("there is no backup in {}", from.display())));
    }
    Ok(backups)
}

struct Plan {
    id: ProducerId,
    files: BTreeMap<i64, Vec<u8>>,
    tables: Vec<i64>,
    znode: Vec<u8>,
    expiration_time: i64,
}

/// Hold a backup against the cluster: rule 11.
fn plan_one(
    backup: &Backup,
    catalog: &Catalog,
    expiry: Option<i64>,
    missing_as_zero: bool,
    now_ms: i64,
) -> Result<Plan> {
    let id = ProducerId::parse(&backup.snapshot.producer_id)?;
    let refuse = |why: String| Error::usage(format!("the backup of {id} cannot be restored: {why}"));
    if !backup.complete {
        return Err(refuse("it is incomplete: not every file could be read when it was taken".into()));
    }
    let znode = backup.znode.bytes()?;
    let registration = Registration::decode(&znode).map_err(|why| {
        refuse(format!("its znode cannot be decoded: {why}"))
            .hint("its files are in the backup: their offsets can be registered by hand")
    })?;
    if registration.tables.len() != backup.files.len() {
        return Err(refuse("its files are not those of its znode".into()));
    }
    let mut files = BTreeMap::new();
    let mut tables = Vec::new();
    let mut given = Given { taken_ms: backup.snapshot.znode.map(|stat| stat.ctime), ..Given::default() };
    let mut offsets = Offsets::new();
    for (table, file) in registration.tables.iter().zip(&backup.files) {
        let id = table.table_id;
        let Some(content) = file.content.as_ref().filter(|_| file.offsets_path == table.offsets_path) else {
            return Err(refuse(format!("the file of table {id} is not in it")));
        };
        let bytes = content.bytes()?;
        let decoded = offsets_file::decode(id, &bytes);
        offsets.extend(decoded.map_err(|damage| refuse(format!("the file of table {id}: {damage}")))?);
        given.claims.insert(id, claim(id, backup, catalog).map_err(refuse)?);
        if files.insert(id, bytes).is_some() {
            return Err(refuse(format!("table {id} is in it twice")));
        }
        tables.push(id);
    }
    // The offsets are in it twice, so that a digit that rotted or was mended by hand in one of them shows.
    if offsets != backup.snapshot.offsets() {
        return Err(refuse("its snapshot says another offset than its files".into())
            .hint("to register what the snapshot in it says: flussctl producer-offsets register -f"));
    }
    if let Some((_, offset)) = offsets.iter().find(|(_, offset)| **offset < 0) {
        return Err(refuse(format!("an offset in it is {offset}")));
    }
    given.rows.extend(offsets.into_iter().map(|(bucket, offset)| Row::of(bucket, offset)));
    // A snapshot of no table is one all the same.
    if !tables.is_empty() {
        plan::baseline(&given, catalog, missing_as_zero)
            .map_err(|error| error.context(format!("the backup of {id} cannot be restored")))?;
    }
    let expiration_time = match expiry {
        Some(time) => time,
        None if registration.expired(now_ms) => {
            return Err(refuse(format!("it expired {}", absolute(registration.expiration_time)))
                .hint("give it a life of its own: --ttl 24h"));
        }
        None => registration.expiration_time,
    };
    Ok(Plan { id, files, tables, znode, expiration_time })
}

/// Give what a backup says of a table, which must be enough to tell the table from another's of the same id.
fn claim(id: i64, backup: &Backup, catalog: &Catalog) -> Result<Claim, String> {
    let table = backup.snapshot.tables.iter().flatten().find(|t| t.table_id == id);
    let Some(table) = table.filter(|t| t.table.is_some()) else {
        return Err(format!("it does not say what table {id} was called"));
    };
    if table.created_time.is_none() && catalog.table(id).is_some_and(|t| t.created_time.is_some()) {
        return Err(format!("it does not say when table {id} was created"));
    }
    let partitions =
        table.buckets.iter().flatten().filter_map(|b| Some((b.partition_id?, b.partition.clone()?)));
    Ok(Claim {
        table: table.table.clone(),
        created_time: table.created_time,
        partitions: partitions.collect(),
    })
}

async fn restore(means: &Means<'_>, plan: &Plan, settle: Duration, dry_run: bool) -> Result<Outcome> {
    let id = &plan.id;
    let said = |word: Word| {
        let mut outcome = Outcome::snapshot(id.as_str(), word);
        outcome.expiration_time = Some(plan.expiration_time);
        outcome.expires_at = rfc3339(plan.expiration_time);
        outcome
    };
    if snapshots::one(means.zookeeper, id.as_str()).await?.is_some() {
        return there(means, id).await;
    }
    if dry_run {
        return Ok(said(Word::WouldRestore));
    }
    let data = |paths: &BTreeMap<i64, String>| {
        let paths: Option<Vec<String>> = plan.tables.iter().map(|table| paths.get(table).cloned()).collect();
        paths.and_then(|paths| with_paths(&plan.znode, plan.expiration_time, &paths)).ok_or_else(|| {
            Error::new(Kind::Failed, format!("the znode of {id} in the backup cannot be written anew"))
        })
    };
    let work =
        Work { id, files: &plan.files, data: &data, over: Over::Nothing, settle, at_once: means.at_once };
    match register::register(means.zookeeper, means.store, means.stop, &work).await? {
        Registered::Done(stat) => {
            let mut outcome = said(Word::Restored);
            outcome.mzxid = Some(stat.mzxid);
            Ok(outcome)
        }
        Registered::Meanwhile(_) | Registered::Gone | Registered::StillValid => there(means, id).await,
    }
}

/// Say that something stands there: a success only where it is a snapshot that serves.
async fn there(means: &Means<'_>, id: &ProducerId) -> Result<Outcome> {
    let mut outcome = Outcome::snapshot(id.as_str(), Word::AlreadyExists);
    let Some(whole) = read::one(means.zookeeper, means.store, id.as_str(), means.at_once).await? else {
        let error = Error::new(Kind::Changed, format!("{id} came and went meanwhile"));
        return Ok(outcome.failed(&error.hint("try again")));
    };
    let state = whole.state(now_ms());
    outcome.state = Some(state.to_string());
    let over = match state {
        State::Valid => return Ok(outcome.because("only what is missing is restored")),
        State::Unreadable => {
            return Ok(outcome.failed(&not_readable(id.as_str(), whole.seen.fault().unwrap_or_default())));
        }
        State::Expired => "register",
        State::Undecodable | State::Broken => "register --replace",
    };
    let error =
        Error::new(Kind::AlreadyExists, format!("there is a snapshot {id} already, and it is {state}")).hint(
            format!("to set this baseline in its place: flussctl producer-offsets {over} -f BACKUP -- {id}"),
        );
    let mut outcome = outcome.failed(&error);
    outcome.outcome = Word::AlreadyExists;
    Ok(outcome)
}
