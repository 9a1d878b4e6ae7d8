//! Fluss's own Java client, as the peer that knows nothing of our code (`tests/servers/Peer.java`).

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::process::spawn;
use super::servers::{ClassPath, java};
use super::{PATIENCE, until};

/// A Java client; one command at a time.
#[derive(Debug)]
pub struct Peer {
    pipe: Mutex<Pipe>,
}

#[derive(Debug)]
struct Pipe {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The server's answer to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registered {
    /// It was made, or put in the place of an expired one.
    Created,
    /// A valid one is there.
    AlreadyExists,
}

/// A snapshot as the server answers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Milliseconds since the epoch.
    pub expiration_time: i64,
    /// `TABLE[/PARTITION]:BUCKET=OFFSET`, in order of table, partition, bucket.
    pub offsets: Vec<String>,
}

/// What the server's metadata says of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableInfo {
    /// The table's id.
    pub id: i64,
    /// How many buckets the table, or each partition, has.
    pub buckets: i32,
    /// The partitions' ids by name, the values joined with `$`.
    pub partitions: BTreeMap<String, i64>,
}

/// What the reading threads saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings {
    /// How many answers came.
    pub reads: u64,
    /// How many of them had a valid expiry and no tables: a job that gets one wipes its table.
    pub emptied: u64,
    /// How many reads failed.
    pub errors: u64,
}

/// A register that waits for its moment, in [`Peer::register_at`].
#[must_use]
pub struct Pending<'a> {
    pipe: MutexGuard<'a, Pipe>,
    answered: bool,
}

/// An answer, or the server's refusal as `Class: message`.
pub type Answer<T> = Result<T, String>;

impl Peer {
    /// Start the client, which is connected to nothing yet.
    pub fn start() -> Self {
        let mut command = java(ClassPath::Peer);
        command.args(["--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx512m", "Peer"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = spawn(command);
        let commands = child.stdin.take().expect("stdin is piped");
        let answers = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut pipe = Pipe { child, commands, answers };
        pipe.receive().expect("the peer starts");
        Self { pipe: Mutex::new(pipe) }
    }

    /// Connect to a cluster that may be about to start; the options are `key=value`.
    pub fn connect(&self, server: &str, options: &[&str]) {
        let command = format!("connect {server} {}", options.join(" "));
        self.ask(&command).unwrap_or_else(|e| panic!("connect the peer to {server}: {e}"));
        // The coordinator takes no table before it knows of its tablet server.
        until("the coordinator knows of its tablet server", PATIENCE, || {
            self.ask("servers").is_ok_and(|servers| servers.contains("TABLET"))
        });
    }

    /// Create a database, unless it is there.
    pub fn create_database(&self, database: &str) -> Answer<()> {
        self.ask(&format!("create-database {database}")).map(drop)
    }

    /// Create a log table `db.table`, partitioned if there are keys, and give its id.
    pub fn create_table(&self, table: &str, buckets: i32, partition_keys: &[&str]) -> Answer<i64> {
        let id = self.ask(&format!("create-table {table} {buckets} {}", partition_keys.join(",")))?;
        Ok(number(&id))
    }

    /// Create a partition of a table from `key=value,key=value`.
    pub fn create_partition(&self, table: &str, spec: &str) -> Answer<()> {
        self.ask(&format!("create-partition {table} {spec}")).map(drop)
    }

    /// Drop a table.
    pub fn drop_table(&self, table: &str) -> Answer<()> {
        self.ask(&format!("drop-table {table}")).map(drop)
    }

    /// Append rows to a table, or to a partition of it given as `key=value,key=value`.
    pub fn append(&self, table: &str, rows: usize, partition: Option<&str>) -> Answer<()> {
        self.ask(&format!("append {table} {rows} {}", partition.unwrap_or_default())).map(drop)
    }

    /// Give the log end offset of every bucket of a table, as a starting job registers it.
    pub fn log_ends(&self, table: &str) -> Answer<Vec<String>> {
        self.ask(&format!("offsets {table}")).map(|answer| words(&answer))
    }

    /// Give what the metadata says of a table.
    pub fn table_info(&self, table: &str) -> Answer<TableInfo> {
        let answer = self.ask(&format!("table-info {table}"))?;
        let mut words = answer.split_whitespace();
        let id = words.next().map(number).expect("an id");
        let buckets = words.next().and_then(|count| count.parse().ok()).expect("a bucket count");
        let partition = |word: &str| word.rsplit_once('=').map(|(name, id)| (name.to_owned(), number(id)));
        Ok(TableInfo { id, buckets, partitions: words.filter_map(partition).collect() })
    }

    /// Register offsets, each `TABLE[/PARTITION]:BUCKET=OFFSET`.
    pub fn register<S: AsRef<str>>(&self, producer_id: &str, offsets: &[S]) -> Answer<Registered> {
        self.ask(&format!("register {producer_id} {}", joined(offsets))).map(|answer| registered(&answer))
    }

    /// Register at a moment, for races; the client is taken until [`Pending::wait`].
    pub fn register_at<S: AsRef<str>>(
        &self,
        at: SystemTime,
        producer_id: &str,
        offsets: &[S],
    ) -> Pending<'_> {
        let millis = at.duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_millis();
        let mut pipe = self.lock();
        pipe.send(&format!("register-at {millis} {producer_id} {}", joined(offsets)));
        Pending { pipe, answered: false }
    }

    /// Get a snapshot, if there is one.
    pub fn get(&self, producer_id: &str) -> Answer<Option<Snapshot>> {
        let answer = self.ask(&format!("get {producer_id}"))?;
        if answer == "none" {
            return Ok(None);
        }
        let (expiration_time, offsets) = answer.split_once(' ').unwrap_or((&answer, ""));
        Ok(Some(Snapshot { expiration_time: number(expiration_time), offsets: words(offsets) }))
    }

    /// Delete a snapshot.
    pub fn delete(&self, producer_id: &str) -> Answer<()> {
        self.ask(&format!("delete {producer_id}")).map(drop)
    }

    /// Start threads that get the snapshots in turn, each once in a period, as a starting job's tasks do.
    pub fn start_readers<S: AsRef<str>>(&self, threads: usize, period_ms: u64, producer_ids: &[S]) {
        self.ask(&format!("readers {threads} {period_ms} {}", joined(producer_ids)))
            .expect("start the readers");
    }

    /// Count what the reading threads have seen up to now.
    pub fn readings(&self) -> Readings {
        readings(&self.ask("readers-so-far").expect("ask the readers"))
    }

    /// End the reading threads and count what they saw.
    pub fn stop_readers(&self) -> Readings {
        readings(&self.ask("readers-stop").expect("stop the readers"))
    }

    fn ask(&self, command: &str) -> Answer<String> {
        let mut pipe = self.lock();
        pipe.send(command);
        pipe.receive()
    }

    fn lock(&self) -> MutexGuard<'_, Pipe> {
        // A test that panicked has had its answer, or none that anybody else waits for.
        self.pipe.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pending<'_> {
    /// Wait for the answer.
    pub fn wait(mut self) -> Answer<Registered> {
        self.answered = true;
        self.pipe.receive().map(|answer| registered(&answer))
    }
}

/// Takes the answer that nobody waited for, so that the next command does not get it.
impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if !self.answered {
            drop(self.pipe.receive());
        }
    }
}

impl Pipe {
    fn send(&mut self, command: &str) {
        writeln!(self.commands, "{command}").unwrap_or_else(|e| panic!("tell the peer {command}: {e}"));
    }

    fn receive(&mut self) -> Answer<String> {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("hear the peer");
        let line = line.trim_end();
        match line.split_once(' ').unwrap_or((line, "")) {
            ("ok", answer) => Ok(answer.to_owned()),
            ("err", message) => Err(message.to_owned()),
            _ => panic!("the peer said {line:?}"),
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It may be dead already, and then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn registered(answer: &str) -> Registered {
    match answer {
        "CREATED" => Registered::Created,
        "ALREADY_EXISTS" => Registered::AlreadyExists,
        other => panic!("the peer registered {other:?}"),
    }
}

fn readings(answer: &str) -> Readings {
    let counts: Vec<u64> = answer.split_whitespace().filter_map(|count| count.parse().ok()).collect();
    let [reads, emptied, errors] = counts[..] else { panic!("the peer counted {answer:?}") };
    Readings { reads, emptied, errors }
}

fn number(text: &str) -> i64 {
    text.parse().unwrap_or_else(|e| panic!("the peer gave {text:?} for a number: {e}"))
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn joined<S: AsRef<str>>(items: &[S]) -> String {
    items.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ")
}
