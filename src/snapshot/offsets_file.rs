//! The offsets file: one table's offsets, `producers/<id>/<table id>/<uuid>.offsets`.
//!
//! The format is the server's (`TableBucketOffsetsJsonSerde`, Fluss 0.9.1): compact JSON, `version` 1, the array index is
//! the bucket id, -1 stands for a bucket without an offset.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::bucket::{HIGHEST_BUCKET, Offsets, TableBucket};

/// The largest file that is read, in bytes. A million buckets take 20 MB at most.
pub const LARGEST: u64 = 64 << 20;

/// Stands in an array for a bucket without an offset.
const NO_OFFSET: i64 = -1;

/// Say why a file's bytes are no offsets file of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// No bytes at all: a write that was cut off.
    Empty,
    /// Not the JSON that it should be, with the parser's words.
    Malformed(String),
    /// Another format version.
    Version(i64),
    /// The file of another table.
    Table(i64),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the file is empty"),
            Self::Malformed(why) => write!(f, "not an offsets file: {why}"),
            Self::Version(version) => write!(f, "format version {version}, not 1"),
            Self::Table(table) => write!(f, "the file is of table {table}"),
        }
    }
}

#[derive(Deserialize, Serialize)]
#[serde(expecting = "the JSON object of an offsets file")]
struct File {
    version: i64,
    table_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bucket_offsets: Option<Vec<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partition_offsets: Option<Vec<Partition>>,
}

#[derive(Deserialize, Serialize)]
#[serde(expecting = "the JSON object of a partition")]
struct Partition {
    partition_id: i64,
    bucket_offsets: Vec<i64>,
}

/// Read the offsets of table `table_id` from a file's bytes; entries of -1 are left out, as the server does.
pub fn decode(table_id: i64, bytes: &[u8]) -> Result<Offsets, Damage> {
    if bytes.is_empty() {
        return Err(Damage::Empty);
    }
    let file: File = serde_json::from_slice(bytes).map_err(|e| Damage::Malformed(e.to_string()))?;
    if file.version != 1 {
        return Err(Damage::Version(file.version));
    }
    if file.table_id != table_id {
        return Err(Damage::Table(file.table_id));
    }
    let mut offsets = Offsets::new();
    match (file.bucket_offsets, file.partition_offsets) {
        (Some(_), Some(_)) => {
            return Err(Damage::Malformed("it has both bucket_offsets and partition_offsets".into()));
        }
        (Some(buckets), None) => take(&mut offsets, table_id, None, &buckets)?,
        (None, Some(partitions)) => {
            let mut seen = BTreeSet::new();
            for partition in partitions {
                if !seen.insert(partition.partition_id) {
                    return Err(Damage::Malformed(format!(
                        "partition {} is in it twice",
                        partition.partition_id
                    )));
                }
                take(&mut offsets, table_id, Some(partition.partition_id), &partition.bucket_offsets)?;
            }
        }
        (None, None) => {}
    }
    Ok(offsets)
}

fn take(
    offsets: &mut Offsets,
    table_id: i64,
    partition_id: Option<i64>,
    buckets: &[i64],
) -> Result<(), Damage> {
    for (index, &offset) in buckets.iter().enumerate() {
        let bucket_id = i32::try_from(index).ok().filter(|&id| id <= HIGHEST_BUCKET);
        let bucket_id =
            bucket_id.ok_or_else(|| Damage::Malformed("it has more buckets than a table can have".into()))?;
        if offset != NO_OFFSET {
            offsets.insert(TableBucket { table_id, partition_id, bucket_id }, offset);
        }
    }
    Ok(())
}

/// Write the bytes of table `table_id`'s file as the server writes them. `offsets` of other tables are passed over.
///
/// A table's buckets must be all of partitions or none, and no bucket above [`HIGHEST_BUCKET`]; `plan::register` holds both.
pub fn encode(table_id: i64, offsets: &Offsets) -> Vec<u8> {
    let mut plain: Option<Vec<i64>> = None;
    let mut partitions: Vec<Partition> = Vec::new();
    for (bucket, &offset) in offsets.iter().filter(|(b, _)| b.table_id == table_id) {
        let index = usize::try_from(bucket.bucket_id.clamp(0, HIGHEST_BUCKET)).unwrap_or(0);
        let buckets = match bucket.partition_id {
            None => plain.get_or_insert_default(),
            Some(partition_id) => {
                if partitions.last().is_none_or(|last| last.partition_id != partition_id) {
                    partitions.push(Partition { partition_id, bucket_offsets: Vec::new() });
                }
                let Some(last) = partitions.last_mut() else { continue };
                &mut last.bucket_offsets
            }
        };
        if buckets.len() <= index {
            buckets.resize(index + 1, NO_OFFSET);
        }
        buckets[index] = offset;
    }
    let partition_offsets = (!partitions.is_empty()).then_some(partitions);
    let file = File { version: 1, table_id, bucket_offsets: plain, partition_offsets };
    serde_json::to_vec(&file).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(table_id: i64, bucket_id: i32) -> TableBucket {
        TableBucket { table_id, partition_id: None, bucket_id }
    }

    #[test]
    fn writes_the_bytes_that_the_server_writes() {
        let offsets = Offsets::from([(plain(5, 0), 100), (plain(5, 2), 300), (plain(5, 4), 500)]);
        let bytes = encode(5, &offsets);
        assert_eq!(bytes, br#"{"version":1,"table_id":5,"bucket_offsets":[100,-1,300,-1,500]}"#);
        let bucket = |p, b| TableBucket { table_id: 5, partition_id: Some(p), bucket_id: b };
        let offsets = Offsets::from([(bucket(1, 0), 100), (bucket(1, 1), 200), (bucket(3, 0), 7)]);
        assert_eq!(
            encode(5, &offsets),
            br#"{"version":1,"table_id":5,"partition_offsets":[{"partition_id":1,"bucket_offsets":[100,200]},{"partition_id":3,"bucket_offsets":[7]}]}"#
        );
        assert_eq!(encode(5, &Offsets::new()), br#"{"version":1,"table_id":5}"#);
    }

    #[test]
    fn every_fault_has_its_name() {
        assert_eq!(decode(5, b""), Err(Damage::Empty));
        assert_eq!(decode(5, br#"{"version":2,"table_id":5}"#), Err(Damage::Version(2)));
        assert_eq!(decode(5, br#"{"version":1,"table_id":6}"#), Err(Damage::Table(6)));
        for cut in [
            &br#"{"version":1,"table_id":5,"bucket_offsets":[1,2"#[..],
            br#"{"version":1,"table_id":5,"bucket_offsets":[1.0]}"#,
            br#"{"version":1,"table_id":5,"bucket_offsets":["1"]}"#,
            br#"{"version":1,"table_id":5,"bucket_offsets":[9223372036854775808]}"#,
            br#"{"version":1,"table_id":5,"bucket_offsets":[1],"partition_offsets":[]}"#,
            br#"{"version":1,"table_id":5,"partition_offsets":[{"partition_id":1,"bucket_offsets":[]},{"partition_id":1,"bucket_offsets":[]}]}"#,
            b"null",
            b"\0\0\0\0",
        ] {
            assert!(matches!(decode(5, cut), Err(Damage::Malformed(_))), "{}", String::from_utf8_lossy(cut));
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            table_id in 0_i64..9,
            partitioned: bool,
            buckets in proptest::collection::btree_map((0_i64..4, 0_i32..40), 0_i64.., 0..30),
        ) {
            let offsets: Offsets = buckets
                .into_iter()
                .filter(|((p, _), _)| partitioned || *p == 0)
                .map(|((p, bucket_id), offset)| {
                    (TableBucket { table_id, partition_id: partitioned.then_some(p), bucket_id }, offset)
                })
                .collect();
            prop_assert_eq!(decode(table_id, &encode(table_id, &offsets)), Ok(offsets));
        }

        #[test]
        fn junk_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = decode(1, &bytes);
        }
    }
}
