//! ZooKeeper that is not there, falls silent, hangs, dies, or loses its leader: every command ends in time and says how.

use std::fs;
use std::net::TcpListener;
use std::time::Duration;

use crate::support::ensemble::Ensemble;
use crate::support::flussctl::{Flussctl, Output, Running};
use crate::support::miniature::Scene;
use crate::support::proxy::{Fault, Proxy, op};
use crate::support::zookeeper::ZooKeeper;
use crate::support::{PATIENCE, ports, require_servers, unique, until};

const OLD: i64 = 11;
const NEW: i64 = 42;
const DAY: i64 = 86_400;

/// What a command may take beyond its own limits: to start and to end, on a loaded machine.
const SLACK: Duration = Duration::from_secs(20);

/// Give the commands that the operator has, each on what it wants to find there.
fn commands(program: &Flussctl) -> Vec<Flussctl> {
    let lines = [
        "list",
        "get p",
        "register n --offset db.t7:0=42 --offset db.t8:0=42",
        "register p --offset db.t7:0=42 --offset db.t8:0=42 --replace --yes --no-backup",
        "delete p q --yes --no-backup",
        "backup --to backups",
        "cleanup --yes",
    ];
    lines.iter().map(|line| program.line(line)).collect()
}

/// Wait for the end, and demand that it was told as unreachable, with the address.
#[track_caller]
fn unreachable(running: Running, address: &str) -> Output {
    let output = running.wait(Duration::from_secs(6) + SLACK).expect(7);
    assert!(output.stderr.contains(address), "the address is not named: {output}");
    output
}

#[test]
fn a_closed_port_is_told_at_once_with_its_address() {
    require_servers!();
    let address = format!("127.0.0.1:{}", ports::free());
    let scene = Scene::on(ZooKeeper::shared());
    let program = scene.through(&address).line("po --request-timeout 5s");
    for command in commands(&program) {
        unreachable(command.spawn(), &address);
    }
}

#[test]
fn a_port_that_accepts_and_is_silent_is_told_in_time_with_an_idle_cpu() {
    require_servers!();
    let listener = TcpListener::bind("127.0.0.1:0").expect("bind a port");
    let address = listener.local_addr().expect("its address").to_string();
    let scene = Scene::on(ZooKeeper::shared());
    let program = scene.through(&address).line("po --request-timeout 5s");
    let running: Vec<_> = commands(&program).iter().map(Flussctl::spawn).collect();
    for mut running in running {
        let mut busy = Duration::ZERO;
        until("it ends", PATIENCE, || {
            busy = cpu_time(running.pid()).unwrap_or(busy);
            running.ended()
        });
        assert!(busy < Duration::from_secs(2), "it used the CPU for {busy:?} in a wait of 5 s");
        unreachable(running, &address);
    }
}

/// Give the CPU time that a process has used, as proc(5) counts it: ticks of a hundredth of a second.
fn cpu_time(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(11);
    let ticks: u64 = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    (ticks > 0).then(|| Duration::from_millis(ticks * 10))
}

/// Have the server fall silent at each request of each command in turn: none waits for longer than it says.
#[test]
fn a_server_that_falls_silent_at_any_request_is_told_in_time() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    std::thread::scope(|scope| {
        for which in 0..commands(&Flussctl::new()).len() {
            scope.spawn(move || {
                for n in [1, 2, 4, 7, 11, 14] {
                    silent_at(zookeeper, which, n);
                }
            });
        }
    });
}

fn silent_at(zookeeper: &ZooKeeper, which: usize, n: usize) {
    let (scene, proxy) = (Scene::on(zookeeper), Proxy::zookeeper(&zookeeper.connect()));
    scene.put("p", DAY, OLD);
    scene.put("q", -3600, OLD);
    let program = scene.through(&proxy.connect()).line("po --request-timeout 1s").reader_wait("20");
    proxy.arm_nth(Fault::Silence, n);
    let command = &commands(&program)[which];
    let output = command.spawn().wait(Duration::from_secs(15) + SLACK);
    match output.code {
        0 => {}
        5 | 7 | 10 => assert!(output.stderr.contains(&proxy.connect()), "no address: {output}"),
        code => panic!("code {code} at request {n}: {output}"),
    }
    if scene.zk.exists(&scene.znode("p")) {
        scene.whole("p");
    }
}

#[test]
fn a_hundred_items_do_not_each_wait_for_a_server_that_is_gone() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    // At the hold, at the look at what is held, and at the change itself.
    for wanted in [(op::MULTI, 1), (op::MULTI_READ, 1), (op::MULTI, 2)] {
        let (scene, proxy) = (Scene::on(zookeeper), Proxy::zookeeper(&zookeeper.connect()));
        for n in 0..100 {
            scene.put(&format!("p{n}"), DAY, OLD);
        }
        let child = scene.child("p7");
        let (znode, mut held, mut seen) = (scene.znode("p7"), false, 0);
        proxy.arm(Fault::LoseServer, move |request| {
            held |= request.contains(&child);
            let meant = held && request.op == wanted.0 && request.contains(&znode);
            seen += usize::from(meant);
            meant && seen == wanted.1
        });
        let program = scene.through(&proxy.connect()).line("po --request-timeout 2s").reader_wait("20");
        let output = program.line("delete --match p* --yes --no-backup").spawn().wait(PATIENCE);
        assert_eq!(proxy.hits(), 1);
        assert_eq!(output.code, if wanted == (op::MULTI, 2) { 10 } else { 7 }, "{wanted:?}: {output}");
        for n in 0..100 {
            assert_eq!(scene.alone(&format!("p{n}")), OLD);
        }
    }
}

#[test]
fn a_server_that_hangs_in_the_middle_is_told_in_time_and_goes_on_when_thawed() {
    require_servers!();
    let zookeeper = ZooKeeper::start();
    let scene = Scene::on(&zookeeper);
    scene.put("p", DAY, OLD);
    let program = scene.flussctl.line("po").reader_wait("20");
    let delete = program.line("delete p --yes --no-backup");
    for (point, code) in [("planned", 7), ("hold.taken", 7), ("hold.read", 10)] {
        let paused = delete.line("--request-timeout 3s").spawn_paused_at(point);
        zookeeper.freeze();
        let output = paused.go().wait(Duration::from_secs(20) + SLACK);
        zookeeper.thaw();
        assert_eq!(output.code, code, "{point}: {output}");
        assert!(output.stderr.contains(&zookeeper.connect()), "{output}");
        scene.zk.until_exists(&scene.child("p"), false);
        assert_eq!(scene.alone("p"), OLD);
    }
    // The last one's request may have been carried out after all, when the server went on.
    delete.run().expect(0);
    scene.gone("p");

    scene.put("p", DAY, OLD);
    let paused = delete.spawn_paused_at("hold.read");
    zookeeper.freeze();
    let running = paused.go();
    zookeeper.thaw();
    running.wait(PATIENCE).expect(0);
    scene.gone("p");
}

#[test]
fn a_server_that_is_killed_and_comes_back_is_waited_for() {
    require_servers!();
    let mut zookeeper = ZooKeeper::start();
    for point in ["planned", "hold.taken", "hold.read", "delete.waited", "delete.znodes-gone"] {
        let scene = Scene::on(&zookeeper);
        scene.put("p", DAY, OLD);
        let program = scene.flussctl.line("po").reader_wait("20");
        let paused = program.line("delete p --yes --no-backup").spawn_paused_at(point);
        zookeeper.kill();
        let running = paused.go();
        zookeeper.restart();
        running.wait(PATIENCE).expect(0);
        scene.gone("p");
    }
    for point in ["register.planned", "register.files-written", "register.znode-written"] {
        let scene = Scene::on(&zookeeper);
        let offsets = format!("po register p --offset db.t7:0={NEW} --offset db.t8:0={NEW}");
        let paused = scene.flussctl.line(&offsets).spawn_paused_at(point);
        zookeeper.kill();
        let running = paused.go();
        zookeeper.restart();
        running.wait(PATIENCE).expect(0);
        assert_eq!(scene.whole("p"), NEW);
    }
}

#[test]
fn an_ensemble_that_loses_its_leader_loses_nothing_else() {
    require_servers!();
    let mut ensemble = Ensemble::start();
    let commands: [(&str, &str); 4] = [
        ("list", "list"),
        ("register", "register n --offset db.t7:0=42 --offset db.t8:0=42"),
        ("delete", "delete --match d* --yes --no-backup"),
        ("cleanup", "cleanup --yes --dir-is-only-ours"),
    ];
    for (verb, line) in commands {
        let point = match verb {
            "list" => None,
            "register" => Some("register.files-written"),
            _ => Some("hold.read"),
        };
        let scene = Scene::at(&ensemble.connect(), format!("/e-{}", unique()));
        scene.put("live", DAY, OLD);
        for n in 0..20 {
            scene.put(&format!("d{n}"), if verb == "cleanup" { -3600 } else { DAY }, OLD);
        }
        let orphan = scene.orphan("o");
        let program = scene.flussctl.line("po -o json").reader_wait("20");
        let command = program.line(line);
        let running = if let Some(point) = point {
            let paused = command.spawn_paused_at(point);
            let killed = ensemble.kill_leader();
            (paused.go(), killed)
        } else {
            let killed = ensemble.kill_leader();
            (command.spawn(), killed)
        };
        let (running, killed) = running;
        let output = running.wait(PATIENCE + SLACK).expect(0);
        ensemble.restart(killed);
        ensemble.settle();
        assert_eq!(scene.whole("live"), OLD, "{output}");
        match verb {
            "list" => {
                assert_eq!(output.json()["snapshots"].as_array().map(Vec::len), Some(21), "{output}");
            }
            "register" => assert_eq!(scene.whole("n"), NEW, "what was acknowledged is there"),
            _ => (0..20).for_each(|n| scene.gone(&format!("d{n}"))),
        }
        assert_eq!(orphan.exists(), verb != "cleanup");
    }
}
