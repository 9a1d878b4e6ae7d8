//! Several runs on the same snapshots at once, and what stands while another holds one.

use std::collections::BTreeMap;

use crate::support::flussctl::{Flussctl, Output, Paused};
use crate::support::miniature::Scene;
use crate::support::zookeeper::ZooKeeper;
use crate::support::{PATIENCE, require_servers};

const OLD: i64 = 11;
const OTHER: i64 = 77;
const DAY: i64 = 86_400;

/// What befalls an offsets file.
type Damage = fn(&std::path::Path);

/// Count the words that all reports together have for each id.
fn words(outputs: &[Output]) -> BTreeMap<String, Vec<String>> {
    let mut words: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for output in outputs {
        for result in output.json()["results"].as_array().into_iter().flatten() {
            if result["kind"] == "snapshot" {
                let text = |name: &str| result[name].as_str().unwrap_or_default().to_owned();
                words.entry(text("producer_id")).or_default().push(text("outcome"));
            }
        }
    }
    for words in words.values_mut() {
        words.sort();
    }
    words
}

fn both(command: &Flussctl) -> [Output; 2] {
    let (one, other) = (command.spawn(), command.spawn());
    [one.wait(PATIENCE), other.wait(PATIENCE)]
}

#[test]
fn two_cleanups_side_by_side_do_each_item_once_and_both_end_well() {
    require_servers!();
    for round in 0..10 {
        let scene = Scene::on(ZooKeeper::shared());
        scene.put("live", DAY, OLD);
        for n in 0..30 {
            scene.put(&format!("p{n}"), -3600, OLD);
            scene.age(&format!("p{n}"));
        }
        let orphans: Vec<_> = (0..5).map(|n| scene.orphan(&format!("o{n}"))).collect();
        let command = scene.flussctl.line("po -o json cleanup --yes --dir-is-only-ours");
        let outputs = both(&command).map(|output| output.expect(0));
        for n in 0..30 {
            let id = format!("p{n}");
            scene.gone(&id);
            let words = words(&outputs);
            let deleted = words[&id].iter().filter(|word| *word == "deleted").count();
            assert_eq!(deleted, 1, "round {round}, {id}: {:?}", words[&id]);
            assert!(words[&id].iter().all(|word| word == "deleted" || word == "not_found"));
        }
        assert!(orphans.iter().all(|path| !path.exists()));
        assert_eq!(scene.alone("live"), OLD);
    }
}

#[test]
fn two_deletes_side_by_side_do_each_item_once_and_the_loser_says_so() {
    require_servers!();
    for round in 0..10 {
        let scene = Scene::on(ZooKeeper::shared());
        scene.put("live", DAY, OLD);
        for n in 0..30 {
            scene.put(&format!("p{n}"), if n % 2 == 0 { DAY } else { -3600 }, OLD);
        }
        let command =
            scene.flussctl.line("po -o json delete --match p* --yes --no-backup").reader_wait("100");
        let outputs = both(&command);
        for (id, words) in words(&outputs) {
            scene.gone(&id);
            let deleted = words.iter().filter(|word| *word == "deleted").count();
            assert_eq!(deleted, 1, "round {round}, {id}: {words:?}");
            assert!(
                words.iter().all(|word| ["deleted", "not_found", "changed"].contains(&&**word)),
                "{words:?}"
            );
        }
        assert!(outputs.iter().all(|output| [0, 5, 6].contains(&output.code)), "{}", outputs[0]);
        assert_eq!(scene.alone("live"), OLD);
    }
}

#[test]
fn two_that_go_one_by_one_do_not_wait_for_each_other() {
    require_servers!();
    for _ in 0..5 {
        let scene = Scene::on(ZooKeeper::shared());
        for n in 0..30 {
            scene.put(&format!("p{n}"), DAY, OLD);
        }
        let command = scene.flussctl.line("po -o json delete --match p* --yes --no-backup --job-stopped");
        // Once one of the ids is gone when they come to hold them, none can be held in one transaction.
        let paused = [command.spawn_paused_at("planned"), command.spawn_paused_at("planned")];
        scene.zk.delete(&scene.znode("p5"));
        let running = paused.map(Paused::go);
        let outputs = running.map(|running| running.wait(PATIENCE).expect(0));
        for (id, words) in words(&outputs) {
            assert_eq!(words.iter().filter(|w| *w == "deleted").count(), usize::from(id != "p5"), "{id}");
        }
    }
}

#[test]
fn anothers_child_is_waited_for_and_then_told_as_a_change() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    let offsets = "--offset db.t7:0=42 --offset db.t8:0=42";
    let lines = [
        (DAY, "delete p --yes --no-backup".to_owned(), 6),
        (-3600, "cleanup --yes --dir-is-only-ours".to_owned(), 5),
        (DAY, format!("register p {offsets} --replace --yes --no-backup"), 6),
        (-3600, format!("register p {offsets}"), 6),
    ];
    std::thread::scope(|scope| {
        for (expires_in, line, code) in &lines {
            scope.spawn(move || {
                let scene = Scene::on(zookeeper);
                scene.put("live", DAY, OLD);
                scene.put("p", *expires_in, OLD);
                scene.put("r", -3600, OLD);
                scene.zk.create_ephemeral(&scene.child("p"));
                let before = scene.expiration("p");
                let output = scene.flussctl.line("po").line(line).run().expect(*code);
                assert!(output.stderr.contains("another flussctl is changing p"), "{output}");
                assert_eq!((scene.alone("p"), scene.expiration("p")), (OLD, before));
                assert!(scene.zk.exists(&scene.child("p")), "another's child was removed");
                if line.starts_with("cleanup") {
                    scene.gone("r");
                }
            });
        }
    });
}

#[test]
fn anothers_child_that_goes_in_time_is_waited_for() {
    require_servers!();
    let scene = Scene::on(ZooKeeper::shared());
    scene.put("p", DAY, OLD);
    scene.zk.create_ephemeral(&scene.child("p"));
    let command = scene.flussctl.line("po delete p --yes --no-backup").reader_wait("20");
    let paused = command.spawn_paused_at("hold.committed");
    scene.zk.delete(&scene.child("p"));
    paused.go().wait(PATIENCE).expect(0);
    scene.gone("p");
}

#[test]
fn a_register_anew_between_look_and_delete_is_left_whole() {
    require_servers!();
    for point in ["planned", "delete.saved", "delete.set-expired", "delete.waited"] {
        let scene = Scene::on(ZooKeeper::shared());
        scene.put("p", DAY, OLD);
        let command = scene.flussctl.line("po delete p --yes").reader_wait("20");
        let paused = command.spawn_paused_at(point);
        scene.zk.delete(&scene.znode("p"));
        scene.put("p", DAY, OTHER);
        let output = paused.go().wait(PATIENCE).expect(6);
        assert_eq!(scene.whole("p"), OTHER, "{point}: {output}");
    }
}

#[test]
fn one_unreadable_file_of_several_makes_get_an_error_and_never_a_part() {
    require_servers!();
    let ways: [Damage; 3] = [
        |path| std::fs::remove_file(path).expect("remove a file"),
        |path| std::fs::write(path, "{").expect("damage a file"),
        |path| {
            std::fs::remove_file(path).expect("remove a file");
            std::fs::create_dir(path).expect("put a folder in its place");
        },
    ];
    for damage in ways {
        let scene = Scene::on(ZooKeeper::shared());
        scene.put("p", DAY, OLD);
        let file = scene.named_by("p").remove(0);
        damage(&file);
        let output = scene.flussctl.line("po -o json get p").run();
        assert_ne!(output.code, 0, "{output}");
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(output.stderr.contains(&name), "the file is not named: {output}");
        for format in ["csv", "table"] {
            let output = scene.flussctl.line(&format!("po -o {format} get p")).run();
            assert_ne!(output.code, 0, "{output}");
            assert!(!output.stdout.contains(",0\n"), "{output}");
        }
    }
}
