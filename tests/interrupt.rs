//! Ctrl-C, SIGTERM, SIGKILL and `--timeout` at each step of each command that changes something.

use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::flussctl::{Flussctl, Output};
use crate::support::miniature::Scene;
use crate::support::process::Signal;
use crate::support::zookeeper::ZooKeeper;
use crate::support::{PATIENCE, require_servers, until};

/// How many rows run side by side: most of their time they wait.
const SIDE_BY_SIDE: usize = 6;

const OLD: i64 = 11;
const NEW: i64 = 42;
const DAY: i64 = 86_400;

/// A command on a scene of its own, which it is to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Register,
    OverExpired,
    Replace,
    Delete,
    Cleanup,
    Restore,
}

/// What a signal meets: a step before anything is begun, or with something in hand that is then finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Begin,
    Expired,
    Orphan,
    Folder,
    InHand,
}

/// Each command with each of its steps.
const ROWS: &[(Verb, &str, At)] = &[
    (Verb::Register, "register.planned", At::Begin),
    (Verb::Register, "register.files-written", At::InHand),
    (Verb::Register, "register.znode-written", At::InHand),
    (Verb::Register, "register.read-back", At::InHand),
    (Verb::OverExpired, "register.planned", At::Begin),
    (Verb::OverExpired, "register.files-written", At::InHand),
    (Verb::OverExpired, "hold.taken", At::InHand),
    (Verb::OverExpired, "hold.read", At::InHand),
    (Verb::OverExpired, "hold.committed", At::InHand),
    (Verb::OverExpired, "register.znode-written", At::InHand),
    (Verb::OverExpired, "register.read-back", At::InHand),
    (Verb::Replace, "register.planned", At::Begin),
    (Verb::Replace, "register.files-written", At::InHand),
    (Verb::Replace, "hold.taken", At::InHand),
    (Verb::Replace, "hold.read", At::InHand),
    (Verb::Replace, "hold.committed", At::InHand),
    (Verb::Replace, "register.znode-written", At::InHand),
    (Verb::Replace, "register.read-back", At::InHand),
    (Verb::Delete, "planned", At::Begin),
    (Verb::Delete, "delete.saved", At::Begin),
    (Verb::Delete, "delete.planned", At::InHand),
    (Verb::Delete, "hold.taken", At::InHand),
    (Verb::Delete, "hold.read", At::InHand),
    (Verb::Delete, "hold.committed", At::InHand),
    (Verb::Delete, "delete.set-expired", At::InHand),
    (Verb::Delete, "delete.waited", At::InHand),
    (Verb::Delete, "hold.taken#2", At::InHand),
    (Verb::Delete, "hold.read#2", At::InHand),
    (Verb::Delete, "hold.committed#2", At::InHand),
    (Verb::Delete, "delete.znodes-gone", At::InHand),
    (Verb::Delete, "delete.files-gone", At::InHand),
    (Verb::Cleanup, "cleanup.listed", At::Begin),
    (Verb::Cleanup, "cleanup.planned", At::Begin),
    (Verb::Cleanup, "delete.planned", At::Expired),
    (Verb::Cleanup, "hold.taken", At::Expired),
    (Verb::Cleanup, "hold.read", At::Expired),
    (Verb::Cleanup, "hold.committed", At::Expired),
    (Verb::Cleanup, "delete.znodes-gone", At::Expired),
    (Verb::Cleanup, "delete.files-gone", At::Expired),
    (Verb::Cleanup, "sweep.looked-again", At::Orphan),
    (Verb::Cleanup, "sweep.files-gone", At::Orphan),
    (Verb::Cleanup, "sweep.folder-gone", At::Folder),
    (Verb::Restore, "register.planned", At::Begin),
    (Verb::Restore, "register.files-written", At::InHand),
    (Verb::Restore, "register.znode-written", At::InHand),
    (Verb::Restore, "register.read-back", At::InHand),
];

/// A scene with what the verb works on, and beside it a live snapshot that nothing may touch.
struct Stage {
    verb: Verb,
    scene: Scene,
    backups: PathBuf,
    orphan: Option<PathBuf>,
    command: Flussctl,
    expiration: Option<i64>,
}

impl Stage {
    fn set(verb: Verb, zookeeper: &ZooKeeper) -> Self {
        let scene = Scene::on(zookeeper);
        let backups = scene.flussctl.home().join("backups");
        scene.put("live", DAY, OLD);
        let base = scene.flussctl.line("po -o json --request-timeout 20s").reader_wait("50");
        let save = format!("--backup {}", backups.display());
        let offsets = format!("--offset db.t7:0={NEW} --offset db.t8:0={NEW}");
        let mut orphan = None;
        let command = match verb {
            Verb::Register => base.line(&format!("register p {offsets} --if-not-exists")),
            Verb::OverExpired => {
                scene.put("p", -3600, OLD);
                base.line(&format!("register p {offsets} --if-not-exists"))
            }
            Verb::Replace => {
                scene.put("p", DAY, OLD);
                base.line(&format!("register p {offsets} --replace --yes {save}"))
            }
            Verb::Delete => {
                scene.put("p", DAY, OLD);
                base.line(&format!("delete p --yes {save}"))
            }
            Verb::Cleanup => {
                scene.put("p", -3600, OLD);
                scene.age("p");
                orphan = Some(scene.orphan("q"));
                base.line("cleanup --yes --dir-is-only-ours")
            }
            Verb::Restore => {
                scene.put("p", DAY, NEW);
                base.line(&format!("backup p --to {}", backups.display())).run().expect(0);
                scene.zk.delete(&scene.znode("p"));
                std::fs::remove_dir_all(scene.folder("p")).expect("lose the files");
                base.line(&format!("restore {}", backups.display()))
            }
        };
        let expiration = scene.expiration("p");
        Self { verb, scene, backups, orphan, command, expiration }
    }

    /// Demand what holds whenever the command was stopped: what stands is whole, what is only marked can be had back.
    fn check_nothing_is_half_gone(&self) {
        let scene = &self.scene;
        assert_eq!(scene.alone("live"), OLD);
        let Some(expiration) = scene.expiration("p") else { return };
        let offset = scene.whole("p");
        match self.verb {
            Verb::Register | Verb::Restore => assert_eq!(offset, NEW),
            Verb::OverExpired | Verb::Replace => {
                assert_eq!(offset == OLD, Some(expiration) == self.expiration, "half replaced");
            }
            Verb::Delete if expiration == 0 => self.check_backup(),
            Verb::Delete | Verb::Cleanup => assert_eq!(Some(expiration), self.expiration),
        }
    }

    /// Demand that the old expiry is in the backup.
    fn check_backup(&self) {
        let saved: Vec<_> = std::fs::read_dir(&self.backups).expect("a backup").flatten().collect();
        assert_eq!(saved.len(), 1, "one backup");
        let bytes = std::fs::read(saved[0].path()).expect("read the backup");
        let backup: Value = serde_json::from_slice(&bytes).expect("a backup is JSON");
        assert_eq!(backup["complete"], true);
        assert_eq!(backup["snapshot"]["expiration_time"].as_i64(), self.expiration);
    }

    /// Demand that nothing was begun.
    fn check_untouched(&self) {
        match self.verb {
            Verb::Register | Verb::Restore => self.scene.gone("p"),
            Verb::OverExpired | Verb::Replace | Verb::Delete | Verb::Cleanup => {
                assert_eq!(self.scene.alone("p"), OLD);
                assert_eq!(self.scene.expiration("p"), self.expiration);
            }
        }
        assert!(self.orphan.as_ref().is_none_or(|path| path.exists()));
    }

    /// Demand that the snapshot is as the command was to leave it, and where no kill came between, without a trace beside it.
    fn check_done(&self, killed: bool) {
        match self.verb {
            Verb::Delete => {
                self.check_backup();
                assert_eq!(self.scene.expiration("p"), None);
            }
            Verb::Cleanup => assert_eq!(self.scene.expiration("p"), None),
            _ => assert_eq!(self.scene.whole("p"), NEW),
        }
        if !killed {
            match self.verb {
                Verb::Delete | Verb::Cleanup => self.scene.gone("p"),
                _ => assert_eq!(self.scene.alone("p"), NEW),
            }
        }
    }

    /// Give the word that the report has for the snapshot.
    fn word(&self) -> &'static str {
        match self.verb {
            Verb::Register => "created",
            Verb::OverExpired => "replaced_expired",
            Verb::Replace => "replaced",
            Verb::Delete | Verb::Cleanup => "deleted",
            Verb::Restore => "restored",
        }
    }
}

fn outcome_of<'a>(report: &'a Value, kind: &str) -> Vec<&'a str> {
    let results = report["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    results.iter().filter(|r| r["kind"] == kind).filter_map(|r| r["outcome"].as_str()).collect()
}

fn check_report(stage: &Stage, at: At, output: &Output) {
    let report = output.json();
    let snapshot = outcome_of(&report, "snapshot");
    match at {
        At::Begin if snapshot.is_empty() => assert_eq!(report["error"]["kind"], "interrupted", "{output}"),
        At::Begin => assert_eq!(snapshot, ["skipped"], "{output}"),
        _ => assert_eq!(snapshot, [stage.word()], "{output}"),
    }
    if stage.verb == Verb::Cleanup && !snapshot.is_empty() {
        let orphan = if matches!(at, At::Orphan | At::Folder) { "deleted" } else { "skipped" };
        assert_eq!(outcome_of(&report, "orphan_file"), [orphan], "{output}");
        let removed = outcome_of(&report, "folder").iter().filter(|word| **word == "removed").count();
        assert_eq!(removed, usize::from(at == At::Folder), "{output}");
    }
}

/// Stop the command by a signal that can be heard, let it go on, and hold it to what it then owes.
fn interrupt(zookeeper: &ZooKeeper, verb: Verb, point: &str, at: At, signal: Signal) {
    let stage = Stage::set(verb, zookeeper);
    let mut paused = stage.command.spawn_paused_at(point);
    paused.running.signal(signal);
    paused.running.until_stderr("Ctrl-C again leaves at once");
    let output = paused.go().wait(PATIENCE).expect(130);
    stage.check_nothing_is_half_gone();
    check_report(&stage, at, &output);
    if at == At::Begin {
        stage.check_untouched();
    } else {
        stage.check_done(false);
    }
    assert!(!stage.scene.zk.exists(&stage.scene.child("p")), "its child is left behind");
    let again = stage.command.run().expect(0);
    assert!(again.stderr.is_empty() || !again.stderr.contains("error"), "{again}");
    stage.check_done(false);
    assert!(stage.orphan.is_none_or(|path| !path.exists()), "the orphan is left");
}

/// Kill the command, look at what is left, and have a second run finish.
fn kill(zookeeper: &ZooKeeper, verb: Verb, point: &str) {
    let stage = Stage::set(verb, zookeeper);
    stage.command.spawn_paused_at(point).kill().expect(137);
    stage.check_nothing_is_half_gone();
    // At once: where the child of the killed one still stands, the second waits for its end by itself.
    let second = stage.command.run().expect(0);
    stage.check_nothing_is_half_gone();
    stage.check_done(true);
    stage.scene.zk.until_exists(&stage.scene.child("p"), false);
    assert!(stage.orphan.is_none_or(|path| !path.exists()), "the orphan is left: {second}");
}

/// Run every row, some side by side, and fail with the names of all that failed.
fn for_each_row(run: impl Fn(Verb, &str, At) + Sync) {
    let rows = Mutex::new(ROWS.iter());
    let failed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                loop {
                    let Some(&(verb, point, at)) = rows.lock().expect("rows").next() else { return };
                    let row = std::panic::AssertUnwindSafe(|| run(verb, point, at));
                    if std::panic::catch_unwind(row).is_err() {
                        failed.lock().expect("failed").push(format!("{verb:?} at {point}"));
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("failed");
    assert!(failed.is_empty(), "{} rows failed, as said above: {}", failed.len(), failed.join(", "));
}

#[test]
fn ctrl_c_at_any_step_finishes_the_item_in_hand_and_reports_it() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    for_each_row(|verb, point, at| interrupt(zookeeper, verb, point, at, Signal::INT));
}

#[test]
fn sigterm_at_any_step_finishes_the_item_in_hand_and_reports_it() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    for_each_row(|verb, point, at| interrupt(zookeeper, verb, point, at, Signal::TERM));
}

#[test]
fn a_kill_at_any_step_leaves_nothing_half_gone_and_a_second_run_finishes() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    for_each_row(|verb, point, _| kill(zookeeper, verb, point));
}

#[test]
fn a_second_ctrl_c_leaves_at_once_and_lists_what_is_unknown() {
    require_servers!();
    for (point, stage_said) in [
        ("hold.read", "deleting its znode"),
        ("delete.set-expired", "set expired, waiting for its readers; a second run deletes it"),
        ("delete.files-gone", "its znode is gone; deleting its files"),
    ] {
        let stage = Stage::set(Verb::Delete, ZooKeeper::shared());
        let mut paused = stage.command.spawn_paused_at(point);
        paused.running.signal(Signal::INT);
        paused.running.until_stderr("finishing the item in hand");
        paused.running.signal(Signal::INT);
        // It is not let go: at once means from where it stands.
        let output = paused.running.wait(PATIENCE).expect(130);
        let unknown = format!("how these ended is unknown:\n  p: {stage_said}\n");
        assert!(output.stderr.contains(&unknown), "{output}");
        stage.check_nothing_is_half_gone();
        stage.command.run().expect(0);
        stage.check_done(true);
    }
}

#[test]
fn a_timeout_finishes_the_item_in_hand_and_is_told_by_its_code() {
    require_servers!();
    let stage = Stage::set(Verb::Cleanup, ZooKeeper::shared());
    let paused = stage.command.line("--timeout 2s").spawn_paused_at("delete.znodes-gone");
    paused.running.until_stderr("--timeout is over");
    let output = paused.go().wait(PATIENCE).expect(11);
    check_report(&stage, At::Expired, &output);
    stage.check_done(false);
    stage.command.run().expect(0);

    let stage = Stage::set(Verb::Register, ZooKeeper::shared());
    let paused = stage.command.line("--timeout 2s").spawn_paused_at("register.files-written");
    paused.running.until_stderr("--timeout is over");
    let output = paused.go().wait(PATIENCE).expect(11);
    check_report(&stage, At::InHand, &output);
    stage.check_done(false);
}

#[test]
fn a_timeout_does_not_count_prompts() {
    require_servers!();
    let scene = Scene::on(ZooKeeper::shared());
    scene.put("p", DAY, OLD);
    let limit = Duration::from_secs(15);
    let command = scene.flussctl.line("po delete p --job-stopped --timeout 15s");
    let terminal = command.terminal();
    terminal.until_shown("Delete this snapshot?");
    let asked = Instant::now();
    until("the prompt has stood for longer than the limit", PATIENCE, || asked.elapsed() > limit);
    terminal.type_keys("y\r");
    let (shown, code) = terminal.wait();
    assert_eq!(code, 0, "{shown}");
    scene.gone("p");
}
