//! `list`: states, filters, orders, names, and what the files add.

use std::fs;

use zookeeper_client::{Acl, AuthId, Permission};

use crate::support::redact::assert_output;
use crate::support::require_servers;
use crate::support::scene::{FAR, PAST, Scene};

/// The names that a list gives, in its order.
#[track_caller]
fn names(scene: &Scene, words: &str) -> Vec<String> {
    scene.run(&format!("po list -o name {words}")).expect(0).stdout.lines().map(str::to_owned).collect()
}

/// Five snapshots: two valid ones of which one has lost a file, an expired one, two that cannot be decoded.
fn five() -> Scene {
    let scene = Scene::new();
    scene.table(0, "db.orders", 2);
    scene.table(7, "db.lines", 1);
    scene.snapshot("b-valid", FAR, &[(7, &[5]), (0, &[1, 2])]);
    scene.snapshot("a-broken", FAR + 1000, &[(0, &[1, 2])]);
    fs::remove_file(&scene.named("a-broken")[0]).unwrap();
    scene.snapshot("c-expired", PAST, &[]);
    scene.zk.create(&scene.znode("d-empty"), b"");
    scene.zk.create(&scene.znode("e-version"), br#"{"version":2,"expiration_time":1,"tables":[]}"#);
    scene
}

#[test]
fn each_snapshot_is_a_line_with_its_state_and_its_tables_names() {
    require_servers!();
    let scene = five();
    assert_output!(scene.run("po list"), @"
    $ flussctl po list
    --- stdout
    PRODUCER ID  STATE  EXPIRES  TABLES  CREATED
    a-broken  valid  2100-01-01 00:00:00Z ([LEFT])  db.orders  [TIME] ([LEFT])
    b-valid  valid  [TIME] ([LEFT])  db.orders, db.lines  [TIME] ([LEFT])
    c-expired  expired  [TIME] ([LEFT])  [TIME] ([LEFT])
    d-empty  undecodable  [TIME] ([LEFT])
    e-version  undecodable  [TIME] ([LEFT])
    --- exit code 0
    ");
    let csv = scene.run("po list -o csv --no-names").expect(0).stdout;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "producer_id,state,expiration_time,tables,table_ids,ctime,mzxid,version,buckets,missing,broken,unreadable"
    );
    assert!(
        lines[2].starts_with(&format!("b-valid,valid,{FAR},2,0 7,")) && lines[2].ends_with(",0,,,,"),
        "{csv}"
    );
    assert!(lines[4].starts_with("d-empty,undecodable,,,,") && lines.len() == 6, "{csv}");
    assert_output!(scene.run("po list --no-names -o markdown b*"), @"
    $ flussctl po list --no-names -o markdown 'b*'
    --- stdout
    | producer id | state | expires | tables | created |
    | --- | --- | --- | --- | --- |
    | b-valid | valid | [TIME] ([LEFT]) | 0, 7 | [TIME] ([LEFT]) |
    --- exit code 0
    ");
    assert_output!(scene.run("po list -o jsonl b* d*"), @r#"
    $ flussctl po list -o jsonl 'b*' 'd*'
    --- stdout
    {"schema_version":1,"producer_id":"b-valid","state":"valid","expiration_time":4102444799000,"expires_at":"[TIME]","znode":{"czxid":[ZXID],"mzxid":[ZXID],"ctime":[MS],"mtime":[MS],"version":0},"tables":[{"table_id":0,"table":"db.orders","offsets_path":"file:[TMP]/producers/b-valid/0/[UUID].offsets"},{"table_id":7,"table":"db.lines","offsets_path":"file:[TMP]/producers/b-valid/7/[UUID].offsets"}]}
    {"schema_version":1,"producer_id":"d-empty","state":"undecodable","znode":{"czxid":[ZXID],"mzxid":[ZXID],"ctime":[MS],"mtime":[MS],"version":0},"fault":"the znode has no data"}
    --- exit code 0
    "#);
    let wide = scene.run("po list -o wide").expect(0).stdout;
    assert!(wide.contains("MZXID") && wide.contains("the znode has no data"), "{wide}");
    assert!(wide.contains("format version 2, not 1"), "{wide}");
}

#[test]
fn files_are_read_only_where_asked_and_say_what_is_broken() {
    require_servers!();
    let scene = five();
    scene.snapshot("f-damaged", FAR, &[(0, &[1, 2]), (7, &[1])]);
    fs::write(&scene.named("f-damaged")[0], "").unwrap();
    assert_output!(scene.run("po list --files"), @"
    $ flussctl po list --files
    --- stdout
    PRODUCER ID  STATE  EXPIRES  TABLES  BUCKETS  MISSING  BROKEN  CREATED
    a-broken  broken  2100-01-01 00:00:00Z ([LEFT])  db.orders  0  1  0  [TIME] ([LEFT])
    b-valid  valid  [TIME] ([LEFT])  db.orders, db.lines  3  0  0  [TIME] ([LEFT])
    c-expired  expired  [TIME] ([LEFT])  0  0  0  [TIME] ([LEFT])
    d-empty  undecodable  [TIME] ([LEFT])
    e-version  undecodable  [TIME] ([LEFT])
    f-damaged  broken  [TIME] ([LEFT])  db.orders, db.lines  1  0  1  [TIME] ([LEFT])
    --- exit code 0
    ");
    let csv = scene.run("po list --files -o csv --state broken").expect(0).stdout;
    assert!(csv.lines().nth(1).unwrap().ends_with(",0,0,1,0,0"), "{csv}");
    assert!(csv.lines().nth(2).unwrap().ends_with(",0,1,0,1,0"), "{csv}");
    let json = scene.run("po list --state broken -o json").expect(0).json();
    assert_eq!(json["snapshots"][0]["files"]["missing"], 1);
    assert_eq!(json["snapshots"][1]["files"]["broken"], 1);
    assert_eq!(json["snapshots"][1]["files"]["buckets"], 1);
}

#[test]
fn a_list_without_files_needs_no_store() {
    require_servers!();
    let scene = five();
    let without =
        scene.flussctl.args(["po", "list", "-o", "name"]).env("FLUSSCTL_REMOTE_DATA_DIR", "s3://nowhere");
    assert_eq!(without.run().expect(0).stdout.lines().count(), 5);
}

#[test]
fn states_and_patterns_and_tables_choose() {
    require_servers!();
    let scene = five();
    assert_eq!(names(&scene, ""), ["a-broken", "b-valid", "c-expired", "d-empty", "e-version"]);
    assert_eq!(names(&scene, "--state valid"), ["a-broken", "b-valid"]);
    assert_eq!(names(&scene, "--state valid --files"), ["b-valid"]);
    assert_eq!(names(&scene, "--state broken"), ["a-broken"]);
    assert_eq!(names(&scene, "--state expired"), ["c-expired"]);
    assert_eq!(names(&scene, "--state undecodable"), ["d-empty", "e-version"]);
    assert_eq!(names(&scene, "[ab]-* e-v?rsion"), ["a-broken", "b-valid", "e-version"]);
    assert_eq!(names(&scene, "{c,d}*"), ["c-expired", "d-empty"]);
    assert_eq!(names(&scene, "--table 7"), ["b-valid"]);
    assert_eq!(names(&scene, "--table db.orders"), ["a-broken", "b-valid"]);
    assert_eq!(names(&scene, "--table db.orders --no-names"), ["a-broken", "b-valid"]);
    assert_eq!(names(&scene, "--table 99"), [""; 0]);
    assert_eq!(names(&scene, "nothing*"), [""; 0]);
}

#[test]
fn an_unknown_table_and_a_bad_pattern_are_refused() {
    require_servers!();
    let scene = five();
    assert_output!(scene.run("po list --table DB.ORDERS"), @r#"
    $ flussctl po list --table DB.ORDERS
    --- stderr
    error: there is no table "DB.ORDERS"
    hint: did you mean "db.orders"?
    --- exit code 2
    "#);
    assert_output!(scene.run("po list a-["), @r#"
    $ flussctl po list 'a-['
    --- stderr
    error: "a-[" is no pattern
      because error parsing glob 'a-[': unclosed character class; missing ']'
    --- exit code 2
    "#);
    assert_output!(scene.flussctl.args(["po", "list", ""]).run(), @"
    $ flussctl po list ''
    --- stderr
    error: an empty pattern matches nothing
    hint: '*' means every snapshot
    --- exit code 2
    ");
}

#[test]
fn each_order_is_stable() {
    require_servers!();
    let scene = five();
    assert_eq!(names(&scene, "--sort id"), names(&scene, ""));
    // What has no expiry of its own comes first.
    assert_eq!(names(&scene, "--sort expires"), ["d-empty", "e-version", "c-expired", "b-valid", "a-broken"]);
    assert_eq!(names(&scene, "--sort tables"), ["d-empty", "e-version", "c-expired", "a-broken", "b-valid"]);
    assert_eq!(names(&scene, "--sort created"), ["b-valid", "a-broken", "c-expired", "d-empty", "e-version"]);
}

#[test]
fn one_that_may_not_be_read_is_named_and_makes_it_partial() {
    require_servers!();
    let scene = five();
    let nobody = Acl::new(Permission::ADMIN, AuthId::anyone());
    scene.zk.create_with_acl(&scene.znode("z-closed"), b"x", std::slice::from_ref(&nobody));
    assert_output!(scene.run("po list z* c*"), @"
    $ flussctl po list 'z*' 'c*'
    --- stdout
    PRODUCER ID  STATE  EXPIRES  TABLES  CREATED
    c-expired  expired  [TIME] ([LEFT])  [TIME] ([LEFT])
    z-closed  unreadable
    --- stderr
    warning: 1 snapshot could not be read
    --- exit code 5
    ");
    assert_output!(scene.run("po list --state unreadable -o csv"), @"
    $ flussctl po list --state unreadable -o csv
    --- stdout
    producer_id,state,expiration_time,tables,table_ids,ctime,mzxid,version,buckets,missing,broken,unreadable
    z-closed,unreadable,,,,,,,,,,
    --- stderr
    warning: 1 snapshot could not be read
    --- exit code 5
    ");
    // It may well have the table: nobody can know.
    assert_output!(scene.run("po list --table 7 -o name"), @"
    $ flussctl po list --table 7 -o name
    --- stdout
    b-valid
    --- stderr
    warning: 3 snapshots cannot be decoded, and may have the table too
    warning: 1 snapshot could not be read
    --- exit code 5
    ");
}

#[test]
fn a_cluster_without_snapshots_is_no_error_and_a_missing_root_is() {
    require_servers!();
    let scene = Scene::new();
    assert_output!(scene.run("po list"), @"
    $ flussctl po list
    --- stderr
    no snapshots
    --- exit code 0
    ");
    assert_eq!(scene.run("po list -o json").expect(0).json()["snapshots"], serde_json::json!([]));
    let nowhere = scene.flussctl.line("po list --zookeeper-root /nowhere");
    assert_output!(nowhere.run(), @"
    $ flussctl po list --zookeeper-root /nowhere
    --- stderr
    error: there is no Fluss cluster: the root znode /nowhere at 127.0.0.1:[PORT] is missing
    hint: check --zookeeper-root (zookeeper.path.root) and the chroot in --zookeeper
    --- exit code 3
    ");
    assert_eq!(nowhere.args(["-o", "json"]).run().expect(3).json()["error"]["kind"], "not_found");
}

#[test]
fn odd_expiries_are_shown_sanely_and_expire_only_when_past() {
    require_servers!();
    let scene = Scene::new();
    for (id, expiration_time) in [("max", i64::MAX), ("min", i64::MIN), ("one", -1), ("zero", 0)] {
        scene.snapshot(id, expiration_time, &[]);
    }
    for (id, text) in
        [("absent", ""), ("exponent", r#""expiration_time":1e300,"#), ("text", r#""expiration_time":"1","#)]
    {
        scene.zk.create(&scene.znode(id), format!(r#"{{"version":1,{text}"tables":[]}}"#));
    }
    for (id, data) in [("braces", "{}"), ("null", "null"), ("nothing", "")] {
        scene.zk.create(&scene.znode(id), data);
    }
    let csv = scene.run("po list --state undecodable -o name").expect(0).stdout;
    assert_eq!(csv, "absent\nbraces\nexponent\nnothing\nnull\ntext\n");
    let faults = scene.run("po list --state undecodable -o jsonl").expect(0).json_lines();
    let faults: Vec<_> = faults.iter().map(|line| line["fault"].as_str().unwrap()).collect();
    insta::assert_debug_snapshot!(faults, @r#"
    [
        "missing field `expiration_time` at line 1 column 25",
        "missing field `version` at line 1 column 2",
        "invalid type: floating point `1e+300`, expected i64 at line 1 column 36",
        "the znode has no data",
        "invalid type: null, expected the JSON object of a snapshot at line 1 column 4",
        "invalid type: string \"1\", expected i64 at line 1 column 34",
    ]
    "#);
    let csv = scene.run("po list -o csv").expect(0).stdout;
    let columns = |id: &str| {
        let line = csv.lines().find(|line| line.starts_with(&format!("{id},"))).unwrap().to_owned();
        line.split(',').skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(columns("max"), ["valid", "9223372036854775807"]);
    assert_eq!(columns("min"), ["expired", "-9223372036854775808"]);
    assert_eq!(columns("zero"), ["expired", "0"]);
    let table = scene.run("po list m*").expect(0).stdout;
    assert!(table.contains("9223372036854775807 ms (no calendar date)"), "{table}");
}

#[test]
fn metadata_that_cannot_be_read_costs_names_and_nothing_else() {
    require_servers!();
    let scene = five();
    scene.zk.set(&scene.path("metadata/databases/db/tables/lines"), b"junk");
    let json = scene.run("po list b-valid -o json").expect(0).json();
    let tables = &json["snapshots"][0]["tables"];
    assert_eq!(tables[0]["table"], "db.orders");
    assert_eq!(tables[1]["table_id"], 7);
    assert!(tables[1].get("table").is_none(), "{tables}");
}
