//! The first question where no file is found: is this the coordinator's store?

use futures::StreamExt as _;

use crate::clock::now_ms;
use crate::cluster::{ZooKeeper, snapshots};
use crate::error::{Error, Kind, Result};
use crate::read::{self, FileFault, Whole};
use crate::store::Store;

/// Refuse to change a snapshot that has not expired and of whose files not one is found, unless a file of another is.
pub(super) async fn require_own_store(
    changing: impl IntoIterator<Item = &Whole>,
    zookeeper: &ZooKeeper,
    store: &dyn Store,
) -> Result<()> {
    if !changing.into_iter().any(all_missing) {
        return Ok(());
    }
    let names = snapshots::names(zookeeper).await?.unwrap_or_default();
    let mut batches = snapshots::many(zookeeper, &names);
    while let Some(batch) = batches.next().await {
        for seen in batch? {
            let Some(registration) = seen.registration() else { continue };
            if read::files(store, registration, 4).await.iter().any(|file| file.bytes.is_some()) {
                return Ok(());
            }
        }
    }
    let root = store.dir().root();
    Err(Error::new(
        Kind::Failed,
        format!("not one file of any snapshot is in {root}: is this the coordinator's store?"),
    )
    .hint("check --remote-data-dir; if it is right and the files are lost, say --store-checked"))
}

fn all_missing(whole: &Whole) -> bool {
    let valid = whole.seen.registration().is_some_and(|registration| !registration.expired(now_ms()));
    let missing = whole.files.iter().all(|file| file.offsets.as_ref().err() == Some(&FileFault::Missing));
    valid && !whole.files.is_empty() && missing
}
