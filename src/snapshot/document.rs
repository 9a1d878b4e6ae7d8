//! The snapshot as JSON shows it: what `get` prints, a backup keeps and `register -f` takes.
//!
//! The shape is a promise: it only grows. What is not known is absent, never invented.

use serde::{Deserialize, Serialize};

use super::bucket::{Offsets, TableBucket};
use super::znode::{Stat, State};

/// The version of every JSON shape.
pub const SCHEMA_VERSION: u32 = 1;

/// A snapshot, whole.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Document {
    /// The id, or the znode's name where it is none.
    pub producer_id: String,
    /// Valid, expired, undecodable, unreadable or broken.
    pub state: State,
    /// Milliseconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiration_time: Option<i64>,
    /// The same, RFC 3339; absent where it is beyond the calendar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// The znode's identity and times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub znode: Option<Stat>,
    /// What is wrong with the znode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The tables, by id; absent where the znode says nothing of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<TableDocument>>,
}

/// One table of a snapshot.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TableDocument {
    /// The table's id.
    pub table_id: i64,
    /// `database.table`, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// When the table was created, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_time: Option<i64>,
    /// The path in the znode, as it is spelled there.
    pub offsets_path: String,
    /// What is wrong with the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The offsets; absent for every table where one file of the snapshot could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buckets: Option<Vec<BucketDocument>>,
}

/// One bucket's offset.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BucketDocument {
    /// The partition's id, for a table with partitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition_id: Option<i64>,
    /// The partition's name, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// The bucket.
    pub bucket_id: i32,
    /// The log end offset.
    pub offset: i64,
}

impl Document {
    /// Give all offsets in it.
    pub fn offsets(&self) -> Offsets {
        let tables = self.tables.iter().flatten();
        tables
            .flat_map(|t| {
                t.buckets.iter().flatten().map(|b| {
                    let bucket = TableBucket {
                        table_id: t.table_id,
                        partition_id: b.partition_id,
                        bucket_id: b.bucket_id,
                    };
                    (bucket, b.offset)
                })
            })
            .collect()
    }
}
