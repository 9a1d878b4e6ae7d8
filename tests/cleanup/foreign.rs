//! What is found below `producers/` and is none of ours is told and left; links are followed by nobody.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;

use crate::support::require_servers;
use crate::support::site::{OLD, Site, results, set_age, set_mode, tomorrow, uuid, with};

#[test]
fn what_is_no_offsets_file_is_told_and_left() {
    require_servers!();
    let site = Site::new();
    let live = site.snapshot("live", tomorrow(), &[7]);
    let name = format!("{}.offsets", uuid());
    let foreign = [
        "README".to_owned(),
        "live/notes.txt".to_owned(),
        format!("live/{name}"),
        "live/7/notes.offsets".to_owned(),
        format!("live/7/{}", name.to_uppercase()),
        format!("live/7/{name}.tmp"),
        format!("live/07/{name}"),
        format!("live/-7/{name}"),
        format!("live/latest/{name}"),
        format!("live/9223372036854775808/{name}"),
        format!("no.id/7/{name}"),
        format!("{}/7/{name}", "x".repeat(201)),
        format!("live/7/deeper/{name}"),
        "lone/7/x".to_owned(),
    ];
    for below in &foreign {
        site.write(below, "{}");
    }
    let before = site.state();
    let output = site.cleanup("--yes -v --dir-is-only-ours").expect(0);
    assert_eq!(with(&output, "deleted"), BTreeSet::new(), "{output}");
    assert_eq!(with(&output, "removed"), BTreeSet::new(), "{output}");
    assert_eq!(site.state(), before);
    assert!(site.place(&live[0]).exists());
    for told in
        ["README: a file", "notes.txt: a file", "no.id: ", "07: ", "deeper: a folder", "lone/7/x: a file"]
    {
        assert!(output.stderr.contains(told), "{told}\n{output}");
    }
    let quiet = site.cleanup("--yes").expect(0);
    assert!(quiet.stderr.contains("14 foreign things"), "{quiet}");
}

#[test]
fn links_are_told_and_nothing_outside_is_touched() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let outside = site.beside("outside");
    let file = outside.join(format!("5/{}.offsets", uuid()));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "{}").unwrap();
    for path in [&file, &outside.join("5"), &outside] {
        set_age(path, OLD);
    }
    symlink(&outside, site.place("dead")).unwrap();
    symlink(outside.join("5"), site.place("live/5")).unwrap();
    symlink(&file, site.place("live/7").join(format!("{}.offsets", uuid()))).unwrap();
    symlink("/nowhere/at/all", site.place("dangling")).unwrap();
    symlink(site.place("loop"), site.place("loop")).unwrap();
    symlink(site.place(""), site.place("live/6")).unwrap();
    for folder in ["live/7", "live"] {
        set_age(&site.place(folder), OLD);
    }
    let before = site.state();
    let output = site.cleanup("--yes -v --dir-is-only-ours").expect(0);
    assert_eq!((with(&output, "deleted"), with(&output, "removed")), Default::default(), "{output}");
    assert_eq!(site.state(), before);
    assert!(file.exists());
    for told in ["dead: a link", "live/5: a link", "dangling: a link", "loop: a link", ".offsets: a link"] {
        assert!(output.stderr.contains(told), "{told}\n{output}");
    }
}

#[test]
fn a_folder_that_becomes_a_link_after_the_plan_leads_nowhere() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let orphan = site.file("live", 9);
    let paused = site.flussctl.line("po cleanup --yes -o json").spawn_paused_at("cleanup.planned");
    let outside = site.beside("outside");
    fs::rename(site.place("live/9"), &outside).unwrap();
    symlink(&outside, site.place("live/9")).unwrap();
    let output = paused.go().wait(crate::support::PATIENCE);
    assert_ne!(output.code, 0, "{output}");
    assert!(outside.join(orphan.rsplit('/').next().unwrap()).exists());
}

#[test]
fn a_linked_root_works_and_a_linked_producers_folder_is_refused() {
    require_servers!();
    let site = Site::new();
    site.snapshot("live", tomorrow(), &[7]);
    let orphan = format!("producers/{}", site.file("live", 9));
    let link = site.beside("link");
    symlink(site.remote(), &link).unwrap();
    let linked = site.flussctl.env("FLUSSCTL_REMOTE_DATA_DIR", &link);
    let output = linked.line("po cleanup --yes -o json").run().expect(0);
    assert_eq!(with(&output, "deleted"), [orphan].into());

    let moved = site.beside("moved");
    fs::rename(site.place(""), &moved).unwrap();
    symlink(&moved, site.remote().join("producers")).unwrap();
    for words in ["--yes", "--dry-run"] {
        let output = site.cleanup(words).expect(1);
        assert!(output.stderr.contains("a link"), "{output}");
    }
}

#[test]
fn a_folder_that_cannot_be_listed_keeps_all_below_it() {
    require_servers!();
    let site = Site::new();
    let Some(bound) = site.bound() else { return };
    site.snapshot("live", tomorrow(), &[7]);
    let orphan = format!("producers/{}", site.file("live", 9));
    let hidden = [site.file("hidden", 7), site.file("half", 7), site.file("half", 8)];
    let locked = ["hidden", "half/8"].map(|below| site.place(below));
    let lock = |mode| locked.iter().for_each(|path| set_mode(path, mode));
    lock(0o000);
    let cleanup = bound.line("po cleanup -o json --dir-is-only-ours");
    let (dry, output) = (cleanup.line("--dry-run").run(), cleanup.line("--yes").run());
    lock(0o755);
    assert_eq!(results(&dry.expect(5)), results(&output));
    let output = output.expect(5);
    assert_eq!(with(&output, "deleted"), [orphan].into());
    let failed = with(&output, "failed");
    assert!(failed.contains("producers/hidden") && failed.contains("producers/half"), "{output}");
    assert!(hidden.iter().all(|file| site.place(file).exists()));
}

#[test]
fn a_file_that_may_not_be_deleted_is_reported_and_the_others_go() {
    require_servers!();
    let site = Site::new();
    let Some(bound) = site.bound() else { return };
    site.snapshot("live", tomorrow(), &[7]);
    let (orphan, kept) = (site.file("live", 8), site.file("live", 9));
    set_mode(&site.place("live/9"), 0o555);
    let output = bound.line("po cleanup -o json --yes").run().expect(5);
    set_mode(&site.place("live/9"), 0o755);
    assert_eq!(with(&output, "deleted"), [format!("producers/{orphan}")].into());
    assert!(with(&output, "failed").contains(&format!("producers/{kept}")), "{output}");
    assert!(site.place(&kept).exists() && !site.place(&orphan).exists());
}
