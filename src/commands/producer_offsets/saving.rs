//! Saves what is about to be changed: all of it before anything is changed, or nothing is.

use std::path::PathBuf;

use crate::carry_out::backup::{self, Saved};
use crate::clock::now_ms;
use crate::cluster::ZooKeeper;
use crate::commands::Context;
use crate::error::Result;
use crate::read::Whole;
use crate::snapshot::Catalog;
use crate::store::Store;

/// Save a snapshot as it was read.
pub(super) async fn save(
    whole: &Whole,
    catalog: &Catalog,
    store: &dyn Store,
    context: &Context,
    folder: PathBuf,
) -> Result<Saved> {
    let backup = backup::take(whole, catalog, store, context.cluster()?, now_ms()).await;
    let saved = backup::save(backup, folder).await?;
    if !saved.complete {
        context.terminal.warn(format!(
            "the backup {} is incomplete: {}",
            saved.path.display(),
            if whole.files.is_empty() {
                "not all files could be read".into()
            } else {
                whole.file_faults().join("; ")
            }
        ));
    }
    Ok(saved)
}

/// Read the names that a backup keeps, without which it cannot be restored; that they cannot be read is no reason to keep
/// somebody from a backup.
pub(super) async fn names(zookeeper: &ZooKeeper, context: &Context) -> Catalog {
    match crate::cluster::metadata::catalog(zookeeper).await {
        Ok(catalog) => {
            if let Some(why) = catalog.faults().first() {
                context
                    .terminal
                    .warn(format!("a backup may be without its tables' names, and then not restored: {why}"));
            }
            catalog
        }
        Err(error) => {
            context.terminal.warn(format!("the backup is without the tables' names: {error}"));
            Catalog::default()
        }
    }
}
