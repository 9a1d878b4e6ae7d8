//! The snapshot's znode, `<root>/producers/<producer id>`: what it says, and what we make of it.
//!
//! The format is the server's (`ProducerOffsetsJsonSerde`, Fluss 0.9.1): compact JSON with `version` 1, `expiration_time` in
//! milliseconds since the epoch, and `tables`, each with `table_id` and `offsets_path`. Unknown keys survive every change.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

/// The znode's identity and times, as ZooKeeper keeps them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Stat {
    /// The transaction that created it.
    pub czxid: i64,
    /// The transaction that last set it: the identity of this state.
    pub mzxid: i64,
    /// When it was created, in milliseconds by ZooKeeper's clock.
    pub ctime: i64,
    /// When it was last set, in milliseconds by ZooKeeper's clock.
    pub mtime: i64,
    /// How often it was set; no identity, a re-made znode starts at 0 again.
    pub version: i32,
}

/// One table's entry in a znode.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(expecting = "the JSON object of a table")]
pub struct TableFile {
    /// The table's id.
    pub table_id: i64,
    /// Where the table's offsets file lies, as it is spelled in the znode.
    pub offsets_path: String,
}

/// What a znode says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// Expired once now is later, in milliseconds since the epoch.
    pub expiration_time: i64,
    /// The tables, in the znode's order.
    pub tables: Vec<TableFile>,
}

#[derive(serde::Deserialize, serde::Serialize)]
#[serde(expecting = "the JSON object of a snapshot")]
struct Wire<T> {
    version: i64,
    expiration_time: i64,
    #[serde(default = "Vec::new")]
    tables: Vec<T>,
}

impl Registration {
    /// Read a znode's bytes; the error is a sentence of what is wrong with them.
    pub fn decode(data: &[u8]) -> Result<Self, String> {
        if data.is_empty() {
            return Err("the znode has no data".into());
        }
        let wire: Wire<TableFile> = serde_json::from_slice(data).map_err(|e| e.to_string())?;
        if wire.version != 1 {
            return Err(format!("format version {}, not 1", wire.version));
        }
        Ok(Self { expiration_time: wire.expiration_time, tables: wire.tables })
    }

    /// Write the bytes that the server would write.
    pub fn encode(&self) -> Vec<u8> {
        let wire =
            Wire { version: 1, expiration_time: self.expiration_time, tables: self.tables.iter().collect() };
        serde_json::to_vec(&wire).unwrap_or_default()
    }

    /// Say whether it has expired: strictly, as the server does.
    pub const fn expired(&self, now_ms: i64) -> bool {
        now_ms > self.expiration_time
    }
}

/// Say what can be done with a snapshot, from its znode alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Readable, and not expired.
    Valid,
    /// Readable, and past its expiration time.
    Expired,
    /// The znode's bytes are not what they should be; get, register and delete over RPC fail.
    Undecodable,
    /// We may not read the znode.
    Unreadable,
    /// Valid, but an offsets file is missing or damaged: a job that needs it is stuck.
    Broken,
}

impl State {
    /// Give the state's name, in every output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Expired => "expired",
            Self::Undecodable => "undecodable",
            Self::Unreadable => "unreadable",
            Self::Broken => "broken",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A znode below `producers` as it was read. The name is ZooKeeper's and may be no producer id.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The znode's name.
    pub name: String,
    /// What was found there.
    pub found: Found,
}

/// What a read of a znode gave.
#[derive(Clone, Debug)]
pub enum Found {
    /// Its bytes and its identity.
    Data {
        /// The bytes.
        data: Vec<u8>,
        /// The identity.
        stat: Stat,
        /// What they say, or a sentence of what is wrong with them.
        registration: Result<Registration, String>,
    },
    /// It could not be read, with the reason: its files are kept.
    Unreadable(String),
}

impl Observed {
    /// Take a znode's bytes as they were read.
    pub fn of(name: impl Into<String>, data: Vec<u8>, stat: Stat) -> Self {
        let registration = Registration::decode(&data);
        Self { name: name.into(), found: Found::Data { data, stat, registration } }
    }

    /// Say what it says, if it could be read and understood.
    pub fn registration(&self) -> Option<&Registration> {
        match &self.found {
            Found::Data { registration, .. } => registration.as_ref().ok(),
            Found::Unreadable(_) => None,
        }
    }

    /// Give its identity, if it could be read.
    pub fn stat(&self) -> Option<&Stat> {
        match &self.found {
            Found::Data { stat, .. } => Some(stat),
            Found::Unreadable(_) => None,
        }
    }

    /// Give its bytes, if they could be read.
    pub fn data(&self) -> Option<&[u8]> {
        match &self.found {
            Found::Data { data, .. } => Some(data),
            Found::Unreadable(_) => None,
        }
    }

    /// Say why it could not be read or understood.
    pub fn fault(&self) -> Option<&str> {
        match &self.found {
            Found::Data { registration, .. } => registration.as_ref().err().map(String::as_str),
            Found::Unreadable(why) => Some(why),
        }
    }

    /// Say its state at a time, from the znode alone.
    pub fn state(&self, now_ms: i64) -> State {
        match &self.found {
            Found::Unreadable(_) => State::Unreadable,
            Found::Data { registration: Err(_), .. } => State::Undecodable,
            Found::Data { registration: Ok(r), .. } if r.expired(now_ms) => State::Expired,
            Found::Data { .. } => State::Valid,
        }
    }
}

/// A JSON object whose values keep their bytes and whose keys keep their order.
struct RawObject(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = RawObject;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawObject, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(RawObject(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

impl Serialize for RawObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl RawObject {
    fn set(&mut self, key: &str, value: &impl Serialize) -> Option<()> {
        let raw = serde_json::value::to_raw_value(value).ok()?;
        let before = self.0.iter().position(|(k, _)| k == key);
        self.0.retain(|(k, _)| k != key);
        self.0.insert(before.unwrap_or(self.0.len()).min(self.0.len()), (key.to_owned(), raw));
        Some(())
    }
}

/// Give a znode's bytes with another expiration time, all else as it was, or none where they are no JSON object.
///
/// This also serves what we cannot decode: the server reads numbers more leniently than we do, and a reader of it must see
/// an expired snapshot before the znode goes.
pub fn with_expiration(data: &[u8], expiration_time: i64) -> Option<Vec<u8>> {
    let mut object: RawObject = serde_json::from_slice(data).ok()?;
    object.set("expiration_time", &expiration_time)?;
    serde_json::to_vec(&object).ok()
}

/// Give a znode's bytes with other expiration time and paths, one for each of its tables in their order, all else as it was.
pub fn with_paths(data: &[u8], expiration_time: i64, paths: &[String]) -> Option<Vec<u8>> {
    #[derive(serde::Deserialize)]
    struct Tables {
        #[serde(default)]
        tables: Vec<RawObject>,
    }
    let Tables { mut tables } = serde_json::from_slice(data).ok()?;
    if tables.len() != paths.len() {
        return None;
    }
    for (table, path) in tables.iter_mut().zip(paths) {
        table.set("offsets_path", path)?;
    }
    let mut object: RawObject = serde_json::from_slice(data).ok()?;
    object.set("expiration_time", &expiration_time)?;
    object.set("tables", &tables)?;
    serde_json::to_vec(&object).ok()
}

/// Give a znode's bytes with another expiration time and other tables, all that we do not know as it was: keys beside the
/// tables, and keys of a table that is in both.
pub fn with_tables(data: &[u8], expiration_time: i64, files: &[TableFile]) -> Option<Vec<u8>> {
    #[derive(serde::Deserialize)]
    struct Tables {
        #[serde(default)]
        tables: Vec<RawObject>,
    }
    #[derive(serde::Deserialize)]
    struct Id {
        table_id: i64,
    }
    let Tables { tables: before } = serde_json::from_slice(data).ok()?;
    let mut tables = Vec::with_capacity(files.len());
    for file in files {
        let same = before.iter().find(|table| {
            let id = serde_json::to_vec(table).ok().and_then(|raw| serde_json::from_slice::<Id>(&raw).ok());
            id.is_some_and(|id| id.table_id == file.table_id)
        });
        let mut table = same.map_or_else(|| RawObject(Vec::new()), |table| RawObject(table.0.clone()));
        table.set("table_id", &file.table_id)?;
        table.set("offsets_path", &file.offsets_path)?;
        tables.push(table);
    }
    let mut object: RawObject = serde_json::from_slice(data).ok()?;
    object.set("version", &1)?;
    object.set("expiration_time", &expiration_time)?;
    object.set("tables", &tables)?;
    serde_json::to_vec(&object).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn writes_the_bytes_that_the_server_writes() {
        let registration = Registration {
            expiration_time: 1_735_538_268_000,
            tables: vec![TableFile { table_id: 100, offsets_path: "oss://bucket/path/uuid1.offsets".into() }],
        };
        let bytes = registration.encode();
        assert_eq!(
            String::from_utf8(bytes.clone()).unwrap(),
            r#"{"version":1,"expiration_time":1735538268000,"tables":[{"table_id":100,"offsets_path":"oss://bucket/path/uuid1.offsets"}]}"#
        );
        assert_eq!(Registration::decode(&bytes), Ok(registration));
    }

    #[test]
    fn what_is_broken_is_said_and_never_expired() {
        for data in [
            "",
            "{}",
            "null",
            r#"{"version":2,"expiration_time":1,"tables":[]}"#,
            r#"{"version":1,"expiration_time":"1","tables":[]}"#,
            r#"{"version":1,"tables":[]}"#,
            r#"{"version":1,"expiration_time":1e300,"tables":[]}"#,
            r#"{"version":1,"expiration_time":1.0,"tables":[]}"#,
            r#"{"version":1,"expiration_time":1,"expiration_time":2,"tables":[]}"#,
            r#"{"version":1,"expiration_time":1,"tables":[{"table_id":1}]}"#,
            "\u{feff}{}",
            "not json",
        ] {
            let seen = Observed::of("p", data.as_bytes().to_vec(), Stat::default());
            assert_eq!(seen.state(i64::MAX), State::Undecodable, "{data}");
            assert!(seen.fault().is_some());
        }
    }

    #[test]
    fn expiry_is_strict_and_survives_the_ends_of_the_range() {
        let at = |t| {
            Observed::of("p", Registration { expiration_time: t, tables: vec![] }.encode(), Stat::default())
        };
        assert_eq!(at(10).state(10), State::Valid);
        assert_eq!(at(10).state(11), State::Expired);
        assert_eq!(at(i64::MAX).state(i64::MAX), State::Valid);
        assert_eq!(at(i64::MIN).state(0), State::Expired);
    }

    #[test]
    fn unknown_keys_survive_every_change() {
        let data = br#"{"version":1,"x":1.50e3,"expiration_time":9,"tables":[{"y":[1],"table_id":1,"offsets_path":"/a"}],"z":{"k":18446744073709551617}}"#;
        let set = with_expiration(data, 0).unwrap();
        assert_eq!(
            String::from_utf8(set).unwrap(),
            r#"{"version":1,"x":1.50e3,"expiration_time":0,"tables":[{"y":[1],"table_id":1,"offsets_path":"/a"}],"z":{"k":18446744073709551617}}"#
        );
        let set = with_paths(data, 7, &["file:/b".to_owned()]).unwrap();
        assert_eq!(
            String::from_utf8(set).unwrap(),
            r#"{"version":1,"x":1.50e3,"expiration_time":7,"tables":[{"y":[1],"table_id":1,"offsets_path":"file:/b"}],"z":{"k":18446744073709551617}}"#
        );
        let files = [(1, "file:/c"), (2, "file:/d")]
            .map(|(table_id, path)| TableFile { table_id, offsets_path: path.to_owned() });
        let set = with_tables(data, 7, &files).unwrap();
        assert_eq!(
            String::from_utf8(set).unwrap(),
            r#"{"version":1,"x":1.50e3,"expiration_time":7,"tables":[{"y":[1],"table_id":1,"offsets_path":"file:/c"},{"table_id":2,"offsets_path":"file:/d"}],"z":{"k":18446744073709551617}}"#
        );
        assert_eq!(with_tables(b"junk", 7, &files), None);
        assert_eq!(with_expiration(b"[1]", 0), None);
        assert_eq!(with_paths(data, 7, &[]), None);
        let lenient =
            with_expiration(br#"{"version":1,"expiration_time":"12","expiration_time":3}"#, 0).unwrap();
        assert_eq!(lenient, br#"{"version":1,"expiration_time":0}"#);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(expiration_time: i64, tables in proptest::collection::vec((any::<i64>(), "\\PC{0,20}"), 0..5)) {
            let tables = tables.into_iter().map(|(table_id, offsets_path)| TableFile { table_id, offsets_path }).collect();
            let registration = Registration { expiration_time, tables };
            prop_assert_eq!(Registration::decode(&registration.encode()), Ok(registration));
        }

        #[test]
        fn junk_never_panics(data in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Registration::decode(&data);
            let _ = with_expiration(&data, 0);
            let _ = with_paths(&data, 0, &[]);
        }
    }
}
