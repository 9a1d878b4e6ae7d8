//! `get`: one snapshot or several, whole or as an error, never a part of a baseline.

use std::fs;

use zookeeper_client::{Acl, AuthId, Permission};

use crate::support::redact::assert_output;
use crate::support::require_servers;
use crate::support::scene::{FAR, PAST, Scene};

fn scene() -> Scene {
    let scene = Scene::new();
    scene.table(0, "db.orders", 3);
    scene.partitioned(7, "db.parted", 1, &[("2026$eu", 3), ("2026$us", 4)]);
    scene.snapshot("good", FAR, &[(0, &[10, -1, i64::MAX])]);
    scene
}

/// A snapshot of two tables, of which one has lost its file.
fn with_broken(scene: &Scene) {
    scene.snapshot("broken", FAR, &[(0, &[1, 2, 3]), (9, &[4])]);
    fs::remove_file(&scene.named("broken")[1]).unwrap();
}

#[test]
fn a_snapshot_is_shown_with_its_times_and_every_bucket() {
    require_servers!();
    let scene = scene();
    assert_output!(scene.run("po get good"), @"
    $ flussctl po get good
    --- stdout
    producer id: good
    state:  valid
    expires:  [TIME] ([LEFT])
    created:  [TIME] ([LEFT])
    changed:  [TIME] ([LEFT])
    mzxid:  [ZXID]
    version:  0

    TABLE  PARTITION  BUCKET  OFFSET
    db.orders (0)  0  10
    db.orders (0)  2  9223372036854775807
    --- exit code 0
    ");
    assert_output!(scene.run("po get good -o markdown"), @"
    $ flussctl po get good -o markdown
    --- stdout
    ## good

    - **producer id**: good
    - **state**: valid
    - **expires**: [TIME] ([LEFT])
    - **created**: [TIME] ([LEFT])
    - **changed**: [TIME] ([LEFT])
    - **mzxid**: [ZXID]
    - **version**: 0

    | table | partition | bucket | offset |
    | --- | --- | ---: | ---: |
    | db.orders (0) |  | 0 | 10 |
    | db.orders (0) |  | 2 | 9223372036854775807 |
    --- exit code 0
    ");
    assert_output!(scene.run("po get good -o wide"), @"
    $ flussctl po get good -o wide
    --- stdout
    producer id: good
    state:  valid
    expires:  [TIME] ([LEFT])
    created:  [TIME] ([LEFT])
    changed:  [TIME] ([LEFT])
    mzxid:  [ZXID]
    version:  0

    TABLE  PARTITION  BUCKET  OFFSET  FILE
    db.orders (0)  0  10  file:[TMP]/producers/good/0/[UUID].offsets
    db.orders (0)  2  9223372036854775807  file:[TMP]/producers/good/0/[UUID].offsets
    --- exit code 0
    ");
}

#[test]
fn partitions_are_shown_by_id_and_where_it_is_known_by_name() {
    require_servers!();
    let scene = scene();
    let file = scene.file("parted", 7, r#"{"version":1,"table_id":7,"partition_offsets":[{"partition_id":3,"bucket_offsets":[5]},{"partition_id":5,"bucket_offsets":[6]}]}"#);
    scene.zk.create(
        &scene.znode("parted"),
        format!(
            r#"{{"version":1,"expiration_time":{FAR},"tables":[{{"table_id":7,"offsets_path":"file:{}"}}]}}"#,
            file.display()
        ),
    );
    assert_output!(scene.run("po get parted good -o csv"), @"
    $ flussctl po get parted good -o csv
    --- stdout
    producer_id,state,expiration_time,table_id,table,created_time,partition_id,partition,bucket_id,offset
    good,valid,4102444799000,0,db.orders,1577000000000,,,0,10
    good,valid,4102444799000,0,db.orders,1577000000000,,,2,9223372036854775807
    parted,valid,4102444799000,7,db.parted,1577000000000,3,2026$eu,0,5
    parted,valid,4102444799000,7,db.parted,1577000000000,5,,0,6
    --- exit code 0
    ");
    assert_output!(scene.run("po get parted -o json"), @r#"
    $ flussctl po get parted -o json
    --- stdout
    {
      "schema_version": 1,
      "snapshots": [
        {
          "producer_id": "parted",
          "state": "valid",
          "expiration_time": 4102444799000,
          "expires_at": "[TIME]",
          "znode": {
            "czxid": [ZXID],
            "mzxid": [ZXID],
            "ctime": [MS],
            "mtime": [MS],
            "version": 0
          },
          "tables": [
            {
              "table_id": 7,
              "table": "db.parted",
              "created_time": 1577000000000,
              "offsets_path": "file:[TMP]/producers/parted/7/[UUID].offsets",
              "buckets": [
                {
                  "partition_id": 3,
                  "partition": "2026$eu",
                  "bucket_id": 0,
                  "offset": 5
                },
                {
                  "partition_id": 5,
                  "bucket_id": 0,
                  "offset": 6
                }
              ]
            }
          ]
        }
      ]
    }
    --- exit code 0
    "#);
    assert_output!(scene.run("po get parted --no-names -o yaml"), @r#"
    $ flussctl po get parted --no-names -o yaml
    --- stdout
    schema_version: 1
    snapshots:
    - producer_id: parted
      state: valid
      expiration_time: 4102444799000
      expires_at: "[TIME]"
      znode:
        czxid: [ZXID]
        mzxid: [ZXID]
        ctime: [MS]
        mtime: [MS]
        version: 0
      tables:
      - table_id: 7
        offsets_path: file:[TMP]/producers/parted/7/[UUID].offsets
        buckets:
        - partition_id: 3
          bucket_id: 0
          offset: 5
        - partition_id: 5
          bucket_id: 0
          offset: 6
    --- exit code 0
    "#);
    assert_eq!(scene.run("po get good parted -o name").expect(0).stdout, "good\nparted\n");
}

#[test]
fn what_has_expired_is_marked_and_one_without_tables_is_whole() {
    require_servers!();
    let scene = scene();
    scene.snapshot("past", PAST, &[]);
    assert_output!(scene.run("po get past"), @"
    $ flussctl po get past
    --- stdout
    producer id: past
    state:  expired
    expires:  [TIME] ([LEFT])
    created:  [TIME] ([LEFT])
    changed:  [TIME] ([LEFT])
    mzxid:  [ZXID]
    version:  0
    --- exit code 0
    ");
    let json = scene.run("po get past -o json").expect(0).json();
    assert_eq!(json["snapshots"][0]["state"], "expired");
    assert_eq!(json["snapshots"][0]["tables"], serde_json::json!([]));
}

#[test]
fn an_absent_one_is_not_found() {
    require_servers!();
    let scene = scene();
    assert_output!(scene.run("po get nobody"), @"
    $ flussctl po get nobody
    --- stderr
    error: there is no snapshot nobody
    hint: see what there is: flussctl producer-offsets list
    --- exit code 3
    ");
    assert_output!(scene.run("po get nobody -o json"), @r#"
    $ flussctl po get nobody -o json
    --- stdout
    {
      "schema_version": 1,
      "snapshots": [],
      "error": {
        "kind": "not_found",
        "exit_code": 3,
        "message": "there is no snapshot nobody",
        "causes": [],
        "hints": [
          "see what there is: flussctl producer-offsets list"
        ]
      }
    }
    --- stderr
    error: there is no snapshot nobody
    hint: see what there is: flussctl producer-offsets list
    --- exit code 3
    "#);
}

#[test]
fn a_lost_file_leaves_all_offsets_out_and_is_an_error() {
    require_servers!();
    let scene = scene();
    with_broken(&scene);
    assert_output!(scene.run("po get broken"), @"
    $ flussctl po get broken
    --- stdout
    producer id: broken
    state:  broken
    expires:  [TIME] ([LEFT])
    created:  [TIME] ([LEFT])
    changed:  [TIME] ([LEFT])
    mzxid:  [ZXID]
    version:  0

    TABLE  PARTITION  BUCKET  OFFSET
    db.orders (0)
    9  missing
    --- stderr
    error: the snapshot broken is broken: file:[TMP]/producers/broken/9/[UUID].offsets of table 9 is missing
    hint: a job that needs it is stuck; put the file back, or set the true baseline in its place: flussctl producer-offsets register --replace -f FILE -- broken
    --- exit code 1
    ");
    let output = scene.run("po get broken -o json").expect(1);
    let json = output.json();
    assert_eq!(json["error"]["kind"], "failed");
    assert_eq!(json["snapshots"][0]["state"], "broken");
    for table in json["snapshots"][0]["tables"].as_array().unwrap() {
        assert!(table.get("buckets").is_none(), "a part of a baseline: {output}");
    }
    let csv = scene.run("po get broken -o csv").expect(1);
    assert_eq!(csv.stdout.lines().count(), 1, "a part of a baseline: {csv}");
}

#[test]
fn each_damage_of_a_file_is_named() {
    require_servers!();
    let scene = scene();
    for (id, contents, why) in [
        ("cut", r#"{"version":1,"table_id":0,"bucket_offsets":[1,"#, "EOF"),
        ("empty", "", "the file is empty"),
        ("other", r#"{"version":1,"table_id":8,"bucket_offsets":[1]}"#, "the file is of table 8"),
        ("version", r#"{"version":2,"table_id":0}"#, "format version 2, not 1"),
    ] {
        scene.snapshot(id, FAR, &[(0, &[1, 2, 3])]);
        fs::write(&scene.named(id)[0], contents).unwrap();
        let output = scene.run(&format!("po get {id}")).expect(1);
        assert!(output.stderr.contains(why), "{output}");
    }
}

#[test]
fn of_several_the_good_are_shown_and_the_others_are_errors() {
    require_servers!();
    let scene = scene();
    with_broken(&scene);
    scene.zk.create(&scene.znode("junk"), b"{}");
    let nobody = Acl::new(Permission::ADMIN, AuthId::anyone());
    scene.zk.create_with_acl(&scene.znode("closed"), b"x", std::slice::from_ref(&nobody));
    assert_output!(scene.run("po get good nobody broken junk closed"), @"
    $ flussctl po get good nobody broken junk closed
    --- stdout
    producer id: broken
    state:  broken
    expires:  [TIME] ([LEFT])
    created:  [TIME] ([LEFT])
    changed:  [TIME] ([LEFT])
    mzxid:  [ZXID]
    version:  0

    TABLE  PARTITION  BUCKET  OFFSET
    db.orders (0)
    9  missing

    producer id: closed
    state:  unreadable
    fault:  not authorized

    producer id: good
    state:  valid
    expires:  [TIME] ([LEFT])
    created:  [TIME] ([LEFT])
    changed:  [TIME] ([LEFT])
    mzxid:  [ZXID]
    version:  0

    TABLE  PARTITION  BUCKET  OFFSET
    db.orders (0)  0  10
    db.orders (0)  2  9223372036854775807

    producer id: junk
    state:  undecodable
    created:  [TIME] ([LEFT])
    changed:  [TIME] ([LEFT])
    mzxid:  [ZXID]
    version:  0
    fault:  missing field `version` at line 1 column 2
    --- stderr
    error: the snapshot broken is broken: file:[TMP]/producers/broken/9/[UUID].offsets of table 9 is missing
    hint: a job that needs it is stuck; put the file back, or set the true baseline in its place: flussctl producer-offsets register --replace -f FILE -- broken
    error: the znode of closed cannot be read: not authorized
    hint: the znode's ACL asks for a user: see --zookeeper-auth, --zookeeper-user and FLUSSCTL_ZOOKEEPER_PASSWORD
    error: the znode of junk cannot be decoded: missing field `version` at line 1 column 2
    hint: save it and clear it: flussctl producer-offsets delete -- junk
    error: there is no snapshot nobody
    hint: see what there is: flussctl producer-offsets list
    --- exit code 5
    ");
    let output = scene.run("po get nobody good broken junk closed -o json").expect(5);
    let json = output.json();
    let ids = |list: &str| {
        let ids = json[list].as_array().unwrap().iter();
        ids.map(|item| item["producer_id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids("snapshots"), ["broken", "closed", "good", "junk"]);
    assert_eq!(ids("errors"), ["broken", "closed", "junk", "nobody"]);
    let kinds: Vec<_> =
        json["errors"].as_array().unwrap().iter().map(|error| error["kind"].clone()).collect();
    assert_eq!(kinds, ["failed", "not_permitted", "failed", "not_found"]);
    // All alike end as one of them would.
    scene.run("po get nobody nothing").expect(3);
    scene.run("po get junk broken").expect(1);
    // Each is one id, however often it is named.
    assert_eq!(scene.run("po get good good -o name").expect(0).stdout, "good\n");
}

#[test]
fn several_in_a_stream_of_lines_have_their_errors_there_too() {
    require_servers!();
    let scene = scene();
    let lines = scene.run("po get good nobody -o jsonl").expect(5).json_lines();
    assert_eq!(lines[0]["producer_id"], "good");
    assert_eq!(lines[1]["error"]["kind"], "not_found", "{lines:?}");
}

#[test]
fn one_that_cannot_be_decoded_is_not_absent() {
    require_servers!();
    let scene = scene();
    for (id, data) in [("braces", "{}"), ("null", "null"), ("nothing", "")] {
        scene.zk.create(&scene.znode(id), data);
        let output = scene.run(&format!("po get {id} -o json")).expect(1);
        assert_eq!(output.json()["snapshots"][0]["state"], "undecodable");
    }
    assert_output!(scene.run("po get braces"), @"
    $ flussctl po get braces
    --- stdout
    producer id: braces
    state:  undecodable
    created:  [TIME] ([LEFT])
    changed:  [TIME] ([LEFT])
    mzxid:  [ZXID]
    version:  0
    fault:  missing field `version` at line 1 column 2
    --- stderr
    error: the znode of braces cannot be decoded: missing field `version` at line 1 column 2
    hint: save it and clear it: flussctl producer-offsets delete -- braces
    --- exit code 1
    ");
}

#[test]
fn ids_with_dashes_stand_after_two_of_them() {
    require_servers!();
    let scene = scene();
    for id in ["_p", "__p", "-rf", "--json", "-"] {
        scene.snapshot(id, FAR, &[(0, &[1, 2, 3])]);
        let output = scene.flussctl.args(["po", "get", "-o", "name", "--", id]).run().expect(0);
        assert_eq!(output.stdout, format!("{id}\n"));
    }
}

#[test]
fn what_is_no_id_is_refused_before_anything_is_asked() {
    // Nobody listens there: whoever asked would end with 7.
    let away = crate::support::flussctl::Flussctl::new()
        .env("FLUSSCTL_ZOOKEEPER", "127.0.0.1:1")
        .env("FLUSSCTL_REMOTE_DATA_DIR", "/nowhere");
    let long = "x".repeat(201);
    for id in ["../tables", "a/b", "", ".", "..", "a\nb", "\u{663}", "\u{1b}[2J", &long] {
        for verb in
            [&["get"][..], &["delete", "--yes"], &["delete", "--dry-run"], &["register", "--offset", "0:0=0"]]
        {
            let output = away.args(["po"]).args(verb).args(["--", id]).run().expect(2);
            assert!(output.stderr.contains("is no producer id") && output.stdout.is_empty(), "{output}");
            assert!(!output.stderr.contains('\u{1b}'), "{output}");
        }
    }
    assert_output!(away.args(["po", "get", "../tables"]).run(), @r#"
    $ flussctl po get ../tables
    --- stderr
    error: "../tables" is no producer id: it has a character outside of A-Z a-z 0-9 _ -
    hint: a producer id has 1 to 200 characters, each one of A-Z a-z 0-9 _ -
    --- exit code 2
    "#);
    assert_output!(away.args(["po", "get", &long]).run(), @r#"
    $ flussctl po get xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    --- stderr
    error: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is no producer id: it has 201 characters
    hint: a producer id has 1 to 200 characters, each one of A-Z a-z 0-9 _ -
    --- exit code 2
    "#);
}
