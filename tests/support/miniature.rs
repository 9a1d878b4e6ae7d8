//! A cluster in miniature: a root with one table, a remote data dir, and snapshots put there as a server would.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;
use walkdir::{DirEntry, WalkDir};

use super::flussctl::Flussctl;
use super::temp_dir;
use super::zk::Zk;
use super::zookeeper::ZooKeeper;

/// The tables of every snapshot.
pub const TABLES: [i64; 2] = [7, 8];

/// The root znode, the folder, and what is in them.
#[derive(Debug)]
pub struct Scene {
    /// A client that goes round all faults.
    pub zk: Zk,
    /// The root znode.
    pub root: String,
    /// The program, told of both.
    pub flussctl: Flussctl,
    dir: TempDir,
}

impl Scene {
    /// Set one up on a server.
    pub fn on(zookeeper: &ZooKeeper) -> Self {
        Self::at(&zookeeper.connect(), zookeeper.unused_root())
    }

    /// Set one up below a root that is not there yet.
    pub fn at(connect: &str, root: String) -> Self {
        let (zk, dir) = (Zk::connect(connect), temp_dir());
        for table in TABLES {
            let metadata = json!({"version": 1, "table_id": table, "bucket_count": 1, "created_time": 1});
            zk.create(&format!("{root}/metadata/databases/db/tables/t{table}"), metadata.to_string());
        }
        zk.create(&format!("{root}/producers"), b"");
        let flussctl = Flussctl::new()
            .env("FLUSSCTL_ZOOKEEPER", connect)
            .env("FLUSSCTL_ZOOKEEPER_ROOT", &root)
            .env("FLUSSCTL_REMOTE_DATA_DIR", dir.path());
        Self { zk, root, flussctl, dir }
    }

    /// Give the program with another way to the server.
    pub fn through(&self, connect: &str) -> Flussctl {
        self.flussctl.env("FLUSSCTL_ZOOKEEPER", connect)
    }

    /// Give the path of a snapshot's znode.
    pub fn znode(&self, id: &str) -> String {
        format!("{}/producers/{id}", self.root)
    }

    /// Give the path of the child by which a run holds it.
    pub fn child(&self, id: &str) -> String {
        format!("{}/flussctl", self.znode(id))
    }

    /// Put a snapshot there that expires so many seconds from now, with the offset in its buckets.
    pub fn put(&self, id: &str, expires_in_s: i64, offset: i64) {
        let bytes = self.write(id, expires_in_s, offset);
        self.zk.create(&self.znode(id), bytes);
    }

    /// Write files for a snapshot, and give the bytes of a znode that names them.
    pub fn write(&self, id: &str, expires_in_s: i64, offset: i64) -> Vec<u8> {
        let named = TABLES.map(|table| {
            let path = self.file(id, table, offset);
            json!({"table_id": table, "offsets_path": format!("file:{}", path.display())})
        });
        let time = now_ms() + expires_in_s * 1000;
        json!({"version": 1, "expiration_time": time, "tables": named}).to_string().into_bytes()
    }

    /// Write a file that no znode names, four days old, as its folders are.
    pub fn orphan(&self, id: &str) -> PathBuf {
        let path = self.file(id, TABLES[0], 1);
        self.age(id);
        path
    }

    /// Make all of a producer's files and folders four days old.
    pub fn age(&self, id: &str) {
        let old = SystemTime::now() - Duration::from_hours(96);
        for entry in WalkDir::new(self.folder(id)).contents_first(true).into_iter().flatten() {
            let file = File::open(entry.path()).expect("open to make it old");
            file.set_modified(old).expect("make it old");
        }
    }

    fn file(&self, id: &str, table: i64, offset: i64) -> PathBuf {
        let folder = self.folder(id).join(table.to_string());
        fs::create_dir_all(&folder).expect("make the folders");
        let path = folder.join(format!("{}.offsets", Uuid::new_v4()));
        let content = json!({"version": 1, "table_id": table, "bucket_offsets": [offset]});
        fs::write(&path, content.to_string()).expect("write an offsets file");
        path
    }

    /// Give a producer's folder.
    pub fn folder(&self, id: &str) -> PathBuf {
        self.dir.path().join("producers").join(id)
    }

    /// Give the remote data dir.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Give all files in a producer's folder, sorted.
    pub fn files(&self, id: &str) -> Vec<PathBuf> {
        let walk = WalkDir::new(self.folder(id)).into_iter().flatten();
        let mut files: Vec<_> = walk.filter(|e| e.file_type().is_file()).map(DirEntry::into_path).collect();
        files.sort();
        files
    }

    /// Give the expiration time that stands in the znode; none where there is no znode.
    pub fn expiration(&self, id: &str) -> Option<i64> {
        Some(self.read(id)?["expiration_time"].as_i64().expect("an expiration time"))
    }

    fn read(&self, id: &str) -> Option<Value> {
        self.zk.exists(&self.znode(id)).then(|| self.zk.json(&self.znode(id)))
    }

    /// Demand that a snapshot is whole: each file that its znode names is there with the same offset; gives the offset.
    #[track_caller]
    pub fn whole(&self, id: &str) -> i64 {
        let znode = self.read(id).unwrap_or_else(|| panic!("{id} has no znode"));
        let mut offsets: Vec<i64> = self.named(&znode).iter().map(|path| offset(path)).collect();
        offsets.dedup();
        assert_eq!(offsets.len(), 1, "{id} is of two states: {offsets:?}");
        offsets[0]
    }

    /// Give the files that a snapshot's znode names, sorted.
    pub fn named_by(&self, id: &str) -> Vec<PathBuf> {
        self.read(id).map(|znode| self.named(&znode)).unwrap_or_default()
    }

    #[expect(clippy::unused_self, reason = "the files are the scene's")]
    fn named(&self, znode: &Value) -> Vec<PathBuf> {
        let tables = znode["tables"].as_array().expect("tables");
        let path = |table: &Value| {
            let path = table["offsets_path"].as_str().expect("a path");
            PathBuf::from(path.strip_prefix("file:").unwrap_or(path))
        };
        let mut named: Vec<_> = tables.iter().map(path).collect();
        named.sort();
        named
    }

    /// Demand that a snapshot is there and whole, and that nothing but its own files is in its folder; gives the offset.
    #[track_caller]
    pub fn alone(&self, id: &str) -> i64 {
        let offset = self.whole(id);
        assert_eq!(self.files(id), self.named_by(id), "other files lie beside those of {id}");
        offset
    }

    /// Demand that neither znode nor files are left of a snapshot.
    #[track_caller]
    pub fn gone(&self, id: &str) {
        assert!(!self.zk.exists(&self.znode(id)), "the znode of {id} is still there");
        assert_eq!(self.files(id), Vec::<PathBuf>::new(), "files of {id} are left");
    }
}

#[track_caller]
fn offset(path: &Path) -> i64 {
    let bytes = fs::read(path).unwrap_or_else(|e| panic!("{} is named and not there: {e}", path.display()));
    let content: Value = serde_json::from_slice(&bytes).expect("an offsets file");
    content["bucket_offsets"][0].as_i64().expect("an offset")
}

/// Give this host's time in milliseconds.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    i64::try_from(since.as_millis()).expect("fits")
}
