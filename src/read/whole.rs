//! One snapshot, whole: its znode, and the files that it names.

use futures::stream::{self, StreamExt as _};

use crate::cluster::{ZooKeeper, snapshots};
use crate::error::{Error, Kind, Result};
use crate::snapshot::document::{BucketDocument, Document, TableDocument};
use crate::snapshot::offsets_file::{self, LARGEST};
use crate::snapshot::znode::Observed;
use crate::snapshot::{Catalog, Location, Offsets, Registration, State};
use crate::store::{ReadFailure, Store};
use crate::time::rfc3339;

/// How often a snapshot is looked at anew when its znode changes while its files are read.
const ROUNDS: usize = 3;

/// A snapshot's znode with its files.
#[derive(Debug)]
pub struct Whole {
    /// The znode.
    pub seen: Observed,
    /// The files in the order of the znode's tables; none where it cannot be decoded.
    pub files: Vec<FileRead>,
}

/// What a file of a snapshot held.
#[derive(Debug)]
pub struct FileRead {
    /// The table that it is of.
    pub table_id: i64,
    /// Its path, as spelled in the znode.
    pub offsets_path: String,
    /// Its bytes, where they could be read; damaged ones too.
    pub bytes: Option<Vec<u8>>,
    /// Its offsets, or what is wrong with it.
    pub offsets: Result<Offsets, FileFault>,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileFault {
    /// There is nothing at its path.
    Missing,
    /// It is there and is not what it should be.
    Damaged(String),
    /// It may be there: we could not see it, of the kind that the store's answer was.
    Unreadable(Kind, String),
}

impl std::fmt::Display for FileFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("missing"),
            Self::Damaged(why) => write!(f, "damaged: {why}"),
            Self::Unreadable(_, why) => write!(f, "unreadable: {why}"),
        }
    }
}

impl Whole {
    /// Say whether every file could be read and understood.
    pub fn is_complete(&self) -> bool {
        self.files.iter().all(|file| file.offsets.is_ok())
    }

    /// Say whether a file is missing or damaged; one that we may not read may be whole.
    pub fn is_broken(&self) -> bool {
        self.files.iter().any(|f| matches!(f.offsets, Err(FileFault::Missing | FileFault::Damaged(_))))
    }

    /// Give all offsets; only where it is complete are they the snapshot's.
    pub fn offsets(&self) -> Offsets {
        self.files
            .iter()
            .filter_map(|file| file.offsets.as_ref().ok())
            .flatten()
            .map(|(&b, &o)| (b, o))
            .collect()
    }

    /// Say its state, the files' faults included.
    pub fn state(&self, now_ms: i64) -> State {
        match self.seen.state(now_ms) {
            State::Valid if self.is_broken() => State::Broken,
            state => state,
        }
    }

    /// Say in a sentence which files are at fault.
    pub fn file_faults(&self) -> Vec<String> {
        let faults = self.files.iter().filter_map(|file| {
            let fault = file.offsets.as_ref().err()?;
            Some(format!("{} of table {} is {fault}", file.offsets_path, file.table_id))
        });
        faults.collect()
    }
}

/// Read a snapshot; none where there is no znode.
///
/// Before a file is called missing or broken the znode is read again, and where it went or changed all is looked at anew.
pub async fn one(
    zookeeper: &ZooKeeper,
    store: &dyn Store,
    name: &str,
    at_once: usize,
) -> Result<Option<Whole>> {
    let Some(mut seen) = snapshots::one(zookeeper, name).await? else { return Ok(None) };
    for round in 1.. {
        let files = match seen.registration() {
            Some(registration) => files(store, registration, at_once).await,
            None => Vec::new(),
        };
        let whole = Whole { seen, files };
        if whole.is_complete() || round == ROUNDS {
            return Ok(Some(whole));
        }
        match snapshots::one(zookeeper, name).await? {
            None => return Ok(None),
            Some(again) if again.stat() == whole.seen.stat() => return Ok(Some(whole)),
            Some(again) => seen = again,
        }
    }
    Ok(None)
}

/// Read the files that a znode names, side by side, in its order.
pub async fn files(store: &dyn Store, registration: &Registration, at_once: usize) -> Vec<FileRead> {
    stream::iter(&registration.tables)
        .map(|table| async move {
            let (bytes, offsets) = match Location::parse(&table.offsets_path) {
                None => (None, Err(FileFault::Damaged("its path is empty".into()))),
                Some(place) => match store.read(&place, LARGEST).await {
                    Ok(bytes) => {
                        let offsets = offsets_file::decode(table.table_id, &bytes);
                        (Some(bytes), offsets.map_err(|damage| FileFault::Damaged(damage.to_string())))
                    }
                    Err(ReadFailure::Missing) => (None, Err(FileFault::Missing)),
                    Err(ReadFailure::Unreadable(error)) => {
                        (None, Err(FileFault::Unreadable(error.kind(), error.to_string())))
                    }
                    Err(other) => (None, Err(FileFault::Damaged(other.to_string()))),
                },
            };
            FileRead { table_id: table.table_id, offsets_path: table.offsets_path.clone(), bytes, offsets }
        })
        .buffered(at_once.max(1))
        .collect()
        .await
}

/// Put together what `get` shows and a backup keeps. A part is never shown: one file at fault leaves all buckets out.
pub fn document(whole: &Whole, catalog: &Catalog, now_ms: i64) -> Document {
    let registration = whole.seen.registration();
    let complete = whole.is_complete();
    let tables = registration.map(|_| {
        let mut tables: Vec<TableDocument> =
            whole.files.iter().map(|file| table(file, complete, catalog)).collect();
        tables.sort_by_key(|t| t.table_id);
        tables
    });
    Document {
        producer_id: whole.seen.name.clone(),
        state: whole.state(now_ms),
        expiration_time: registration.map(|r| r.expiration_time),
        expires_at: registration.and_then(|r| rfc3339(r.expiration_time)),
        znode: whole.seen.stat().copied(),
        fault: whole.seen.fault().map(str::to_owned),
        tables,
    }
}

fn table(file: &FileRead, complete: bool, catalog: &Catalog) -> TableDocument {
    let buckets = file.offsets.as_ref().ok().filter(|_| complete).map(|offsets| {
        let buckets = offsets.iter().map(|(bucket, &offset)| BucketDocument {
            partition_id: bucket.partition_id,
            partition: bucket
                .partition_id
                .and_then(|id| catalog.partition_name(file.table_id, id))
                .map(str::to_owned),
            bucket_id: bucket.bucket_id,
            offset,
        });
        buckets.collect()
    });
    TableDocument {
        table_id: file.table_id,
        table: catalog.table_name(file.table_id).map(str::to_owned),
        created_time: catalog.table(file.table_id).and_then(|t| t.created_time),
        offsets_path: file.offsets_path.clone(),
        fault: file.offsets.as_ref().err().map(ToString::to_string),
        buckets,
    }
}

/// Say what is wrong with a snapshot's files, for whoever needs them whole.
pub fn incomplete(whole: &Whole) -> Error {
    let (name, faults) = (&whole.seen.name, whole.file_faults().join("; "));
    if whole.is_broken() {
        return Error::new(Kind::Failed, format!("the snapshot {name} is broken: {faults}"));
    }
    let kind = whole.files.iter().find_map(|file| match file.offsets {
        Err(FileFault::Unreadable(kind, _)) => Some(kind),
        _ => None,
    });
    Error::new(kind.unwrap_or(Kind::Failed), format!("not every file of {name} can be read: {faults}"))
}
