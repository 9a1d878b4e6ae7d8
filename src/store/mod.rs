//! The remote data dir: reads what znodes name, lists and changes what lies below `producers/`.
//!
//! One small trait over all file systems. A read takes any location, as the path in the znode counts wherever it points; a
//! change takes a key below a producer's own folder and nothing else.

mod bounded;
mod local;

use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::BoxStream;

use self::bounded::Bounded;
pub use self::local::Local;
use crate::config::secret::without_password;
use crate::error::{Error, Kind, Result};
use crate::snapshot::listing::{Listed, Wanted};
use crate::snapshot::{Location, OffsetsKey, OwnedKey, ProducerId, RemoteDir};

/// Say why a file could not be read.
#[derive(Debug)]
pub enum ReadFailure {
    /// There is nothing at that place, and the store would know.
    Missing,
    /// There is something at that place that is no file.
    NotAFile,
    /// It has more bytes than any such file has.
    TooLarge(u64),
    /// It may be there: the store did not let us see.
    Unreadable(Error),
}

impl std::fmt::Display for ReadFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("the file is missing"),
            Self::NotAFile => f.write_str("what is in the file's place is no file"),
            Self::TooLarge(bytes) => write!(f, "the file has {bytes} bytes, too many for an offsets file"),
            Self::Unreadable(error) => write!(f, "the file cannot be read: {error}"),
        }
    }
}

/// Say what became of a folder that was to be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// It is gone, by us.
    Removed,
    /// It was not there.
    Absent,
    /// Something is in it: it stays.
    Full,
}

/// A remote data dir.
pub trait Store: Send + Sync {
    /// Give the dir that this is.
    fn dir(&self) -> &RemoteDir;

    /// Make sure that the root is there; the root is never made.
    fn require_root(&self) -> BoxFuture<'_, Result<()>>;

    /// Read a file of at most `limit` bytes, wherever it lies.
    fn read<'a>(&'a self, place: &'a Location, limit: u64) -> BoxFuture<'a, Result<Vec<u8>, ReadFailure>>;

    /// Say whether two places hold one file, where the spelling leaves it open.
    fn same_file<'a>(&'a self, one: &'a Location, other: &'a Location) -> BoxFuture<'a, bool>;

    /// Write a new file, synced; its folders are made, the root is not.
    fn write<'a>(&'a self, key: &'a OffsetsKey, bytes: &'a [u8]) -> BoxFuture<'a, Result<()>>;

    /// Delete files; each has its own result, and `false` where it was not there.
    fn delete<'a>(&'a self, keys: &'a [OwnedKey]) -> BoxFuture<'a, Vec<Result<bool>>>;

    /// List all below `producers/`. Fails where `producers/` itself cannot be listed.
    fn list(&self, wanted: Wanted) -> BoxFuture<'_, Result<BoxStream<'static, Listed>>>;

    /// List the files below one producer's folder, whatever they are called, at most `limit`; for its backup.
    fn list_producer<'a>(
        &'a self,
        producer: &'a ProducerId,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<OwnedKey>>>;

    /// Remove a producer's or table's folder by a call that fails on a full one.
    fn remove_folder<'a>(
        &'a self,
        producer: &'a ProducerId,
        table_id: Option<i64>,
    ) -> BoxFuture<'a, Result<Removal>>;

    /// Give the time by the store's own clock, in milliseconds.
    fn now_ms(&self) -> BoxFuture<'_, Result<i64>>;
}

/// Open the store of a remote data dir; each call to it ends within `limit`.
pub fn open(dir: RemoteDir, limit: Duration) -> Result<Box<dyn Store>> {
    if dir.root().is_local() {
        return Ok(Box::new(Bounded::new(Box::new(Local::new(dir)), limit)));
    }
    Err(Error::new(
        Kind::Usage,
        format!(
            "the remote data dir {} is on a file system that this build does not have",
            without_password(&dir.root().to_string())
        ),
    )
    .hint("this build reads and writes file: and plain paths"))
}
