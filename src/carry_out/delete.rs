//! Deletes snapshots: the znode first, its files after it, and a valid one never under its readers.

use std::cell::RefCell;
use std::time::Duration;

use serde_json::json;

use super::Means;
use crate::cluster::hold::{self, Decision, End, Target};
use crate::error::{Error, Kind, Result};
use crate::fault;
use crate::plan::deletion::{self, Manner, past_grace};
use crate::plan::references::References;
use crate::read;
use crate::snapshot::znode::{Observed, with_expiration};
use crate::snapshot::{Location, OwnedKey, ProducerId, Registration};

/// How long readers are given after a snapshot was set expired: the coordinator's ZooKeeper reads are retried after 5, up
/// to 15 and up to 35 seconds, and the server reads the znode twice for one answer.
pub const READERS: Duration = Duration::from_mins(1);

/// How often an expiry is set that is known to have been lost.
const ATTEMPTS: usize = 3;

/// A snapshot to be deleted in the state that was shown.
#[derive(Debug)]
pub struct Item {
    /// Whose.
    pub id: ProducerId,
    /// The state.
    pub mzxid: i64,
    /// It was saved, or that is not wanted: what is not may only go if ZooKeeper too says that it has expired.
    pub saved: bool,
}

/// Say what may be deleted, and how.
#[derive(Clone, Copy)]
pub enum Why<'a> {
    /// Somebody asked for it; `job_stopped` says that nobody reads it.
    Asked {
        /// No reader is to be waited for.
        job_stopped: bool,
    },
    /// It has expired, the grace included; nothing else is touched. What the znodes name was read for the plan.
    Expired(&'a References),
}

/// How a deletion ended.
#[derive(Debug)]
pub enum Ended {
    /// The znode is gone, by us.
    Deleted,
    /// It was gone before.
    NotFound,
    /// It was left, for a reason.
    Left(String),
    /// It failed, or may have happened.
    Failed(Error),
}

/// What became of one snapshot and of its files.
#[derive(Debug)]
pub struct Outcome {
    /// What became of the znode.
    pub ended: Ended,
    /// How many files went.
    pub files_deleted: usize,
    /// Files that are left, each with the reason.
    pub files_left: Vec<String>,
    /// How it failed, where one of those is left by a failure.
    pub files_failed: Option<Kind>,
}

impl Outcome {
    const fn of(ended: Ended) -> Self {
        Self { ended, files_deleted: 0, files_left: Vec::new(), files_failed: None }
    }
}

/// Delete up to [`deletion::BATCH`] snapshots; the outcomes are in their order.
pub async fn delete(means: &Means<'_>, items: &[Item], why: Why<'_>) -> Vec<Outcome> {
    fault::point("delete.planned").await;
    let in_hand: Vec<_> =
        items.iter().map(|item| means.stop.in_hand(item.id.as_str(), "deleting its znode")).collect();
    let contents: RefCell<Vec<Option<Registration>>> = RefCell::new(items.iter().map(|_| None).collect());
    let targets: Vec<Target> =
        items.iter().map(|item| Target { id: item.id.clone(), mzxid: item.mzxid }).collect();
    let ends = change(means, &targets, |at, seen| {
        contents.borrow_mut()[at] = Registration::decode(seen.data).ok();
        decide(seen, why, items[at].saved)
    })
    .await;
    let (mut outcomes, waiting) = first_ends(means, items, ends, why);
    if !waiting.is_empty() {
        for (at, _) in &waiting {
            in_hand[*at].stage("set expired, waiting for its readers; a second run deletes it");
        }
        fault::point("delete.set-expired").await;
        let label = format!("waiting for the readers of {} snapshots", waiting.len());
        means.terminal.count_down(&label, fault::shortened(READERS)).await;
        fault::point("delete.waited").await;
        let targets: Vec<Target> =
            waiting.iter().map(|&(at, mzxid)| Target { id: items[at].id.clone(), mzxid }).collect();
        let ends = change(means, &targets, |_, _| Decision::Delete).await;
        for ((at, _), end) in waiting.into_iter().zip(ends) {
            // Only who took the place of the expired state has ended it; all else leaves it set expired.
            let overtaken = matches!(end, End::Changed(_));
            let ended = match ended(&items[at].id, end, why) {
                Ended::Failed(error) if !overtaken => Ended::Failed(
                    error
                        .context(format!("{} is set expired, and not known to be deleted", items[at].id))
                        .hint("a second run finishes it; register -f with its backup takes it back"),
                ),
                ended => ended,
            };
            outcomes[at] = Outcome::of(ended);
        }
    }
    for (item, outcome) in items.iter().zip(&outcomes) {
        let kind = match &outcome.ended {
            Ended::Deleted => "done",
            Ended::NotFound => "not_found",
            Ended::Left(_) => "left",
            Ended::Failed(error) => error.kind().name(),
        };
        means.journal.note(Some(item.id.as_str()), "delete_znode", kind, &[("mzxid", json!(item.mzxid))]);
    }
    fault::point("delete.znodes-gone").await;
    for (guard, outcome) in in_hand.iter().zip(&outcomes) {
        if matches!(outcome.ended, Ended::Deleted) {
            guard.stage("its znode is gone; deleting its files");
        }
    }
    delete_files(means, items, &contents.into_inner(), &mut outcomes, why).await;
    outcomes
}

/// Change them, and try again what was lost on its way: an expiry names no file, so the same one may be set again.
async fn change(
    means: &Means<'_>,
    targets: &[Target],
    decide: impl Fn(usize, &hold::Seen<'_>) -> Decision,
) -> Vec<End> {
    let mut ends = hold::change(means.zookeeper, targets, &decide).await;
    for _ in 1..ATTEMPTS {
        let lost: Vec<usize> = (0..ends.len()).filter(|&at| matches!(ends[at], End::Lost)).collect();
        if lost.is_empty() {
            break;
        }
        let again: Vec<Target> = lost.iter().map(|&at| targets[at].clone()).collect();
        let retried = hold::change(means.zookeeper, &again, |at, seen| decide(lost[at], seen)).await;
        for (at, end) in lost.into_iter().zip(retried) {
            ends[at] = end;
        }
    }
    ends
}

fn decide(seen: &hold::Seen<'_>, why: Why<'_>, saved: bool) -> Decision {
    if !saved && !Registration::decode(seen.data).is_ok_and(|r| r.expired(seen.now_ms)) {
        return Decision::Leave(
            "by ZooKeeper's clock it has not expired, so it would have to be saved first".into(),
        );
    }
    match why {
        Why::Expired(_) => match Registration::decode(seen.data) {
            Ok(registration) if past_grace(&registration, seen.stat, seen.now_ms) => Decision::Delete,
            Ok(_) => Decision::Leave("it has not been expired for a minute by ZooKeeper's clock".into()),
            Err(why) => Decision::Leave(why),
        },
        Why::Asked { job_stopped } => {
            match deletion::manner(seen.data, seen.stat, seen.now_ms, job_stopped) {
                Manner::AtOnce => Decision::Delete,
                Manner::AfterReaders => with_expiration(seen.data, 0)
                    .map_or_else(|| Decision::Leave("it cannot be set expired".into()), Decision::Set),
            }
        }
    }
}

/// Sort the first ends: those that were only set expired wait for their readers, under their new state.
fn first_ends(
    means: &Means<'_>,
    items: &[Item],
    ends: Vec<End>,
    why: Why<'_>,
) -> (Vec<Outcome>, Vec<(usize, i64)>) {
    let mut waiting = Vec::new();
    let outcomes = ends.into_iter().enumerate().map(|(at, end)| {
        let id = &items[at].id;
        if let End::Set(stat) = end {
            let more = [("mzxid", json!(items[at].mzxid)), ("new_mzxid", json!(stat.mzxid))];
            means.journal.note(Some(id.as_str()), "set_expired", "done", &more);
            waiting.push((at, stat.mzxid));
            return Outcome::of(Ended::NotFound);
        }
        Outcome::of(ended(id, end, why))
    });
    (outcomes.collect(), waiting)
}

/// Say how an item ended. What somebody asked to have deleted has failed where it was left.
fn ended(id: &ProducerId, end: End, why: Why<'_>) -> Ended {
    match end {
        End::Left(reason) if matches!(why, Why::Asked { .. }) => {
            Ended::Failed(Error::new(Kind::Changed, format!("{id} was left: {reason}")))
        }
        End::Deleted => Ended::Deleted,
        End::Gone => Ended::NotFound,
        End::Left(why) => Ended::Left(why),
        End::Failed(error) => Ended::Failed(error),
        End::Changed(seen) | End::Overtaken(seen) => Ended::Failed(changed(id, &seen)),
        End::Lost | End::Set(_) => Ended::Failed(
            Error::new(Kind::Unreachable, format!("ZooKeeper lost the change of {id}; nothing was changed"))
                .hint("try again when ZooKeeper answers steadily"),
        ),
    }
}

/// Say that a snapshot is no longer what was shown.
pub fn changed(id: &ProducerId, seen: &Observed) -> Error {
    let mzxid = seen.stat().map_or_else(|| "unknown".to_owned(), |stat| stat.mzxid.to_string());
    Error::new(
        Kind::Changed,
        format!("{id} was changed meanwhile (its mzxid is {mzxid} now); it was left as it is"),
    )
    .hint(format!("look at it, and try again if it is still meant: flussctl producer-offsets get -- {id}"))
}

async fn delete_files(
    means: &Means<'_>,
    items: &[Item],
    contents: &[Option<Registration>],
    outcomes: &mut [Outcome],
    why: Why<'_>,
) {
    let mut keys: Vec<(usize, OwnedKey)> = Vec::new();
    for (at, (item, registration)) in items.iter().zip(contents).enumerate() {
        let (Ended::Deleted, Some(registration)) = (&outcomes[at].ended, registration) else { continue };
        let files = deletion::files(means.store.dir(), &item.id, registration);
        let outside = files.left.iter().map(|path| format!("{path}: outside of the producer's own folder"));
        outcomes[at].files_left.extend(outside);
        keys.extend(files.owned.into_iter().map(|key| (at, key)));
    }
    if keys.is_empty() {
        return;
    }
    let named = match named_by_others(means, why).await {
        Ok(named) => named,
        Err(error) => {
            for (at, key) in keys {
                outcomes[at].files_failed = Some(error.kind());
                outcomes[at]
                    .files_left
                    .push(format!("{key}: not known whether another snapshot names it: {error}"));
            }
            return;
        }
    };
    keys.retain(|(at, key)| {
        let keep = named(&means.store.dir().location(key));
        if keep {
            outcomes[*at].files_left.push(format!("{key}: another snapshot names it"));
        }
        !keep
    });
    let (owners, keys): (Vec<usize>, Vec<OwnedKey>) = keys.into_iter().unzip();
    means.zookeeper.pace().take(keys.len()).await;
    let results = means.store.delete(&keys).await;
    for ((at, key), result) in owners.into_iter().zip(&keys).zip(results) {
        note_file(means, &items[at].id, key, &result);
        match result {
            Ok(there) => outcomes[at].files_deleted += usize::from(there),
            Err(error) => {
                outcomes[at].files_failed = Some(error.kind());
                outcomes[at].files_left.push(error.to_string());
            }
        }
    }
    fault::point("delete.files-gone").await;
}

type IsNamed<'a> = Box<dyn Fn(&Location) -> bool + 'a>;

/// Find out which files other snapshots name; after a delete the deleted ones are no longer among them.
async fn named_by_others<'a>(means: &Means<'_>, why: Why<'a>) -> Result<IsNamed<'a>> {
    if let Why::Expired(references) = why {
        return Ok(Box::new(move |place| references.shares(place)));
    }
    let references = read::references(means.zookeeper, means.store.dir()).await?;
    Ok(Box::new(move |place| references.names(place)))
}

fn note_file(means: &Means<'_>, id: &ProducerId, key: &OwnedKey, result: &Result<bool>) {
    let outcome = match result {
        Ok(_) => "done",
        Err(error) => error.kind().name(),
    };
    means.journal.note(Some(id.as_str()), "delete_file", outcome, &[("path", json!(key.to_string()))]);
}

/// Remove the files of a state that was replaced, but for those that a znode names; gives what was left and why.
pub async fn files_of_replaced(means: &Means<'_>, id: &ProducerId, old: &Observed) -> Vec<String> {
    let Some(registration) = old.registration() else { return Vec::new() };
    let files = deletion::files(means.store.dir(), id, registration);
    let mut left: Vec<String> = files.left;
    if files.owned.is_empty() {
        return left;
    }
    let references = match read::references(means.zookeeper, means.store.dir()).await {
        Ok(references) => references,
        Err(error) => {
            left.extend(files.owned.iter().map(|key| format!("{key}: {error}")));
            return left;
        }
    };
    let named = |key: &OwnedKey| references.names(&means.store.dir().location(key));
    let (kept, going): (Vec<_>, Vec<_>) = files.owned.into_iter().partition(named);
    left.extend(kept.iter().map(|key| format!("{key}: a znode names it")));
    means.zookeeper.pace().take(going.len()).await;
    let results = means.store.delete(&going).await;
    for (key, result) in going.iter().zip(&results) {
        note_file(means, id, key, result);
    }
    left.extend(results.into_iter().filter_map(|result| result.err().map(|error| error.to_string())));
    left
}
