//! What a cleanup would do: made from one look at the store between two at ZooKeeper.

use std::sync::Arc;

use futures::StreamExt as _;

use super::outcome::{Outcome, Thing, Word};
use crate::cli::terminal::Terminal;
use crate::cluster::ZooKeeper;
use crate::error::{Error, Kind, Result};
use crate::fault;
use crate::plan::orphans::{Folder, Orphans, Scan, whose_store};
use crate::plan::references::{Named, References};
use crate::read::{self, Expired};
use crate::snapshot::remote_dir::PRODUCERS;
use crate::snapshot::{OffsetsKey, ProducerId};
use crate::store::Store;
use crate::time::rfc3339;

/// What is to be cleaned up, and what the operator has said.
pub(super) struct Scope {
    pub expired: bool,
    pub orphans: bool,
    pub cutoff_ms: i64,
    pub store_checked: bool,
    pub ours_alone: bool,
}

/// What goes, and what is kept for a reason that must be told.
pub(super) struct Plan {
    pub expired: Vec<Expired>,
    pub orphans: Orphans,
    pub references: References,
    odd: Vec<String>,
    doubt: Option<String>,
}

/// Make the plan. The listing is taken before the znodes are read for the last time, so a register in between keeps its files.
pub(super) async fn make(
    zookeeper: &ZooKeeper,
    store: &dyn Store,
    scope: &Scope,
    now_ms: i64,
    terminal: &Terminal,
) -> Result<Plan> {
    let expiring_as_of = if scope.expired { now_ms } else { i64::MIN };
    if !scope.orphans {
        // From a store that cannot be listed nothing goes; the listing ends when it is dropped.
        drop(store.list(Arc::new(|_| false)).await?);
        let survey = read::survey(zookeeper, store.dir(), expiring_as_of).await?;
        let (expired, references, odd) = (survey.expired, survey.references, survey.odd);
        return Ok(Plan { expired, orphans: Orphans::default(), references, odd, doubt: None });
    }
    let progress = terminal.progress("looking at the store", None);
    let before = Arc::new(read::survey(zookeeper, store.dir(), expiring_as_of).await?.references);
    let wanted = {
        let before = Arc::clone(&before);
        move |key: &OffsetsKey| before.named(key) != Named::Here || before.is_expiring(&key.uuid)
    };
    let mut listing = store.list(Arc::new(wanted)).await?;
    let mut scan = Scan::new(scope.cutoff_ms);
    while let Some(listed) = listing.next().await {
        scan.take(listed, &before);
        progress.inc(1);
    }
    drop(progress);
    fault::point("cleanup.listed").await;
    let after = read::survey(zookeeper, store.dir(), expiring_as_of).await?;
    let mut orphans = scan.finish(&after.references, store.dir())?;
    require_no_conflict(&orphans, store).await?;
    let doubt = whose_store(
        &orphans.counts,
        &after.references,
        after.has_producers,
        scope.store_checked,
        scope.ours_alone,
    )
    .map(|why| format!("{why} (looked at {}, and at {})", zookeeper.address(), store.dir().root()));
    if doubt.is_some() {
        orphans.files.clear();
        orphans.folders.clear();
    }
    Ok(Plan { expired: after.expired, orphans, references: after.references, odd: after.odd, doubt })
}

/// Stop where a znode names a file's name at another place: which of the two it means, only a person can say.
async fn require_no_conflict(orphans: &Orphans, store: &dyn Store) -> Result<()> {
    let mut conflicts = Vec::new();
    for (key, outside) in &orphans.conflicts {
        let here = store.dir().location(&key.owned());
        if !store.same_file(&outside.place, &here).await {
            conflicts.push(format!(
                "the znode of {} names {}, and {here} is there too",
                outside.owner, outside.place
            ));
        }
    }
    if conflicts.is_empty() {
        return Ok(());
    }
    let more = conflicts.len().saturating_sub(10);
    conflicts.truncate(10);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    Err(Error::new(Kind::Failed, format!("the store and the znodes are in conflict: {}{more}", conflicts.join("; ")))
        .hint("nothing was deleted; check that --remote-data-dir names the coordinator's bucket, authority and folder"))
}

/// Give a folder's place below the remote data dir.
pub(super) fn folder_path(folder: &Folder) -> String {
    let table = folder.table_id.map_or_else(String::new, |id| format!("/{id}"));
    format!("{PRODUCERS}/{}{table}", folder.producer)
}

impl Plan {
    /// Say whether there is nothing to do.
    pub(super) fn is_empty(&self) -> bool {
        self.expired.is_empty() && self.orphans.files.is_empty() && self.orphans.folders.is_empty()
    }

    /// Say what is kept for a reason that makes the whole incomplete.
    pub(super) fn kept(&self) -> Vec<Outcome> {
        let mut kept = Vec::new();
        if let Some(doubt) = &self.doubt {
            let mut outcome =
                Outcome::place(Thing::Folder, "", PRODUCERS.into(), Word::Kept).because(doubt.clone());
            outcome.producer_id = None;
            outcome.end = Some(Kind::Partial);
            kept.push(outcome);
        }
        for (name, why) in self.references.unreadable() {
            let mut why = format!("its znode cannot be read or decoded, so all its files are kept: {why}");
            if ProducerId::from_name(name).is_none() {
                why.push_str("; its name is no producer id: remove it in ZooKeeper");
            }
            let mut outcome = Outcome::snapshot(name, Word::Kept).because(why);
            outcome.end = Some(Kind::Partial);
            kept.push(outcome);
        }
        for name in &self.odd {
            let why = "it has expired, but its name is no producer id: remove it in ZooKeeper";
            kept.push(Outcome::snapshot(name, Word::Kept).because(why));
        }
        for (producer, error) in &self.orphans.failed {
            let path = format!("{PRODUCERS}/{producer}");
            let mut outcome =
                Outcome::place(Thing::Folder, producer.as_str(), path, Word::Failed).failed(error);
            outcome.end = Some(Kind::Partial);
            kept.push(outcome);
        }
        kept
    }

    /// Say what would be done.
    pub(super) fn announced(&self) -> Vec<Outcome> {
        let expired = self.expired.iter().map(|expired| {
            let mut outcome = Outcome::snapshot(expired.id.as_str(), Word::WouldDelete);
            outcome.expiration_time = Some(expired.expiration_time);
            outcome.expires_at = rfc3339(expired.expiration_time);
            outcome.mzxid = Some(expired.mzxid);
            outcome
        });
        let files = self.orphans.files.iter().map(|file| {
            let key = &file.key;
            Outcome::place(Thing::OrphanFile, key.producer.as_str(), key.to_string(), Word::WouldDelete)
        });
        let folders = self.orphans.folders.iter().map(|folder| {
            Outcome::place(Thing::Folder, folder.producer.as_str(), folder_path(folder), Word::WouldRemove)
        });
        expired.chain(files).chain(folders).collect()
    }
}
