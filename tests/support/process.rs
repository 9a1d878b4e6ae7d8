//! Server processes that end with the tests, however these end.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;

pub use rustix::process::Signal;
use rustix::process::{Pid, kill_process};

use super::{PATIENCE, until};

/// Send a signal to a process that was not waited for yet.
pub fn signal(child: &Child, signal: Signal) {
    let pid = Pid::from_child(child);
    kill_process(pid, signal).unwrap_or_else(|e| panic!("signal {signal:?} to process {pid:?}: {e}"));
}

/// Stop a process where it is, as a machine that hangs does; it is stopped when this returns.
pub fn freeze(child: &Child) {
    signal(child, Signal::STOP);
    until("the process is stopped", PATIENCE, || state(child.id()) == Some('T'));
}

/// Let a frozen process go on.
pub fn thaw(child: &Child) {
    signal(child, Signal::CONT);
}

/// Read the process's state as the kernel names it (proc(5)).
fn state(pid: u32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Begin a command that the kernel kills when the test process is gone: to be started with [`spawn`].
pub fn mortal(program: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--", program]);
    command
}

/// Start a [`mortal`] command.
///
/// The kernel's promise is about the thread that starts it, and a test's thread ends with the test: so one thread, which
/// lives as long as the process, starts them all.
pub fn spawn(command: Command) -> Child {
    type Order = (Command, Sender<io::Result<Child>>);
    static SPAWNER: LazyLock<Mutex<Sender<Order>>> = LazyLock::new(|| {
        let (orders, received) = mpsc::channel::<Order>();
        thread::spawn(move || {
            for (mut command, reply) in received {
                // Whoever ordered waits for the answer.
                let _ = reply.send(command.spawn());
            }
        });
        Mutex::new(orders)
    });
    let shown = format!("{command:?}");
    let (reply, answer) = mpsc::channel();
    let orders = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner).clone();
    orders.send((command, reply)).expect("the spawner lives");
    answer.recv().expect("the spawner answers").unwrap_or_else(|e| panic!("start {shown}: {e}"))
}

/// A server in a process of its own, with its log in a file.
#[derive(Debug)]
pub struct Server {
    name: &'static str,
    child: Child,
    log: PathBuf,
}

impl Server {
    /// Start it with what it prints appended to `<dir>/<name>.log`.
    pub fn start(name: &'static str, dir: &Path, mut command: Command) -> Self {
        let log = dir.join(format!("{name}.log"));
        let file = File::options().create(true).append(true).open(&log).expect("open the server's log");
        command.stdin(Stdio::null()).stdout(file.try_clone().expect("share the log")).stderr(file);
        Self { name, child: spawn(command), log }
    }

    /// Wait until it is ready; panic with its log when it ends before, or is not in time.
    #[track_caller]
    pub fn ready(&mut self, mut look: impl FnMut() -> bool) {
        let (name, log) = (self.name, self.log.clone());
        let dump = Dump(&log);
        until(&format!("{name} is ready"), PATIENCE, || {
            let ended = self.child.try_wait().expect("look at the server's process");
            assert!(ended.is_none(), "{name} ended with {ended:?}");
            look()
        });
        std::mem::forget(dump);
    }

    /// Stop it where it is, as a machine that hangs does.
    pub fn freeze(&self) {
        freeze(&self.child);
    }

    /// Let it go on after [`Self::freeze`].
    pub fn thaw(&self) {
        thaw(&self.child);
    }

    /// Kill it, as a crash does, and wait for its end.
    pub fn kill(&mut self) {
        // It may be dead already, and then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Ask it to end, and wait for its end.
    pub fn stop(&mut self) {
        signal(&self.child, Signal::TERM);
        until("the server has ended", PATIENCE, || self.child.try_wait().is_ok_and(|end| end.is_some()));
    }

    /// Give all that it printed.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.log).unwrap_or_default()).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Shows a server's log when a wait for it panics.
struct Dump<'a>(&'a Path);

impl Drop for Dump<'_> {
    #[expect(clippy::print_stderr, reason = "the test runner shows it with the panic")]
    fn drop(&mut self) {
        eprintln!(
            "{}:\n{}",
            self.0.display(),
            String::from_utf8_lossy(&fs::read(self.0).unwrap_or_default())
        );
    }
}
