//! Fluss's Java client and flussctl, each reading and deleting what the other made, and racing for one id.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::support::fluss::{Fluss, Spelling};
use crate::support::flussctl::{Flussctl, Paused};
use crate::support::peer::{Peer, Registered};
use crate::support::zk::Zk;
use crate::support::zookeeper::ZooKeeper;
use crate::support::{PATIENCE, require_servers};

/// A table id that no cluster of the tests comes to; a multiple of 16, from where the server's hash order is by id.
const UNKNOWN: i64 = 1 << 40;

/// Give the offsets of the one snapshot in an answer of `get -o json`, written as the Java client writes them.
fn offsets(answer: &Value) -> Vec<String> {
    let tables = answer["snapshots"][0]["tables"].as_array().expect("tables");
    let of_table = |table: &Value| {
        let id = table["table_id"].clone();
        let buckets = table["buckets"].as_array().expect("buckets").clone();
        buckets.into_iter().map(move |bucket| {
            let partition = bucket["partition_id"].as_i64().map_or_else(String::new, |id| format!("/{id}"));
            format!("{id}{partition}:{}={}", bucket["bucket_id"], bucket["offset"])
        })
    };
    tables.iter().flat_map(of_table).collect()
}

fn get(flussctl: &Flussctl, id: &str) -> Value {
    flussctl.line("po get -o json").args([id]).run().expect(0).json()
}

fn register<S: AsRef<str>>(flussctl: &Flussctl, id: &str, offsets: &[S]) -> Flussctl {
    let offsets = offsets.iter().map(|offset| format!("--offset={}", offset.as_ref()));
    flussctl.args(["po", "register", id]).args(offsets)
}

fn delete(flussctl: &Flussctl, id: &str) {
    flussctl.line("po delete --job-stopped --yes --no-backup").args([id]).run().expect(0);
}

fn java(peer: &Peer, id: &str) -> Vec<String> {
    peer.get(id).expect("the server's get").expect("a snapshot").offsets
}

/// Two tables of a test's own, one of them partitioned, and what they are called.
struct Tables {
    plain: i64,
    parted: i64,
    eu: i64,
    us: i64,
    database: &'static str,
}

impl Tables {
    fn make(peer: &Peer, database: &'static str) -> Self {
        peer.create_database(database).expect("make a database");
        let plain = peer.create_table(&format!("{database}.plain"), 3, &[]).expect("make a table");
        let parted_name = format!("{database}.parted");
        let parted = peer.create_table(&parted_name, 2, &["year", "region"]).expect("make a table");
        for region in ["eu", "us"] {
            peer.create_partition(&parted_name, &format!("year=2026,region={region}"))
                .expect("make a partition");
        }
        let partitions: BTreeMap<_, _> = peer.table_info(&parted_name).expect("a table").partitions;
        Self { plain, parted, eu: partitions["2026$eu"], us: partitions["2026$us"], database }
    }

    /// Give every bucket's offset, by ids.
    fn by_id(&self) -> Vec<String> {
        let parted = self.parted;
        every_bucket(
            &self.plain.to_string(),
            &format!("{parted}/{}", self.eu),
            &format!("{parted}/{}", self.us),
        )
    }

    /// Give the same by names.
    fn by_name(&self) -> Vec<String> {
        let parted = format!("{}.parted", self.database);
        every_bucket(
            &format!("{}.plain", self.database),
            &format!("{parted}/2026$eu"),
            &format!("{parted}/2026$us"),
        )
    }
}

fn every_bucket(plain: &str, eu: &str, us: &str) -> Vec<String> {
    vec![
        format!("{plain}:0=0"),
        format!("{plain}:1=9223372036854775807"),
        format!("{plain}:2=7"),
        format!("{eu}:0=10"),
        format!("{eu}:1=11"),
        format!("{us}:0=20"),
        format!("{us}:1=9007199254740993"),
    ]
}

#[test]
fn what_the_java_client_registers_reads_the_same_here_with_names_beside_ids() {
    require_servers!();
    let (fluss, peer) = (Fluss::shared(), Fluss::shared_peer());
    let tables = Tables::make(peer, "interop_read");
    let flussctl = Flussctl::of(fluss);
    assert_eq!(peer.register("interop-read", &tables.by_id()), Ok(Registered::Created));

    let answer = get(&flussctl, "interop-read");
    assert_eq!(offsets(&answer), tables.by_id());
    let snapshot = &answer["snapshots"][0];
    let expiration_time = peer.get("interop-read").unwrap().unwrap().expiration_time;
    assert_eq!(snapshot["expiration_time"], json!(expiration_time));
    assert_eq!((&snapshot["state"], &snapshot["znode"]["version"]), (&json!("valid"), &json!(0)));
    let names: Vec<_> = snapshot["tables"].as_array().unwrap().iter().map(|table| &table["table"]).collect();
    assert_eq!(names, [&json!("interop_read.plain"), &json!("interop_read.parted")]);
    let partitions: Vec<_> = snapshot["tables"][1]["buckets"].as_array().unwrap().iter().collect();
    let partitions: Vec<_> = partitions.into_iter().map(|bucket| &bucket["partition"]).collect();
    assert_eq!(partitions, ["2026$eu", "2026$eu", "2026$us", "2026$us"]);
}

#[test]
fn whatever_the_server_stores_is_read_here_as_the_java_client_reads_it() {
    require_servers!();
    let (fluss, peer) = (Fluss::shared(), Fluss::shared_peer());
    let flussctl = Flussctl::of(fluss);
    let table = |at: i64| UNKNOWN + at;
    let cases: [(&str, Vec<String>); 6] = [
        ("empty", Vec::new()),
        ("gaps", vec![format!("{}:2=5", table(0)), format!("{}:900=6", table(0))]),
        ("largest", vec![format!("{}:0=9223372036854775807", i64::MAX)]),
        ("no-offset", vec![format!("{}:0=-1", table(0))]),
        ("id-0", vec!["0:0=1".to_owned(), format!("{}:0=2", table(1))]),
        ("partition-0", vec![format!("{}/0:1=1", table(0)), format!("{}/{}:0=2", table(0), i64::MAX)]),
    ];
    for (name, given) in &cases {
        let id = format!("interop-stored-{name}");
        assert_eq!(peer.register(&id, given), Ok(Registered::Created), "{name}");
        assert_eq!(offsets(&get(&flussctl, &id)), java(peer, &id), "{name}");
    }
}

#[test]
fn what_is_registered_by_names_or_by_ids_reads_the_same_in_java() {
    require_servers!();
    let (fluss, peer) = (Fluss::shared(), Fluss::shared_peer());
    let tables = Tables::make(peer, "interop_write");
    let flussctl = Flussctl::of(fluss);
    for (id, given) in [("interop-by-id", tables.by_id()), ("interop-by-name", tables.by_name())] {
        let mut backwards = given;
        backwards.reverse();
        register(&flussctl, id, &backwards).run().expect(0);
        assert_eq!(java(peer, id), tables.by_id(), "{id}");
        assert_eq!(offsets(&get(&flussctl, id)), tables.by_id(), "{id}");
        assert_eq!(peer.register(id, &["0:0=1"]), Ok(Registered::AlreadyExists), "{id}");
    }
}

#[test]
fn what_get_prints_is_registered_from_a_file_and_reads_the_same_in_java() {
    require_servers!();
    let (fluss, peer) = (Fluss::shared(), Fluss::shared_peer());
    let tables = Tables::make(peer, "interop_file");
    let flussctl = Flussctl::of(fluss);
    assert_eq!(peer.register("interop-file", &tables.by_id()), Ok(Registered::Created));
    for format in ["json", "csv"] {
        let printed = flussctl.args(["po", "get", "interop-file", "-o", format]).run().expect(0).stdout;
        let file = flussctl.home().join(format);
        fs::write(&file, &printed).unwrap();
        let (from_file, from_stdin) = (format!("interop-{format}"), format!("interop-{format}-stdin"));
        flussctl.args(["po", "register", &from_file, "-f"]).args([&file]).run().expect(0);
        flussctl.args(["po", "register", &from_stdin, "-f", "-"]).stdin(&printed).run().expect(0);
        for id in [from_file, from_stdin] {
            assert_eq!(java(peer, &id), tables.by_id(), "{id}");
        }
    }
}

#[test]
fn gaps_unknown_tables_and_no_tables_are_registered_where_they_are_meant() {
    require_servers!();
    let (fluss, peer) = (Fluss::shared(), Fluss::shared_peer());
    let tables = Tables::make(peer, "interop_gaps");
    let flussctl = Flussctl::of(fluss);
    let given = [
        format!("{}:2=9223372036854775807", tables.plain),
        format!("{}/{}:1=3", tables.parted, tables.us),
        format!("{UNKNOWN}:2=5"),
        format!("{UNKNOWN}:900=6"),
        format!("{}/0:1=1", UNKNOWN + 1),
        format!("{}:0=1", i64::MAX),
    ];
    let command = register(&flussctl, "interop-gaps", &given);
    let refused = command.run().expect(2);
    assert!(refused.stderr.contains("--missing-as-zero"), "{refused}");
    assert_eq!(peer.get("interop-gaps"), Ok(None));
    command.line("--missing-as-zero").run().expect(0);
    assert_eq!(java(peer, "interop-gaps"), given);

    let empty = flussctl.line("po register interop-empty -f -").stdin(r#"{"tables":[]}"#);
    empty.run().expect(2);
    empty.line("--missing-as-zero").run().expect(0);
    assert_eq!(java(peer, "interop-empty"), [""; 0]);
    assert_eq!(offsets(&get(&flussctl, "interop-empty")), [""; 0]);
    assert!(fluss.offsets_files("interop-empty").is_empty());
}

/// Read a snapshot's znode, with its one id, time and UUIDs put out of the way, and its files' bytes by table.
fn stored(fluss: &Fluss, zk: &Zk, id: &str) -> (String, BTreeMap<i64, Vec<u8>>) {
    let path = fluss.znode(id);
    let decoded = zk.json(&path);
    let mut znode = zk.text(&path).replace(&decoded["expiration_time"].to_string(), "TIME").replace(id, "ID");
    let mut files = BTreeMap::new();
    for table in decoded["tables"].as_array().expect("tables") {
        let spelled = table["offsets_path"].as_str().expect("a path");
        let table_id = table["table_id"].as_i64().expect("a table id");
        let (_, name) = spelled.rsplit_once('/').expect("an absolute path");
        let uuid = name.strip_suffix(".offsets").expect("an offsets file");
        znode = znode.replace(uuid, "UUID");
        let file = fluss.remote_dir().join(format!("producers/{id}/{table_id}/{name}"));
        files.insert(table_id, fs::read(file).expect("read an offsets file"));
    }
    (znode, files)
}

#[test]
fn znode_and_files_are_byte_for_byte_what_the_server_writes() {
    require_servers!();
    let (fluss, peer) = (Fluss::shared(), Fluss::shared_peer());
    let zk = Zk::connect(fluss.zookeeper());
    let flussctl = Flussctl::of(fluss);
    let table = |at: i64| UNKNOWN + at;
    let cases: [(&str, Vec<String>); 4] = [
        ("plain", vec![format!("{}:0=100", table(0)), format!("{}:1=0", table(0))]),
        ("gaps", vec![format!("{}:1=9223372036854775807", table(0)), format!("{}:4=7", table(0))]),
        (
            "parted",
            vec![
                format!("{}/12:1=5", table(0)),
                format!("{}/3:0=6", table(0)),
                format!("{}/3:2=8", table(0)),
                format!("{}/0:0=9", table(0)),
            ],
        ),
        (
            "several",
            vec![format!("{}:0=1", table(3)), format!("{}/1:0=2", table(1)), format!("{}:0=3", table(2))],
        ),
    ];
    for (name, given) in &cases {
        let (theirs, ours) = (format!("twin-{name}-theirs"), format!("twin-{name}-ours"));
        assert_eq!(peer.register(&theirs, given), Ok(Registered::Created), "{name}");
        register(&flussctl, &ours, given).line("--missing-as-zero").run().expect(0);
        assert_eq!(stored(fluss, &zk, &ours), stored(fluss, &zk, &theirs), "{name}");
        assert_eq!(zk.acl(&fluss.znode(&ours)), zk.acl(&fluss.znode(&theirs)), "{name}");
    }
    let none: [&str; 0] = [];
    assert_eq!(peer.register("twin-empty-theirs", &none), Ok(Registered::Created));
    let empty = flussctl.line("po register twin-empty-ours --missing-as-zero -f -").stdin(r#"{"tables":[]}"#);
    empty.run().expect(0);
    assert_eq!(stored(fluss, &zk, "twin-empty-ours"), stored(fluss, &zk, "twin-empty-theirs"));
}

#[test]
fn each_deletes_what_the_other_made_and_its_files() {
    require_servers!();
    let (fluss, peer) = (Fluss::shared(), Fluss::shared_peer());
    let tables = Tables::make(peer, "interop_delete");
    let zk = Zk::connect(fluss.zookeeper());
    let flussctl = Flussctl::of(fluss);

    register(&flussctl, "interop-ours", &tables.by_id()).run().expect(0);
    assert_eq!(fluss.offsets_files("interop-ours").len(), 2);
    peer.delete("interop-ours").unwrap();

    assert_eq!(peer.register("interop-theirs", &tables.by_id()), Ok(Registered::Created));
    assert_eq!(fluss.offsets_files("interop-theirs").len(), 2);
    delete(&flussctl, "interop-theirs");

    for id in ["interop-ours", "interop-theirs"] {
        assert!(!zk.exists(&fluss.znode(id)), "{id}");
        assert!(fluss.offsets_files(id).is_empty(), "{id}");
        assert_eq!(peer.get(id), Ok(None), "{id}");
        flussctl.args(["po", "get", id]).run().expect(3);
    }
}

/// Let eight processes and the Java client register one id at once, and see that exactly one did, whose content stands.
///
/// Each waits with its files written until all are there, so that every round is a race for the znode alone.
fn race(fluss: &Fluss, peer: &Peer, id: &str, table: i64) {
    let flussctl = Flussctl::of(fluss);
    let offset = |runner: usize| format!("{table}:0={runner}");
    let waiting: Vec<_> = thread::scope(|scope| {
        let start = |runner| {
            let command = register(&flussctl, id, &[offset(runner)]);
            scope.spawn(move || command.spawn_paused_at("register.files-written"))
        };
        let started: Vec<_> = (0..8).map(start).collect();
        started.into_iter().map(|paused| paused.join().expect("start flussctl")).collect()
    });
    let pending = peer.register_at(SystemTime::now(), id, &[offset(8)]);
    let racing: Vec<_> = waiting.into_iter().map(Paused::go).collect();
    let outputs: Vec<_> = racing.into_iter().map(|running| running.wait(PATIENCE)).collect();
    let java_made_it = match pending.wait() {
        Ok(registered) => registered == Registered::Created,
        // It cannot delete an expired snapshot while one of ours holds it.
        Err(refused) => {
            assert!(refused.contains("NotEmptyException"), "{refused}");
            false
        }
    };

    let mut winners: Vec<usize> = (0..8).filter(|&runner| outputs[runner].code == 0).collect();
    winners.extend(java_made_it.then_some(8));
    assert_eq!(winners.len(), 1, "{winners:?} of {outputs:?}");
    for (runner, output) in outputs.into_iter().enumerate() {
        output.expect(if winners[0] == runner { 0 } else { 4 });
    }
    assert_eq!(java(peer, id), [offset(winners[0])]);
    assert_eq!(fluss.offsets_files(id).len(), 1, "the losers' files are gone");
}

#[test]
fn of_eight_processes_and_the_java_client_exactly_one_registers() {
    require_servers!();
    let (fluss, peer) = (Fluss::shared(), Fluss::shared_peer());
    peer.create_database("interop_race").unwrap();
    let table = peer.create_table("interop_race.t", 1, &[]).unwrap();
    for _ in 0..50 {
        race(fluss, peer, "interop-race", table);
        delete(&Flussctl::of(fluss), "interop-race");
        assert!(fluss.offsets_files("interop-race").is_empty());
    }
}

#[test]
fn of_eight_processes_and_the_java_client_exactly_one_registers_over_an_expired_snapshot() {
    require_servers!();
    let (fluss, peer) = (Fluss::shared(), Fluss::shared_peer());
    let zk = Zk::connect(fluss.zookeeper());
    peer.create_database("interop_race_expired").unwrap();
    let table = peer.create_table("interop_race_expired.t", 1, &[]).unwrap();
    let (id, path) = ("interop-race-expired", fluss.znode("interop-race-expired"));
    assert_eq!(peer.register(id, &[format!("{table}:0=100")]), Ok(Registered::Created));
    for _ in 0..25 {
        let mut znode = zk.json(&path);
        znode["expiration_time"] = json!(1000);
        // Made anew, so that it has version 0 as all that the server makes.
        zk.delete_all(&path);
        zk.create(&path, znode.to_string());
        race(fluss, peer, id, table);
    }
}

/// Both write, both read and both delete on a cluster of its own, whose first table has the id 0.
fn both_understand(spelling: Spelling, folder: &str) {
    let fluss = Fluss::options(ZooKeeper::shared()).spelling(spelling).folder(folder).start();
    let (peer, flussctl) = (fluss.peer(), Flussctl::of(&fluss));
    let zk = Zk::connect(fluss.zookeeper());
    peer.create_database("db").expect("make a database");
    assert_eq!(peer.create_table("db.t", 2, &[]), Ok(0));
    let given = ["0:0=3", "0:1=9223372036854775807"];
    register(&flussctl, "ours", &given).run().expect(0);
    assert_eq!(peer.register("theirs", &given), Ok(Registered::Created));
    for id in ["ours", "theirs"] {
        assert_eq!(java(&peer, id), given, "{id}");
        assert_eq!(offsets(&get(&flussctl, id)), given, "{id}");
        assert_eq!(fluss.offsets_files(id).len(), 1, "{id}");
    }
    let spelled = zk.json(&fluss.znode("ours"))["tables"][0]["offsets_path"].clone();
    let listed = format!("file:{}/producers/ours/0/", fluss.remote_dir().display());
    assert!(
        spelled.as_str().expect("a path").starts_with(&listed),
        "{spelled} is not as the server lists it: {listed}"
    );
    peer.delete("ours").expect("the server's delete");
    delete(&flussctl, "theirs");
    for id in ["ours", "theirs"] {
        assert!(fluss.offsets_files(id).is_empty(), "{id}");
        assert_eq!(peer.get(id), Ok(None), "{id}");
    }
}

#[test]
fn a_dir_without_a_scheme_and_with_spaces_is_the_same_to_both() {
    require_servers!();
    both_understand(Spelling::Plain, "a  remote dir");
}

#[test]
fn a_dir_with_one_slash_and_percents_is_the_same_to_both() {
    require_servers!();
    both_understand(Spelling::ShortUri, "100% %41 %zz");
}

#[test]
fn a_dir_with_three_slashes_spaces_and_percents_is_the_same_to_both() {
    require_servers!();
    both_understand(Spelling::Uri, "50%25 of a%20dir +?&é");
}
