//! Requests and replies that are lost, and sessions that end in the middle: what is not known is found out or said, and
//! nobody's state is overwritten.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::support::flussctl::{Flussctl, Output};
use crate::support::miniature::Scene;
use crate::support::proxy::{Fault, Proxy, op};
use crate::support::zookeeper::ZooKeeper;
use crate::support::{PATIENCE, require_servers, until};

const OLD: i64 = 11;
const NEW: i64 = 42;
const OTHER: i64 = 77;
const DAY: i64 = 86_400;

/// A scene behind a proxy, with the program told to go through it.
struct Stage {
    scene: Scene,
    proxy: Proxy,
    program: Flussctl,
}

impl Stage {
    fn set() -> Self {
        Self::on(ZooKeeper::shared())
    }

    fn on(zookeeper: &ZooKeeper) -> Self {
        let (scene, proxy) = (Scene::on(zookeeper), Proxy::zookeeper(&zookeeper.connect()));
        let program = scene.through(&proxy.connect()).line("po -o json").reader_wait("20");
        Self { scene, proxy, program }
    }

    fn register(&self) -> Flussctl {
        self.program.line(&format!("register p --offset db.t7:0={NEW} --offset db.t8:0={NEW}"))
    }

    fn replace(&self) -> Flussctl {
        self.register().line("--replace --yes --no-backup")
    }

    fn delete(&self) -> Flussctl {
        self.program.line("delete p --yes --no-backup")
    }

    /// Arm a fault for the nth transaction that names the snapshot.
    fn arm_multi(&self, fault: Fault, n: usize) {
        let (path, mut seen) = (self.scene.znode("p"), 0);
        self.proxy.arm(fault, move |request| {
            let meant = request.op == op::MULTI && request.contains(&path);
            seen += usize::from(meant);
            meant && seen == n
        });
    }

    /// Arm a fault for the next request of a kind that names the snapshot's child.
    fn arm_child(&self, fault: Fault, ops: &'static [i32]) {
        let child = self.scene.child("p");
        self.proxy.arm(fault, move |request| ops.contains(&request.op) && request.contains(&child));
    }

    #[track_caller]
    fn hit(&self) {
        assert_eq!(self.proxy.hits(), 1, "the fault did not happen");
    }
}

fn outcome(output: &Output) -> String {
    output.json()["results"][0]["outcome"].as_str().unwrap_or_default().to_owned()
}

/// Demand that the end is told as unknown, with how to find out.
#[track_caller]
fn unknown(output: Output) {
    let output = output.expect(10);
    assert!(output.stderr.contains("it is not known whether the znode of p was"), "{output}");
    assert!(output.stderr.contains("flussctl producer-offsets get -- p"), "{output}");
}

#[test]
fn a_create_whose_reply_is_lost_is_found_to_be_our_own() {
    require_servers!();
    let stage = Stage::set();
    stage.arm_multi(Fault::LoseReply, 1);
    let output = stage.register().run().expect(0);
    stage.hit();
    assert_eq!(outcome(&output), "created", "{output}");
    assert_eq!(stage.scene.alone("p"), NEW);
}

#[test]
fn a_create_that_never_arrived_is_tried_again_under_new_names() {
    require_servers!();
    let stage = Stage::set();
    stage.arm_multi(Fault::LoseRequest, 1);
    let output = stage.register().run().expect(0);
    stage.hit();
    assert_eq!(outcome(&output), "created", "{output}");
    assert_eq!(stage.scene.whole("p"), NEW);
    assert_eq!(stage.scene.files("p").len(), 4, "the files of the lost one are left for a cleanup");
}

#[test]
fn a_create_that_cannot_be_settled_is_unknown_and_its_files_stay() {
    require_servers!();
    let stage = Stage::set();
    stage.arm_multi(Fault::LoseServer, 1);
    unknown(stage.register().line("--request-timeout 2s").run());
    stage.hit();
    assert_eq!(stage.scene.alone("p"), NEW, "it had arrived");

    let stage = Stage::set();
    stage.arm_multi(Fault::Silence, 1);
    unknown(stage.register().line("--request-timeout 2s").run());
    stage.hit();
    assert_eq!(stage.scene.files("p").len(), 2);
    stage.proxy.pass();
    // Whether it arrives now, after all, or is refused for its session: what stands is whole.
    if stage.scene.zk.exists(&stage.scene.znode("p")) {
        assert_eq!(stage.scene.alone("p"), NEW);
    }
}

#[test]
fn a_create_that_was_overtaken_keeps_the_files_that_it_may_have_named() {
    require_servers!();
    let stage = Stage::set();
    stage.arm_multi(Fault::LoseServer, 1);
    let running = stage.register().spawn();
    stage.proxy.until_hit();
    stage.scene.zk.until_exists(&stage.scene.znode("p"), true);
    // As an extension does it: other bytes, the same files.
    let mut znode = stage.scene.zk.json(&stage.scene.znode("p"));
    znode["expiration_time"] = (znode["expiration_time"].as_i64().expect("a time") + 1).into();
    stage.scene.zk.set(&stage.scene.znode("p"), znode.to_string());
    stage.proxy.pass();
    let output = running.wait(PATIENCE).expect(6);
    assert!(output.stderr.contains("was registered, and was changed by somebody else since"), "{output}");
    assert_eq!(stage.scene.alone("p"), NEW);
}

#[test]
fn a_replace_that_is_lost_is_settled_or_unknown_and_leaves_one_whole_state() {
    require_servers!();
    for (fault, code, files) in
        [(Fault::LoseReply, 0, 2), (Fault::LoseRequest, 0, 4), (Fault::LoseServer, 10, 4)]
    {
        let stage = Stage::set();
        stage.scene.put("p", DAY, OLD);
        stage.arm_multi(fault, 1);
        let output = stage.replace().line("--request-timeout 3s").run().expect(code);
        stage.hit();
        if code == 10 {
            unknown(output);
        } else {
            assert_eq!(outcome(&output), "replaced", "{output}");
        }
        assert_eq!(stage.scene.whole("p"), NEW);
        assert_eq!(stage.scene.files("p").len(), files, "{fault:?}");
        stage.scene.zk.until_exists(&stage.scene.child("p"), false);
    }
}

#[test]
fn a_delete_that_is_lost_is_settled_or_unknown() {
    require_servers!();
    // The first transaction sets it expired, the second deletes it.
    for (fault, n, code) in [
        (Fault::LoseReply, 1, 0),
        (Fault::LoseRequest, 1, 0),
        (Fault::LoseReply, 2, 0),
        (Fault::LoseRequest, 2, 0),
        (Fault::LoseServer, 1, 10),
        (Fault::LoseServer, 2, 10),
    ] {
        let stage = Stage::set();
        stage.scene.put("p", DAY, OLD);
        stage.arm_multi(fault, n);
        let output = stage.delete().line("--request-timeout 3s").run().expect(code);
        stage.hit();
        if code == 0 {
            assert_eq!(outcome(&output), "deleted", "{output}");
            stage.scene.gone("p");
            continue;
        }
        unknown(output);
        assert_eq!(stage.scene.files("p").len(), 2, "the files of what is not known to be gone stay");
        stage.scene.zk.until_exists(&stage.scene.child("p"), false);
    }
}

#[test]
fn a_hold_that_is_lost_is_taken_again_or_nothing_is_changed() {
    require_servers!();
    for (fault, code) in [(Fault::LoseReply, 0), (Fault::LoseRequest, 0), (Fault::LoseServer, 7)] {
        let stage = Stage::set();
        stage.scene.put("p", DAY, OLD);
        stage.arm_child(fault, &[op::CREATE, op::CREATE2]);
        let before = stage.scene.expiration("p");
        stage.delete().line("--request-timeout 3s").run().expect(code);
        stage.hit();
        if code == 0 {
            stage.scene.gone("p");
        } else {
            assert_eq!((stage.scene.alone("p"), stage.scene.expiration("p")), (OLD, before));
            stage.scene.zk.until_exists(&stage.scene.child("p"), false);
        }
    }
}

/// A register whose clock is ahead takes a valid snapshot for an expired one, holds it, and lets it go.
fn register_that_lets_go(stage: &Stage) -> Flussctl {
    stage.scene.put("p", 3600, OLD);
    stage.register().line("--if-not-exists").clock_ms(2 * 3600 * 1000)
}

#[test]
fn a_release_that_is_lost_leaves_no_child_behind() {
    require_servers!();
    for fault in [Fault::LoseReply, Fault::LoseRequest] {
        let stage = Stage::set();
        let register = register_that_lets_go(&stage);
        stage.arm_child(fault, &[op::DELETE]);
        let output = register.run().expect(0);
        stage.hit();
        assert_eq!(outcome(&output), "already_exists", "{output}");
        assert_eq!(stage.scene.alone("p"), OLD);
        assert!(!stage.scene.zk.exists(&stage.scene.child("p")), "{fault:?}");
    }
}

#[test]
fn a_release_removes_nobody_elses_child() {
    require_servers!();
    let stage = Stage::set();
    let register = register_that_lets_go(&stage);
    stage.arm_child(Fault::LoseServer, &[op::DELETE]);
    let running = register.spawn();
    stage.proxy.until_hit();
    stage.scene.zk.until_exists(&stage.scene.child("p"), false);
    let stat = stage.scene.zk.create_ephemeral(&stage.scene.child("p"));
    stage.proxy.pass();
    running.wait(PATIENCE).expect(0);
    assert_eq!(stage.scene.zk.stat(&stage.scene.child("p")).map(|s| s.czxid), Some(stat.czxid));
}

/// What others do while a run is frozen for longer than its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meanwhile {
    Nothing,
    MadeAnew,
    MadeAnewAndHeld,
}

#[test]
fn a_session_that_ends_while_it_holds_takes_no_successor() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    thread::scope(|scope| {
        for point in ["hold.taken", "hold.read", "hold.read#2"] {
            for meanwhile in [Meanwhile::Nothing, Meanwhile::MadeAnew, Meanwhile::MadeAnewAndHeld] {
                scope.spawn(move || frozen_while_it_holds(zookeeper, point, meanwhile));
            }
        }
    });
}

fn frozen_while_it_holds(zookeeper: &ZooKeeper, point: &str, meanwhile: Meanwhile) {
    let scene = Scene::on(zookeeper);
    scene.put("p", DAY, OLD);
    let command = scene.flussctl.line("po -o json delete p --yes --no-backup").reader_wait("20");
    let paused = command.spawn_paused_at(point);
    paused.running.freeze();
    scene.zk.until_exists(&scene.child("p"), false);
    if meanwhile != Meanwhile::Nothing {
        scene.zk.delete(&scene.znode("p"));
        // The version is the one that was looked at, or for the second hold may be.
        scene.put("p", DAY, OTHER);
    }
    if meanwhile == Meanwhile::MadeAnewAndHeld {
        scene.zk.create_ephemeral(&scene.child("p"));
    }
    let running = paused.go();
    running.thaw();
    let code = if meanwhile == Meanwhile::Nothing { 0 } else { 6 };
    let output = running.wait(PATIENCE).expect(code);
    if meanwhile == Meanwhile::Nothing {
        scene.gone("p");
        return;
    }
    assert_eq!(scene.whole("p"), OTHER, "{output}");
    assert_eq!(scene.zk.exists(&scene.child("p")), meanwhile == Meanwhile::MadeAnewAndHeld);
}

#[test]
fn a_write_of_a_session_that_is_over_does_not_come_later() {
    require_servers!();
    let stage = Stage::set();
    stage.scene.put("p", DAY, OLD);
    stage.arm_multi(Fault::Silence, 1);
    let running = stage.replace().spawn();
    stage.proxy.until_hit();
    stage.scene.zk.until_exists(&stage.scene.child("p"), false);
    stage.scene.zk.delete(&stage.scene.znode("p"));
    stage.scene.put("p", DAY, OTHER);
    stage.proxy.pass();
    running.wait(PATIENCE).expect(6);
    assert_eq!(stage.scene.whole("p"), OTHER);
}

#[test]
fn a_create_of_a_session_that_is_over_is_not_taken_for_what_another_made() {
    require_servers!();
    let zookeeper = ZooKeeper::start();
    let stage = Stage::on(&zookeeper);
    stage.arm_multi(Fault::Silence, 1);
    let running = stage.register().spawn();
    stage.proxy.until_hit();
    let ours = stage.scene.files("p");
    until("the session is over", PATIENCE, || zookeeper.sessions() == 1);
    stage.scene.put("p", DAY, OTHER);
    stage.proxy.pass();
    let output = running.wait(PATIENCE).expect(4);
    assert_eq!(stage.scene.whole("p"), OTHER, "{output}");
    assert!(ours.iter().all(|file| file.exists()), "the files of a lost create are nobody's to remove");
}

#[test]
fn a_request_that_one_way_keeps_back_does_not_come_later_than_its_session_went_another() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    let scene = Scene::on(zookeeper);
    let ways = [Proxy::zookeeper(&zookeeper.connect()), Proxy::zookeeper(&zookeeper.connect())];
    let path = scene.znode("p");
    let first = Arc::new(AtomicBool::new(true));
    for way in &ways {
        let (path, first) = (path.clone(), Arc::clone(&first));
        way.arm(Fault::Silence, move |request| {
            request.op == op::MULTI && request.contains(&path) && first.swap(false, Ordering::Relaxed)
        });
    }
    let both = format!("{},{}", ways[0].connect(), ways[1].connect());
    let offsets = format!("po -o json register p --offset db.t7:0={NEW} --offset db.t8:0={NEW}");
    scene.through(&both).line(&offsets).run().expect(0);
    assert_eq!(ways.iter().map(Proxy::hits).sum::<usize>(), 1);
    let made = scene.zk.stat(&path).map(|stat| stat.mzxid);
    ways.iter().for_each(Proxy::pass);
    assert_eq!(scene.whole("p"), NEW);
    assert_eq!(scene.zk.stat(&path).map(|stat| stat.mzxid), made);
    assert_eq!(scene.files("p").len(), 4, "the files of the first try are left");
}

/// Run a command again and again, each time with a fault at its next request, until none is left to be hit.
fn at_each_request(fault: Fault, run: impl Fn(&Stage) -> Output + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(1);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let stage = Stage::set();
                    stage.scene.put("live", DAY, OLD);
                    stage.proxy.arm_nth(fault, n);
                    let output = run(&stage);
                    assert_eq!(stage.scene.whole("live"), OLD, "request {n}: {output}");
                    if stage.proxy.hits() == 0 {
                        over.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert!(next.into_inner() > 5, "it asks more than that");
}

#[test]
fn reads_are_asked_again() {
    require_servers!();
    for fault in [Fault::LoseReply, Fault::LoseRequest] {
        at_each_request(fault, |stage| {
            let output = stage.program.line("list").run().expect(0);
            assert_eq!(output.json()["snapshots"].as_array().map(Vec::len), Some(1), "{output}");
            output
        });
    }
}

#[test]
fn a_register_bears_the_loss_of_any_request_and_any_reply() {
    require_servers!();
    for fault in [Fault::LoseReply, Fault::LoseRequest] {
        at_each_request(fault, |stage| {
            let output = stage.register().run().expect(0);
            assert_eq!(outcome(&output), "created", "{output}");
            assert_eq!(stage.scene.whole("p"), NEW);
            output
        });
    }
}

#[test]
fn a_delete_of_several_bears_the_loss_of_any_request_and_any_reply() {
    require_servers!();
    for fault in [Fault::LoseReply, Fault::LoseRequest] {
        at_each_request(fault, |stage| {
            stage.scene.put("p", DAY, OLD);
            stage.scene.put("q", -3600, OLD);
            let output = stage.program.line("delete p q --yes --no-backup").run().expect(0);
            stage.scene.gone("p");
            stage.scene.gone("q");
            output
        });
    }
}

#[test]
fn a_cleanup_bears_the_loss_of_any_request_and_any_reply() {
    require_servers!();
    for fault in [Fault::LoseReply, Fault::LoseRequest] {
        at_each_request(fault, |stage| {
            stage.scene.put("p", -3600, OLD);
            stage.scene.put("q", -3600, OLD);
            let orphan = stage.scene.orphan("r");
            let output = stage.program.line("cleanup --yes --dir-is-only-ours").run().expect(0);
            stage.scene.gone("p");
            stage.scene.gone("q");
            assert!(!orphan.exists(), "{output}");
            output
        });
    }
}

#[test]
fn a_server_that_is_lost_at_any_request_leaves_all_whole_and_the_end_told() {
    require_servers!();
    at_each_request(Fault::LoseServer, |stage| {
        stage.scene.put("p", DAY, OLD);
        let output = stage.replace().line("--request-timeout 1s").run();
        let offset = stage.scene.whole("p");
        match output.code {
            0 => assert_eq!(offset, NEW, "{output}"),
            7 => assert!(offset == OLD || output.stderr.contains("is written"), "{output}"),
            10 => {}
            code => panic!("code {code}: {output}"),
        }
        output
    });
}
