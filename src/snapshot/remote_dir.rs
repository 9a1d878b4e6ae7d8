//! The layout below `remote.data.dir`: `producers/<producer id>/<table id>/<uuid>.offsets`.
//!
//! A change to the store takes a key and never a path, so that no text from outside can name what is deleted.

use std::fmt;
use std::path::Path;

use uuid::Uuid;

use super::location::Location;
use super::producer_id::ProducerId;
use crate::error::{Error, Result};

/// The folder of all snapshots' files below the remote data dir.
pub const PRODUCERS: &str = "producers";

/// The ending of an offsets file.
const OFFSETS: &str = ".offsets";

/// Name the remote data dir by what its spelling means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteDir {
    root: Location,
}

/// Name something below `producers/<producer>/`: the only thing that a delete or repair for this producer may touch.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OwnedKey {
    producer: ProducerId,
    tail: Vec<String>,
}

/// Name an offsets file that has the place and the name of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OffsetsKey {
    /// Whose folder it is in.
    pub producer: ProducerId,
    /// Which table's folder it is in.
    pub table_id: i64,
    /// What it is called.
    pub uuid: Uuid,
}

impl RemoteDir {
    /// Take `remote.data.dir` as configured; a relative local path counts from `working_folder`.
    pub fn new(text: &str, working_folder: &Path) -> Result<Self> {
        let wrong = || {
            Error::usage(format!("{text:?} is no remote data dir")).hint(
                "write it as the cluster's server.yaml does, for example file:///var/fluss or /var/fluss",
            )
        };
        let mut root = Location::parse(text).ok_or_else(wrong)?;
        if !root.absolute {
            if !root.is_local() {
                return Err(wrong());
            }
            let base = working_folder.to_str().and_then(Location::parse).ok_or_else(wrong)?;
            root = Location::parse(&format!("{}/{}", base.local_path().display(), root.segments.join("/")))
                .ok_or_else(wrong)?;
        }
        if root.segments.iter().any(|s| s == "..") {
            return Err(wrong());
        }
        Ok(Self { root })
    }

    /// Give the remote data dir itself.
    pub const fn root(&self) -> &Location {
        &self.root
    }

    /// Give the folder of all snapshots' files.
    pub fn producers(&self) -> Location {
        self.root.join([PRODUCERS])
    }

    /// Take a reference for a change, if it means a place in the folder of `producer`.
    ///
    /// Only the exact meaning counts here: what is equal but for percent escapes is kept, and never followed.
    pub fn owned(&self, producer: &ProducerId, reference: &Location) -> Option<OwnedKey> {
        let folder = self.root.join([PRODUCERS, producer.as_str()]);
        let tail = folder.below(reference)?.to_vec();
        Some(OwnedKey { producer: producer.clone(), tail })
    }

    /// Say whether a reference means a place below the remote data dir's `producers/`.
    pub fn holds(&self, reference: &Location) -> bool {
        self.producers().below(reference).is_some()
    }

    /// Give the place of a key.
    pub fn location(&self, key: &OwnedKey) -> Location {
        self.root.join([PRODUCERS, key.producer.as_str()]).join(&key.tail)
    }
}

impl OwnedKey {
    /// Say whose folder it is in.
    pub const fn producer(&self) -> &ProducerId {
        &self.producer
    }

    /// Give the names that lead to it from the producer's folder.
    pub fn tail(&self) -> &[String] {
        &self.tail
    }
}

impl fmt::Display for OwnedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PRODUCERS}/{}/{}", self.producer, self.tail.join("/"))
    }
}

impl OffsetsKey {
    /// Name a new file.
    pub fn new(producer: &ProducerId, table_id: i64) -> Self {
        Self { producer: producer.clone(), table_id, uuid: Uuid::new_v4() }
    }

    /// Read the names of folder, table folder and file as a listing gives them; anything else is no file of ours.
    pub fn from_names(producer: &str, table: &str, file: &str) -> Option<Self> {
        let producer = ProducerId::from_name(producer)?;
        let table_id = table_folder(table)?;
        let uuid = Uuid::try_parse(file.strip_suffix(OFFSETS)?).ok()?;
        let key = Self { producer, table_id, uuid };
        (key.file_name() == file).then_some(key)
    }

    /// Give the file's name.
    pub fn file_name(&self) -> String {
        format!("{}{OFFSETS}", self.uuid)
    }

    /// Give the key for a change.
    pub fn owned(&self) -> OwnedKey {
        OwnedKey { producer: self.producer.clone(), tail: vec![self.table_id.to_string(), self.file_name()] }
    }
}

impl fmt::Display for OffsetsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PRODUCERS}/{}/{}/{}{OFFSETS}", self.producer, self.table_id, self.uuid)
    }
}

/// Read a table folder's name: a table id in its one spelling.
pub fn table_folder(name: &str) -> Option<i64> {
    let id: i64 = name.parse().ok()?;
    (id >= 0 && id.to_string() == name).then_some(id)
}

/// Give the UUID in a reference's file name, however it was spelled: what names a file by it keeps it.
pub fn referenced_uuid(reference: &Location) -> Option<Uuid> {
    let name = reference.decoded_name()?;
    // An escaped slash makes the whole path one name.
    let name = name.rsplit(['/', '\\']).next()?;
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    Uuid::try_parse(stem).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dir(text: &str) -> RemoteDir {
        RemoteDir::new(text, Path::new("/work dir")).unwrap()
    }

    #[test]
    fn only_the_own_folder_is_owned() {
        let id = ProducerId::parse("p").unwrap();
        let dir = dir("file:///t/x");
        let owned = |text: &str| dir.owned(&id, &Location::parse(text).unwrap()).map(|k| k.to_string());
        assert_eq!(owned("/t/x/producers/p/7/u.offsets").as_deref(), Some("producers/p/7/u.offsets"));
        for outside in [
            "/t/x/producers/p",
            "/t/x/producers/q/7/u.offsets",
            "/t/x/producers/p/../q/7/u.offsets",
            "s3://t/x/producers/p/7/u.offsets",
            "t/x/producers/p/7/u.offsets",
            "/t/x/producers/%70/7/u.offsets",
            "/elsewhere/producers/p/7/u.offsets",
        ] {
            assert_eq!(owned(outside), None, "{outside}");
        }
    }

    #[test]
    fn a_relative_dir_counts_from_the_working_folder() {
        assert_eq!(dir("data").root().spelled_as_listed(), "file:/work dir/data");
        assert!(RemoteDir::new("", Path::new("/")).is_err());
        assert!(RemoteDir::new("/../x", Path::new("/")).is_err());
        assert!(RemoteDir::new("s3:x", Path::new("/")).is_err());
    }

    #[test]
    fn only_the_exact_names_make_a_file_of_ours() {
        let uuid = "0f1e2d3c-4b5a-4678-9abc-def012345678";
        let file = format!("{uuid}.offsets");
        assert!(OffsetsKey::from_names("p", "7", &file).is_some());
        assert!(OffsetsKey::from_names("--json", "0", &file).is_some());
        for (producer, table, name) in [
            ("p.q", "7", file.as_str()),
            ("p", "07", &file),
            ("p", "-7", &file),
            ("p", "x", &file),
            ("p", "7", "notes.offsets"),
            ("p", "7", uuid),
            ("p", "7", &file.to_uppercase()),
            ("p", "7", &format!("{}.offsets", uuid.replace('-', ""))),
        ] {
            assert!(OffsetsKey::from_names(producer, table, name).is_none(), "{producer}/{table}/{name}");
        }
    }

    #[test]
    fn a_reference_keeps_its_file_however_it_is_spelled() {
        let uuid = Uuid::try_parse("0f1e2d3c-4b5a-4678-9abc-def012345678").unwrap();
        for spelled in [
            "s3a://b/producers/p/7/0f1e2d3c-4b5a-4678-9abc-def012345678.offsets",
            "/x/0F1E2D3C-4B5A-4678-9ABC-DEF012345678.OFFSETS",
            "/x/0f1e2d3c%2D4b5a-4678-9abc-def012345678%2eoffsets",
            "/x/producers%2Fp%2f7%2F0f1e2d3c-4b5a-4678-9abc-def012345678.offsets",
        ] {
            assert_eq!(referenced_uuid(&Location::parse(spelled).unwrap()), Some(uuid), "{spelled}");
        }
        assert_eq!(referenced_uuid(&Location::parse("/x/y.offsets").unwrap()), None);
    }
}
