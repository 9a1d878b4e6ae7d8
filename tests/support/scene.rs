//! A cluster without its servers: a root in the shared ZooKeeper with metadata and snapshots written by hand in the server's
//! format, and a folder as the remote data dir.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::flussctl::{Flussctl, Output};
use super::zk::{Zk, wait};
use super::zookeeper::ZooKeeper;
use super::{temp_dir, unique};

/// The end of the year 2099: far enough to be valid whenever the tests run, and the same in every output.
pub const FAR: i64 = 4_102_444_799_000;

/// The first of 2020: long expired.
pub const PAST: i64 = 1_577_836_800_000;

/// When every table of a scene was created.
pub const CREATED: i64 = 1_577_000_000_000;

/// The cluster, and the program at it.
pub struct Scene {
    /// The tests' own client.
    pub zk: Zk,
    /// The cluster's root in ZooKeeper.
    pub root: String,
    /// The command line's beginning.
    pub flussctl: Flussctl,
    remote: TempDir,
}

impl Scene {
    /// Make an empty cluster in the shared ZooKeeper.
    pub fn new() -> Self {
        Self::at(ZooKeeper::shared())
    }

    /// Make an empty cluster in a ZooKeeper.
    pub fn at(zookeeper: &ZooKeeper) -> Self {
        let (zk, root, remote) = (zookeeper.client(), zookeeper.root(), temp_dir());
        let flussctl = Flussctl::at(zookeeper, &root, &remote.path().display().to_string());
        Self { zk, root, flussctl, remote }
    }

    /// Run a command line's words to the end.
    #[track_caller]
    pub fn run(&self, words: &str) -> Output {
        self.flussctl.line(words).run()
    }

    /// Give the remote data dir.
    pub fn remote(&self) -> &Path {
        self.remote.path()
    }

    /// Give a path below the cluster's root in ZooKeeper.
    pub fn path(&self, below: &str) -> String {
        format!("{}/{below}", self.root)
    }

    /// Give the path of a snapshot's znode.
    pub fn znode(&self, id: &str) -> String {
        self.path(&format!("producers/{id}"))
    }

    /// Write the metadata of a table without partitions.
    pub fn table(&self, table_id: i64, name: &str, buckets: i32) {
        self.table_znode(
            name,
            &json!({"version": 1, "table_id": table_id, "bucket_count": buckets, "properties": {},
            "custom_properties": {}, "created_time": CREATED, "modified_time": CREATED}),
        );
    }

    /// Write the metadata of a table with partitions, each a name and an id.
    pub fn partitioned(&self, table_id: i64, name: &str, buckets: i32, partitions: &[(&str, i64)]) {
        let path = self.table_znode(
            name,
            &json!({"version": 1, "table_id": table_id, "partition_key": ["k"],
            "bucket_count": buckets, "properties": {}, "custom_properties": {}, "created_time": CREATED,
            "modified_time": CREATED}),
        );
        for (name, partition_id) in partitions {
            let data = json!({"version": 1, "table_id": table_id, "partition_id": partition_id});
            self.zk.create(&format!("{path}/partitions/{name}"), data.to_string());
        }
    }

    fn table_znode(&self, name: &str, data: &Value) -> String {
        let (database, table) = name.split_once('.').expect("a table is database.table");
        let path = self.path(&format!("metadata/databases/{database}/tables/{table}"));
        self.zk.create(&path, data.to_string());
        path
    }

    /// Write a snapshot of tables, each with its bucket offsets, as the server writes it: files, then the znode.
    pub fn snapshot(&self, id: &str, expiration_time: i64, tables: &[(i64, &[i64])]) {
        let tables: Vec<Value> = tables
            .iter()
            .map(|(table_id, offsets)| {
                let path = self.file(
                    id,
                    *table_id,
                    &json!({"version": 1, "table_id": table_id, "bucket_offsets": offsets}).to_string(),
                );
                json!({"table_id": table_id, "offsets_path": format!("file:{}", path.display())})
            })
            .collect();
        let data = json!({"version": 1, "expiration_time": expiration_time, "tables": tables});
        self.zk.create(&self.znode(id), data.to_string());
    }

    /// Write an offsets file of a table under a name of its own.
    pub fn file(&self, id: &str, table_id: i64, contents: &str) -> PathBuf {
        let folder = self.remote().join(format!("producers/{id}/{table_id}"));
        fs::create_dir_all(&folder).expect("make a table's folder");
        let path = folder.join(format!("00000000-0000-4000-8000-{:012x}.offsets", unique()));
        fs::write(&path, contents).expect("write an offsets file");
        path
    }

    /// Give the files of a snapshot's folder, by table and name.
    pub fn files(&self, id: &str) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for table in entries(&self.remote().join("producers").join(id)) {
            files.extend(entries(&table));
        }
        files.sort();
        files
    }

    /// Give the paths that a snapshot's znode names.
    pub fn named(&self, id: &str) -> Vec<PathBuf> {
        let znode = self.zk.json(&self.znode(id));
        let tables = znode["tables"].as_array().expect("a znode has tables").clone();
        let path = |table: &Value| table["offsets_path"].as_str().expect("a table has a path").to_owned();
        tables.iter().map(|table| path(table).trim_start_matches("file:").into()).collect()
    }

    /// Give the offsets that a snapshot's files hold, as the server would read them: a line of JSON a table.
    pub fn offsets(&self, id: &str) -> Vec<String> {
        let read = |path: PathBuf| fs::read_to_string(path).expect("read an offsets file");
        self.named(id).into_iter().map(read).collect()
    }

    /// Give all that the cluster holds, to see that nothing changed: znodes with their state, files with their bytes.
    pub fn everything(&self) -> Vec<String> {
        let mut all = Vec::new();
        for name in self.zk.children(&self.path("producers")) {
            // Some may be closed to everybody.
            let stat = wait(self.zk.client().check_stat(&self.znode(&name))).ok().flatten();
            all.push(format!("{name} {:?}", stat.map(|stat| (stat.mzxid, stat.num_children))));
        }
        let mut folders = vec![self.remote().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in entries(&folder) {
                if entry.is_dir() {
                    folders.push(entry.clone());
                }
                let bytes = fs::read(&entry).unwrap_or_default();
                all.push(format!("{} {}", entry.display(), String::from_utf8_lossy(&bytes)));
            }
        }
        all.sort();
        all
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}
