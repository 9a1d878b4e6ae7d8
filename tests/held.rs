//! What holds a snapshot while it is changed, against the server's own client and cleanup, and against a second flussctl.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};
use zookeeper_client::Error;

use crate::support::fluss::Fluss;
use crate::support::flussctl::{Flussctl, Output, Paused};
use crate::support::peer::{Peer, Registered};
use crate::support::zk::{Zk, wait};
use crate::support::zookeeper::ZooKeeper;
use crate::support::{PATIENCE, require_servers, temp_dir};

/// A cluster with its Java client, a plain ZooKeeper client, and flussctl on it.
struct Ground<'a> {
    fluss: &'a Fluss,
    peer: &'a Peer,
    zk: Zk,
    flussctl: Flussctl,
}

/// All that there is of a snapshot: the znode's bytes and state, and the files' names and bytes.
type Whole = (String, i64, Vec<(std::path::PathBuf, Vec<u8>)>);

impl<'a> Ground<'a> {
    fn of(fluss: &'a Fluss, peer: &'a Peer) -> Self {
        Self { fluss, peer, zk: Zk::connect(fluss.zookeeper()), flussctl: Flussctl::of(fluss) }
    }

    fn shared() -> Ground<'static> {
        Ground::of(Fluss::shared(), Fluss::shared_peer())
    }

    /// Let the Java client register, and see that it made a znode of version 0.
    fn register(&self, id: &str, offset: i64) {
        assert_eq!(self.peer.register(id, &[format!("5:0={offset}")]), Ok(Registered::Created), "{id}");
        assert_eq!(self.version(id), 0, "{id}");
    }

    /// Let the snapshot have expired long ago, with the file of the server's own making.
    fn expire(&self, id: &str) {
        let path = self.fluss.znode(id);
        let mut znode = self.zk.json(&path);
        znode["expiration_time"] = json!(1000);
        // Made anew, so that it has version 0 as all that the server makes.
        self.zk.delete_all(&path);
        self.zk.create(&path, znode.to_string());
    }

    fn version(&self, id: &str) -> i32 {
        self.zk.stat(&self.fluss.znode(id)).expect("a znode").version
    }

    fn child(&self, id: &str) -> String {
        format!("{}/flussctl", self.fluss.znode(id))
    }

    fn whole(&self, id: &str) -> Whole {
        let path = self.fluss.znode(id);
        let files = self.fluss.offsets_files(id);
        assert!(!files.is_empty(), "{id} has files");
        let bytes = |file: &std::path::PathBuf| fs::read(file).expect("read an offsets file");
        let files = files.into_iter().map(|file| (file.clone(), bytes(&file))).collect();
        (self.zk.text(&path), self.zk.stat(&path).expect("a znode").mzxid, files)
    }

    /// See that a snapshot reads as the one registered with this offset, and has this one file.
    fn reads(&self, id: &str, offset: i64) {
        let read = self.peer.get(id).expect("the server's get").expect("a snapshot");
        assert_eq!(read.offsets, [format!("5:0={offset}")], "{id}");
        assert_eq!(self.fluss.offsets_files(id).len(), 1, "{id}");
    }

    fn znode_gone(&self, id: &str) {
        assert!(!self.zk.exists(&self.fluss.znode(id)), "{id}");
    }

    fn gone(&self, id: &str) {
        assert!(!self.zk.exists(&self.fluss.znode(id)), "{id}");
        assert!(self.fluss.offsets_files(id).is_empty(), "{id}");
    }

    fn delete(&self, id: &str) -> Flussctl {
        self.flussctl.line("po delete --job-stopped --yes --no-backup -o json").args([id])
    }

    fn replace(&self, id: &str, offset: i64) -> Flussctl {
        let command = self.flussctl.line("po register --replace --missing-as-zero --yes --no-backup -o json");
        command.args([id, &format!("--offset=5:0={offset}")])
    }
}

fn outcomes(output: &Output) -> Vec<Value> {
    output.json()["results"].as_array().unwrap_or_else(|| panic!("no outcomes: {output}")).clone()
}

#[test]
fn while_it_is_held_the_server_reads_a_snapshot_and_cannot_take_it() {
    require_servers!();
    let ground = Ground::shared();
    for point in ["hold.taken", "hold.read"] {
        let id = format!("held-valid-{}", &point[5..]);
        ground.register(&id, 7);
        let before = ground.whole(&id);
        let held = ground.delete(&id).spawn_paused_at(point);
        assert!(ground.zk.exists(&ground.child(&id)), "{point}");
        ground.reads(&id, 7);
        let refused = ground.peer.delete(&id).unwrap_err();
        assert!(refused.contains("NotEmptyException"), "{refused}");
        assert_eq!(ground.whole(&id), before, "{point}");

        held.kill();
        ground.zk.until_exists(&ground.child(&id), false);
        assert_eq!(ground.whole(&id), before, "{point}");
        ground.peer.delete(&id).unwrap();
        ground.gone(&id);
    }
}

#[test]
fn while_it_is_held_the_server_cannot_register_over_an_expired_snapshot() {
    require_servers!();
    let ground = Ground::shared();
    for point in ["hold.taken", "hold.read"] {
        let id = format!("held-expired-{}", &point[5..]);
        ground.register(&id, 7);
        ground.expire(&id);
        let before = ground.whole(&id);
        let held = ground.delete(&id).spawn_paused_at(point);
        let refused = ground.peer.register(&id, &["5:0=8"]).unwrap_err();
        assert!(refused.contains("NotEmptyException"), "{refused}");
        assert_eq!(ground.whole(&id), before, "{point}");
        ground.reads(&id, 7);

        held.kill();
        ground.zk.until_exists(&ground.child(&id), false);
        assert_eq!(ground.whole(&id), before, "{point}");
        ground.register(&id, 9);
        ground.reads(&id, 9);
    }
}

#[test]
fn who_holds_a_snapshot_finishes_although_the_server_tried_to_take_it() {
    require_servers!();
    let ground = Ground::shared();
    for point in ["hold.taken", "hold.read"] {
        let id = format!("held-finished-{}", &point[5..]);
        ground.register(&id, 7);
        let held = ground.delete(&id).spawn_paused_at(point);
        ground.peer.delete(&id).unwrap_err();
        held.go().wait(PATIENCE).expect(0);
        ground.gone(&id);

        ground.register(&id, 7);
        let held = ground.replace(&id, 8).spawn_paused_at(point);
        ground.peer.delete(&id).unwrap_err();
        held.go().wait(PATIENCE).expect(0);
        ground.reads(&id, 8);
        assert_eq!(ground.zk.children(&ground.fluss.znode(&id)), [""; 0]);
    }
}

#[test]
fn who_finds_a_snapshot_held_waits_for_the_holders_end_and_then_finishes() {
    require_servers!();
    let ground = Ground::shared();
    for killed in [true, false] {
        let id = format!("held-second-{killed}");
        ground.register(&id, 7);
        let first = ground.replace(&id, 8).spawn_paused_at("hold.read");
        let second = ground.delete(&id).spawn_paused_at("delete.planned").go();
        if killed {
            first.kill();
            second.wait(PATIENCE).expect(0);
            ground.znode_gone(&id);
        } else {
            first.go().wait(PATIENCE).expect(0);
            // What it was meant for is no longer there.
            second.wait(PATIENCE).expect(6);
            ground.reads(&id, 8);
        }
    }
}

#[test]
fn who_finds_a_snapshot_held_for_longer_than_two_sessions_leaves_it() {
    require_servers!();
    let ground = Ground::shared();
    ground.register("held-long", 7);
    let before = ground.whole("held-long");
    let first = ground.delete("held-long").spawn_paused_at("hold.taken");
    let refused = ground.delete("held-long").run().expect(6);
    assert!(refused.stderr.contains("another flussctl is changing held-long"), "{refused}");
    let expired = ground.flussctl.line("po get held-long -o name").run().expect(0);
    assert_eq!(expired.stdout, "held-long\n", "it is read as ever");
    assert_eq!(ground.whole("held-long"), before);
    assert!(ground.zk.exists(&ground.child("held-long")), "the other's child is left");
    first.go().wait(PATIENCE).expect(0);
    ground.gone("held-long");
}

#[test]
fn a_pass_of_the_servers_cleanup_leaves_what_is_held_and_a_later_one_takes_it() {
    require_servers!();
    let fluss = Fluss::options(ZooKeeper::shared()).cleanup_interval("1s").start();
    let peer = fluss.peer();
    let ground = Ground::of(&fluss, &peer);
    for point in ["hold.taken", "hold.read"] {
        ground.register("held", 7);
        let held = ground.delete("held").spawn_paused_at(point);
        // Set, not made anew: the child stands under it.
        let mut znode = ground.zk.json(&fluss.znode("held"));
        znode["expiration_time"] = json!(1000);
        ground.zk.set(&fluss.znode("held"), znode.to_string());
        let before = ground.whole("held");
        fluss.until_server_cleaned_up();
        assert_eq!(ground.whole("held"), before, "{point}");

        held.kill();
        ground.zk.until_exists(&fluss.znode("held"), false);
        fluss.until_server_cleaned_up();
        ground.gone("held");
    }
}

#[test]
fn a_snapshot_made_anew_between_the_look_and_the_delete_is_left_whole() {
    require_servers!();
    let ground = Ground::shared();
    for options in ["--job-stopped", ""] {
        let id = format!("anew-delete{options}");
        ground.register(&id, 7);
        let command = ground.flussctl.line("po delete --yes --no-backup -o json").line(options).args([&id]);
        let planned = command.spawn_paused_at("delete.planned");
        ground.peer.delete(&id).unwrap();
        ground.register(&id, 8);
        let before = ground.whole(&id);
        let ended = planned.go().wait(PATIENCE).expect(6);
        assert_eq!(outcomes(&ended)[0]["outcome"], json!("changed"), "{ended}");
        assert_eq!(ground.whole(&id), before);
        ground.reads(&id, 8);
    }
}

#[test]
fn a_snapshot_made_anew_while_its_readers_are_waited_for_is_left_whole() {
    require_servers!();
    let ground = Ground::shared();
    let id = "anew-waited";
    ground.register(id, 7);
    let command = ground.flussctl.line("po delete --yes --no-backup -o json").args([id]).reader_wait("1ms");
    let waited = command.spawn_paused_at("delete.waited");
    // What was set expired is what a starting job registers over.
    ground.register(id, 8);
    let before = ground.whole(id);
    waited.go().wait(PATIENCE).expect(6);
    assert_eq!(ground.whole(id), before);
    ground.reads(id, 8);
}

#[test]
fn a_snapshot_made_anew_between_the_look_and_the_replace_is_left_whole() {
    require_servers!();
    let ground = Ground::shared();
    let id = "anew-replace";
    ground.register(id, 7);
    let planned = ground.replace(id, 9).spawn_paused_at("register.files-written");
    ground.peer.delete(id).unwrap();
    ground.register(id, 8);
    // Both have files there; ours have no name yet, and are gone afterwards.
    let (znode, mzxid, files) = ground.whole(id);
    assert_eq!(files.len(), 2);
    planned.go().wait(PATIENCE).expect(6);
    let (znode_after, mzxid_after, _) = ground.whole(id);
    assert_eq!((znode_after, mzxid_after), (znode, mzxid));
    ground.reads(id, 8);
}

#[test]
fn a_snapshot_made_anew_between_the_look_and_a_register_over_an_expired_one_is_left_whole() {
    require_servers!();
    let ground = Ground::shared();
    let id = "anew-register";
    ground.register(id, 7);
    ground.expire(id);
    let command = ground.flussctl.line("po register --missing-as-zero --offset=5:0=9").args([id]);
    let planned = command.spawn_paused_at("register.files-written");
    ground.register(id, 8);
    planned.go().wait(PATIENCE).expect(4);
    assert_eq!(ground.version(id), 0);
    ground.reads(id, 8);
}

#[test]
fn a_snapshot_made_anew_between_the_look_and_the_cleanup_is_left_whole() {
    require_servers!();
    let ground = Ground::of(Fluss::shared(), Fluss::shared_peer());
    // A cluster of its own: nobody else's expired snapshots are to be counted.
    let fluss = Fluss::options(ZooKeeper::shared()).start();
    let peer = fluss.peer();
    let ground = Ground { fluss: &fluss, peer: &peer, flussctl: Flussctl::of(&fluss), ..ground };
    ground.register("anew", 7);
    ground.expire("anew");
    let planned = ground.flussctl.line("po cleanup --yes -o json").spawn_paused_at("delete.planned");
    ground.register("anew", 8);
    let before = ground.whole("anew");
    let ended = planned.go().wait(PATIENCE).expect(6);
    assert_eq!(outcomes(&ended)[0]["outcome"], json!("changed"), "{ended}");
    assert_eq!(ground.whole("anew"), before);
    ground.reads("anew", 8);
}

#[test]
fn two_cleanups_side_by_side_both_end_and_take_each_item_once() {
    require_servers!();
    let (zookeeper, remote) = (ZooKeeper::shared(), temp_dir());
    let (zk, root) = (zookeeper.client(), zookeeper.root());
    let id = |number: usize| format!("expired-{number:03}");
    let file = |number: usize| {
        let name = format!("00000000-0000-4000-8000-{number:012}.offsets");
        remote.path().join("producers").join(id(number)).join("5").join(name)
    };
    for number in 0..200 {
        let file = file(number);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, r#"{"version":1,"table_id":5,"bucket_offsets":[1]}"#).unwrap();
        let table = json!({"table_id": 5, "offsets_path": format!("file:{}", file.display())});
        let znode = json!({"version": 1, "expiration_time": 1000, "tables": [table]});
        zk.create(&format!("{root}/producers/{}", id(number)), znode.to_string());
    }
    let cleanup = Flussctl::at(zookeeper, &root, remote.path().to_str().unwrap());
    let cleanup = cleanup.line("po cleanup --expired-only --yes -o json");
    let planned: Vec<_> = (0..2).map(|_| cleanup.spawn_paused_at("delete.planned")).collect();
    let running: Vec<_> = planned.into_iter().map(Paused::go).collect();
    let ended: Vec<_> = running.into_iter().map(|running| running.wait(PATIENCE).expect(0)).collect();

    let mut deleted = Vec::new();
    for outcome in ended.iter().flat_map(outcomes) {
        match outcome["outcome"].as_str() {
            Some("deleted") => deleted.push(outcome["producer_id"].as_str().unwrap().to_owned()),
            word => assert_eq!(word, Some("not_found"), "{outcome}"),
        }
    }
    assert_eq!((deleted.len(), BTreeSet::from_iter(deleted).len()), (200, 200));
    assert_eq!(zk.children(&format!("{root}/producers")), [""; 0]);
    assert!((0..200).all(|number| !file(number).exists()));
}

#[test]
fn a_delete_meant_for_a_forerunner_never_takes_what_was_registered_since() {
    require_servers!();
    let ground = Ground::shared();
    let mut versions = BTreeSet::new();
    for round in 0..8 {
        let id = format!("forerunner-{round}");
        let taken = |what: &str| {
            let path = ground.fluss.znode(&id);
            for version in [0, 1] {
                let answer = wait(ground.zk.client().delete(&path, Some(version)));
                assert_eq!(answer, Err(Error::BadVersion), "{what}");
            }
            ground.version(&id)
        };
        let register = ground.flussctl.line("po register --missing-as-zero --offset=5:0=1").args([&id]);
        ground.register(&id, 7);
        ground.peer.delete(&id).unwrap();
        register.run().expect(0);
        versions.insert(taken("made anew"));

        ground.replace(&id, 2).run().expect(0);
        versions.insert(taken("replaced"));

        ground.peer.delete(&id).unwrap();
        ground.register(&id, 7);
        ground.expire(&id);
        register.run().expect(0);
        versions.insert(taken("in the place of an expired one"));
        ground.reads(&id, 1);
    }
    assert!(versions.len() > 4, "versions that can be guessed: {versions:?}");
}
