//! `register --replace`: a new baseline in the place of one that stands, each bucket's change shown first.

use super::arguments::{BackupOptions, ChangeOptions};
use super::outcome::{Outcome, Word};
use super::own_store::require_own_store;
use super::saving;
use super::task::Task;
use crate::carry_out::register::{Over, Registered};
use crate::carry_out::{Means, delete};
use crate::commands::Context;
use crate::error::Result;
use crate::plan::register;
use crate::plan::replace::{What, changes};
use crate::read::{self, Whole};
use crate::snapshot::znode::Observed;
use crate::snapshot::{Catalog, Offsets};

/// How many buckets' changes are shown; the rest is counted.
const SHOWN: usize = 200;

/// Replace what was seen, if it is confirmed and still the same.
pub(super) async fn run(
    task: &Task<'_>,
    means: &Means<'_>,
    seen: Observed,
    catalog: &Catalog,
    backup: &BackupOptions,
    change: &ChangeOptions,
    context: &Context,
) -> Result<Outcome> {
    let whole = match context
        .stop
        .abortable(read::one(means.zookeeper, means.store, task.id.as_str(), means.at_once))
        .await?
    {
        Some(whole) if whole.seen.stat() == seen.stat() => whole,
        _ => return Err(task.raced()),
    };
    if !task.store_checked {
        context.stop.abortable(require_own_store([&whole], means.zookeeper, means.store)).await?;
    }
    show(task, &whole, catalog, context);
    if change.dry_run {
        return Ok(task.outcome(Word::WouldReplace));
    }
    change.confirm(context, "Set this baseline in its place?").await?;
    let saved = match backup.folder(context)? {
        Some(folder) => Some(saving::save(&whole, catalog, means.store, context, folder).await?),
        None => None,
    };
    let mzxid = whole.seen.stat().map_or(0, |stat| stat.mzxid);
    // Whatever comes of it, where the old state was saved is part of the answer.
    let mut outcome = match task.write(means, Over::State(mzxid)).await {
        Ok(Registered::Done(stat)) => task.done(Word::Replaced, stat.mzxid),
        Ok(Registered::Meanwhile(_) | Registered::Gone | Registered::StillValid) => {
            task.outcome(Word::Changed).failed(&task.raced())
        }
        Err(error) => task.outcome(Word::Failed).failed(&error),
    };
    if outcome.end.is_none() {
        outcome.files_left = delete::files_of_replaced(means, task.id, &whole.seen).await;
    }
    if let Some(saved) = saved {
        outcome.backup = Some(saved.path.display().to_string());
        outcome.backup_complete = Some(saved.complete);
    }
    Ok(outcome)
}

/// Show what the new baseline changes, a bucket a row.
fn show(task: &Task<'_>, whole: &Whole, catalog: &Catalog, context: &Context) {
    let before = if whole.is_complete() { whole.offsets() } else { Offsets::new() };
    if !whole.is_complete() || whole.seen.registration().is_none() {
        context.terminal.plan("the old baseline cannot be read whole, so each bucket is shown as new");
    }
    let changed: Vec<_> =
        changes(&before, &task.baseline.offsets).into_iter().filter(|c| c.what != What::Same).collect();
    if changed.is_empty() {
        context.terminal.plan("no offset changes, but the expiry does");
    }
    let number =
        |offset: Option<i64>| offset.map_or_else(|| "none (counts as 0)".to_owned(), |o| o.to_string());
    for change in changed.iter().take(SHOWN) {
        let what = match change.what {
            What::Raised => "raised: less is undone",
            What::Lowered => "lowered: more is undone",
            What::Added => "new",
            What::Removed => "removed: the bucket is undone to nothing",
            What::Same => "the same",
        };
        let name = register::name(change.bucket, catalog);
        context.terminal.plan(format!(
            "{name}: {} -> {} ({what})",
            number(change.before),
            number(change.after)
        ));
    }
    if changed.len() > SHOWN {
        context.terminal.plan(format!("and {} more buckets", changed.len() - SHOWN));
    }
}
