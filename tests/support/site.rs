//! A cluster without servers of its own: znodes and files put in place by hand, in the format of Fluss 0.9.1.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tempfile::TempDir;

use super::flussctl::{Flussctl, Output};
use super::zk::Zk;
use super::zookeeper::ZooKeeper;
use super::{temp_dir, unique};

/// How long ago what is old was written: older than any default cutoff.
pub const OLD: Duration = Duration::from_hours(240);

/// A root in the shared ZooKeeper and a local remote data dir, with `producers` in both.
pub struct Site {
    /// The tests' own client.
    pub zk: Zk,
    /// The cluster's root.
    pub root: String,
    /// The program, with all three named in the environment.
    pub flussctl: Flussctl,
    remote: PathBuf,
    dir: TempDir,
}

impl Site {
    /// Make one whose remote data dir is spelled as a plain path.
    pub fn new() -> Self {
        Self::with_dir("remote")
    }

    /// Make one whose remote data dir has a name of its own, spelled as a plain path.
    pub fn with_dir(name: &str) -> Self {
        let (zookeeper, dir) = (ZooKeeper::shared(), temp_dir());
        let (zk, root, remote) = (zookeeper.client(), zookeeper.root(), dir.path().join(name));
        zk.create(&format!("{root}/producers"), b"");
        fs::create_dir_all(remote.join("producers")).expect("make the remote data dir");
        let flussctl = Flussctl::at(zookeeper, &root, remote.to_str().expect("a path of text"));
        Self { zk, root, flussctl, remote, dir }
    }

    /// Give a folder beside the remote data dir, for what is no part of it.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Give the remote data dir.
    pub fn remote(&self) -> &Path {
        &self.remote
    }

    /// Give a place below `producers/`.
    pub fn place(&self, below: &str) -> PathBuf {
        self.remote.join("producers").join(below)
    }

    /// Give the znode of a snapshot.
    pub fn znode(&self, id: &str) -> String {
        format!("{}/producers/{id}", self.root)
    }

    /// Say whether a snapshot's znode is there.
    pub fn has(&self, id: &str) -> bool {
        self.zk.exists(&self.znode(id))
    }

    /// Write an old offsets file of one bucket at 1, with its folders, and give its place below `producers/`.
    pub fn file(&self, id: &str, table: i64) -> String {
        let below = format!("{id}/{table}/{}.offsets", uuid());
        self.write(&below, &format!(r#"{{"version":1,"table_id":{table},"bucket_offsets":[1]}}"#));
        below
    }

    /// Write a file below `producers/`, old as its folders.
    pub fn write(&self, below: &str, content: &str) {
        let path = self.place(below);
        fs::create_dir_all(path.parent().expect("a folder")).expect("make the folders");
        fs::write(&path, content).expect("write a file");
        self.age(below, OLD);
    }

    /// Make a file and the folders above it, up to the producer's, as old as this.
    pub fn age(&self, below: &str, age: Duration) {
        let producers = self.place("");
        let mut path = self.place(below);
        while path.starts_with(&producers) && path.join("") != producers {
            set_age(&path, age);
            path.pop();
        }
    }

    /// Register a snapshot of these tables that expires then, with old files; gives their places.
    pub fn snapshot(&self, id: &str, expiration_time: i64, tables: &[i64]) -> Vec<String> {
        let files: Vec<String> = tables.iter().map(|&table| self.file(id, table)).collect();
        let spelled = files.iter().map(|file| self.spelled(file));
        let entries: Vec<(i64, String)> = tables.iter().copied().zip(spelled).collect();
        self.zk.create(&self.znode(id), znode(expiration_time, &entries));
        files
    }

    /// Register a snapshot that names these paths.
    pub fn names(&self, id: &str, expiration_time: i64, paths: &[(i64, &str)]) {
        let entries: Vec<(i64, String)> = paths.iter().map(|&(id, path)| (id, path.to_owned())).collect();
        self.zk.create(&self.znode(id), znode(expiration_time, &entries));
    }

    /// Spell a place below `producers/` as the server does where the dir has a scheme.
    pub fn spelled(&self, below: &str) -> String {
        format!("file:{}", self.place(below).display())
    }

    /// Make a table known in the metadata.
    pub fn table(&self, name: &str, id: i64, created_time: i64) -> String {
        let path = format!("{}/metadata/databases/db/tables/{name}", self.root);
        self.zk.create(&path, table_znode(id, created_time, ""));
        path
    }

    /// Give all files and folders below `producers/`, and all snapshots with their bytes: what a run may have changed.
    pub fn state(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        walk(&self.place(""), &mut all);
        for id in self.zk.children(&format!("{}/producers", self.root)) {
            all.insert(format!("znode {id}"));
        }
        all
    }

    /// Give the places of all files below `producers/`.
    pub fn files(&self) -> BTreeSet<String> {
        let producers = format!("{}/", self.place("").display()).replace("//", "/");
        let state = self.state().into_iter();
        let files = state.filter(|path| Path::new(path).is_file());
        files.map(|path| path.strip_prefix(&producers).unwrap_or(&path).to_owned()).collect()
    }

    /// Give the program as somebody whom permissions bind, root too; says so where that cannot be had.
    pub fn bound(&self) -> Option<Flussctl> {
        if !rustix::process::geteuid().is_root() {
            return Some(self.flussctl.clone());
        }
        let caps = "-dac_override,-dac_read_search";
        let drop = [format!("--bounding-set={caps}"), format!("--inh-caps={caps}")];
        let works = Command::new("setpriv").args(&drop).arg("true").status().is_ok_and(|end| end.success());
        if !works {
            let _ = writeln!(std::io::stderr(), "SKIPPED: as root, without setpriv, nothing is forbidden");
            return None;
        }
        Some(self.flussctl.program("setpriv").args(drop).args([env!("CARGO_BIN_EXE_flussctl")]))
    }

    /// Run a cleanup, in JSON.
    pub fn cleanup(&self, words: &str) -> Output {
        self.flussctl.line("po cleanup -o json").line(words).run()
    }
}

/// Give the znode's bytes as the server writes them.
pub fn znode(expiration_time: i64, tables: &[(i64, String)]) -> String {
    let entry = |(id, path): &(i64, String)| {
        format!(r#"{{"table_id":{id},"offsets_path":{}}}"#, Value::from(path.as_str()))
    };
    let tables: Vec<String> = tables.iter().map(entry).collect();
    format!(r#"{{"version":1,"expiration_time":{expiration_time},"tables":[{}]}}"#, tables.join(","))
}

/// Give a table's metadata, with partition keys as JSON strings between commas.
pub fn table_znode(id: i64, created_time: i64, partition_keys: &str) -> String {
    format!(
        r#"{{"version":1,"table_id":{id},"partition_key":[{partition_keys}],"bucket_count":1,"properties":{{}},"custom_properties":{{}},"created_time":{created_time},"modified_time":{created_time}}}"#
    )
}

/// Give the time so far from now, in milliseconds.
pub fn in_ms(from_now: i64) -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    i64::try_from(since.as_millis()).expect("a clock of this age") + from_now
}

/// Give a time at which a live snapshot expires.
pub fn tomorrow() -> i64 {
    in_ms(86_400_000)
}

/// Give a time at which a snapshot expired that may be deleted.
pub fn yesterday() -> i64 {
    in_ms(-86_400_000)
}

/// Give a UUID that no other test of this run has.
pub fn uuid() -> String {
    format!("{:08x}-1111-4222-8333-444444444444", unique())
}

/// Let a file or folder have been written so long ago.
pub fn set_age(path: &Path, age: Duration) {
    let file = File::open(path).unwrap_or_else(|e| panic!("open {}: {e}", path.display()));
    file.set_modified(SystemTime::now() - age).unwrap_or_else(|e| panic!("date {}: {e}", path.display()));
}

/// Set the permissions of a file or folder.
pub fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("set permissions");
}

/// What an answer says of each item: its outcome, without the `would_` of a dry run, and what it is of.
pub fn results(output: &Output) -> BTreeSet<(String, String)> {
    let document = output.json();
    let results = document["results"].as_array().unwrap_or_else(|| panic!("no results\n{output}"));
    let pair = |result: &Value| {
        let of = result["path"].as_str().or(result["producer_id"].as_str()).unwrap_or_default();
        let outcome = result["outcome"].as_str().unwrap_or_default();
        let done = match outcome {
            "would_delete" => "deleted",
            "would_remove" => "removed",
            "would_restore" => "restored",
            other => other,
        };
        (done.to_owned(), of.to_owned())
    };
    results.iter().map(pair).collect()
}

/// Give what has one outcome.
pub fn with(output: &Output, outcome: &str) -> BTreeSet<String> {
    results(output).into_iter().filter(|(word, _)| word == outcome).map(|(_, of)| of).collect()
}

fn walk(folder: &Path, all: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("list a folder") {
        let entry = entry.expect("list a folder");
        all.insert(entry.path().display().to_string());
        if entry.file_type().expect("look at an entry").is_dir() {
            walk(&entry.path(), all);
        }
    }
}
