//! What a cleanup refuses before anything is listed: cutoffs, clocks, missing roots, guards.

use std::fs;

use super::set;
use crate::support::flussctl::Flussctl;
use crate::support::require_servers;
use crate::support::site::{Site, results, tomorrow, with, yesterday};
use crate::support::zookeeper::ZooKeeper;

#[test]
fn a_cutoff_that_would_take_what_is_being_written_is_refused_before_anything_is_asked() {
    // Nobody answers there: what is refused is refused without a look.
    let nowhere = Flussctl::new()
        .env("FLUSSCTL_ZOOKEEPER", "127.0.0.1:1")
        .env("FLUSSCTL_REMOTE_DATA_DIR", "/nowhere")
        .env("FLUSSCTL_REQUEST_TIMEOUT", "1s");
    for older_than in [
        "0s",
        "-1h",
        "9m",
        "599s",
        "2999-01-01T00:00:00Z",
        "2020-01-01T00:00:00",
        "2020-01-01",
        "5",
        "",
        "soon",
        "23h",
        "11m",
    ] {
        let cleanup = nowhere.line("po cleanup --yes").args([format!("--older-than={older_than}")]);
        cleanup.run().expect(2);
        let forced = cleanup.line("--force").run();
        let allowed = ["23h", "11m"].contains(&older_than);
        assert_eq!(forced.code, if allowed { 7 } else { 2 }, "{forced}");
    }
}

#[test]
fn a_short_age_needs_force() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let orphan = site.file("live", 9);
    let output = site.cleanup("--yes --older-than 23h").expect(2);
    assert!(output.stderr.contains("--force"), "{output}");
    assert!(site.place(&orphan).exists());
    site.age(&orphan, std::time::Duration::from_mins(20));
    let output = site.cleanup("--yes --older-than 10m --force").expect(0);
    assert_eq!(with(&output, "deleted"), [format!("producers/{orphan}")].into());
}

#[test]
fn the_clusters_own_ttl_lengthens_the_default() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let orphan = site.file("live", 9);
    let output = site.cleanup("--dry-run -D coordinator.producer-offsets.ttl=30d").expect(0);
    assert_eq!(results(&output), set([]));
    let output = site.cleanup("--dry-run -D coordinator.producer-offsets.ttl=1h").expect(0);
    assert!(with(&output, "deleted").contains(&format!("producers/{orphan}")));
}

#[test]
fn clocks_that_disagree_stop_it_and_are_named() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    site.snapshot("expired", yesterday(), &[7]);
    site.file("live", 9);
    let before = site.state();
    let year = 365 * 86_400_000;
    for (skew, relation) in [(year, "ahead of"), (-year, "behind"), (120_000, "ahead of")] {
        let output = site.flussctl.clock_ms(skew).line("po cleanup --yes").run().expect(1);
        assert!(output.stderr.contains("this host") && output.stderr.contains(relation), "{output}");
        assert_eq!(site.state(), before, "{skew}");
    }
    let output = site.flussctl.line("po cleanup --dry-run").run().expect(0);
    assert!(output.stderr.contains("by this host's clock"), "{output}");
}

#[test]
fn a_missing_root_is_named_and_nothing_is_deleted() {
    require_servers!();
    let site = Site::new();
    for at in 0..50 {
        site.file(&format!("p{at}"), 7);
    }
    let before = site.state();
    let wrong = ZooKeeper::shared().unused_root();
    for words in ["--yes", "--dry-run", "--yes --expired-only", "--yes --dir-is-only-ours --store-checked"] {
        let output = site
            .flussctl
            .env("FLUSSCTL_ZOOKEEPER_ROOT", &wrong)
            .line("po cleanup")
            .line(words)
            .run()
            .expect(3);
        assert!(output.stderr.contains(&format!("{wrong} at")), "{output}");
    }
    assert_eq!(site.state(), before);
    assert!(!site.zk.exists(&wrong), "a root was made");
}

#[test]
fn a_missing_store_is_named_and_nothing_is_deleted() {
    require_servers!();
    let site = Site::new();
    site.snapshot("expired", yesterday(), &[]);
    fs::remove_dir_all(site.place("")).unwrap();
    for words in
        ["--yes", "--dry-run", "--yes --expired-only", "--dry-run --expired-only", "--yes --orphans-only"]
    {
        let output = site.cleanup(words).expect(1);
        assert!(output.stderr.contains("remote/producers"), "{output}");
    }
    fs::remove_dir_all(site.remote()).unwrap();
    let output = site.cleanup("--yes").expect(1);
    assert!(output.stderr.contains(&site.remote().display().to_string()), "{output}");
    assert!(site.has("expired") && !site.remote().exists());
}

#[test]
fn only_the_dir_of_the_producers_counts_and_none_is_guessed() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let orphan = site.file("live", 9);
    let config = site.beside("server.yaml");
    let dirs = format!("remote.data.dirs: {}, /another\n", site.remote().display());
    fs::write(&config, &dirs).unwrap();
    // What is said once in the environment would win over the file.
    let program = Flussctl::new()
        .env("FLUSSCTL_ZOOKEEPER", ZooKeeper::shared().connect())
        .env("FLUSSCTL_ZOOKEEPER_ROOT", &site.root)
        .env("FLUSSCTL_SERVER_CONFIG", &config);
    let output = program.line("po cleanup --yes").run().expect(2);
    assert!(output.stderr.contains("remote.data.dir"), "{output}");
    assert!(site.place(&orphan).exists());
    fs::write(&config, format!("{dirs}remote.data.dir: {}\n", site.remote().display())).unwrap();
    program.line("po cleanup --yes").run().expect(0);
    assert!(!site.place(&orphan).exists());
}

#[test]
fn a_guarded_cluster_is_only_looked_at() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    site.snapshot("expired", yesterday(), &[7]);
    let before = site.state();
    site.cleanup("--yes --read-only").expect(8);
    site.flussctl.env("FLUSSCTL_READ_ONLY", "true").line("po cleanup --yes").run().expect(8);
    assert_eq!(site.state(), before);
    assert!(with(&site.cleanup("--dry-run --read-only").expect(0), "deleted").contains("expired"));
    assert_eq!(site.state(), before);
}

#[test]
fn an_audit_log_that_cannot_be_written_stops_it() {
    require_servers!();
    let site = Site::new();
    site.snapshot("expired", yesterday(), &[7]);
    let before = site.state();
    for log in [site.beside("no/such"), site.remote().to_owned(), "/dev/full".into()] {
        let cleanup = site.flussctl.line("po cleanup --yes --expired-only --audit-log").args([&log]);
        cleanup.run().expect(2);
    }
    assert_eq!(site.state(), before);
}
