//! `register`: check and register a baseline, whole or not at all.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, ValueHint};
use tokio::io::AsyncReadExt as _;

use super::arguments::{BackupOptions, ChangeOptions, ExpiryOptions, settle};
use super::cells::{not_readable, time_cell};
use super::outcome::{Outcome, Word};
use super::replace;
use super::report::report;
use super::task::{Task, exists};
use crate::clock::now_ms;
use crate::cluster::{metadata, snapshots};
use crate::commands::Context;
use crate::error::{Context as _, Error, Kind, Result};
use crate::plan::register::{self as plan};
use crate::snapshot::input::{self, Given};
use crate::snapshot::znode::Observed;
use crate::snapshot::{ProducerId, State};

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

    /// With --replace: not one of the files is in the store, and it is the coordinator's store all the same
    #[arg(long)]
    store_checked: bool,

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
    if arguments.replace {
        arguments.change.require_answerable(context)?;
    }
    let id = ProducerId::parse(&arguments.id)?;
    let settle = settle(arguments.settle.as_ref())?;
    let now = now_ms();
    let expiration_time = arguments.expiry.expiration_time(context, now)?;
    // A pipe that nobody writes to must not keep us.
    let given = context.stop.abortable(given(arguments)).await?;
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
    let instead_of = there.clone().filter(|_| arguments.replace);
    let task = Task {
        id: &id,
        baseline: &baseline,
        expiration_time,
        settle,
        store_checked: arguments.store_checked,
        instead_of,
    };
    let means = context.means(&zookeeper, store.as_ref(), &journal);
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
    let word = outcome
        .as_ref()
        .map_or_else(|error| error.kind().name(), |outcome| outcome.end.map_or("done", Kind::name));
    journal.note(Some(id.as_str()), "register", word, &[("expiration_time", expiration_time.into())]);
    let outcome = outcome?;
    if let Some(time) = outcome.expiration_time.filter(|_| !context.format().is_for_people()) {
        context.terminal.status(format!("{id} expires {}", time_cell(Some(time), now).text));
    }
    report(context, Some(&journal), vec![outcome], arguments.change.dry_run).await
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
        State::Unreadable => Err(not_readable(id.as_str(), seen.fault().unwrap_or_default())),
        _ if arguments.replace => Ok(Way::Replace(seen)),
        State::Valid if arguments.if_not_exists => Ok(Way::Exists),
        state => Err(exists(id, state)),
    }
}
