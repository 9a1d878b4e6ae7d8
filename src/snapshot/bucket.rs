//! Table buckets and the offsets that a snapshot holds for them.

use std::collections::BTreeMap;

/// Name a bucket of a table, or of one partition of it. Sorts by table id, partition id, bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableBucket {
    /// The table's id, from 0.
    pub table_id: i64,
    /// The partition's id, from 0, or none for a table without partitions.
    pub partition_id: Option<i64>,
    /// The bucket, from 0.
    pub bucket_id: i32,
}

/// Log end offsets by bucket, in the order of every output.
pub type Offsets = BTreeMap<TableBucket, i64>;

/// The highest bucket id that is written: a file has an entry for each bucket up to the highest.
pub const HIGHEST_BUCKET: i32 = 1_000_000;
