//! `cleanup`: expired snapshots, then orphan files and emptied folders.

use clap::Args;
use serde_json::{Value, json};

use super::arguments::ChangeOptions;
use super::cleanup_plan::{self, Plan};
use super::outcome::{Outcome, Thing, Word};
use super::report::report_with;
use crate::carry_out::delete::{self, Item, Why};
use crate::carry_out::{Means, sweep};
use crate::clock::now_ms;
use crate::cluster::{ZooKeeper, snapshots, time};
use crate::commands::Context;
use crate::config::{duration, instant};
use crate::error::{Kind, Result};
use crate::fault;
use crate::plan::age::{self, OlderThan};
use crate::plan::deletion::BATCH;
use crate::render::counted;
use crate::store::{Removal, Store};
use crate::time::{absolute, left};

/// Delete expired snapshots, orphan files and emptied folders
///
/// What is live is never touched: a file that any znode names, however it is spelled, a file that is younger than the
/// cutoff, all files of a producer whose znode cannot be read, and anything that is not an offsets file.
#[derive(Args)]
pub struct Arguments {
    /// Only the expired snapshots
    #[arg(long, conflicts_with_all = ["orphans_only", "older_than", "force"])]
    expired_only: bool,

    /// Only orphan files and emptied folders
    #[arg(long)]
    orphans_only: bool,

    /// How old an orphan is at the least, or a time that it is older than [default: the longer of 3d and the cluster's TTL]
    #[arg(long, value_name = "DURATION|TIME", allow_hyphen_values = true)]
    older_than: Option<String>,

    /// Allow --older-than under a day
    #[arg(long)]
    force: bool,

    /// Not one of the files is in the store, and it is the coordinator's store all the same
    #[arg(long)]
    pub(super) store_checked: bool,

    /// No other cluster has its snapshots in the remote data dir
    #[arg(long)]
    pub(super) dir_is_only_ours: bool,

    #[command(flatten)]
    change: ChangeOptions,
}

/// Run `cleanup`.
pub(super) async fn run(arguments: &Arguments, context: &Context) -> Result<Option<Kind>> {
    // Read.
    arguments.change.require_answerable(context)?;
    let now = now_ms();
    let ttl = context.settings.producer_offsets_ttl()?.value;
    let cutoff = age::cutoff_ms(older_than(arguments)?, ttl, arguments.force, now)?;
    let dry_run = arguments.change.dry_run;
    if !dry_run {
        context.require_writable()?;
    }
    let journal = arguments.change.journal("cleanup")?;
    let store = context.store()?;
    let zookeeper = context.zookeeper().await?;
    let scope = cleanup_plan::Scope {
        expired: !arguments.orphans_only,
        orphans: !arguments.expired_only,
        cutoff_ms: cutoff,
        store_checked: arguments.store_checked,
        ours_alone: arguments.dir_is_only_ours || context.settings.dir_is_only_ours.value,
    };
    let plan = context
        .stop
        .abortable(async {
            snapshots::require_root(&zookeeper).await?;
            store.require_root().await?;
            let now = if dry_run { now } else { require_clocks_agree(&zookeeper, store.as_ref()).await? };
            cleanup_plan::make(&zookeeper, store.as_ref(), &scope, now, &context.terminal).await
        })
        .await?;

    // Show.
    let mut outcomes = plan.kept();
    show(context, &plan, arguments, cutoff, now);
    if dry_run {
        context
            .terminal
            .status("this dry run judged expiry by this host's clock; the real run asks ZooKeeper's");
        outcomes.extend(plan.announced());
        return report_with(context, None, outcomes, true, notes(&plan, cutoff)).await;
    }
    if !plan.is_empty() {
        arguments.change.confirm(context, "Delete all this?").await?;
    }

    // Carry out.
    for kept in &outcomes {
        let more = [("path", json!(kept.path)), ("reason", json!(kept.reason))];
        journal.note(kept.producer_id.as_deref(), "keep", "done", &more);
    }
    fault::point("cleanup.planned").await;
    let means = context.means(&zookeeper, store.as_ref(), &journal);
    let total = plan.expired.len() + plan.orphans.files.len() + plan.orphans.folders.len();
    let progress = context.terminal.progress("cleaning up", Some(total as u64));
    let mut done = |outcome: Outcome| {
        outcomes.push(outcome);
        progress.inc(1);
    };
    expired(&means, &plan, &mut done).await;
    orphans(&means, &plan, &mut done).await;
    drop(progress);

    // Report.
    report_with(context, Some(&journal), outcomes, false, notes(&plan, cutoff)).await
}

fn older_than(arguments: &Arguments) -> Result<Option<OlderThan>> {
    let Some(text) = &arguments.older_than else { return Ok(None) };
    let looks_like_a_time = text.len() >= 10 && text.as_bytes().get(4) == Some(&b'-');
    let read = if looks_like_a_time {
        instant::parse(text).map(|time| OlderThan::Time(time.as_millisecond()))
    } else {
        duration::parse(text).map(OlderThan::Age)
    };
    read.map(Some).map_err(|error| error.context("--older-than is refused"))
}

/// Refuse to start where host, ZooKeeper and store disagree on the time; gives ZooKeeper's.
async fn require_clocks_agree(zookeeper: &ZooKeeper, store: &dyn Store) -> Result<i64> {
    let zookeepers = time::now_ms(zookeeper).await?;
    let stores = store.now_ms().await?;
    let hosts = now_ms();
    age::require_clocks_agree(&[("this host", hosts), ("ZooKeeper", zookeepers), ("the store", stores)])?;
    Ok(zookeepers)
}

/// Say what the listing held, for whoever reads the document: the cutoff, the counts, and what is not ours.
fn notes(plan: &Plan, cutoff_ms: i64) -> Vec<(&'static str, Value)> {
    vec![
        ("cutoff_time", json!(cutoff_ms)),
        ("counts", json!(plan.orphans.counts)),
        ("foreign", json!(plan.orphans.foreign)),
    ]
}

fn show(context: &Context, plan: &Plan, arguments: &Arguments, cutoff: i64, now: i64) {
    let say = |text: String| context.terminal.plan(text);
    if !arguments.expired_only {
        say(format!("orphans are what was last written before {} ({})", absolute(cutoff), left(cutoff, now)));
    }
    say(format!(
        "{}, {}, {}",
        counted(plan.expired.len(), "expired snapshot"),
        counted(plan.orphans.files.len(), "orphan file"),
        counted(plan.orphans.folders.len(), "empty folder")
    ));
    let counts = plan.orphans.counts;
    if counts.too_recent + counts.unknown_age > 0 {
        let kept = counted(counts.too_recent + counts.unknown_age, "file");
        say(format!("{kept} that no znode names: kept, too recent or of unknown age"));
    }
    if counts.unknown_folders > 0 && !plan.orphans.files.is_empty() {
        context.terminal.warn(format!(
            "{} of producers without a snapshot here: if another cluster uses this remote data dir, they may be its live ones",
            counted(counts.unknown_folders, "folder")
        ));
    }
    if counts.foreign > 0 {
        let things = counted(counts.foreign, "foreign thing");
        context.terminal.warn(format!("{things} in the store, left as they are; -v names them"));
        for what in &plan.orphans.foreign {
            context.terminal.verbose(1, what);
        }
        let more = counts.foreign.saturating_sub(plan.orphans.foreign.len());
        if more > 0 {
            context.terminal.verbose(1, format!("and {more} more"));
        }
    }
}

async fn expired(means: &Means<'_>, plan: &Plan, done: &mut impl FnMut(Outcome)) {
    for batch in plan.expired.chunks(BATCH) {
        let said = |word: Word, at: usize| {
            let mut outcome = Outcome::snapshot(batch[at].id.as_str(), word);
            outcome.expiration_time = Some(batch[at].expiration_time);
            outcome.mzxid = Some(batch[at].mzxid);
            outcome
        };
        if let Err(error) = may_begin(means) {
            (0..batch.len()).for_each(|at| done(said(Word::Skipped, at).failed(&error)));
            continue;
        }
        let items: Vec<Item> =
            batch.iter().map(|e| Item { id: e.id.clone(), mzxid: e.mzxid, saved: false }).collect();
        let ended = delete::delete(means, &items, Why::Expired(&plan.references)).await;
        for (at, outcome) in ended.into_iter().enumerate() {
            done(said(Word::Deleted, at).deleted(outcome));
        }
    }
}

async fn orphans(means: &Means<'_>, plan: &Plan, done: &mut impl FnMut(Outcome)) {
    for batch in plan.orphans.files.chunks(sweep::BATCH) {
        let said = |word: Word, at: usize| {
            let key = &batch[at].key;
            Outcome::place(Thing::OrphanFile, key.producer.as_str(), key.to_string(), word)
        };
        let swept = match may_begin(means) {
            Ok(()) => {
                let _in_hand = means.stop.in_hand("a batch of orphan files", "deleting");
                sweep::files(means, batch).await
            }
            Err(error) => Err(error),
        };
        match swept {
            Err(error) => (0..batch.len()).for_each(|at| done(said(Word::Skipped, at).failed(&error))),
            Ok(swept) => {
                for (at, end) in swept.into_iter().enumerate() {
                    done(match end {
                        sweep::Swept::Deleted => said(Word::Deleted, at),
                        sweep::Swept::Gone => said(Word::NotFound, at),
                        sweep::Swept::Named => said(Word::Kept, at).because("a znode names it by now"),
                        sweep::Swept::Unreadable => {
                            let mut outcome = said(Word::Kept, at)
                                .because("its producer's znode cannot be read or decoded by now");
                            outcome.end = Some(Kind::Partial);
                            outcome
                        }
                        sweep::Swept::Failed(error) => said(Word::Failed, at).failed(&error),
                    });
                }
            }
        }
    }
    for folder in &plan.orphans.folders {
        let said = |word: Word| {
            Outcome::place(Thing::Folder, folder.producer.as_str(), cleanup_plan::folder_path(folder), word)
        };
        let removed = match may_begin(means) {
            Ok(()) => sweep::folder(means, folder).await,
            Err(error) => Err(error),
        };
        done(match removed {
            Ok(Removal::Removed) => said(Word::Removed),
            Ok(Removal::Absent) => said(Word::NotFound),
            Ok(Removal::Full) => said(Word::Kept).because("something is in it by now"),
            Err(error) => said(Word::Failed).failed(&error),
        });
    }
}

fn may_begin(means: &Means<'_>) -> Result<()> {
    means.stop.check()?;
    means.journal.check()
}
