//! Reads what a command needs to decide: snapshots with their files, and all that the znodes name.

mod survey;
mod whole;

pub use self::survey::{Expired, Survey, references, survey};
pub use self::whole::{FileFault, FileRead, Whole, document, files, incomplete, one};
use crate::cluster::{ZooKeeper, metadata};
use crate::error::Result;
use crate::snapshot::Catalog;

/// Read the names of tables and partitions, or none of them where they are not wanted.
pub async fn names(zookeeper: &ZooKeeper, wanted: bool) -> Result<Catalog> {
    if wanted { metadata::catalog(zookeeper).await } else { Ok(Catalog::default()) }
}
