//! The cluster's tables and partitions: ids to names and back, how many buckets each has.
//!
//! Formats are the server's (`TableRegistration`, `PartitionRegistration`): `<root>/metadata/databases/<db>/tables/<table>`
//! and `…/partitions/<name>`. Only what is needed here is read; unknown keys are passed over.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::bucket::HIGHEST_BUCKET;
use crate::error::{Error, Kind, Result};

/// A table as its metadata znode describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The id; a recreated table of the same name has another.
    pub id: i64,
    /// `database.table`.
    pub path: String,
    /// How many buckets each partition (or the table) has.
    pub bucket_count: i32,
    /// Has partitions; its buckets are theirs.
    pub partitioned: bool,
    /// When it was created, in milliseconds; tells it from a table of the same id in another cluster.
    pub created_time: Option<i64>,
    /// The partitions present, by id.
    pub partitions: BTreeMap<i64, Partition>,
    /// What could not be read of its partitions: there may be more than those above.
    pub faults: Vec<String>,
}

/// A partition that is present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The partition's values joined by `$`.
    pub name: String,
    /// When its znode was created, in milliseconds by ZooKeeper's clock.
    pub created_ms: i64,
}

/// All tables of a cluster that could be read.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    tables: BTreeMap<i64, Table>,
    faults: Vec<String>,
}

/// A table or partition as a person names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(pub String);

#[derive(Deserialize)]
#[serde(expecting = "the JSON object of a table")]
struct TableWire {
    table_id: i64,
    bucket_count: i32,
    #[serde(default)]
    partition_key: Vec<String>,
    created_time: Option<i64>,
}

#[derive(Deserialize)]
#[serde(expecting = "the JSON object of a partition")]
struct PartitionWire {
    table_id: i64,
    partition_id: i64,
}

impl Table {
    /// Read a table's metadata znode; the error is a sentence.
    pub fn decode(database: &str, name: &str, data: &[u8]) -> Result<Self, String> {
        let wire: TableWire = serde_json::from_slice(data).map_err(|e| e.to_string())?;
        if !(1..=HIGHEST_BUCKET + 1).contains(&wire.bucket_count) {
            return Err(format!("a bucket count of {}", wire.bucket_count));
        }
        Ok(Self {
            id: wire.table_id,
            path: format!("{database}.{name}"),
            bucket_count: wire.bucket_count,
            partitioned: !wire.partition_key.is_empty(),
            created_time: wire.created_time,
            partitions: BTreeMap::new(),
            faults: Vec::new(),
        })
    }

    /// Take in the znode of one of its partitions; the error is a sentence.
    pub fn add_partition(&mut self, name: &str, data: &[u8], created_ms: i64) -> Result<(), String> {
        let wire: PartitionWire = serde_json::from_slice(data).map_err(|e| e.to_string())?;
        if wire.table_id != self.id {
            return Err(format!("it belongs to table {}", wire.table_id));
        }
        self.partitions.insert(wire.partition_id, Partition { name: name.to_owned(), created_ms });
        Ok(())
    }
}

impl Catalog {
    /// Take in a table.
    pub fn insert(&mut self, table: Table) {
        self.tables.insert(table.id, table);
    }

    /// Note something that could not be read: what is not in the catalog may still exist.
    pub fn fault(&mut self, what: String) {
        self.faults.push(what);
    }

    /// Say what could not be read.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Give the table of an id.
    pub fn table(&self, id: i64) -> Option<&Table> {
        self.tables.get(&id)
    }

    /// Give a table's name as `database.table`.
    pub fn table_name(&self, id: i64) -> Option<&str> {
        self.table(id).map(|t| t.path.as_str())
    }

    /// Give a partition's name.
    pub fn partition_name(&self, table_id: i64, partition_id: i64) -> Option<&str> {
        self.table(table_id)?.partitions.get(&partition_id).map(|p| p.name.as_str())
    }

    /// Find the id that a TABLE argument means: digits are an id, anything else a `database.table`.
    pub fn table_id(&self, name: &Name) -> Result<i64> {
        if let Some(id) = name.as_id() {
            return Ok(id);
        }
        let found = self.tables.values().find(|t| t.path == name.0);
        found.map(|t| t.id).ok_or_else(|| self.no_table(name))
    }

    /// Find the id that a PARTITION argument means: an id, or a name, which may be all digits too.
    pub fn partition_id(&self, table_id: i64, name: &Name) -> Result<i64> {
        let table = self.table(table_id);
        let named =
            table.and_then(|t| t.partitions.iter().find(|(_, p)| p.name == name.0).map(|(&id, _)| id));
        let id = name.as_id();
        match (named, id) {
            (Some(named), Some(id)) if named != id && table.is_some_and(|t| t.partitions.contains_key(&id)) => {
                Err(Error::usage(format!(
                    "partition {:?} of table {table_id} is the id of one partition and the name of another (id {named})",
                    name.0
                ))
                .hint("name the partition by its id"))
            }
            (Some(named), _) => Ok(named),
            (None, Some(id)) => Ok(id),
            (None, None) => {
                let table = table.map_or_else(|| format!("table {table_id}"), |table| table.path.clone());
                Err(Error::usage(format!("{table} has no partition {:?}", name.0)))
            },
        }
    }

    fn no_table(&self, name: &Name) -> Error {
        let error = Error::new(Kind::Usage, format!("there is no table {:?}", name.0));
        let folded = name.0.to_lowercase();
        let near = self.tables.values().find(|t| {
            t.path.to_lowercase() == folded
                || t.path.split_once('.').is_some_and(|(_, table)| table == name.0)
        });
        match near {
            Some(table) => error.hint(format!("did you mean {:?}?", table.path)),
            None if !self.faults.is_empty() => {
                error.hint(format!("not all metadata could be read: {}", self.faults[0]))
            }
            None => error.hint("a table is named by its id, or as DATABASE.TABLE"),
        }
    }
}

impl Name {
    /// Read the name as an id, if it is one: digits alone.
    pub fn as_id(&self) -> Option<i64> {
        (!self.0.is_empty() && self.0.bytes().all(|b| b.is_ascii_digit()))
            .then(|| self.0.parse().ok())
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog() -> Catalog {
        let mut table =
            Table::decode("db", "t", br#"{"version":1,"table_id":0,"partition_key":["a"],"bucket_count":2}"#)
                .unwrap();
        table.add_partition("2026$eu", br#"{"version":1,"table_id":0,"partition_id":3}"#, 5).unwrap();
        table
            .add_partition("3", br#"{"version":1,"table_id":0,"partition_id":4,"remote_data_dir":"x"}"#, 5)
            .unwrap();
        table.add_partition("2027", br#"{"version":1,"table_id":0,"partition_id":5}"#, 5).unwrap();
        let mut catalog = Catalog::default();
        catalog.insert(table);
        catalog
    }

    #[test]
    fn names_and_ids_find_each_other() {
        let catalog = catalog();
        let name = |s: &str| Name(s.to_owned());
        assert_eq!(catalog.table_id(&name("db.t")).unwrap(), 0);
        assert_eq!(catalog.table_id(&name("77")).unwrap(), 77);
        assert_eq!(catalog.partition_id(0, &name("2026$eu")).unwrap(), 3);
        assert_eq!(catalog.partition_id(0, &name("2027")).unwrap(), 5);
        assert_eq!(catalog.partition_id(0, &name("99")).unwrap(), 99);
        assert!(catalog.partition_id(0, &name("3")).is_err(), "an id and another's name");
        assert!(catalog.partition_id(0, &name("x")).is_err());
        assert_eq!(catalog.table_name(0), Some("db.t"));
        assert_eq!(catalog.partition_name(0, 4), Some("3"));
    }

    #[test]
    fn a_near_miss_is_named() {
        let error = catalog().table_id(&Name("DB.T".into())).unwrap_err();
        assert_eq!(error.hints(), ["did you mean \"db.t\"?"]);
        assert_eq!(catalog().table_id(&Name("t".into())).unwrap_err().hints(), ["did you mean \"db.t\"?"]);
    }

    #[test]
    fn junk_is_a_sentence() {
        assert!(Table::decode("d", "t", b"{}").is_err());
        assert!(Table::decode("d", "t", br#"{"table_id":1,"bucket_count":0}"#).is_err());
        let mut table = Table::decode("d", "t", br#"{"table_id":1,"bucket_count":1}"#).unwrap();
        assert!(table.add_partition("p", br#"{"table_id":2,"partition_id":1}"#, 0).is_err());
    }
}
