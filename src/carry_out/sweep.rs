//! Deletes orphan files and emptied folders, after a last look at whose they might be.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::Means;
use crate::cluster::snapshots;
use crate::error::{Error, Result};
use crate::fault;
use crate::plan::orphans::Folder;
use crate::plan::references::{Named, References};
use crate::snapshot::listing::ListedFile;
use crate::snapshot::{OffsetsKey, OwnedKey};
use crate::store::Removal;

/// How many files are looked at again and deleted together.
pub const BATCH: usize = 500;

/// What became of an orphan file.
#[derive(Debug)]
pub enum Swept {
    /// It is gone, by us.
    Deleted,
    /// It was gone before: another cleanup was here.
    Gone,
    /// It was kept: a znode names it by now.
    Named,
    /// It was kept: its producer's znode cannot be read or decoded by now, and may name it.
    Unreadable,
    /// It could not be deleted.
    Failed(Error),
}

/// Delete a batch of orphan files, but for those that a znode names by now.
///
/// # Errors
/// Where the owners could not be read again: nothing of the batch is deleted then.
pub async fn files(means: &Means<'_>, batch: &[ListedFile]) -> Result<Vec<Swept>> {
    let owners: BTreeSet<String> = batch.iter().map(|file| file.key.producer.as_str().to_owned()).collect();
    let owners: Vec<String> = owners.into_iter().collect();
    means.zookeeper.sync().await?;
    let mut references = References::default();
    for seen in snapshots::all(means.zookeeper, &owners).await? {
        references.add(&seen, means.store.dir(), false);
    }
    fault::point("sweep.looked-again").await;
    let mut swept: BTreeMap<usize, Swept> = BTreeMap::new();
    let mut going: Vec<(usize, OwnedKey)> = Vec::new();
    for (at, file) in batch.iter().enumerate() {
        match keep(&references, &file.key) {
            Some(kept) => {
                swept.insert(at, kept);
            }
            None => going.push((at, file.key.owned())),
        }
    }
    let (places, keys): (Vec<usize>, Vec<OwnedKey>) = going.into_iter().unzip();
    means.zookeeper.pace().take(keys.len()).await;
    let results = means.store.delete(&keys).await;
    fault::point("sweep.files-gone").await;
    for (at, result) in places.into_iter().zip(results) {
        let end = match result {
            Ok(true) => Swept::Deleted,
            Ok(false) => Swept::Gone,
            Err(error) => Swept::Failed(error),
        };
        swept.insert(at, end);
    }
    for (at, end) in &swept {
        let file = &batch[*at];
        let outcome = match end {
            Swept::Deleted => "done",
            Swept::Gone => "not_found",
            Swept::Named | Swept::Unreadable => "kept",
            Swept::Failed(error) => error.kind().name(),
        };
        let more = [("path", json!(file.key.to_string()))];
        means.journal.note(Some(file.key.producer.as_str()), "delete_orphan_file", outcome, &more);
    }
    Ok(swept.into_values().collect())
}

fn keep(references: &References, key: &OffsetsKey) -> Option<Swept> {
    if references.unreadable().contains_key(key.producer.as_str()) {
        return Some(Swept::Unreadable);
    }
    (references.named(key) != Named::Not).then_some(Swept::Named)
}

/// Remove a folder by a call that fails on a full one.
pub async fn folder(means: &Means<'_>, folder: &Folder) -> Result<Removal> {
    means.zookeeper.pace().take(1).await;
    let removed = means.store.remove_folder(&folder.producer, folder.table_id).await;
    fault::point("sweep.folder-gone").await;
    let outcome = match &removed {
        Ok(Removal::Removed) => "done",
        Ok(Removal::Absent) => "not_found",
        Ok(Removal::Full) => "kept",
        Err(error) => error.kind().name(),
    };
    let more = [("table_id", json!(folder.table_id))];
    means.journal.note(Some(folder.producer.as_str()), "remove_folder", outcome, &more);
    removed
}
