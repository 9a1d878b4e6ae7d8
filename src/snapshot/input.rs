//! Offsets from outside: `--offset` arguments, and `-f` files of JSON or CSV.
//!
//! Integers are exact: what is no plain decimal integer, or does not fit, is refused with its place.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Visitor};

use super::bucket::{HIGHEST_BUCKET, TableBucket};
use super::catalog::Name;
use super::znode::State;
use crate::error::{Context, Error, Kind, Result};

/// The largest `-f` file, in bytes.
pub const LARGEST: u64 = 256 << 20;

/// One bucket's offset as given; names are not looked up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The table.
    pub table: Name,
    /// The partition, for a table with partitions.
    pub partition: Option<Name>,
    /// The bucket.
    pub bucket_id: i32,
    /// The offset, 0 or more.
    pub offset: i64,
}

impl Row {
    /// Make the row of a bucket whose ids are known.
    pub fn of(bucket: TableBucket, offset: i64) -> Self {
        let partition = bucket.partition_id.map(|id| Name(id.to_string()));
        Self { table: Name(bucket.table_id.to_string()), partition, bucket_id: bucket.bucket_id, offset }
    }
}

/// What a file says of a table, to be held against the cluster before its offsets are used there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// `database.table`.
    pub table: Option<String>,
    /// When the table was created, in milliseconds.
    pub created_time: Option<i64>,
    /// The names of its partitions, by id.
    pub partitions: BTreeMap<i64, String>,
}

/// All that was given for one snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The offsets.
    pub rows: Vec<Row>,
    /// What the file says of its tables, by id; tables without a bucket too.
    pub claims: BTreeMap<i64, Claim>,
    /// Whose snapshot the file is of.
    pub producer_id: Option<String>,
    /// When that snapshot's znode was created, in milliseconds: partitions made later are not missing in it.
    pub taken_ms: Option<i64>,
}

/// Read an `--offset` argument: `TABLE[/PARTITION]:BUCKET=OFFSET`.
pub fn parse_offset(text: &str) -> Result<Row> {
    let refuse = |why: &str| {
        Error::usage(format!("{text:?} is no offset: {why}"))
            .hint("write TABLE[/PARTITION]:BUCKET=OFFSET, for example db.orders:0=1500 or 7/2026$eu:3=42")
    };
    let (bucket, offset) = text.rsplit_once('=').ok_or_else(|| refuse("there is no '='"))?;
    let (table, bucket) =
        bucket.rsplit_once(':').ok_or_else(|| refuse("there is no ':' before the bucket"))?;
    let (table, partition) = match table.split_once('/') {
        Some((table, partition)) => (table, Some(partition)),
        None => (table, None),
    };
    if table.is_empty() || partition == Some("") {
        return Err(refuse("a name is empty"));
    }
    let bucket = decimal(bucket).map_err(|why| refuse(&format!("the bucket {why}")))?;
    let offset = decimal(offset).map_err(|why| refuse(&format!("the offset {why}")))?;
    row(Name(table.to_owned()), partition.map(|p| Name(p.to_owned())), bucket, offset)
        .map_err(|why| refuse(&why))
}

/// Read a `-f` file: JSON as `get -o json` prints it (or a backup), else CSV `table_id,partition_id,bucket_id,offset`.
pub fn parse_file(bytes: &[u8]) -> Result<Given> {
    let text = text(bytes)?;
    if text.trim_start().starts_with(['{', '[']) { json(text) } else { csv(text) }
}

fn text(bytes: &[u8]) -> Result<&str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Error::usage("the file is empty"));
    }
    if bytes.contains(&0) {
        return Err(Error::usage("the file holds NUL bytes").hint("if it is UTF-16, save it as UTF-8"));
    }
    std::str::from_utf8(bytes).or_fail(Kind::Usage, || "the file is not UTF-8".to_owned())
}

fn row(table: Name, partition: Option<Name>, bucket: i64, offset: i64) -> Result<Row, String> {
    let bucket_id = i32::try_from(bucket).ok().filter(|b| (0..=HIGHEST_BUCKET).contains(b));
    let bucket_id = bucket_id.ok_or_else(|| format!("bucket {bucket} is not from 0 to {HIGHEST_BUCKET}"))?;
    if offset < 0 {
        return Err(format!("offset {offset} is negative"));
    }
    Ok(Row { table, partition, bucket_id, offset })
}

/// Read a decimal integer of 64 bits, and nothing else.
pub fn decimal(text: &str) -> Result<i64, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("{text:?} is no decimal integer"));
    }
    text.parse().map_err(|_| format!("{text} does not fit into 64 bits"))
}

/// An integer, as a JSON integer or a decimal string.
struct Exact(i64);

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Integer;
        impl Visitor<'_> for Integer {
            type Value = Exact;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer of 64 bits, plain or as a decimal string")
            }

            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Exact, E> {
                Ok(Exact(value))
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Exact, E> {
                i64::try_from(value)
                    .map(Exact)
                    .map_err(|_| E::custom(format!("{value} does not fit into 64 bits")))
            }

            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Exact, E> {
                decimal(value).map(Exact).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Integer)
    }
}

#[derive(Deserialize)]
#[serde(expecting = "the JSON object that get prints")]
struct Root {
    schema_version: Option<u32>,
    snapshots: Option<Vec<Snapshot>>,
    snapshot: Option<Snapshot>,
    #[serde(default, rename = "kind")]
    _kind: Option<String>,
    producer_id: Option<String>,
    state: Option<State>,
    znode: Option<Znode>,
    tables: Option<Vec<Table>>,
}

#[derive(Deserialize)]
#[serde(expecting = "the JSON object of a snapshot")]
struct Snapshot {
    producer_id: Option<String>,
    state: Option<State>,
    znode: Option<Znode>,
    tables: Option<Vec<Table>>,
}

#[derive(Deserialize)]
#[serde(expecting = "a JSON object")]
struct Znode {
    ctime: Option<Exact>,
}

#[derive(Deserialize)]
#[serde(expecting = "the JSON object of a table")]
struct Table {
    table_id: Exact,
    table: Option<String>,
    created_time: Option<Exact>,
    buckets: Option<Vec<Bucket>>,
}

#[derive(Deserialize)]
#[serde(expecting = "the JSON object of a bucket")]
struct Bucket {
    partition_id: Option<Exact>,
    partition: Option<String>,
    bucket_id: Exact,
    offset: Exact,
}

fn json(text: &str) -> Result<Given> {
    let root: Root = serde_json::from_str(text)
        .or_fail(Kind::Usage, || "the file is not the JSON that get prints".to_owned())?;
    if root.schema_version.is_some_and(|v| v != super::document::SCHEMA_VERSION) {
        return Err(Error::usage("the file's schema version is not known"));
    }
    let snapshot = match (root.snapshots, root.snapshot) {
        (Some(mut list), None) if list.len() == 1 => list.remove(0),
        (Some(list), None) => {
            return Err(Error::usage(format!("the file holds {} snapshots", list.len()))
                .hint("give a file of one, as `get ID -o json` prints it"));
        }
        (None, Some(one)) => one,
        (None, None) => Snapshot {
            producer_id: root.producer_id,
            state: root.state,
            znode: root.znode,
            tables: root.tables,
        },
        (Some(_), Some(_)) => return Err(Error::usage("the file has both \"snapshot\" and \"snapshots\"")),
    };
    let Some(tables) = snapshot.tables else {
        let state = snapshot.state.map(|s| format!(": the snapshot in it is {s}")).unwrap_or_default();
        return Err(Error::usage(format!("the file has no \"tables\"{state}")));
    };
    let mut given = Given {
        producer_id: snapshot.producer_id,
        taken_ms: snapshot.znode.and_then(|z| z.ctime).map(|t| t.0),
        ..Given::default()
    };
    for table in tables {
        take_table(&mut given, table)?;
    }
    Ok(given)
}

fn take_table(given: &mut Given, table: Table) -> Result<()> {
    let id = table.table_id.0;
    let Some(buckets) = table.buckets else {
        return Err(Error::usage(format!("the file has no buckets for table {id}"))
            .hint("one of the snapshot's files could not be read when it was written"));
    };
    if given.claims.contains_key(&id) {
        return Err(Error::usage(format!("the file has table {id} twice")));
    }
    let mut claim = Claim {
        table: table.table,
        created_time: table.created_time.map(|t| t.0),
        partitions: BTreeMap::new(),
    };
    for bucket in buckets {
        if let (Some(partition), Some(name)) = (&bucket.partition_id, bucket.partition) {
            claim.partitions.insert(partition.0, name);
        }
        let partition = bucket.partition_id.map(|p| Name(p.0.to_string()));
        let row = row(Name(id.to_string()), partition, bucket.bucket_id.0, bucket.offset.0);
        given.rows.push(row.map_err(|why| Error::usage(format!("table {id} in the file: {why}")))?);
    }
    given.claims.insert(id, claim);
    Ok(())
}

/// The columns that a CSV may have: those of `get -o csv`, of which three are a must.
pub const COLUMNS: [&str; 10] = [
    "producer_id",
    "state",
    "expiration_time",
    "table_id",
    "table",
    "created_time",
    "partition_id",
    "partition",
    "bucket_id",
    "offset",
];

fn csv(text: &str) -> Result<Given> {
    let mut lines =
        csv::ReaderBuilder::new().has_headers(false).trim(csv::Trim::All).from_reader(text.as_bytes());
    let mut header: Option<BTreeMap<String, usize>> = None;
    let mut given = Given::default();
    for record in lines.records() {
        let record = record.or_fail(Kind::Usage, || "the file is no CSV of offsets".to_owned())?;
        let line = record.position().map_or(0, csv::Position::line);
        let refuse = |why: String| Error::usage(format!("line {line}: {why}"));
        let Some(columns) = &header else {
            if record.get(0).is_some_and(|first| decimal(first).is_ok()) && record.len() == 4 {
                header = Some(places(&["table_id", "partition_id", "bucket_id", "offset"]));
            } else {
                header = Some(read_header(&record).map_err(refuse)?);
                continue;
            }
            let columns = header.as_ref().map_or_else(BTreeMap::new, Clone::clone);
            take_record(&mut given, &columns, &record).map_err(refuse)?;
            continue;
        };
        take_record(&mut given, columns, &record).map_err(refuse)?;
    }
    Ok(given)
}

fn places(names: &[&str]) -> BTreeMap<String, usize> {
    names.iter().enumerate().map(|(at, &name)| (name.to_owned(), at)).collect()
}

fn read_header(record: &csv::StringRecord) -> Result<BTreeMap<String, usize>, String> {
    let names: Vec<&str> = record.iter().collect();
    if let Some(odd) = names.iter().find(|n| !COLUMNS.contains(n)) {
        return Err(format!("{odd:?} is no column of offsets; they are {}", COLUMNS.join(", ")));
    }
    let columns = places(&names);
    if columns.len() != names.len() {
        return Err("a column is named twice".into());
    }
    for must in ["table_id", "bucket_id", "offset"] {
        if !columns.contains_key(must) {
            return Err(format!("the column {must} is missing"));
        }
    }
    Ok(columns)
}

fn take_record(
    given: &mut Given,
    columns: &BTreeMap<String, usize>,
    record: &csv::StringRecord,
) -> Result<(), String> {
    let field = |name: &str| columns.get(name).and_then(|&at| record.get(at)).filter(|f| !f.is_empty());
    let number = |name: &str| match field(name) {
        Some(text) => decimal(text).map(Some).map_err(|why| format!("{name}: {why}")),
        None => Ok(None),
    };
    let must = |name: &str| number(name)?.ok_or_else(|| format!("{name} is empty"));
    if let Some(id) = field("producer_id") {
        if given.producer_id.as_deref().is_some_and(|before| before != id) {
            return Err("the file holds more than one snapshot".into());
        }
        given.producer_id = Some(id.to_owned());
    }
    let table = must("table_id")?;
    let partition = number("partition_id")?;
    let created_time = number("created_time")?;
    let claim = given.claims.entry(table).or_default();
    if created_time.is_some() {
        claim.created_time = created_time;
    }
    if let Some(name) = field("table") {
        claim.table = Some(name.to_owned());
    }
    if let (Some(id), Some(name)) = (partition, field("partition")) {
        claim.partitions.insert(id, name.to_owned());
    }
    let partition = partition.map(|p| Name(p.to_string()));
    given.rows.push(row(Name(table.to_string()), partition, must("bucket_id")?, must("offset")?)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn offsets_are_read_by_their_last_marks() {
        let row = parse_offset("db.t/a=b:c$2:3=42").unwrap();
        assert_eq!(row.partition, Some(Name("a=b:c$2".into())));
        assert_eq!((row.table.0.as_str(), row.bucket_id, row.offset), ("db.t", 3, 42));
        let row = parse_offset("0:0=9223372036854775807").unwrap();
        assert_eq!(row.offset, i64::MAX);
        assert_eq!(parse_offset("0:0=9007199254740993").unwrap().offset, 9_007_199_254_740_993);
        for refused in [
            "",
            "7",
            "7:1",
            "7=1",
            ":0=1",
            "7/:0=1",
            "7:x=1",
            "7:-1=1",
            "7:0=-1",
            "7:0=1.0",
            "7:0=9e15",
            "7:0=+1",
            "7:0=9223372036854775808",
            "7:0=",
            "7:=1",
            "7:9999999=1",
            "7:\u{663}=1",
            "7:0= 1",
        ] {
            assert!(parse_offset(refused).is_err(), "{refused}");
        }
    }

    const FILE: &str = r#"{"schema_version":1,"snapshots":[{"producer_id":"p","state":"valid","znode":{"ctime":5,"x":1},
      "tables":[{"table_id":7,"table":"db.t","created_time":"9","buckets":[{"partition_id":1,"partition":"a","bucket_id":0,"offset":"9007199254740993"}]},
                {"table_id":8,"buckets":[]}]}]}"#;

    #[test]
    fn what_get_prints_is_taken_with_bom_and_crlf() {
        let given = parse_file(FILE.as_bytes()).unwrap();
        assert_eq!(given.rows.len(), 1);
        assert_eq!(given.rows[0].offset, 9_007_199_254_740_993);
        assert_eq!(given.claims[&7].created_time, Some(9));
        assert_eq!(given.claims[&7].partitions[&1], "a");
        assert!(given.claims.contains_key(&8));
        assert_eq!(given.taken_ms, Some(5));
        let bom = [b"\xef\xbb\xbf", FILE.replace('\n', "\r\n").as_bytes()].concat();
        assert_eq!(parse_file(&bom).unwrap(), given);
    }

    #[test]
    fn refused_json_names_its_place() {
        let refused = [
            FILE.replace("}]}]}", "}],}]}"),
            FILE.replace(r#""offset":"9007199254740993""#, r#""offset":1.0"#),
            FILE.replace(r#""offset":"9007199254740993""#, r#""offset":9e15"#),
            FILE.replace(r#""offset":"9007199254740993""#, r#""offset":18446744073709551615"#),
            FILE.replace(r#""bucket_id":0"#, r#""bucket_id":0,"bucket_id":0"#),
        ];
        for text in refused {
            let error = parse_file(text.as_bytes()).unwrap_err();
            let causes = error.causes().join(" ");
            assert!(causes.contains("line") && causes.contains("column"), "{error} of {text}");
        }
        for text in
            ["", " \n", "{}", "[]", r#"{"snapshots":[]}"#, r#"{"tables":[{"table_id":1}]}"#, "\u{feff}"]
        {
            assert!(parse_file(text.as_bytes()).is_err(), "{text:?}");
        }
        assert!(parse_file(b"\xff\xfe{\0}\0").is_err());
        assert!(parse_file(b"{\"tables\":[]\0}").is_err());
        assert!(
            parse_file(r#"{"tables":[{"table_id":1,"buckets":[]},{"table_id":1,"buckets":[]}]}"#.as_bytes())
                .is_err()
        );
    }

    #[test]
    fn csv_with_and_without_a_header() {
        let plain = parse_file(b"7,,0,5\r\n7,,1,6\n").unwrap();
        assert_eq!(plain.rows.len(), 2);
        let named = parse_file(b"offset,bucket_id,partition_id,table_id\n5,0,,7\n6,1,,7\n").unwrap();
        assert_eq!(named.rows, plain.rows);
        for refused in [
            "table_id,bucket_id\n1,2\n",
            "table_id,bucket_id,offset,color\n1,2,3,4\n",
            "table_id,bucket_id,offset,offset\n1,2,3,4\n",
            "7,,0,5\n7,,0\n",
            "7,,0,1.0\n",
            "7,,0,\n",
            "producer_id,table_id,bucket_id,offset\na,1,0,1\nb,1,0,1\n",
        ] {
            assert!(parse_file(refused.as_bytes()).is_err(), "{refused}");
        }
        assert!(parse_file(b"7,,0,1.0\n").unwrap_err().message().contains("line 1"));
    }

    proptest! {
        #[test]
        fn junk_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,60}") {
            let _ = parse_file(&bytes);
            let _ = parse_file(text.as_bytes());
            let _ = parse_offset(&text);
        }
    }
}
