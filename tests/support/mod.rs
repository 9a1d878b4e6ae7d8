//! What the tests stand on: real servers, the built binary, a terminal, a faulty network, and the one way to wait.

// Each part is used by some of the test files; while one of them is being written, none may use it.
#![allow(dead_code)]

pub mod ensemble;
pub mod fluss;
pub mod flussctl;
pub mod miniature;
pub mod peer;
pub mod ports;
pub mod process;
pub mod proxy;
pub mod redact;
pub mod scene;
pub mod servers;
pub mod site;
pub mod terminal;
pub mod tls;
pub mod zk;
pub mod zookeeper;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Say how long a server may take for anything: far beyond what it needs, so that a loaded machine is no failure.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// Skip the test, loudly, where the servers cannot be had; fail it where they must be.
macro_rules! require_servers {
    () => {
        if !crate::support::servers::available() {
            return;
        }
    };
}
pub(crate) use require_servers;

/// Wait until the condition holds, or panic with what was awaited.
#[track_caller]
pub fn until(what: &str, deadline: Duration, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + deadline;
    while !condition() {
        assert!(Instant::now() < end, "not within {deadline:?}: {what}");
        // The only pause in the tests: between two looks, never in place of one.
        thread::park_timeout(Duration::from_millis(5));
    }
}

/// Wait until there is a value and give it, or panic with what was awaited.
#[track_caller]
pub fn until_some<T>(what: &str, deadline: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let mut found = None;
    until(what, deadline, || {
        found = look();
        found.is_some()
    });
    found.expect("until returns only when the look found something")
}

/// Give a number that no other test of this run has.
pub fn unique() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Make a folder of the test's own, removed when dropped.
pub fn temp_dir() -> TempDir {
    tempfile::Builder::new().prefix("t").tempdir_in(run_dir()).expect("make a temporary folder")
}

/// Give the folder of this run, after removing those of runs that are over: what is shared by all tests is dropped by none.
fn run_dir() -> &'static Path {
    static DIR: LazyLock<PathBuf> = LazyLock::new(|| {
        let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runs");
        for entry in fs::read_dir(&all).into_iter().flatten().flatten() {
            if !Path::new("/proc").join(entry.file_name()).exists() {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let own = all.join(std::process::id().to_string());
        fs::create_dir_all(&own).expect("make the folder of this run");
        own
    });
    &DIR
}
