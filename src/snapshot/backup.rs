//! A backup: one JSON file a snapshot, with the znode's bytes and its files' bytes as they were.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::document::Document;
use crate::error::{Context, Error, Kind, Result};

/// What tells a backup from other JSON.
pub const KIND: &str = "producer_offsets_backup";

/// The largest backup that is read, in bytes.
pub const LARGEST: u64 = 256 << 20;

/// A snapshot's bytes, where they came from, and what they said.
#[derive(Debug, Serialize, Deserialize)]
pub struct Backup {
    /// The shape's version.
    pub schema_version: u32,
    /// [`KIND`].
    pub kind: String,
    /// When it was taken, RFC 3339.
    pub taken_at: String,
    /// False where a file could not be read.
    pub complete: bool,
    /// Where it was taken.
    pub cluster: Cluster,
    /// What the snapshot said, as `get -o json` shows it.
    pub snapshot: Document,
    /// The znode's bytes.
    pub znode: Bytes,
    /// The files' bytes.
    pub files: Vec<File>,
}

/// The cluster that a backup was taken of.
#[derive(Debug, Serialize, Deserialize)]
pub struct Cluster {
    /// The ZooKeeper connect string.
    pub zookeeper: String,
    /// The cluster's root in it.
    pub root: String,
}

/// A file of the snapshot: its bytes, or why they could not be read.
#[derive(Debug, Serialize, Deserialize)]
pub struct File {
    /// Where it was, as spelled in the znode, or as listed where the znode could not be decoded.
    pub offsets_path: String,
    /// Its bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Bytes>,
    /// Why they are not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// Bytes as text where they are text, else as base64; either way exact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bytes {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Base64(String),
}

impl Bytes {
    /// Take bytes.
    pub fn of(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Base64(STANDARD.encode(bytes)),
        }
    }

    /// Give the bytes; an error where base64 was tampered with.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        match self {
            Self::Text(text) => Ok(text.clone().into_bytes()),
            Self::Base64(text) => {
                STANDARD.decode(text).or_fail(Kind::Usage, || "the backup's base64 is damaged".to_owned())
            }
        }
    }
}

impl Backup {
    /// Read a backup's bytes. Anything else is refused with what is wrong and where.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let backup: Self = serde_json::from_slice(bytes)
            .or_fail(Kind::Usage, || "this is no backup of a producer offset snapshot".to_owned())?;
        if backup.kind != KIND {
            return Err(Error::usage(format!("this is no backup: its kind is {:?}", backup.kind)));
        }
        if backup.schema_version != crate::snapshot::document::SCHEMA_VERSION {
            return Err(Error::usage(format!(
                "a backup of schema version {} is not known",
                backup.schema_version
            )));
        }
        Ok(backup)
    }

    /// Write its bytes, indented so that a person can read them.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

/// Name the backup of one state of a snapshot: another state has another `mzxid`.
///
/// A znode's name may be no producer id; what is not safe in a file name is percent-escaped.
pub fn file_name(znode_name: &str, mzxid: i64) -> String {
    let mut stem = String::new();
    for byte in znode_name.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' {
            stem.push(char::from(byte));
        } else {
            let _ = write!(stem, "%{byte:02X}");
        }
    }
    stem.truncate(200);
    format!("{stem}.{mzxid}.json")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_come_back_exactly(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            prop_assert_eq!(Bytes::of(&bytes).bytes().unwrap(), bytes);
        }

        #[test]
        fn a_file_name_stays_in_its_folder(name in "\\PC{0,80}", mzxid: i64) {
            let file = file_name(&name, mzxid);
            prop_assert!(!file.contains('/') && !file.starts_with('.') || name.is_empty());
            prop_assert!(file.len() < 255);
        }

        #[test]
        fn junk_is_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Backup::decode(&bytes).is_err());
        }
    }
}
