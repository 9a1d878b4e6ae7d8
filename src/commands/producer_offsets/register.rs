//! `register`: check and register a baseline, whole or not at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgGroup, Args, ValueHint};
use tokio::io::AsyncReadExt as _;

use super::arguments::{BackupOptions, ChangeOptions, ExpiryOptions, settle};
use super::delete::report;
use super::list::time_cell;
use super::outcome::{Outcome, Word};
use super::replace;
use crate::carry_out::Means;
use crate::carry_out::register::{self as carry_out, Over, Registered, Work};
use crate::clock::now_ms;
use crate::cluster::{metadata, snapshots};
use crate::commands::Context;
use crate::error::{Context as _, Error, Kind, Result};
use crate::plan::register::{self as plan, Baseline};
use crate::snapshot::input::{self, Given};
use crate::snapshot::znode::Observed;
use crate::snapshot::{Catalog, ProducerId, Registration, State, TableFile, offsets_file};
use crate::time::rfc3339;

/// Register the log end offsets that a job starts from
///
/// Every bucket of each table and of its present partitions is wanted: one that is left out counts as offset 0, and the
/// job undoes it to nothing. An expired snapshot is replaced without asking, as a starting job does it.
#[derive(Args)]
#[command(group = ArgGroup::new("offsets").required(true))]
pub struct Arguments {
    /// The producer id; one that begins with a dash stands after --
    #[arg(value_name = "ID")]
    id: String,

    /// A bucket's offset, TABLE[/PARTITION]:BUCKET=OFFSET; repeatable
    #[arg(long, value_name = "OFFSET", group = "offsets")]
    offset: Vec<String>,

    /// All offsets, from JSON as `get -o json` prints it, a backup, or CSV; - is stdin
    #[arg(short, long, value_name = "FILE", group = "offsets", value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,

    #[command(flatten)]
    expiry: ExpiryOptions,

    /// Let a snapshot that exists already be a success
    #[arg(long, conflicts_with = "replace")]
    if_not_exists: bool,

    /// Set the baseline in the place of a snapshot that exists, valid or undecodable
    #[arg(long)]
    replace: bool,

    /// What is left out is meant to count as offset 0
    #[arg(long)]
    missing_as_zero: bool,

    /// Look again for so long whether somebody's cleanup takes the files
    #[arg(long, value_name = "DURATION")]
    settle: Option<String>,

    #[command(flatten)]
    backup: BackupOptions,

    #[command(flatten)]
    change: ChangeOptions,
}

/// Run `register`.
pub(super) async fn run(arguments: &Arguments, context: &Context) -> Result<Option<Kind>> {
    // Read.
    let id = ProducerId::parse(&arguments.id)?;
    let settle = settle(arguments.settle.as_ref())?;
    let now = now_ms();
    let expiration_time = arguments.expiry.expiration_time(context, now)?;
    let given = given(arguments).await?;
    if let Some(other) = given.producer_id.as_ref().filter(|other| **other != id.as_str()) {
        context.terminal.warn(format!("the file is of {other}, and is registered as {id}"));
    }
    if !arguments.change.dry_run {
        context.require_writable()?;
    }
    let journal = arguments.change.journal("register")?;
    let store = context.store()?;
    let zookeeper = context.zookeeper().await?;
    let (catalog, there) = context
        .stop
        .abortable(async {
            snapshots::require_root(&zookeeper).await?;
            store.require_root().await?;
            zookeeper.sync().await?;
            Ok((metadata::catalog(&zookeeper).await?, snapshots::one(&zookeeper, id.as_str()).await?))
        })
        .await?;

    // Plan.
    let baseline = plan::baseline(&given, &catalog, arguments.missing_as_zero)?;
    for warning in &baseline.warnings {
        context.terminal.warn(warning);
    }
    let task = Task { id: &id, baseline: &baseline, expiration_time, settle };
    let means = Means {
        zookeeper: &zookeeper,
        store: store.as_ref(),
        stop: &context.stop,
        terminal: &context.terminal,
        journal: &journal,
        at_once: context.at_once(),
    };
    let outcome = match over(there, arguments, now, &id)? {
        Way::Exists => Ok(Outcome::snapshot(id.as_str(), Word::AlreadyExists)),
        Way::Create if arguments.change.dry_run => Ok(task.outcome(Word::WouldCreate)),
        Way::Create => task.create(&means, arguments.if_not_exists).await,
        Way::OverExpired(_) if arguments.change.dry_run => Ok(task.outcome(Word::WouldReplaceExpired)),
        Way::OverExpired(seen) => task.over_expired(&means, &seen, arguments.if_not_exists).await,
        Way::Replace(seen) => {
            replace::run(&task, &means, seen, &catalog, &arguments.backup, &arguments.change, context).await
        }
    };

    // Report.
    let word = outcome.as_ref().map_or_else(|error| error.kind().name(), |_| "done");
    journal.note(Some(id.as_str()), "register", word, &[("expiration_time", expiration_time.into())]);
    zookeeper.close().await;
    let outcome = outcome?;
    if let Some(time) = outcome.expiration_time.filter(|_| !context.format().is_for_people()) {
        context.terminal.status(format!("{id} expires {}", time_cell(Some(time), now).text));
    }
    report(context, vec![outcome], arguments.change.dry_run).await
}

async fn given(arguments: &Arguments) -> Result<Given> {
    let Some(path) = &arguments.file else {
        let rows =
            arguments.offset.iter().map(|text| input::parse_offset(text)).collect::<Result<Vec<_>>>()?;
        return Ok(Given { rows, ..Given::default() });
    };
    let bytes = if path == Path::new("-") {
        read_bounded(tokio::io::stdin(), "stdin").await?
    } else {
        read_path(path).await?
    };
    input::parse_file(&bytes).map_err(|error| error.context(format!("{} is refused", path.display())))
}

async fn read_path(path: &Path) -> Result<Vec<u8>> {
    let what = path.display().to_string();
    let file = tokio::fs::File::open(path).await.or_fail(Kind::Usage, || format!("cannot read {what}"))?;
    read_bounded(file, &what).await
}

async fn read_bounded(from: impl tokio::io::AsyncRead + Unpin, what: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = from.take(input::LARGEST + 1).read_to_end(&mut bytes).await;
    read.or_fail(Kind::Usage, || format!("cannot read {what}"))?;
    if bytes.len() as u64 > input::LARGEST {
        return Err(Error::usage(format!("{what} is larger than any baseline")));
    }
    Ok(bytes)
}

enum Way {
    Create,
    OverExpired(Observed),
    Replace(Observed),
    Exists,
}

/// Decide what a register does about what stands there.
fn over(there: Option<Observed>, arguments: &Arguments, now_ms: i64, id: &ProducerId) -> Result<Way> {
    let Some(seen) = there else { return Ok(Way::Create) };
    match seen.state(now_ms) {
        State::Expired => Ok(Way::OverExpired(seen)),
        State::Unreadable => {
            Err(Error::new(Kind::NotPermitted, format!("the znode of {id} exists and may not be read")))
        }
        _ if arguments.replace => Ok(Way::Replace(seen)),
        State::Valid if arguments.if_not_exists => Ok(Way::Exists),
        state => Err(exists(id, state)),
    }
}

fn exists(id: &ProducerId, state: State) -> Error {
    let error =
        Error::new(Kind::AlreadyExists, format!("there is a snapshot {id} already, and it is {state}"));
    if state == State::Undecodable {
        return error
            .hint("nobody can use it: set the baseline in its place with --replace, or delete it first");
    }
    error.hint("--if-not-exists leaves it and is a success; --replace sets this baseline in its place")
}

/// What is to be registered, resolved.
pub(super) struct Task<'a> {
    pub id: &'a ProducerId,
    pub baseline: &'a Baseline,
    expiration_time: i64,
    settle: Duration,
}

impl Task<'_> {
    /// Say how it ended.
    pub(super) fn outcome(&self, word: Word) -> Outcome {
        let mut outcome = Outcome::snapshot(self.id.as_str(), word);
        outcome.expiration_time = Some(self.expiration_time);
        outcome.expires_at = rfc3339(self.expiration_time);
        outcome
    }

    async fn create(&self, means: &Means<'_>, if_not_exists: bool) -> Result<Outcome> {
        match self.write(means, Over::Nothing).await? {
            Registered::Done(stat) => Ok(self.done(Word::Created, stat.mzxid)),
            Registered::Meanwhile(seen) => self.met(&seen, if_not_exists),
            Registered::Gone | Registered::StillValid => Err(self.raced()),
        }
    }

    async fn over_expired(&self, means: &Means<'_>, old: &Observed, if_not_exists: bool) -> Result<Outcome> {
        let mzxid = old.stat().map_or(0, |stat| stat.mzxid);
        match self.write(means, Over::Expired(mzxid)).await? {
            Registered::Done(stat) => {
                let left = replace::remove_old_files(means, self.id, old).await;
                let mut outcome = self.done(Word::ReplacedExpired, stat.mzxid);
                outcome.files_left = left;
                Ok(outcome)
            }
            Registered::Meanwhile(seen) => self.met(&seen, if_not_exists),
            Registered::StillValid => self.met(old, if_not_exists),
            // Somebody's cleanup took the expired one: then this is a plain create.
            Registered::Gone => self.create(means, if_not_exists).await,
        }
    }

    /// Somebody else's snapshot came first.
    fn met(&self, seen: &Observed, if_not_exists: bool) -> Result<Outcome> {
        if if_not_exists && seen.registration().is_some() {
            return Ok(Outcome::snapshot(self.id.as_str(), Word::AlreadyExists));
        }
        Err(exists(self.id, seen.state(now_ms())))
    }

    pub(super) fn raced(&self) -> Error {
        Error::new(Kind::Changed, format!("{} was changed by somebody else meanwhile", self.id))
            .hint(format!("look at it, then try again: flussctl producer-offsets get -- {}", self.id))
    }

    pub(super) fn done(&self, word: Word, mzxid: i64) -> Outcome {
        let mut outcome = self.outcome(word);
        outcome.mzxid = Some(mzxid);
        outcome
    }

    /// Write files and znode.
    pub(super) async fn write(&self, means: &Means<'_>, over: Over) -> Result<Registered> {
        let files: BTreeMap<i64, Vec<u8>> = plan::by_table(self.baseline)
            .iter()
            .map(|(&table, offsets)| (table, offsets_file::encode(table, offsets)))
            .collect();
        let data = |paths: &BTreeMap<i64, String>| {
            let tables = paths
                .iter()
                .map(|(&table_id, path)| TableFile { table_id, offsets_path: path.clone() })
                .collect();
            Ok(Registration { expiration_time: self.expiration_time, tables }.encode())
        };
        let work = Work {
            id: self.id,
            files: &files,
            data: &data,
            over,
            settle: self.settle,
            at_once: means.at_once,
        };
        carry_out::register(means.zookeeper, means.store, means.stop, &work).await
    }
}

/// Name what the catalog knows of a baseline's buckets, for the plan that is shown.
pub(super) fn bucket_name(bucket: crate::snapshot::TableBucket, catalog: &Catalog) -> String {
    plan::name(bucket, catalog)
}
