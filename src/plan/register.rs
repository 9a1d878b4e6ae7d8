//! What a register writes: names looked up, every bucket wanted, a file's claims held against the cluster.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result};
use crate::snapshot::catalog::Table;
use crate::snapshot::input::{Claim, Given};
use crate::snapshot::{Catalog, Offsets, TableBucket};

/// How many faults are named; the rest is counted.
const NAMED: usize = 20;

/// What is to be registered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The offsets.
    pub offsets: Offsets,
    /// The tables, those without an offset too.
    pub tables: BTreeSet<i64>,
    /// Sentences of warning.
    pub warnings: Vec<String>,
}

/// Look up what was given, and see that it is whole.
///
/// A bucket that a snapshot leaves out counts as offset 0 for the job, which undoes it to nothing. So every bucket of each
/// table and of its present partitions is wanted; `missing_as_zero` says that what is left out is meant. A partition made
/// after the snapshot that is being restored is not missing in it.
pub fn baseline(given: &Given, catalog: &Catalog, missing_as_zero: bool) -> Result<Baseline> {
    let mut baseline = Baseline::default();
    let mut faults = Vec::new();
    let mut left_out = false;
    for (&id, claim) in &given.claims {
        baseline.tables.insert(id);
        faults.extend(disagreements(id, claim, catalog));
        if let Some(table) = catalog.table(id)
            && (claim.table.is_none() || claim.created_time.is_none() && table.created_time.is_some())
        {
            baseline.warnings.push(format!(
                "the file does not say which table {id} it is of; here that is {}, and only you know that they are one",
                table.path
            ));
        }
    }
    for row in &given.rows {
        let table_id = catalog.table_id(&row.table)?;
        let partition_id = match &row.partition {
            Some(name) => Some(catalog.partition_id(table_id, name)?),
            None => None,
        };
        let bucket = TableBucket { table_id, partition_id, bucket_id: row.bucket_id };
        baseline.tables.insert(table_id);
        if baseline.offsets.insert(bucket, row.offset).is_some() {
            faults.push(format!("{} is given twice", name(bucket, catalog)));
        }
    }
    for &id in &baseline.tables {
        let buckets: Vec<TableBucket> =
            baseline.offsets.keys().filter(|b| b.table_id == id).copied().collect();
        match catalog.table(id) {
            Some(table) => {
                faults.extend(misfits(table, &buckets, given, catalog, &mut baseline.warnings));
                if !missing_as_zero {
                    let unread = table.faults.iter();
                    faults.extend(
                        unread
                            .map(|why| format!("not all partitions of {} could be read: {why}", table.path)),
                    );
                }
                let missing = missing(table, &buckets, given.taken_ms);
                if missing_as_zero && !missing.is_empty() {
                    baseline.warnings.push(format!(
                        "{} is without {} of its buckets: each counts as offset 0 and is undone to nothing",
                        table.path,
                        missing.len()
                    ));
                } else {
                    left_out |= !missing.is_empty();
                    faults.extend(missing.iter().map(|b| format!("{} is missing", name(*b, catalog))));
                }
            }
            None if missing_as_zero => {
                faults.extend(mixed(&buckets).map(|why| format!("table {id} {why}")));
                baseline
                    .warnings
                    .push(format!("table {id} is not in the cluster's metadata: nothing was checked for it"));
            }
            None => {
                left_out = true;
                faults.push(match catalog.faults().first() {
                    Some(why) => format!("table {id} could not be looked up: {why}"),
                    None => format!("there is no table {id}"),
                });
            }
        }
    }
    if baseline.tables.is_empty() && !missing_as_zero {
        left_out = true;
        faults.push("there is no table: every bucket of every table would count as offset 0".to_owned());
    }
    refuse(faults, left_out)?;
    Ok(baseline)
}

/// Refuse with all faults; what `--missing-as-zero` does not mend must not be answered with it.
fn refuse(faults: Vec<String>, left_out: bool) -> Result<()> {
    if faults.is_empty() {
        return Ok(());
    }
    let more = faults.len().saturating_sub(NAMED);
    let mut message = faults.into_iter().take(NAMED).collect::<Vec<_>>().join("; ");
    if more > 0 {
        message = format!("{message}; and {more} more");
    }
    let error = Error::usage(format!("the offsets are refused: {message}"));
    Err(if left_out {
        error.hint(
            "a bucket that is left out counts as offset 0 and is undone to nothing; if that is meant, say --missing-as-zero",
        )
    } else {
        error
    })
}

/// Hold what a file says of a table against the cluster: ids start again at 0 in a new cluster.
pub fn disagreements(id: i64, claim: &Claim, catalog: &Catalog) -> Vec<String> {
    let Some(table) = catalog.table(id) else { return Vec::new() };
    let mut faults = Vec::new();
    if let Some(claimed) = &claim.table
        && *claimed != table.path
    {
        faults.push(format!("table {id} was {claimed} when the file was written and is {} here", table.path));
    }
    if let (Some(claimed), Some(created)) = (claim.created_time, table.created_time)
        && claimed != created
    {
        faults.push(format!(
            "table {id} ({}) is another table here: it was created at another time",
            table.path
        ));
    }
    for (partition, claimed) in &claim.partitions {
        if let Some(present) = table.partitions.get(partition)
            && present.name != *claimed
        {
            faults.push(format!(
                "partition {partition} of {} was {claimed} and is {} here",
                table.path, present.name
            ));
        }
    }
    faults
}

fn misfits(
    table: &Table,
    buckets: &[TableBucket],
    given: &Given,
    catalog: &Catalog,
    warnings: &mut Vec<String>,
) -> Vec<String> {
    let mut faults: Vec<String> =
        mixed(buckets).into_iter().map(|why| format!("table {} {why}", table.path)).collect();
    let mut gone = BTreeSet::new();
    for bucket in buckets {
        match (table.partitioned, bucket.partition_id) {
            (true, None) => {
                faults.push(format!("{} names no partition of a partitioned table", name(*bucket, catalog)));
            }
            (false, Some(_)) => {
                faults.push(format!("{}: the table has no partitions", name(*bucket, catalog)));
            }
            (true, Some(partition)) if !table.partitions.contains_key(&partition) => {
                gone.insert(partition);
            }
            _ => {}
        }
        if bucket.bucket_id >= table.bucket_count {
            faults.push(format!("{}: the table has {} buckets", name(*bucket, catalog), table.bucket_count));
        }
    }
    for partition in gone {
        let what = format!("partition {partition} of {} does not exist", table.path);
        // What is restored may name a partition that was dropped since; what is typed may not.
        if given.taken_ms.is_some() { warnings.push(what) } else { faults.push(what) }
    }
    faults.dedup();
    faults
}

fn mixed(buckets: &[TableBucket]) -> Option<&'static str> {
    let partitioned = buckets.iter().any(|b| b.partition_id.is_some());
    let plain = buckets.iter().any(|b| b.partition_id.is_none());
    (partitioned && plain).then_some("has buckets with and without a partition")
}

fn missing(table: &Table, buckets: &[TableBucket], taken_ms: Option<i64>) -> Vec<TableBucket> {
    let have: BTreeSet<&TableBucket> = buckets.iter().collect();
    let partitions: Vec<Option<i64>> = if table.partitioned {
        let old = table.partitions.iter().filter(|(_, p)| taken_ms.is_none_or(|taken| p.created_ms <= taken));
        old.map(|(&id, _)| Some(id)).collect()
    } else {
        vec![None]
    };
    let all = partitions.into_iter().flat_map(|partition_id| {
        (0..table.bucket_count).map(move |bucket_id| TableBucket {
            table_id: table.id,
            partition_id,
            bucket_id,
        })
    });
    all.filter(|bucket| !have.contains(bucket)).collect()
}

/// Name a bucket for a person: `db.t/2026$eu:3`, with ids where names are not known.
pub fn name(bucket: TableBucket, catalog: &Catalog) -> String {
    let table =
        catalog.table_name(bucket.table_id).map_or_else(|| bucket.table_id.to_string(), str::to_owned);
    let partition = bucket.partition_id.map(|id| {
        let name = catalog.partition_name(bucket.table_id, id);
        format!("/{}", name.map_or_else(|| id.to_string(), str::to_owned))
    });
    format!("{table}{}:{}", partition.unwrap_or_default(), bucket.bucket_id)
}

/// Group the offsets by table: each group becomes a file.
pub fn by_table(baseline: &Baseline) -> BTreeMap<i64, Offsets> {
    let mut tables: BTreeMap<i64, Offsets> = baseline.tables.iter().map(|&id| (id, Offsets::new())).collect();
    for (&bucket, &offset) in &baseline.offsets {
        tables.entry(bucket.table_id).or_default().insert(bucket, offset);
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::input::{parse_file, parse_offset};

    fn catalog() -> Catalog {
        let mut catalog = Catalog::default();
        catalog.insert(
            Table::decode("db", "plain", br#"{"table_id":7,"bucket_count":2,"created_time":11}"#).unwrap(),
        );
        let mut parted =
            Table::decode("db", "parted", br#"{"table_id":8,"bucket_count":1,"partition_key":["d"]}"#)
                .unwrap();
        parted.add_partition("a", br#"{"table_id":8,"partition_id":1}"#, 100).unwrap();
        parted.add_partition("b", br#"{"table_id":8,"partition_id":2}"#, 200).unwrap();
        catalog.insert(parted);
        catalog
    }

    fn given(offsets: &[&str]) -> Given {
        Given { rows: offsets.iter().map(|o| parse_offset(o).unwrap()).collect(), ..Given::default() }
    }

    fn faults(given: &Given) -> String {
        baseline(given, &catalog(), false).unwrap_err().message()
    }

    #[test]
    fn every_bucket_is_wanted() {
        assert_eq!(baseline(&given(&["db.plain:0=1", "7:1=2"]), &catalog(), false).unwrap().offsets.len(), 2);
        assert!(faults(&given(&["7:0=1"])).contains("db.plain:1 is missing"));
        assert!(faults(&given(&["8/a:0=1"])).contains("db.parted/b:0 is missing"));
        assert!(faults(&given(&[])).contains("there is no table"));
        let zero = baseline(&given(&["7:0=1"]), &catalog(), true).unwrap();
        assert_eq!(zero.warnings.len(), 1);
        assert_eq!(zero.offsets.len(), 1);
    }

    #[test]
    fn what_does_not_fit_the_table_is_refused() {
        assert!(faults(&given(&["7:0=1", "7:1=1", "7:2=1"])).contains("the table has 2 buckets"));
        assert!(faults(&given(&["7:0=1", "7:0=2", "7:1=1"])).contains("given twice"));
        assert!(faults(&given(&["7/1:0=1", "7:0=1", "7:1=1"])).contains("with and without a partition"));
        assert!(faults(&given(&["8:0=1"])).contains("names no partition"));
        assert!(
            faults(&given(&["8/1:0=1", "8/2:0=1", "8/3:0=1"]))
                .contains("partition 3 of db.parted does not exist")
        );
        assert!(faults(&given(&["9:0=1"])).contains("there is no table 9"));
        assert!(baseline(&given(&["9:0=1"]), &catalog(), true).is_ok());
    }

    #[test]
    fn a_table_whose_partitions_could_not_all_be_read_is_refused() {
        let mut catalog = catalog();
        let mut table = catalog.table(8).unwrap().clone();
        table.faults.push("/x: not authorized".into());
        catalog.insert(table);
        let given = given(&["8/1:0=1", "8/2:0=1"]);
        assert!(baseline(&given, &catalog, false).unwrap_err().message().contains("not authorized"));
        assert!(baseline(&given, &catalog, true).is_ok());
    }

    #[test]
    fn a_partition_made_after_the_snapshot_is_not_missing() {
        let mut restored = given(&["8/1:0=1"]);
        restored.taken_ms = Some(150);
        assert!(baseline(&restored, &catalog(), false).is_ok());
        restored.taken_ms = Some(250);
        assert!(baseline(&restored, &catalog(), false).is_err());
    }

    #[test]
    fn a_file_of_another_cluster_is_refused() {
        let file = |table: &str, created: i64| {
            let buckets = r#"[{"bucket_id":0,"offset":1},{"bucket_id":1,"offset":1}]"#;
            parse_file(
                format!(
                    r#"{{"tables":[{{"table_id":7,"table":"{table}","created_time":{created},"buckets":{buckets}}}]}}"#
                )
                .as_bytes(),
            )
            .unwrap()
        };
        assert!(baseline(&file("db.plain", 11), &catalog(), false).is_ok());
        assert!(faults(&file("db.other", 11)).contains("was db.other"));
        assert!(faults(&file("db.plain", 12)).contains("another table"));
    }
}
