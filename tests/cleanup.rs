//! `cleanup`: what goes, what stays, and how it ends, on znodes and files put in place by hand.

mod foreign;
mod keeps;
mod refuses;
mod whose_store;

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use crate::support::PATIENCE;
use crate::support::require_servers;
use crate::support::site::{Site, in_ms, results, tomorrow, with, yesterday, znode};

/// Demand that a dry run, with and without `--yes`, changes nothing and announces what the real run then does.
#[track_caller]
fn announced_then_done(site: &Site, words: &str, code: i32) -> BTreeSet<(String, String)> {
    let before = site.state();
    let dry = site.cleanup(&format!("--dry-run {words}")).expect(code);
    let with_yes = site.cleanup(&format!("--dry-run --yes {words}")).expect(code);
    assert_eq!(site.state(), before, "a dry run changed something");
    assert_eq!(dry.json()["dry_run"], true);
    assert_eq!(results(&dry), results(&with_yes));
    let real = site.cleanup(&format!("--yes {words}")).expect(code);
    assert_eq!(real.json()["dry_run"], false);
    assert_eq!(results(&real), results(&dry), "the real run did something else than it announced");
    results(&real)
}

fn set<const N: usize>(items: [(&str, &str); N]) -> BTreeSet<(String, String)> {
    items.iter().map(|(word, of)| ((*word).to_owned(), (*of).to_owned())).collect()
}

#[test]
fn expired_ones_orphans_and_empty_folders_go_and_a_dry_run_announces_just_them() {
    require_servers!();
    let site = Site::new();
    let live = site.snapshot("live", tomorrow(), &[7, 8]);
    site.snapshot("expired", yesterday(), &[7]);
    let orphan = site.file("live", 9);
    let beside_live = site.file("live", 7);
    let gone = site.file("gone", 1);
    site.write("empty/3/x", "");
    fs::remove_file(site.place("empty/3/x")).unwrap();
    site.age("empty/3", Duration::from_hours(240));

    let done = announced_then_done(&site, "", 0);
    let deleted = |below: &str| format!("producers/{below}");
    assert_eq!(
        done,
        set([
            ("deleted", "expired"),
            ("removed", "producers/expired/7"),
            ("removed", "producers/expired"),
            ("deleted", &deleted(&orphan)),
            ("deleted", &deleted(&beside_live)),
            ("removed", "producers/live/9"),
            ("deleted", &deleted(&gone)),
            ("removed", "producers/gone/1"),
            ("removed", "producers/gone"),
            ("removed", "producers/empty/3"),
            ("removed", "producers/empty"),
        ])
    );
    assert_eq!(site.files(), live.into_iter().collect());
    assert!(site.has("live") && !site.has("expired"));
    assert!(!site.place("gone").exists() && !site.place("empty").exists());
    let again = site.cleanup("--yes").expect(0);
    assert_eq!(results(&again), BTreeSet::new(), "a second run finds nothing");
}

#[test]
fn one_half_alone_leaves_the_other() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let files = site.snapshot("expired", yesterday(), &[7]);
    let orphan = site.file("live", 9);

    assert_eq!(announced_then_done(&site, "--expired-only", 0), set([("deleted", "expired")]));
    assert!(site.place(&orphan).exists() && !site.place(&files[0]).exists());
    site.zk.create(&site.znode("expired"), znode(yesterday(), &[]));
    let done = announced_then_done(&site, "--orphans-only", 0);
    assert!(done.contains(&("deleted".into(), format!("producers/{orphan}"))));
    assert!(site.has("expired") && !site.place(&orphan).exists());
    site.cleanup("--expired-only --orphans-only --yes").expect(2);
    site.cleanup("--expired-only --older-than 5d --yes").expect(2);
}

#[test]
fn expired_for_less_than_a_minute_is_kept() {
    require_servers!();
    let site = Site::new();
    site.snapshot("just", in_ms(-1), &[7]);
    site.snapshot("grown", in_ms(-90_000), &[7]);
    assert_eq!(with(&site.cleanup("--yes --expired-only").expect(0), "deleted"), ["grown".to_owned()].into());
    assert!(site.has("just"));
}

#[test]
fn what_was_registered_over_an_expired_one_during_the_cleanup_survives() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let old = site.snapshot("again", yesterday(), &[7]);
    let paused = site.flussctl.line("po cleanup --yes -o json").spawn_paused_at("cleanup.planned");
    // As the server does it: the old one goes with its files, the new one has version 0 again.
    site.zk.delete(&site.znode("again"));
    fs::remove_file(site.place(&old[0])).unwrap();
    let new = site.snapshot("again", tomorrow(), &[7]);
    let output = paused.go().wait(PATIENCE).expect(5);
    assert_eq!(with(&output, "changed"), ["again".to_owned()].into());
    assert!(site.has("again") && site.place(&new[0]).exists());
    assert!(site.place("again/7").exists());
}

#[test]
fn one_file_that_cannot_be_deleted_holds_up_nothing_else() {
    require_servers!();
    let site = Site::new();
    let files: Vec<_> = ["a", "b", "c"].map(|id| site.snapshot(id, yesterday(), &[7]).remove(0)).into();
    fs::remove_file(site.place(&files[1])).unwrap();
    fs::create_dir(site.place(&files[1])).unwrap();
    fs::write(site.place(&files[1]).join("x"), "").unwrap();

    let output = site.cleanup("--yes --expired-only").expect(5);
    let document = output.json();
    let of =
        |id: &str| document["results"].as_array().unwrap().iter().find(|r| r["producer_id"] == id).unwrap();
    assert_eq!((&of("a")["files_deleted"], &of("c")["files_deleted"]), (&1.into(), &1.into()), "{output}");
    assert_eq!(of("b")["files_deleted"], 0);
    assert_eq!(of("b")["files_left"].as_array().unwrap().len(), 1, "{output}");
    assert!(!site.has("a") && !site.has("b") && !site.has("c"));
    assert!(site.place(&files[1]).join("x").exists());
}

#[test]
fn three_thousand_orphans_go_in_one_run() {
    require_servers!();
    let site = Site::new();
    let live = site.snapshot("live", tomorrow(), &[7]);
    for at in 0..3000 {
        site.file("live", 1000 + at % 30);
    }
    let output = site.cleanup("--yes --max-ops-per-second 100000").expect(0);
    assert_eq!(with(&output, "deleted").len(), 3000);
    assert_eq!(with(&output, "removed").len(), 30);
    assert_eq!(site.files(), live.into_iter().collect());
}

#[test]
fn ids_that_look_like_options_are_ordinary() {
    require_servers!();
    let site = Site::new();
    let ids = ["_p", "__p", "-rf", "--json"];
    let live: BTreeSet<_> = ids.iter().flat_map(|id| site.snapshot(id, tomorrow(), &[0])).collect();
    let orphans: BTreeSet<_> = ids.iter().map(|id| format!("producers/{}", site.file(id, 1))).collect();
    let output = site.cleanup("--yes").expect(0);
    assert_eq!(with(&output, "deleted"), orphans);
    assert_eq!(site.files(), live);
}

#[test]
fn the_audit_log_has_a_line_for_each_decision() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let expired = site.snapshot("expired", yesterday(), &[7]);
    let orphan = site.file("live", 9);
    let broken = site.file("broken", 7);
    site.zk.create(&site.znode("broken"), "{");
    let log = site.beside("audit.jsonl");
    let words = format!("--yes --audit-log {}", log.display());
    site.cleanup(&format!("--dry-run {words}")).expect(5);
    assert!(!log.exists(), "a dry run decides nothing");
    site.cleanup(&words).expect(5);

    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said = |action: &str, outcome: &str, id: &str| {
        let found = lines.iter().filter(|line| {
            line["command"] == "cleanup"
                && line["action"] == action
                && line["outcome"] == outcome
                && line["producer_id"] == id
        });
        found.collect::<Vec<_>>()
    };
    assert!(said("delete_znode", "done", "expired")[0]["mzxid"].is_i64(), "{text}");
    assert_eq!(said("delete_file", "done", "expired")[0]["path"], format!("producers/{}", expired[0]));
    assert_eq!(said("delete_orphan_file", "done", "live")[0]["path"], format!("producers/{orphan}"));
    assert_eq!(said("remove_folder", "done", "live")[0]["table_id"], 9);
    assert_eq!(said("keep", "done", "broken").len(), 1, "{text}");
    assert!(site.place(&broken).exists());
    assert!(lines.iter().all(|line| line["at"].is_string() && line["schema_version"] == 1));
}

#[test]
fn without_a_yes_nothing_is_done_and_stdin_is_unread() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    site.snapshot("expired", yesterday(), &[7]);
    let before = site.state();
    let output = site.flussctl.line("po cleanup").stdin("y\ny\n").run().expect(2);
    assert!(output.stderr.contains("--yes"), "{output}");
    site.flussctl.line("po cleanup").run().expect(2);
    assert_eq!(site.state(), before);
}

#[test]
fn of_two_side_by_side_each_item_is_deleted_by_one() {
    require_servers!();
    let site = Site::new();
    let live = site.snapshot("live", tomorrow(), &[7]);
    site.snapshot("expired", yesterday(), &[7]);
    site.file("live", 9);
    let cleanup = site.flussctl.line("po cleanup --yes -o json");
    let paused = cleanup.spawn_paused_at("cleanup.planned");
    let first = results(&cleanup.run().expect(0));
    let second = results(&paused.go().wait(PATIENCE).expect(0));
    let items = |results: &BTreeSet<(String, String)>| -> BTreeSet<String> {
        results.iter().map(|(_, of)| of.clone()).collect()
    };
    assert_eq!(items(&first), items(&second), "both planned the same");
    assert!(first.iter().all(|(word, _)| word == "deleted" || word == "removed"), "{first:?}");
    assert!(second.iter().all(|(word, _)| word == "not_found"), "{second:?}");
    assert_eq!(site.files(), live.into_iter().collect());
}
