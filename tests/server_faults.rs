//! The server's own faults do not happen to what flussctl wrote, nor through what flussctl cleans up.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::support::fluss::{Fluss, Spelling};
use crate::support::flussctl::Flussctl;
use crate::support::peer::Registered;
use crate::support::zk::Zk;
use crate::support::zookeeper::ZooKeeper;
use crate::support::{PATIENCE, require_servers, until};

/// Let every file and folder below be older than any cutoff.
fn age(path: &std::path::Path) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("list a folder").flatten() {
            age(&entry.path());
        }
    }
    let long_ago = SystemTime::now() - Duration::from_hours(24 * 30);
    File::open(path).and_then(|file| file.set_modified(long_ago)).expect("age a file");
}

#[test]
fn on_a_dir_without_a_scheme_ours_survives_the_servers_cleanup_and_neither_falls_to_ours() {
    require_servers!();
    let mut fluss =
        Fluss::options(ZooKeeper::shared()).spelling(Spelling::Plain).cleanup_interval("1s").start();
    let (peer, flussctl) = (fluss.peer(), Flussctl::of(&fluss));
    let zk = Zk::connect(fluss.zookeeper());
    peer.create_database("db").unwrap();
    assert_eq!(peer.create_table("db.t", 1, &[]), Ok(0));
    peer.create_table("db.parted", 1, &["day"]).unwrap();
    peer.create_partition("db.parted", "day=1").unwrap();

    let ours = ["--offset=db.t:0=7", "--offset=db.parted/1:0=8"];
    flussctl.line("po register ours").args(ours).run().expect(0);
    let given = peer.get("ours").unwrap().unwrap();
    assert_eq!(peer.register("theirs", &["0:0=7"]), Ok(Registered::Created));
    until("the server has deleted its own live file", PATIENCE, || fluss.offsets_files("theirs").is_empty());
    fluss.until_server_cleaned_up();

    assert!(zk.exists(&fluss.znode("theirs")), "the snapshot itself is alive");
    assert!(peer.get("theirs").unwrap_err().contains("Offsets file not found"));
    flussctl.line("po get theirs").run().expect(1);
    assert_eq!(peer.get("ours"), Ok(Some(given.clone())));
    assert_eq!(fluss.offsets_files("ours").len(), 2);
    flussctl.line("po get ours").run().expect(0);

    // While the server is away, its live file is put back under the name that its cleanup does not know it by.
    fluss.coordinator().stop();
    let spelled = zk.json(&fluss.znode("theirs"))["tables"][0]["offsets_path"].clone();
    let theirs = spelled.as_str().expect("a path");
    assert!(theirs.starts_with('/'), "{theirs}");
    fs::create_dir_all(std::path::Path::new(theirs).parent().unwrap()).unwrap();
    fs::write(theirs, r#"{"version":1,"table_id":0,"bucket_offsets":[7]}"#).unwrap();
    let orphan = fluss.remote_dir().join("producers/gone/0/0f1e2d3c-4b5a-4678-9abc-def012345678.offsets");
    fs::create_dir_all(orphan.parent().unwrap()).unwrap();
    fs::write(&orphan, "{}").unwrap();
    age(fluss.remote_dir());

    // The orphan shows that it did clean up.
    let cleaned = flussctl.line("po cleanup --yes -o json").run().expect(0).json();
    assert!(!orphan.exists());
    let touched = |id: &str| {
        let results = cleaned["results"].as_array().unwrap();
        results.iter().any(|result: &Value| result["producer_id"] == json!(id))
    };
    assert!(!touched("ours") && !touched("theirs"), "{cleaned}");
    assert_eq!((fluss.offsets_files("ours").len(), fluss.offsets_files("theirs").len()), (2, 1));
    for id in ["ours", "theirs"] {
        flussctl.args(["po", "get", id]).run().expect(0);
    }
    fluss.restart_coordinator();
    assert_eq!(fluss.peer().get("ours"), Ok(Some(given)));
}

#[test]
fn files_that_the_servers_cleanup_takes_before_they_are_named_are_written_again() {
    require_servers!();
    let fluss = Fluss::options(ZooKeeper::shared()).cleanup_interval("1s").start();
    let (peer, flussctl) = (fluss.peer(), Flussctl::of(&fluss));
    peer.create_database("db").unwrap();
    assert_eq!(peer.create_table("db.t", 1, &[]), Ok(0));
    assert_eq!(peer.create_table("db.u", 1, &[]), Ok(1));
    let register = flussctl.line("po register p --yes --no-backup");
    let over_nothing = register.line("--offset=0:0=1 --offset=1:0=2");
    let over_a_valid_one = register.line("--replace --offset=0:0=3 --offset=1:0=4");
    for (command, offsets) in [(over_nothing, ["0:0=1", "1:0=2"]), (over_a_valid_one, ["0:0=3", "1:0=4"])] {
        let before = fluss.offsets_files("p");
        let written = command.spawn_paused_at("register.files-written");
        until("the server has deleted the files that no znode names", PATIENCE, || {
            fluss.offsets_files("p") == before
        });
        written.go().wait(PATIENCE).expect(0);
        assert_eq!(peer.get("p").unwrap().unwrap().offsets, offsets);
        fluss.until_server_cleaned_up();
        assert_eq!(peer.get("p").unwrap().unwrap().offsets, offsets);
    }
}
