//! `restore`: what is missing comes back whole, and only into the cluster and the tables that it was taken of.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::flussctl::Output;
use crate::support::require_servers;
use crate::support::site::{Site, in_ms, results, table_znode, tomorrow, with};

const CREATED: i64 = 1000;

/// A change to what was backed up, or to the cluster that it is restored into.
type Change<'a, T> = &'a dyn Fn(&mut T);

/// A cluster with `db.t` (7), `db.u` (8) and `db.parted` (9, one partition `2026` with id 3), and one snapshot of all.
fn site() -> Site {
    let site = Site::new();
    site.table("t", 7, CREATED);
    site.table("u", 8, CREATED);
    let parted = format!("{}/metadata/databases/db/tables/parted", site.root);
    site.zk.create(&parted, table_znode(9, CREATED, "\"year\""));
    site.zk.create(&format!("{parted}/partitions/2026"), r#"{"version":1,"table_id":9,"partition_id":3}"#);
    let files = site.snapshot("p", tomorrow(), &[7, 9]);
    let partition =
        r#"{"version":1,"table_id":9,"partition_offsets":[{"partition_id":3,"bucket_offsets":[42]}]}"#;
    fs::write(site.place(&files[1]), partition).expect("write a file");
    site
}

fn to(site: &Site) -> PathBuf {
    site.beside("backups")
}

fn back_up(site: &Site) {
    site.flussctl.line("po backup --to").args([to(site)]).run().expect(0);
}

fn restore(site: &Site, words: &str) -> Output {
    site.flussctl.line("po restore -o json --yes").args([to(site)]).line(words).run()
}

/// Delete all snapshots: their znodes with the folder of them, and their files.
fn lose_all(site: &Site) {
    site.zk.delete_all(&format!("{}/producers", site.root));
    fs::remove_dir_all(site.place("")).expect("remove the files");
}

/// Give what `get` says of a snapshot, but for what a restore must change.
fn got(site: &Site, id: &str) -> Value {
    let output = site.flussctl.line("po get -o json --").args([id]).run().expect(0);
    let mut snapshot = output.json()["snapshots"][0].take();
    snapshot.as_object_mut().expect("a snapshot").remove("znode");
    for table in snapshot["tables"].as_array_mut().expect("its tables") {
        table.as_object_mut().expect("a table").remove("offsets_path");
    }
    snapshot
}

fn one(site: &Site) -> PathBuf {
    fs::read_dir(to(site)).expect("list the backups").flatten().next().expect("a backup").path()
}

/// Change the one backup of a site.
fn edit(site: &Site, change: impl FnOnce(&mut Value)) {
    let path = one(site);
    let mut backup: Value = serde_json::from_slice(&fs::read(&path).expect("read it")).expect("JSON");
    change(&mut backup);
    fs::write(&path, backup.to_string()).expect("write it");
}

/// Demand that nothing is restored, with this code and these words.
#[track_caller]
fn refused(site: &Site, words: &str, code: i32, why: &str) {
    let before = everything(site);
    for dry in ["", "--dry-run"] {
        let output = restore(site, &format!("{words} {dry}")).expect(code);
        assert!(output.stderr.contains(why), "{why:?} is not said\n{output}");
    }
    assert_eq!(everything(site), before);
}

fn everything(site: &Site) -> (BTreeSet<String>, bool) {
    let there = site.remote().join("producers").exists();
    (if there { site.state() } else { BTreeSet::new() }, there)
}

#[test]
fn all_that_was_lost_comes_back_and_reads_equal() {
    require_servers!();
    let site = site();
    site.snapshot("empty", tomorrow(), &[]);
    site.snapshot("-rf", in_ms(7_200_000), &[8]);
    let before: Vec<Value> = ["p", "empty", "-rf"].iter().map(|id| got(&site, id)).collect();
    let old_files = site.files();
    back_up(&site);
    lose_all(&site);

    let dry = restore(&site, "--dry-run").expect(0);
    assert!(!site.place("").exists() && !site.zk.exists(&format!("{}/producers", site.root)));
    let real = restore(&site, "").expect(0);
    assert_eq!(results(&real), results(&dry));
    assert_eq!(with(&real, "restored").len(), 3);
    let after: Vec<Value> = ["p", "empty", "-rf"].iter().map(|id| got(&site, id)).collect();
    assert_eq!(after, before);
    assert_eq!(site.files().len(), 3);
    assert!(site.files().is_disjoint(&old_files), "a file has its old name");
    let znode = site.zk.json(&site.znode("p"));
    assert_eq!(znode["tables"].as_array().unwrap().len(), 2);
    for table in znode["tables"].as_array().unwrap() {
        let path = table["offsets_path"].as_str().unwrap();
        assert!(path.starts_with("file:/") && !path.starts_with("file://"), "{path}");
        assert!(Path::new(path.strip_prefix("file:").unwrap()).is_file());
    }
    assert!(
        site.zk.stat(&site.znode("p")).unwrap().version > 1,
        "no delete meant for its forerunner fits it"
    );
}

#[test]
fn what_is_there_is_left_as_it_is() {
    require_servers!();
    let site = site();
    site.snapshot("gone", tomorrow(), &[8]);
    back_up(&site);
    let orphan = site.files();
    site.zk.delete(&site.znode("gone"));
    site.zk.set(&site.znode("p"), "not even readable");
    // What stands there does not serve: a restore that left it is no success.
    let output = restore(&site, "").expect(5);
    assert_eq!(with(&output, "already_exists"), ["p".to_owned()].into());
    assert_eq!(with(&output, "restored"), ["gone".to_owned()].into());
    assert_eq!(site.zk.text(&site.znode("p")), "not even readable");
    assert_eq!(site.files().difference(&orphan).count(), 1);
    let again = restore(&site, "").expect(5);
    assert_eq!(with(&again, "already_exists").len(), 2);
    site.zk.delete(&site.znode("p"));
    assert_eq!(with(&restore(&site, "").expect(0), "restored").len(), 1);
    assert_eq!(with(&restore(&site, "").expect(0), "already_exists").len(), 2);
}

#[test]
fn a_table_that_is_another_now_is_refused() {
    require_servers!();
    let cases: [(&str, Change<'_, Site>); 6] = [
        ("there is no table 7", &|site| site.zk.delete(&table(site, "t"))),
        ("there is no table 7", &|site| {
            site.zk.set(&table(site, "t"), table_znode(70, CREATED, ""));
        }),
        ("was db.t when", &|site| {
            site.zk.delete(&table(site, "t"));
            site.table("renamed", 7, CREATED);
        }),
        ("created at another time", &|site| {
            site.zk.set(&table(site, "t"), table_znode(7, CREATED + 1, ""));
        }),
        ("was 2026 and is 2027", &|site| {
            let folder = format!("{}/partitions", table(site, "parted"));
            site.zk.delete(&format!("{folder}/2026"));
            site.zk.create(&format!("{folder}/2027"), r#"{"version":1,"table_id":9,"partition_id":3}"#);
        }),
        ("there is no table 7", &|site| site.zk.delete_all(&format!("{}/metadata", site.root))),
    ];
    for (why, change) in cases {
        let mut site = site();
        back_up(&site);
        lose_all(&site);
        fs::create_dir(site.place("")).unwrap();
        change(&mut site);
        refused(&site, "", 2, why);
        refused(&site, "--ttl 1h", 2, why);
    }
}

fn table(site: &Site, name: &str) -> String {
    format!("{}/metadata/databases/db/tables/{name}", site.root)
}

#[test]
fn a_backup_without_the_tables_names_is_refused() {
    require_servers!();
    let site = site();
    site.zk.delete_all(&format!("{}/metadata", site.root));
    back_up(&site);
    lose_all(&site);
    site.table("t", 7, CREATED);
    site.table("parted", 9, CREATED);
    refused(&site, "", 2, "does not say what table 7 was called");
}

#[test]
fn past_its_expiry_it_wants_a_life_of_its_own() {
    require_servers!();
    let site = site();
    site.zk.set(&site.znode("p"), site.zk.text(&site.znode("p")).replace(&expiry(&site), "1700000000000"));
    back_up(&site);
    lose_all(&site);
    refused(&site, "", 2, "--ttl");
    refused(&site, "--ttl 0s", 2, "");
    refused(&site, "--expires-at 2020-01-01T00:00:00Z", 2, "past");
    let before = in_ms(3_600_000);
    let output = restore(&site, "--ttl 1h").expect(0);
    let time = site.zk.json(&site.znode("p"))["expiration_time"].as_i64().unwrap();
    assert!((before..=in_ms(3_600_000)).contains(&time), "{output}");
    assert_eq!(output.json()["results"][0]["expiration_time"], time);
}

fn expiry(site: &Site) -> String {
    site.zk.json(&site.znode("p"))["expiration_time"].to_string()
}

#[test]
fn keys_that_nobody_knows_survive() {
    require_servers!();
    let site = site();
    let znode = site.zk.text(&site.znode("p"));
    let more = znode
        .replacen('{', r#"{"owner":{"team":"é","n":1.50},"#, 1)
        .replace(r#""table_id":9,"#, r#""hint":[12345678901234567890],"table_id":9,"#);
    site.zk.set(&site.znode("p"), &more);
    back_up(&site);
    lose_all(&site);
    restore(&site, "").expect(0);
    let restored = site.zk.text(&site.znode("p"));
    for kept in [r#""owner":{"team":"é","n":1.50}"#, r#""hint":[12345678901234567890]"#] {
        assert!(restored.contains(kept), "{restored}");
    }
    assert!(restored.contains(&expiry(&site)));
}

#[test]
fn an_incomplete_backup_is_refused() {
    require_servers!();
    let site = site();
    let file = site.files().into_iter().next().unwrap();
    fs::remove_file(site.place(&file)).unwrap();
    site.flussctl.line("po backup --to").args([to(&site)]).run().expect(5);
    lose_all(&site);
    refused(&site, "", 2, "incomplete");
    // Nor does it help to call it complete.
    edit(&site, |backup| backup["complete"] = json!(true));
    refused(&site, "", 2, "is not in it");
}

#[test]
fn what_cannot_be_decoded_cannot_be_restored_either() {
    require_servers!();
    let site = Site::new();
    site.file("odd", 7);
    site.zk.create(&site.znode("odd"), "{\"version\":9}");
    back_up(&site);
    lose_all(&site);
    refused(&site, "", 2, "cannot be decoded");
}

#[test]
fn a_damaged_backup_is_refused() {
    require_servers!();
    let cases: [(&str, Change<'_, Value>); 12] = [
        ("kind", &|b| b["kind"] = json!("letter")),
        ("schema version 2", &|b| b["schema_version"] = json!(2)),
        ("", &|b| b["snapshot"]["producer_id"] = json!("../../tables")),
        ("no backup", &|b| b["znode"] = json!({"text": "x", "base64": "eA=="})),
        ("base64", &|b| b["znode"] = json!({"base64": "?"})),
        ("decoded", &|b| b["znode"] = json!({"text": ""})),
        ("not those of its znode", &|b| drop(b["files"].as_array_mut().unwrap().pop())),
        ("is not in it", &|b| b["files"].as_array_mut().unwrap().reverse()),
        ("the file of table 7", &|b| b["files"][0]["content"] = json!({"text": "{"})),
        ("the file is of table 8", &|b| {
            b["files"][0]["content"] = json!({"text": r#"{"version":1,"table_id":8,"bucket_offsets":[1]}"#});
        }),
        ("another offset", &|b| {
            b["files"][0]["content"] = json!({"text": r#"{"version":1,"table_id":7,"bucket_offsets":[3]}"#});
        }),
        ("another offset", &|b| b["snapshot"]["tables"][1]["buckets"][0]["offset"] = json!(43)),
    ];
    for (why, change) in cases {
        let site = site();
        back_up(&site);
        lose_all(&site);
        edit(&site, change);
        refused(&site, "", 2, why);
    }
    for bytes in [&b""[..], b"{", b"null", b"[]", b"\xff\xfe", b"PK\x03\x04"] {
        let site = site();
        back_up(&site);
        lose_all(&site);
        fs::write(one(&site), bytes).unwrap();
        refused(&site, "", 2, "no backup");
    }
}

#[test]
fn one_bad_backup_holds_up_no_good_one() {
    require_servers!();
    let site = site();
    back_up(&site);
    lose_all(&site);
    fs::write(to(&site).join("junk.json"), "{").unwrap();
    fs::write(to(&site).join("notes.txt"), "not looked at").unwrap();
    symlink(one(&site), to(&site).join("link.json")).unwrap();
    let output = restore(&site, "").expect(5);
    assert_eq!(with(&output, "restored"), ["p".to_owned()].into());
    let failed = with(&output, "failed");
    assert!(failed.iter().any(|name| name.ends_with("junk.json")), "{output}");
    assert!(failed.iter().any(|name| name.ends_with("link.json")), "{output}");
    assert_eq!(failed.len(), 2);
}

#[test]
fn the_youngest_of_several_counts() {
    require_servers!();
    let site = site();
    back_up(&site);
    for offset in [5, 6] {
        site.flussctl
            .line(&format!("po register p --offset 7:0={offset} --replace --yes --no-backup"))
            .run()
            .expect(0);
        back_up(&site);
    }
    assert_eq!(fs::read_dir(to(&site)).unwrap().count(), 3);
    let before = got(&site, "p");
    lose_all(&site);
    restore(&site, "").expect(0);
    assert_eq!(got(&site, "p"), before);
    assert_eq!(before["tables"][0]["buckets"][0]["offset"], 6);
}

#[test]
fn one_file_alone_is_restored() {
    require_servers!();
    let site = site();
    site.snapshot("other", tomorrow(), &[8]);
    back_up(&site);
    lose_all(&site);
    let file = fs::read_dir(to(&site)).unwrap().map(|e| e.unwrap().path());
    let file = file.into_iter().find(|path| path.to_str().unwrap().contains("/p.")).unwrap();
    site.flussctl.line("po restore --yes").args([&file]).run().expect(0);
    assert!(site.has("p") && !site.has("other"));
    for wrong in [site.beside("none"), site.remote().to_owned()] {
        site.flussctl.line("po restore --yes").args([&wrong]).run().expect(2);
    }
}

#[test]
fn a_guard_a_missing_root_or_a_missing_dir_stop_it() {
    require_servers!();
    let site = site();
    back_up(&site);
    lose_all(&site);
    refused(&site, "--zookeeper-root /no/such", 3, "/no/such");
    assert_eq!(restore(&site, "--read-only").expect(8).code, 8);
    restore(&site, "--read-only --dry-run").expect(0);
    fs::remove_dir_all(site.remote()).unwrap();
    let output = restore(&site, "").expect(1);
    assert!(output.stderr.contains("no remote data dir"), "{output}");
    assert!(!site.remote().exists() && !site.has("p"));
}

#[test]
fn what_was_registered_meanwhile_is_left_and_no_file_stays_behind() {
    require_servers!();
    let site = site();
    back_up(&site);
    lose_all(&site);
    let restore = site.flussctl.line("po restore -o json --yes").args([to(&site)]);
    let paused = restore.spawn_paused_at("register.files-written");
    let own = site.files();
    assert_eq!(own.len(), 2);
    site.snapshot("p", tomorrow(), &[8]);
    let znode = site.zk.text(&site.znode("p"));
    let output = paused.go().wait(crate::support::PATIENCE).expect(0);
    assert_eq!(with(&output, "already_exists"), ["p".to_owned()].into());
    assert_eq!(site.zk.text(&site.znode("p")), znode);
    assert!(site.files().is_disjoint(&own), "what it had written is gone again");
}
