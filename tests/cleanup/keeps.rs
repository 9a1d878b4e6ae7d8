//! What a cleanup keeps: whatever a znode names or may name, whatever is young, and all of whom it cannot read.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use zookeeper_client::{Acl, AuthId, Permission};

use super::{announced_then_done, set};
use crate::support::PATIENCE;
use crate::support::require_servers;
use crate::support::site::{Site, results, tomorrow, uuid, with, yesterday};

#[test]
fn a_live_file_stays_however_its_path_is_spelled() {
    require_servers!();
    let site = Site::new();
    let files: Vec<String> = (0..9).map(|table| site.file("live", table)).collect();
    let place = |at: usize| site.place(&files[at]).display().to_string();
    let (folder, name) = place(8).rsplit_once('/').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let spelled = [
        place(0),
        format!("file:{}", place(1)),
        format!("file://{}", place(2)),
        format!("FILE:{}", place(3)),
        format!("{}/", place(4).replace("/producers/", "//producers/./")),
        place(5).replace("/producers/", "/producers/../producers/"),
        place(6).replace('-', "%2D"),
        place(7).replace(".offsets", "%2eoffsets"),
        format!("{folder}/{}", name.to_uppercase()),
    ];
    let named: Vec<(i64, &str)> = (0..).zip(spelled.iter().map(String::as_str)).collect();
    site.names("live", tomorrow(), &named);
    let orphan = format!("producers/{}", site.file("live", 100));

    let done = announced_then_done(&site, "", 0);
    assert_eq!(done, set([("deleted", &orphan), ("removed", "producers/live/100")]));
    assert_eq!(site.files(), files.into_iter().collect());
}

#[test]
fn every_spelling_of_the_root_finds_the_same_one_orphan() {
    require_servers!();
    for name in ["plain", "with space", "per%20cent", "a+b", "~tilde", "é", "q?x", "b\\s"] {
        let site = Site::with_dir(name);
        let live = site.snapshot("live", tomorrow(), &[7]);
        let root = site.remote().display().to_string();
        let relative = name.to_owned();
        let spellings = [
            root.clone(),
            format!("{root}/"),
            format!("{root}//"),
            format!("file:{root}"),
            format!("file://{root}/"),
            relative,
        ];
        for spelling in spellings {
            // A backslash is a slash to the server: such a dir is another one, and has no producers.
            let orphan = format!("producers/{}", site.file("live", 8));
            let output = site
                .flussctl
                .env("FLUSSCTL_REMOTE_DATA_DIR", &spelling)
                .dir(site.remote().parent().unwrap())
                .line("po cleanup --yes -o json")
                .run();
            if name.contains('\\') {
                output.expect(1);
            } else {
                assert_eq!(with(&output.expect(0), "deleted"), [orphan].into(), "{spelling}");
            }
            assert!(site.place(&live[0]).exists(), "{spelling}");
        }
    }
}

#[test]
fn the_same_name_under_another_authority_or_bucket_stops_all() {
    require_servers!();
    for (elsewhere, recent) in [
        ("file://host/elsewhere", false),
        ("s3://bucket/x", false),
        ("s3://bucket/x", true),
        ("/another/dir", true),
        ("hdfs://nn:8020/x", false),
    ] {
        let site = Site::new();
        site.snapshot("live", tomorrow(), &[7]);
        site.snapshot("expired", yesterday(), &[7]);
        let orphan = site.file("live", 9);
        let doubtful = site.file("moved", 7);
        if recent {
            site.age(&doubtful, Duration::from_mins(1));
        }
        site.names("moved", tomorrow(), &[(7, &format!("{elsewhere}/producers/{doubtful}"))]);
        let before = site.state();
        for words in ["--yes", "--dry-run", "--yes --orphans-only"] {
            let output = site.cleanup(words).expect(1);
            assert!(output.stderr.contains("conflict") && output.stderr.contains(&doubtful), "{output}");
        }
        assert_eq!(site.state(), before, "{elsewhere}, recent: {recent}");
        assert!(site.place(&orphan).exists());
    }
}

#[test]
fn another_way_to_the_same_folder_is_no_conflict() {
    require_servers!();
    let site = Site::new();
    let file = site.file("live", 7);
    let link = site.beside("link");
    symlink(site.remote(), &link).unwrap();
    site.names("live", tomorrow(), &[(7, &format!("{}/producers/{file}", link.display()))]);
    let orphan = format!("producers/{}", site.file("live", 9));
    let done = announced_then_done(&site, "", 0);
    assert_eq!(done, set([("deleted", &orphan), ("removed", "producers/live/9")]));
    assert!(site.place(&file).exists());
    // And the other way round: the link is configured, the znode has the folder.
    let orphan = format!("producers/{}", site.file("live", 9));
    let output = site.flussctl.env("FLUSSCTL_REMOTE_DATA_DIR", &link).line("po cleanup --yes -o json").run();
    assert_eq!(with(&output.expect(0), "deleted"), [orphan].into());
    assert!(site.place(&file).exists());
}

#[test]
fn what_was_just_written_is_too_recent() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let recent = site.file("p9", 7);
    site.age(&recent, Duration::ZERO);
    let two_days = site.file("live", 8);
    site.age(&two_days, Duration::from_hours(48));
    let before = site.state();
    let output = site.cleanup("--yes").expect(0);
    assert_eq!(with(&output, "deleted"), BTreeSet::new());
    assert_eq!(site.state(), before);
    assert!(output.stderr.contains("2 files that no znode names: kept"), "{output}");

    let output = site.cleanup("--yes --older-than 36h").expect(0);
    assert_eq!(with(&output, "deleted"), [format!("producers/{two_days}")].into());
    let output = site.cleanup("--yes --older-than 2020-01-01T00:00:00Z").expect(0);
    assert_eq!(with(&output, "deleted"), BTreeSet::new());
}

#[test]
fn an_orphan_whose_znode_appears_after_the_plan_is_kept() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let (late, broken, orphan) = (site.file("late", 7), site.file("broken", 7), site.file("live", 9));
    let log = site.beside("audit.jsonl");
    let paused = site
        .flussctl
        .line("po cleanup --yes -o json --dir-is-only-ours --audit-log")
        .args([&log])
        .spawn_paused_at("cleanup.planned");
    site.names("late", tomorrow(), &[(7, &site.spelled(&late))]);
    site.zk.create(&site.znode("broken"), "no json");
    let output = paused.go().wait(PATIENCE).expect(5);
    assert_eq!(with(&output, "deleted"), [format!("producers/{orphan}")].into());
    let kept = with(&output, "kept");
    assert!([&late, &broken].iter().all(|file| kept.contains(&format!("producers/{file}"))), "{output}");
    assert!(site.place(&late).exists() && site.place(&broken).exists());
    assert!(fs::read_to_string(&log).unwrap().contains(r#""outcome":"kept""#));
}

#[test]
fn a_snapshot_registered_while_the_store_is_listed_keeps_its_files() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let (late, in_anothers) = (site.file("late", 7), site.file("late", 8));
    let paused =
        site.flussctl.line("po cleanup --yes -o json --dir-is-only-ours").spawn_paused_at("cleanup.listed");
    site.names("late", tomorrow(), &[(7, &site.spelled(&late))]);
    site.names("other", tomorrow(), &[(8, &site.spelled(&in_anothers))]);
    let output = paused.go().wait(PATIENCE).expect(0);
    assert_eq!(results(&output), BTreeSet::new(), "they are no part of the plan");
    assert!(site.place(&late).exists() && site.place(&in_anothers).exists());
}

#[test]
fn whose_znode_cannot_be_read_or_understood_keeps_all() {
    require_servers!();
    for (what, data) in [
        ("by its ACL", None),
        ("broken JSON", Some("{\"version\":1,")),
        ("another version", Some(r#"{"version":2,"expiration_time":1,"tables":[]}"#)),
        ("no data", Some("")),
        ("an empty object", Some("{}")),
        ("null", Some("null")),
        ("a text for a time", Some(r#"{"version":1,"expiration_time":"1","tables":[]}"#)),
        ("no time", Some(r#"{"version":1,"tables":[]}"#)),
        ("a huge time", Some(r#"{"version":1,"expiration_time":1e300,"tables":[]}"#)),
    ] {
        let site = Site::new();
        site.snapshot("live", tomorrow(), &[7]);
        site.snapshot("expired", yesterday(), &[7]);
        let orphan = format!("producers/{}", site.file("live", 9));
        let kept = [site.file("odd", 7), site.file("odd", 8)];
        if let Some(data) = data {
            site.zk.create(&site.znode("odd"), data);
        } else {
            let nobody = Acl::new(Permission::ADMIN, AuthId::anyone());
            site.zk.create_with_acl(&site.znode("odd"), "x", &[nobody]);
        }
        site.write("odd/9/x", "");
        fs::remove_file(site.place("odd/9/x")).unwrap();
        site.age("odd/9", Duration::from_hours(240));
        let done = announced_then_done(&site, "", 5);
        assert!(done.contains(&("deleted".into(), "expired".into())), "{what}");
        assert!(done.contains(&("deleted".into(), orphan)), "{what}");
        assert!(done.contains(&("kept".into(), "odd".into())), "{what}");
        assert!(kept.iter().all(|file| site.place(file).exists()), "{what}");
        assert!(site.state().contains("znode odd"), "{what}");
        assert!(site.place("odd/9").exists(), "{what}");
    }
}

#[test]
fn a_file_that_two_znodes_name_outlives_the_first() {
    require_servers!();
    let site = Site::new();
    let file = site.snapshot("expired", yesterday(), &[7]).remove(0);
    site.names("live", tomorrow(), &[(7, &site.spelled(&file))]);
    let done = announced_then_done(&site, "", 0);
    assert_eq!(done, set([("deleted", "expired")]));
    assert!(site.place(&file).exists());
    assert!(!site.has("expired"));
    // Nobody owns the folder now, and the file is named all the same.
    announced_then_done(&site, "--dir-is-only-ours", 0);
    assert!(site.place(&file).exists());
}

#[test]
fn a_file_in_anothers_folder_is_kept_while_it_is_named_and_not_followed() {
    require_servers!();
    let site = Site::new();
    let file = site.file("b", 7);
    site.snapshot("b", tomorrow(), &[8]);
    site.names("a", tomorrow(), &[(7, &site.spelled(&file))]);
    assert_eq!(announced_then_done(&site, "", 0), BTreeSet::new());
    assert!(site.place(&file).exists());

    // Once it expires its znode goes and its file stays, since it lies with another; the next run finds an orphan.
    site.zk.delete(&site.znode("a"));
    site.names("a", yesterday(), &[(7, &site.spelled(&file))]);
    assert_eq!(announced_then_done(&site, "", 0), set([("deleted", "a")]));
    assert!(site.place(&file).exists());
    let orphan = format!("producers/{file}");
    assert_eq!(announced_then_done(&site, "", 0), set([("deleted", &orphan), ("removed", "producers/b/7")]));
}

#[test]
fn the_path_in_the_znode_counts_after_the_dir_was_changed() {
    require_servers!();
    let site = Site::new();
    site.snapshot("here", tomorrow(), &[7]);
    // Registered when the dir was another one: its files are there, and nothing of it is here.
    let old = site.beside("old/producers/before/7");
    fs::create_dir_all(&old).unwrap();
    let file = old.join(format!("{}.offsets", uuid()));
    fs::write(&file, "{}").unwrap();
    site.names("before", tomorrow(), &[(7, file.to_str().unwrap())]);
    let orphan = format!("producers/{}", site.file("here", 9));
    let done = announced_then_done(&site, "", 0);
    assert_eq!(done, set([("deleted", &orphan), ("removed", "producers/here/9")]));
    assert!(file.exists());
}

#[test]
fn folders_go_only_when_empty_and_old() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    fs::create_dir_all(site.place("young/1")).unwrap();
    fs::create_dir_all(site.place("live/2")).unwrap();
    let (orphan, new) = (site.file("mixed", 3), site.file("mixed", 3));
    site.age(&new, Duration::from_secs(700));
    let output = site.cleanup("--yes --dir-is-only-ours").expect(0);
    assert_eq!(with(&output, "removed"), BTreeSet::new());
    assert_eq!(with(&output, "deleted"), [format!("producers/{orphan}")].into());
    for kept in ["young/1", "live/2", "live/7", new.as_str()] {
        assert!(site.place(kept).exists(), "{kept}");
    }
}

#[test]
fn a_folder_that_is_filled_after_the_plan_stays() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    site.file("live", 9);
    let paused = site.flussctl.line("po cleanup --yes -o json").spawn_paused_at("cleanup.planned");
    let new = site.file("live", 9);
    let output = paused.go().wait(PATIENCE).expect(0);
    assert!(with(&output, "kept").contains("producers/live/9"), "{output}");
    assert!(site.place(&new).exists());
}
