//! What a new baseline changes for each bucket.

use crate::snapshot::{Offsets, TableBucket};

/// Say what becomes of a bucket's offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// It stays.
    Same,
    /// More of what was written counts as good: less is undone.
    Raised,
    /// Less of what was written counts as good: more is undone.
    Lowered,
    /// It had none, which counts as 0.
    Added,
    /// It has none any more, which counts as 0: the bucket is undone to nothing.
    Removed,
}

/// One bucket's change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketChange {
    /// The bucket.
    pub bucket: TableBucket,
    /// Its offset before.
    pub before: Option<i64>,
    /// Its offset after.
    pub after: Option<i64>,
    /// What that is.
    pub what: What,
}

/// Compare two baselines, bucket by bucket, in order.
pub fn changes(before: &Offsets, after: &Offsets) -> Vec<BucketChange> {
    let mut buckets: Vec<TableBucket> = before.keys().chain(after.keys()).copied().collect();
    buckets.sort_unstable();
    buckets.dedup();
    let change = |bucket: TableBucket| {
        let (old, new) = (before.get(&bucket).copied(), after.get(&bucket).copied());
        let what = match (old, new) {
            (Some(old), Some(new)) if old < new => What::Raised,
            (Some(old), Some(new)) if old > new => What::Lowered,
            (None, Some(_)) => What::Added,
            (Some(_), None) => What::Removed,
            _ => What::Same,
        };
        BucketChange { bucket, before: old, after: new, what }
    };
    buckets.into_iter().map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bucket_says_what_becomes_of_it() {
        let at = |bucket_id| TableBucket { table_id: 1, partition_id: None, bucket_id };
        let before = Offsets::from([(at(0), 5), (at(1), 5), (at(2), 5), (at(3), 5)]);
        let after = Offsets::from([(at(0), 5), (at(1), 6), (at(2), 4), (at(4), 1)]);
        let whats: Vec<What> = changes(&before, &after).iter().map(|c| c.what).collect();
        assert_eq!(whats, [What::Same, What::Raised, What::Lowered, What::Removed, What::Added]);
    }
}
