//! `register`: every bucket or none, from arguments and files, over what stands there, and how long it lives.

use std::fs;

use crate::support::flussctl::{Flussctl, Output};
use crate::support::redact::assert_output;
use crate::support::require_servers;
use crate::support::scene::{CREATED, FAR, PAST, Scene};

/// A plain table of two buckets, and one with two partitions of one bucket each.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.table(0, "db.orders", 2);
    scene.partitioned(7, "db.parted", 1, &[("2026$eu", 3), ("2026$us", 4)]);
    scene
}

/// The files that an output says were left, or none.
fn left(output: &Output) -> Option<serde_json::Value> {
    output.json()["results"][0].get("files_left").cloned()
}

#[test]
fn a_baseline_of_names_and_ids_becomes_the_servers_files_and_znode() {
    require_servers!();
    let scene = scene();
    assert_output!(
        scene.run(
            "po register p --offset db.orders:0=10 --offset 0:1=9223372036854775807 \
             --offset db.parted/2026$eu:0=5 --offset 7/4:0=0 --expires-at 2029-12-31T23:59:59Z"
        ),
        @"
    $ flussctl po register p --offset db.orders:0=10 --offset 0:1=9223372036854775807 --offset 'db.parted/2026$eu:0=5' --offset 7/4:0=0 --expires-at [TIME]
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    p  created  expires [TIME] ([LEFT])
    --- exit code 0
    "
    );
    assert_eq!(
        scene.offsets("p"),
        [
            r#"{"version":1,"table_id":0,"bucket_offsets":[10,9223372036854775807]}"#,
            r#"{"version":1,"table_id":7,"partition_offsets":[{"partition_id":3,"bucket_offsets":[5]},{"partition_id":4,"bucket_offsets":[0]}]}"#,
        ]
    );
    let znode = scene.zk.text(&scene.znode("p"));
    assert!(
        znode.starts_with(
            r#"{"version":1,"expiration_time":1893455999000,"tables":[{"table_id":0,"offsets_path":"file:/"#
        ),
        "{znode}"
    );
    assert_eq!(scene.named("p"), scene.files("p"));
    assert!(scene.zk.stat(&scene.znode("p")).unwrap().version >= 1, "no delete meant for version 0 takes it");
}

#[test]
fn each_bucket_that_is_missing_is_named_and_nothing_is_written() {
    require_servers!();
    let scene = scene();
    let before = scene.everything();
    assert_output!(scene.run("po register p --offset db.orders:1=1 --offset db.parted/3:0=1"), @"
    $ flussctl po register p --offset db.orders:1=1 --offset db.parted/3:0=1
    --- stderr
    error: the offsets are refused: db.orders:0 is missing; db.parted/2026$us:0 is missing
    hint: a bucket that is left out counts as offset 0 and is undone to nothing; if that is meant, say --missing-as-zero
    --- exit code 2
    ");
    assert_output!(scene.run("po register p --offset 99:0=1"), @"
    $ flussctl po register p --offset 99:0=1
    --- stderr
    error: the offsets are refused: there is no table 99
    hint: a bucket that is left out counts as offset 0 and is undone to nothing; if that is meant, say --missing-as-zero
    --- exit code 2
    ");
    assert_output!(scene.run("po register p --offset db.orders:0=1 --offset db.orders:1=1 --offset 0:1=2"), @"
    $ flussctl po register p --offset db.orders:0=1 --offset db.orders:1=1 --offset 0:1=2
    --- stderr
    error: the offsets are refused: db.orders:1 is given twice
    --- exit code 2
    ");
    assert_output!(scene.run("po register p --offset db.orders:0=1 --offset db.orders:1=1 --offset db.orders:2=2 --offset 7:0=0 --offset 7/9:0=1 --offset 7/3:0=1 --offset 7/4:0=1"), @"
    $ flussctl po register p --offset db.orders:0=1 --offset db.orders:1=1 --offset db.orders:2=2 --offset 7:0=0 --offset 7/9:0=1 --offset 7/3:0=1 --offset 7/4:0=1
    --- stderr
    error: the offsets are refused: db.orders:2: the table has 2 buckets; table db.parted has buckets with and without a partition; db.parted:0 names no partition of a partitioned table; partition 9 of db.parted does not exist
    --- exit code 2
    ");
    let output = scene.run("po register p --offset db.orders:1=1 -o json").expect(2);
    assert!(
        output.json()["error"]["message"].as_str().unwrap().contains("db.orders:0 is missing"),
        "{output}"
    );
    assert_eq!(scene.everything(), before);
    assert!(!scene.zk.exists(&scene.path("producers")), "refused before anything is made");
}

#[test]
fn what_is_left_out_may_be_meant() {
    require_servers!();
    let scene = scene();
    assert_output!(scene.run("po register p --offset db.orders:1=1 --missing-as-zero --ttl 1h"), @"
    $ flussctl po register p --offset db.orders:1=1 --missing-as-zero --ttl 1h
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    p  created  expires [TIME] ([LEFT])
    --- stderr
    warning: db.orders is without 1 of its buckets: each counts as offset 0 and is undone to nothing
    --- exit code 0
    ");
    assert_eq!(scene.offsets("p"), [r#"{"version":1,"table_id":0,"bucket_offsets":[-1,1]}"#]);
    let unknown = scene.run("po register q --offset 99:0=1 --missing-as-zero").expect(0);
    assert!(unknown.stderr.contains("table 99 is not in the cluster's metadata"), "{unknown}");
}

#[test]
fn metadata_that_cannot_be_read_is_no_proof_of_a_whole_baseline() {
    require_servers!();
    let scene = scene();
    scene.zk.set(&scene.path("metadata/databases/db/tables/orders"), b"junk");
    assert_output!(scene.run("po register p --offset 0:0=1 --offset 0:1=1"), @"
    $ flussctl po register p --offset 0:0=1 --offset 0:1=1
    --- stderr
    error: the offsets are refused: table 0 could not be looked up: /[ROOT]/metadata/databases/db/tables/orders: expected value at line 1 column 1
    hint: a bucket that is left out counts as offset 0 and is undone to nothing; if that is meant, say --missing-as-zero
    --- exit code 2
    ");
    scene.run("po register p --offset 0:0=1 --offset 0:1=1 --missing-as-zero").expect(0);
}

#[test]
fn digits_that_mean_two_partitions_are_refused() {
    require_servers!();
    let scene = Scene::new();
    scene.partitioned(1, "db.years", 1, &[("2026", 5), ("5", 6)]);
    assert_output!(scene.run("po register p --offset db.years/2026:0=1 --offset db.years/5:0=1"), @r#"
    $ flussctl po register p --offset db.years/2026:0=1 --offset db.years/5:0=1
    --- stderr
    error: partition "5" of table 1 is the id of one partition and the name of another (id 6)
    hint: name the partition by its id
    --- exit code 2
    "#);
    assert_output!(scene.run("po register p --offset db.years/2026:0=1 --offset db.years/2027$x:0=1"), @r#"
    $ flussctl po register p --offset db.years/2026:0=1 --offset 'db.years/2027$x:0=1'
    --- stderr
    error: db.years has no partition "2027$x"
    --- exit code 2
    "#);
    scene.run("po register p --offset db.years/2026:0=1 --offset db.years/6:0=2").expect(0);
    assert_eq!(
        scene.offsets("p"),
        [
            r#"{"version":1,"table_id":1,"partition_offsets":[{"partition_id":5,"bucket_offsets":[1]},{"partition_id":6,"bucket_offsets":[2]}]}"#
        ]
    );
}

#[test]
fn an_offset_is_an_exact_integer_or_refused() {
    let away =
        Flussctl::new().env("FLUSSCTL_ZOOKEEPER", "127.0.0.1:1").env("FLUSSCTL_REMOTE_DATA_DIR", "/nowhere");
    for offset in [
        "",
        "0",
        "0:0",
        "0=1",
        ":0=1",
        "0/:0=1",
        "/x:0=1",
        "0:x=1",
        "0:0=",
        "0:0=1.0",
        "0:0=9e15",
        "0:0=9.007e15",
        "0:0=-1",
        "0:0=+1",
        "0:0= 1",
        "0:0=9223372036854775808",
        "0:-1=0",
        "0:2147483648=0",
        "0:99999999=0",
        "0:0=1_000",
    ] {
        let output = away.args(["po", "register", "p", &format!("--offset={offset}")]).run().expect(2);
        assert!(output.stdout.is_empty() && output.stderr.starts_with("error: "), "{output}");
    }
    assert_output!(away.line("po register p --offset 0:0=1.0").run(), @r#"
    $ flussctl po register p --offset 0:0=1.0
    --- stderr
    error: "0:0=1.0" is no offset: the offset "1.0" is no decimal integer
    hint: write TABLE[/PARTITION]:BUCKET=OFFSET, for example db.orders:0=1500 or 7/2026$eu:3=42
    --- exit code 2
    "#);
    assert_output!(away.line("po register p").run(), @"
    $ flussctl po register p
    --- stderr
    error: the following required arguments were not provided:
      <--offset <OFFSET>|--file <FILE>>

    Usage: flussctl producer-offsets register <--offset <OFFSET>|--file <FILE>> <ID>

    For more information, try '--help'.
    --- exit code 2
    ");
}

#[test]
fn what_get_prints_registers_again() {
    require_servers!();
    let scene = scene();
    scene
        .run("po register p --offset 0:0=9007199254740993 --offset 0:1=9223372036854775807 --offset 7/3:0=5 --offset 7/4:0=6")
        .expect(0);
    for (format, id) in [("json", "from-json"), ("csv", "from-csv")] {
        let printed = scene.run(&format!("po get p -o {format}")).expect(0).stdout;
        let piped =
            scene.flussctl.line(&format!("po register {id} -f - --ttl 1d")).stdin(&printed).run().expect(0);
        assert_eq!(scene.offsets(id), scene.offsets("p"), "{piped}");
        let file = scene.flussctl.home().join(format!("p.{format}"));
        // As an editor on Windows saves it.
        fs::write(&file, format!("\u{feff}{}", printed.replace('\n', "\r\n"))).unwrap();
        scene.flussctl.line(&format!("po register {id}-file -f")).args([&file]).run().expect(0);
        assert_eq!(scene.offsets(&format!("{id}-file")), scene.offsets("p"));
    }
    let folder = scene.flussctl.home().join("saved");
    scene.flussctl.line("po backup p --to").args([&folder]).run().expect(0);
    let backup = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let output =
        scene.flussctl.line("po register from-backup --ttl 1d -o name -f").args([&backup]).run().expect(0);
    assert!(output.stderr.contains("the file is of p, and is registered as from-backup"), "{output}");
    assert_eq!(scene.offsets("from-backup"), scene.offsets("p"));
}

#[test]
fn a_file_of_another_cluster_is_refused_whatever_its_ids() {
    require_servers!();
    let scene = scene();
    let file = |table: &str, created: i64| {
        format!(
            r#"{{"producer_id":"p","tables":[{{"table_id":0,"table":"{table}","created_time":{created},"buckets":[
            {{"bucket_id":0,"offset":"1"}},{{"bucket_id":1,"offset":2}}]}}]}}"#
        )
    };
    let register = |text: String| scene.flussctl.line("po register p -f -").stdin(text).run();
    assert_output!(register(file("db.others", CREATED)), @"
    $ flussctl po register p -f -
    --- stderr
    error: the offsets are refused: table 0 was db.others when the file was written and is db.orders here
    --- exit code 2
    ");
    assert_output!(register(file("db.orders", CREATED + 1)), @"
    $ flussctl po register p -f -
    --- stderr
    error: the offsets are refused: table 0 (db.orders) is another table here: it was created at another time
    --- exit code 2
    ");
    register(file("db.orders", CREATED)).expect(0);
}

#[test]
fn a_file_that_is_not_whole_or_not_plain_is_refused_with_its_place() {
    require_servers!();
    let scene = scene();
    let before = scene.everything();
    let utf16: Vec<u8> = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bucket = |text: &str| {
        format!("{{\"tables\":[{{\"table_id\":0,\"buckets\":[{{\"bucket_id\":0,\"offset\":{text}}},{{\"bucket_id\":1,\"offset\":1}}]}}]}}").into_bytes()
    };
    let files: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", b" \n".to_vec(), "the file is empty"),
        ("UTF-16", utf16, "NUL bytes"),
        ("NULs", b"{\0}".to_vec(), "NUL bytes"),
        ("Latin-1", b"table_id\xe9,bucket_id,offset\n".to_vec(), "not UTF-8"),
        ("comma", b"{\"tables\":[\n{},]}".to_vec(), "line 2"),
        (
            "twice",
            bucket("1").iter().copied().map(|b| if b == b'1' { b'0' } else { b }).collect(),
            "given twice",
        ),
        ("key", bucket("1,\"offset\":2"), "duplicate field `offset`"),
        ("float", bucket("1.0"), "line 1 column"),
        ("exponent", bucket("9.007e15"), "line 1 column"),
        ("large", bucket("9223372036854775808"), "does not fit into 64 bits"),
        ("quoted float", bucket("\"1.5\""), "is no decimal integer"),
        ("negative", bucket("-1"), "offset -1 is negative"),
        ("null", b"[]".to_vec(), "the JSON"),
        ("no tables", b"{}".to_vec(), "no \"tables\""),
        ("header", b"table_id,bucket,offset\n0,0,1\n".to_vec(), "\"bucket\" is no column"),
        ("row", b"table_id,bucket_id,offset\n0,0,1\n0,1,1.5\n".to_vec(), "line 3"),
        ("short row", b"table_id,bucket_id,offset\n0,0,1\n0,1\n".to_vec(), "line: 3"),
        ("double row", b"0,,0,1\n0,,1,1\n0,,1,1\n".to_vec(), "given twice"),
    ];
    for (name, bytes, why) in files {
        let output = scene.flussctl.line("po register p -f - -o json").stdin(bytes).run();
        assert!(output.code == 2 && output.stderr.contains(why), "{name}: {why}\n{output}");
        assert_eq!(output.json()["error"]["kind"], "usage", "{name}");
    }
    assert_output!(scene.run("po register p -f /nowhere/file"), @"
    $ flussctl po register p -f /nowhere/file
    --- stderr
    error: cannot read /nowhere/file
      because No such file or directory (os error 2)
    --- exit code 2
    ");
    assert_eq!(scene.everything(), before);
}

#[test]
fn what_exists_is_left_and_is_an_error_unless_that_is_fine() {
    require_servers!();
    let scene = scene();
    scene.snapshot("p", FAR, &[(0, &[1, 2])]);
    scene.zk.create(&scene.znode("junk"), b"{}");
    let before = scene.everything();
    let offsets = "--offset 0:0=1 --offset 0:1=1";
    assert_output!(scene.run(&format!("po register p {offsets}")), @"
    $ flussctl po register p --offset 0:0=1 --offset 0:1=1
    --- stderr
    error: there is a snapshot p already, and it is valid
    hint: --if-not-exists leaves it and is a success; --replace sets this baseline in its place
    --- exit code 4
    ");
    assert_output!(scene.run(&format!("po register p {offsets} --if-not-exists")), @"
    $ flussctl po register p --offset 0:0=1 --offset 0:1=1 --if-not-exists
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    p  already exists
    --- exit code 0
    ");
    assert_output!(scene.run(&format!("po register junk {offsets} --if-not-exists")), @"
    $ flussctl po register junk --offset 0:0=1 --offset 0:1=1 --if-not-exists
    --- stderr
    error: there is a snapshot junk already, and it is undecodable
    hint: nobody can use it: set the baseline in its place with --replace, or delete it first
    --- exit code 4
    ");
    let json = scene.run(&format!("po register p {offsets} -o json")).expect(4).json();
    assert_eq!(json["error"]["kind"], "already_exists");
    assert_eq!(scene.everything(), before);
}

#[test]
fn an_expired_one_is_replaced_without_a_question_and_its_files_go() {
    require_servers!();
    let scene = scene();
    scene.snapshot("p", PAST, &[(0, &[1, 2])]);
    let old = scene.named("p");
    assert_output!(scene.run("po register p --offset 0:0=5 --offset 0:1=6 --expires-at 2029-12-31T23:59:59Z"), @"
    $ flussctl po register p --offset 0:0=5 --offset 0:1=6 --expires-at [TIME]
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    p  replaced an expired one  expires [TIME] ([LEFT])
    --- exit code 0
    ");
    assert_eq!(scene.offsets("p"), [r#"{"version":1,"table_id":0,"bucket_offsets":[5,6]}"#]);
    assert_eq!(scene.files("p"), scene.named("p"));
    assert!(!old[0].exists());
}

#[test]
fn a_replace_shows_each_bucket_saves_the_old_one_and_sets_the_new() {
    require_servers!();
    let scene = scene();
    scene.snapshot("p", FAR, &[(0, &[10, 20])]);
    let before = scene.everything();
    let line = "po register p --replace --offset 0:0=5 --offset 0:1=30 --expires-at 2029-12-31T23:59:59Z";
    assert_output!(scene.run(&format!("{line} --dry-run")), @"
    $ flussctl po register p --replace --offset 0:0=5 --offset 0:1=30 --expires-at [TIME] --dry-run
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    p  would replace  expires [TIME] ([LEFT])
    --- stderr
    db.orders:0: 10 -> 5 (lowered: more is undone)
    db.orders:1: 20 -> 30 (raised: less is undone)
    --- exit code 0
    ");
    assert_output!(scene.run(line), @"
    $ flussctl po register p --replace --offset 0:0=5 --offset 0:1=30 --expires-at [TIME]
    --- stderr
    error: this changes things and there is no terminal to ask on
    hint: say --yes to go on without a question, or --dry-run to see what it would do
    --- exit code 2
    ");
    assert_eq!(scene.everything(), before, "a dry run, or one that nobody confirmed, changed something");
    let czxid = scene.zk.stat(&scene.znode("p")).unwrap().czxid;
    let folder = scene.flussctl.home().join("saved");
    let output =
        scene.flussctl.line(&format!("{line} --yes -o json --backup")).args([&folder]).run().expect(0);
    let result = &output.json()["results"][0];
    assert_eq!(result["outcome"], "replaced");
    assert_eq!(result["backup_complete"], true);
    assert_eq!(left(&output), None);
    assert!(
        fs::read_to_string(result["backup"].as_str().unwrap()).unwrap().contains("\"offset\": 20"),
        "{output}"
    );
    assert_eq!(scene.offsets("p"), [r#"{"version":1,"table_id":0,"bucket_offsets":[5,30]}"#]);
    assert_eq!(scene.files("p"), scene.named("p"));
    assert_eq!(
        scene.zk.stat(&scene.znode("p")).unwrap().czxid,
        czxid,
        "a replace is a set, never delete and create"
    );
}

#[test]
fn a_replace_of_what_cannot_be_decoded_and_of_what_is_absent() {
    require_servers!();
    let scene = scene();
    scene.zk.create(&scene.znode("junk"), b"{}");
    let line = "--replace --offset 0:0=5 --offset 0:1=30 --ttl 1h --yes -o json";
    let output = scene.run(&format!("po register junk {line}")).expect(0);
    assert_eq!(output.json()["results"][0]["outcome"], "replaced");
    let output = scene.run(&format!("po register new {line}")).expect(0);
    assert_eq!(output.json()["results"][0]["outcome"], "created");
}

#[test]
fn a_replace_is_asked_about_on_a_terminal() {
    require_servers!();
    let scene = scene();
    scene.snapshot("p", FAR, &[(0, &[10, 20])]);
    let before = scene.everything();
    let line = scene.flussctl.line("po register p --replace --offset 0:0=5 --offset 0:1=20");
    for quiet in [&[][..], &["-q"]] {
        let terminal = line.args(quiet).terminal();
        terminal.until_shown("Set this baseline in its place?");
        assert!(terminal.text().contains("db.orders:0: 10 -> 5 (lowered"), "{}", terminal.text());
        terminal.type_keys("n\r");
        assert_eq!(terminal.wait().1, 1);
        assert_eq!(scene.everything(), before);
    }
    let terminal = line.terminal();
    terminal.until_shown("Set this baseline in its place?");
    terminal.type_keys("y\r");
    assert_eq!(terminal.wait().1, 0);
    assert_eq!(scene.offsets("p"), [r#"{"version":1,"table_id":0,"bucket_offsets":[5,20]}"#]);
}

#[test]
fn a_life_has_a_plain_unit_and_a_sane_length() {
    let away =
        Flussctl::new().env("FLUSSCTL_ZOOKEEPER", "127.0.0.1:1").env("FLUSSCTL_REMOTE_DATA_DIR", "/nowhere");
    for ttl in [
        "86400",
        "1M",
        "0",
        "0s",
        "1mo",
        "1w",
        "1.5h",
        "-1h",
        "",
        "1h30",
        "9223372036854775807ms",
        "109575d",
        "99999999999999999999d",
        "24 fortnights",
    ] {
        let output =
            away.args(["po", "register", "p", "--offset=0:0=1", &format!("--ttl={ttl}")]).run().expect(2);
        assert!(output.stderr.starts_with("error: --ttl"), "{output}");
    }
    for time in [
        "2020-01-01T00:00:00Z",
        "2029-12-31T23:59:59",
        "2029-12-31",
        "9999-12-31T23:59:59Z",
        "tomorrow",
        "1893455999",
        "",
    ] {
        let output = away
            .args(["po", "register", "p", "--offset=0:0=1", &format!("--expires-at={time}")])
            .run()
            .expect(2);
        assert!(output.stderr.starts_with("error: --expires-at"), "{output}");
    }
    assert_output!(away.line("po register p --offset 0:0=1 --ttl 86400").run(), @r#"
    $ flussctl po register p --offset 0:0=1 --ttl 86400
    --- stderr
    error: --ttl is refused
      because "86400" is not a duration: it has no unit, write 86400s for seconds or 86400h for hours
    --- exit code 2
    "#);
    assert_output!(away.line("po register p --offset 0:0=1 --ttl 109575d").run(), @"
    $ flussctl po register p --offset 0:0=1 --ttl 109575d
    --- stderr
    error: --ttl is refused: the snapshot would live for more than ten years
    --- exit code 2
    ");
    assert_output!(away.line("po register p --offset 0:0=1 --expires-at 2020-01-01T00:00:00Z").run(), @"
    $ flussctl po register p --offset 0:0=1 --expires-at [TIME]
    --- stderr
    error: --expires-at is refused: [TIME] is past
    --- exit code 2
    ");
    away.line("po register p --offset 0:0=1 --ttl 1h --expires-at 2029-12-31T23:59:59Z").run().expect(2);
}

#[test]
fn a_life_is_counted_from_now_and_the_clusters_own_is_the_default() {
    require_servers!();
    let scene = scene();
    let lives = |id: &str, more: &[&str]| {
        let line = scene.flussctl.args(["po", "register", id, "--offset=0:0=1", "--offset=0:1=1"]).args(more);
        line.run().expect(0);
        let expires = scene.zk.json(&scene.znode(id))["expiration_time"].as_i64().unwrap();
        // To the minute: the run took some of the next one.
        (expires - scene.zk.stat(&scene.znode(id)).unwrap().ctime + 59_000) / 60_000
    };
    for (id, ttl, minutes) in [("a", "1m", 1), ("c", "1h30m", 90), ("d", "2 days", 2880), ("e", "3600s", 60)]
    {
        assert_eq!(lives(id, &["--ttl", ttl]), minutes, "{ttl}");
    }
    assert_eq!(lives("f", &[]), 24 * 60);
    assert_eq!(lives("g", &["-D", "coordinator.producer-offsets.ttl=2h"]), 120);
}

#[test]
fn nothing_is_made_where_the_cluster_or_its_store_is_missing() {
    require_servers!();
    let scene = scene();
    let offsets = "--offset 0:0=1 --offset 0:1=1";
    let gone = scene.remote().join("gone");
    let output =
        scene.flussctl.line(&format!("po register p {offsets} --remote-data-dir")).args([&gone]).run();
    assert_output!(output, @"
    $ flussctl po register p --offset 0:0=1 --offset 0:1=1 --remote-data-dir [TMP]/gone
    --- stderr
    error: there is no remote data dir at [TMP]/gone
      because No such file or directory (os error 2)
    hint: check --remote-data-dir (remote.data.dir); it is never made for you
    --- exit code 1
    ");
    assert!(!gone.exists() && !scene.zk.exists(&scene.znode("p")));
    let output = scene.run(&format!("po register p {offsets} --zookeeper-root /not-there"));
    assert_output!(output, @"
    $ flussctl po register p --offset 0:0=1 --offset 0:1=1 --zookeeper-root /not-there
    --- stderr
    error: there is no Fluss cluster: the root znode /not-there at 127.0.0.1:[PORT] is missing
    hint: check --zookeeper-root (zookeeper.path.root) and the chroot in --zookeeper
    --- exit code 3
    ");
    assert!(!scene.zk.exists("/not-there"));
    assert_eq!(scene.files("p").len(), 0);
}

#[test]
fn a_dry_run_says_what_would_be_and_changes_nothing() {
    require_servers!();
    let scene = scene();
    scene.snapshot("old", PAST, &[(0, &[1, 2])]);
    scene.snapshot("p", FAR, &[(0, &[1, 2])]);
    let before = scene.everything();
    let line = "--offset 0:0=1 --offset 0:1=1 --ttl 1h --dry-run -o json";
    for (id, outcome) in [("new", "would_create"), ("old", "would_replace_expired")] {
        let json = scene.run(&format!("po register {id} {line}")).expect(0).json();
        assert_eq!(
            (json["results"][0]["outcome"].as_str(), json["dry_run"].as_bool()),
            (Some(outcome), Some(true))
        );
    }
    scene.run(&format!("po register p {line}")).expect(4);
    scene.run(&format!("po register p {line} --replace")).expect(0);
    scene.run(&format!("po register p {line} --replace --read-only")).expect(0);
    assert_eq!(scene.everything(), before);
    let refused = scene.run("po register new --offset 0:0=1 --offset 0:1=1 --read-only").expect(8);
    assert!(refused.stderr.contains("--read-only forbids every change"), "{refused}");
    assert_eq!(scene.everything(), before);
}

#[test]
fn an_id_of_dashes_registers_after_two_of_them() {
    require_servers!();
    let scene = scene();
    let output =
        scene.flussctl.args(["po", "register", "--offset=0:0=1", "--offset=0:1=1", "--", "-rf"]).run();
    output.expect(0);
    assert_eq!(scene.files("-rf"), scene.named("-rf"));
}
