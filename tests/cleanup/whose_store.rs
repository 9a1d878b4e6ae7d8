//! Where it is doubtful that the store is the cluster's own, expired snapshots go and orphans stay.

use std::fs;

use super::{announced_then_done, set};
use crate::support::require_servers;
use crate::support::site::{Site, tomorrow, uuid, with, yesterday};

#[test]
fn snapshots_none_of_whose_files_is_found_make_the_store_doubtful() {
    require_servers!();
    let site = Site::new();
    site.snapshot("expired", yesterday(), &[]);
    site.names("live", tomorrow(), &[(7, &site.spelled(&format!("live/7/{}.offsets", uuid())))]);
    site.names("other", tomorrow(), &[(7, &format!("s3://bucket/producers/other/7/{}.offsets", uuid()))]);
    let orphan = site.file("live", 9);
    let done = announced_then_done(&site, "--dir-is-only-ours", 5);
    assert_eq!(done, set([("deleted", "expired"), ("kept", "producers")]));
    assert!(site.place(&orphan).exists());
    let output = site.cleanup("--yes").expect(5);
    assert!(output.stderr.contains("--store-checked"), "{output}");
    site.cleanup("--yes --expired-only").expect(0);

    let done = announced_then_done(&site, "--store-checked", 0);
    let path = format!("producers/{orphan}");
    let removed = [("removed", "producers/live/9"), ("removed", "producers/live")];
    assert_eq!(done, set([("deleted", &path), removed[0], removed[1]]));
}

#[test]
fn no_snapshots_znode_beside_folders_makes_the_store_doubtful() {
    require_servers!();
    let site = Site::new();
    for at in 0..50 {
        site.file(&format!("p{at}"), 7);
    }
    site.zk.delete(&format!("{}/producers", site.root));
    let before = site.state();
    let output = site.cleanup("--yes --store-checked").expect(5);
    assert_eq!(site.state(), before);
    assert!(output.stderr.contains("--dir-is-only-ours"), "{output}");
    assert!(output.stderr.contains(&format!("{} at", site.root)), "the message names the root: {output}");
    let done = announced_then_done(&site, "--dir-is-only-ours", 0);
    assert_eq!(done.len(), 150);
    assert!(!site.zk.exists(&format!("{}/producers", site.root)), "a cleanup makes no znode");
}

#[test]
fn mostly_unknown_folders_make_the_store_doubtful() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    site.snapshot("expired", yesterday(), &[7]);
    let orphans = ["x", "y", "z"].map(|id| site.file(id, 7));
    let done = announced_then_done(&site, "", 5);
    assert_eq!(done, set([("deleted", "expired"), ("kept", "producers")]));
    assert!(orphans.iter().all(|orphan| site.place(orphan).exists()));
    assert_eq!(with(&site.cleanup("--yes --dir-is-only-ours").expect(0), "deleted").len(), 3);
}

#[test]
fn that_the_dir_is_only_ours_can_be_said_once_for_all() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let orphans = ["x", "y", "z"].map(|id| format!("producers/{}", site.file(id, 7)));
    let folder = site.flussctl.config_dir().join("flussctl");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("prod.yaml"), "flussctl.dir-is-only-ours: true\n").unwrap();
    let output = site.cleanup("--yes --cluster prod").expect(0);
    assert_eq!(with(&output, "deleted"), orphans.into());
}
