//! The built program in a clean environment: run to its end, or in the background with its steps under control.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display};
use std::fs;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tempfile::TempDir;

use super::fluss::Fluss;
use super::process::{self, Signal};
use super::terminal::Terminal;
use super::zookeeper::ZooKeeper;
use super::{PATIENCE, temp_dir, until, until_some};

/// A command line to run. Each method gives a new one, so that a common beginning can be used again and again.
#[derive(Clone, Debug)]
pub struct Flussctl {
    program: PathBuf,
    home: Arc<TempDir>,
    args: Vec<OsString>,
    envs: Vec<(OsString, OsString)>,
    stdin: Option<Vec<u8>>,
    head: Option<usize>,
    dir: Option<PathBuf>,
}

impl Flussctl {
    /// Begin with no arguments, an empty home and nothing on stdin.
    pub fn new() -> Self {
        Self {
            program: env!("CARGO_BIN_EXE_flussctl").into(),
            home: Arc::new(temp_dir()),
            args: Vec::new(),
            envs: Vec::new(),
            stdin: None,
            head: None,
            dir: None,
        }
    }

    /// Begin with a ZooKeeper, a root and a remote data dir named in the environment.
    pub fn at(zookeeper: &ZooKeeper, root: &str, remote_data_dir: &str) -> Self {
        Self::new()
            .env("FLUSSCTL_ZOOKEEPER", zookeeper.connect())
            .env("FLUSSCTL_ZOOKEEPER_ROOT", root)
            .env("FLUSSCTL_REMOTE_DATA_DIR", remote_data_dir)
    }

    /// Begin with a cluster's own `server.yaml` named in the environment.
    pub fn of(fluss: &Fluss) -> Self {
        Self::new().env("FLUSSCTL_SERVER_CONFIG", fluss.server_config())
    }

    /// Run another program in its place, with all else as it is: to test the harness itself.
    #[must_use]
    pub fn program(&self, path: &str) -> Self {
        let mut new = self.clone();
        new.program = path.into();
        new
    }

    /// Add arguments.
    #[must_use]
    pub fn args<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Self {
        let mut new = self.clone();
        new.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        new
    }

    /// Add a command line's words, split at spaces.
    #[must_use]
    pub fn line(&self, words: &str) -> Self {
        self.args(words.split_whitespace())
    }

    /// Take all arguments away again.
    #[must_use]
    pub fn bare(&self) -> Self {
        let mut new = self.clone();
        new.args.clear();
        new
    }

    /// Set an environment variable.
    #[must_use]
    pub fn env(&self, name: &str, value: impl AsRef<OsStr>) -> Self {
        let mut new = self.clone();
        new.envs.push((name.into(), value.as_ref().to_owned()));
        new
    }

    /// Give it something on stdin, through a pipe.
    #[must_use]
    pub fn stdin(&self, input: impl AsRef<[u8]>) -> Self {
        let mut new = self.clone();
        new.stdin = Some(input.as_ref().to_owned());
        new
    }

    /// Close its stdout after so many lines, as `head` does.
    #[must_use]
    pub fn head(&self, lines: usize) -> Self {
        let mut new = self.clone();
        new.head = Some(lines);
        new
    }

    /// Run it in a folder.
    #[must_use]
    pub fn dir(&self, dir: &Path) -> Self {
        let mut new = self.clone();
        new.dir = Some(dir.to_owned());
        new
    }

    /// Give the home that it runs with, shared by all that began here; the state folder is [`Self::state_dir`].
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Give `XDG_STATE_HOME`.
    pub fn state_dir(&self) -> PathBuf {
        self.home().join("state")
    }

    /// Give `XDG_CONFIG_HOME`.
    pub fn config_dir(&self) -> PathBuf {
        self.home().join("config")
    }

    /// Let its clock run ahead, or behind, of this host's.
    #[must_use]
    pub fn clock_ms(&self, skew: i64) -> Self {
        self.env("FLUSSCTL_FAULT_CLOCK_MS", skew.to_string())
    }

    /// Set how long a delete waits for readers, in place of a minute.
    #[must_use]
    pub fn reader_wait(&self, wait: &str) -> Self {
        self.env("FLUSSCTL_FAULT_READER_WAIT", wait)
    }

    /// Run it to its end.
    #[track_caller]
    pub fn run(&self) -> Output {
        self.spawn().wait(PATIENCE)
    }

    /// Start it in the background.
    pub fn spawn(&self) -> Running {
        let mut command = Command::new(&self.program);
        command.args(&self.args).env_clear().envs(self.environment());
        command.current_dir(self.dir.as_deref().unwrap_or(self.home()));
        command.stdin(if self.stdin.is_some() { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("start flussctl");
        if let (Some(mut pipe), Some(input)) = (child.stdin.take(), self.stdin.clone()) {
            // On a thread, since it may be more than a pipe holds; a program that does not read it closes the pipe.
            thread::spawn(move || drop(pipe.write_all(&input)));
        }
        Running {
            shown: self.to_string(),
            stdout: Capture::start(child.stdout.take().expect("stdout is piped"), self.head),
            stderr: Capture::start(child.stderr.take().expect("stderr is piped"), None),
            child,
            points: None,
            _home: Arc::clone(&self.home),
        }
    }

    /// Start it in the background and wait until it stands at one of its steps (the feature `fault-points`).
    pub fn spawn_paused_at(&self, point: &str) -> Paused {
        let dir = temp_dir();
        let running = self.env("FLUSSCTL_FAULT_POINT", point).env("FLUSSCTL_FAULT_DIR", dir.path()).spawn();
        let mut paused = Paused { running, point: point.to_owned(), dir };
        paused.until_reached();
        paused
    }

    /// Start it on a terminal of 100 columns and 40 rows.
    pub fn terminal(&self) -> Terminal {
        let environment = self.environment().chain([("TERM".into(), "xterm-256color".into())]);
        let dir = self.dir.as_deref().unwrap_or(self.home());
        Terminal::start(&self.program, &self.args, environment, dir, Arc::clone(&self.home))
    }

    /// Give all variables: the fixed ones, then those set here, which win.
    fn environment(&self) -> impl Iterator<Item = (OsString, OsString)> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let fixed: [(&str, OsString); 6] = [
            ("HOME", self.home().into()),
            ("XDG_CONFIG_HOME", self.config_dir().into()),
            ("XDG_STATE_HOME", self.state_dir().into()),
            ("TZ", "UTC".into()),
            ("LC_ALL", "C.UTF-8".into()),
            ("PATH", path),
        ];
        // Where the tests are measured for coverage, their children are too.
        let coverage = std::env::var_os("LLVM_PROFILE_FILE").map(|file| ("LLVM_PROFILE_FILE".into(), file));
        let fixed = fixed.into_iter().map(|(name, value)| (name.into(), value));
        fixed.chain(coverage).chain(self.envs.clone())
    }
}

/// The command line as a person would type it.
impl Display for Flussctl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.file_name().unwrap_or_default().display())?;
        for arg in &self.args {
            let arg = arg.to_string_lossy();
            let plain =
                !arg.is_empty() && arg.chars().all(|c| c.is_alphanumeric() || "-_./:=,@%+".contains(c));
            if plain { write!(f, " {arg}")? } else { write!(f, " '{}'", arg.escape_debug())? }
        }
        Ok(())
    }
}

/// What the program said, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The command line.
    pub shown: String,
    /// The answer.
    pub stdout: String,
    /// All the rest.
    pub stderr: String,
    /// The exit code, or 128 and the number of the signal that killed it, as a shell gives it.
    pub code: i32,
}

impl Output {
    /// Demand an exit code; panic with all that was said otherwise.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert!(self.code == code, "exit code {} where {code} was expected\n{self}", self.code);
        self
    }

    /// Read stdout as one JSON document.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("stdout is not one JSON document: {e}\n{self}"))
    }

    /// Read stdout as a JSON document a line.
    #[track_caller]
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        let read =
            |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("no JSON: {e}: {line}\n{self}"));
        self.stdout.lines().map(read).collect()
    }
}

/// All in one block, for snapshots and for the message of a failed test.
impl Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "$ {}", self.shown)?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                writeln!(f, "--- {name}\n{}", text.trim_end_matches('\n'))?;
            }
        }
        write!(f, "--- exit code {}", self.code)
    }
}

/// The program in the background; killed when dropped.
#[derive(Debug)]
pub struct Running {
    shown: String,
    child: Child,
    stdout: Capture,
    stderr: Capture,
    /// The folder of its fault points: the program has to find it after it was let go.
    points: Option<TempDir>,
    /// Keeps the home while the program lives.
    _home: Arc<TempDir>,
}

impl Running {
    /// Send it a signal, unless it has ended.
    pub fn signal(&mut self, signal: Signal) {
        if self.child.try_wait().is_ok_and(|end| end.is_none()) {
            process::signal(&self.child, signal);
        }
    }

    /// Stop it where it is; it is stopped when this returns.
    pub fn freeze(&self) {
        process::freeze(&self.child);
    }

    /// Let it go on after [`Self::freeze`].
    pub fn thaw(&self) {
        process::thaw(&self.child);
    }

    /// Give the process's number, to look at its command line in `/proc`.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Wait until stderr has a text.
    #[track_caller]
    pub fn until_stderr(&self, text: &str) {
        until(&format!("stderr says {text:?}"), PATIENCE, || self.stderr.text().contains(text));
    }

    /// Wait until stdout has a text.
    #[track_caller]
    pub fn until_stdout(&self, text: &str) {
        until(&format!("stdout says {text:?}"), PATIENCE, || self.stdout.text().contains(text));
    }

    /// Say whether it has ended.
    pub fn ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|end| end.is_some())
    }

    /// Wait for its end; kill it and panic when it is not in time.
    #[track_caller]
    pub fn wait(mut self, deadline: Duration) -> Output {
        let status = until_some(&format!("{} has ended", self.shown), deadline, || {
            self.child.try_wait().expect("look at flussctl's process")
        });
        Output {
            shown: std::mem::take(&mut self.shown),
            stdout: self.stdout.end(),
            stderr: self.stderr.end(),
            code: exit_code(status),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended, and then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Give the exit code as a shell would.
pub(super) fn exit_code(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt as _;
    status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal))
        .expect("a process ends by a code or a signal")
}

/// The program while it waits at one of its steps.
#[derive(Debug)]
pub struct Paused {
    /// The process, for signals and output.
    pub running: Running,
    point: String,
    dir: TempDir,
}

impl Paused {
    fn until_reached(&mut self) {
        let reached = self.dir.path().join(format!("{}.reached", self.point));
        until(&format!("{} reaches {}", self.running.shown, self.point), PATIENCE, || {
            let there = reached.exists();
            if !there && self.running.ended() {
                let (stdout, stderr) = (self.running.stdout.text(), self.running.stderr.text());
                panic!("ended before {}:\n{stdout}\n{stderr}", self.point);
            }
            there
        });
    }

    /// Let it go on.
    pub fn go(mut self) -> Running {
        fs::write(self.dir.path().join(format!("{}.go", self.point)), "").expect("let the program go on");
        self.running.points = Some(self.dir);
        self.running
    }

    /// Kill it where it stands, and give what it said.
    pub fn kill(mut self) -> Output {
        self.running.signal(Signal::KILL);
        self.running.wait(PATIENCE)
    }
}

/// A stream of the program, gathered as it comes.
#[derive(Debug)]
struct Capture {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Capture {
    fn start(stream: impl Read + Send + 'static, head: Option<usize>) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let gathered = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let mut stream = stream;
            // With a number of lines to read, byte by byte, so that not one more is taken.
            let mut buffer = vec![0; if head.is_some() { 1 } else { 64 * 1024 }];
            let mut lines = 0;
            while head.is_none_or(|head| lines < head) {
                let Ok(read @ 1..) = stream.read(&mut buffer) else { return };
                lines += usize::from(buffer[..read].contains(&b'\n'));
                gathered.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&buffer[..read]);
            }
        });
        Self { bytes, reader: Some(reader) }
    }

    /// Give what came up to now.
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// Wait for the stream's end, and give all of it.
    fn end(&mut self) -> String {
        if let Some(reader) = self.reader.take() {
            reader.join().expect("gather the output");
        }
        self.text()
    }
}
