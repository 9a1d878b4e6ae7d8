//! Pairs flussctl with the bare ZooKeeper client: the same work, on the same server, in turn, in one run.
//!
//! `run.sh` beside this starts the server and calls it as `flussctl-bench pair`; `list` and `get` are the bare client's part,
//! each a process of its own as flussctl is. The bare client only reads: it decodes nothing, and writes nothing.

#![allow(clippy::print_stdout, reason = "a benchmark tells its figures")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use uuid::Uuid;
use zookeeper_client::{Acls, Client, CreateMode};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// So many snapshots of so many bytes, as the goals say.
const SNAPSHOTS: u32 = 100_000;
const BYTES: usize = 200;

/// How the bare client reads: more of either gains it nothing.
const BATCH: usize = 1000;
const IN_FLIGHT: usize = 4;

const PRODUCERS: &str = "/fluss/producers";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ended = match arguments[..] {
        ["pair", zookeeper, remote_dir, flussctl] => Pair::new(zookeeper, remote_dir, flussctl).run(),
        ["list", zookeeper] => runtime().and_then(|r| r.block_on(list(zookeeper))).map(|_| true),
        ["get", zookeeper, id] => single().and_then(|r| r.block_on(get(zookeeper, id))).map(|()| true),
        _ => Err("usage: flussctl-bench pair ZOOKEEPER REMOTE_DIR FLUSSCTL".into()),
    };
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?)
}

/// Begin a runtime without threads of its own: for one read the quickest.
fn single() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

/// Read all snapshots' znodes, and give how many bytes they hold.
async fn list(zookeeper: &str) -> Result<usize> {
    let client = Client::connect(zookeeper).await?;
    let names = client.list_children(PRODUCERS).await?;
    let batches = stream::iter(names.chunks(BATCH)).map(|batch| {
        let mut reader = client.new_multi_reader();
        let asked: std::result::Result<(), _> =
            batch.iter().try_for_each(|name| reader.add_get_data(&format!("{PRODUCERS}/{name}")));
        async move {
            asked?;
            reader.commit().await
        }
    });
    let answers: Vec<_> = batches.buffered(IN_FLIGHT).map_ok(|answers| answers.len()).try_collect().await?;
    let read: usize = answers.iter().sum();
    if read == SNAPSHOTS as usize { Ok(read) } else { Err(format!("{read} snapshots were read").into()) }
}

/// Connect and read one. The session is left to run out: closing it is one more answer to wait for, which flussctl does.
async fn get(zookeeper: &str, id: &str) -> Result<()> {
    let client = Client::connect(zookeeper).await?;
    client.get_data(&format!("{PRODUCERS}/{id}")).await?;
    Ok(())
}

/// Give the bytes of a snapshot's znode, its path filled up to the length that the goals speak of.
fn znode(path: &str) -> String {
    let of = |path: &str| {
        format!(
            r#"{{"version":1,"expiration_time":4102444800000,"tables":[{{"table_id":7,"offsets_path":"{path}"}}]}}"#
        )
    };
    let short = BYTES.saturating_sub(of(path).len());
    of(&path.replacen("/producers/", &format!("{}/producers/", "/".repeat(short)), 1))
}

/// Make the snapshots; the first has its file, so that it can be got. Gives its id.
async fn fill(zookeeper: &str, remote_dir: &Path) -> Result<String> {
    let client = Client::connect(zookeeper).await?;
    let options = CreateMode::Persistent.with_acls(Acls::anyone_all());
    client.mkdir(PRODUCERS, &options).await?;
    let ids: Vec<String> = (0..SNAPSHOTS).map(|_| Uuid::new_v4().to_string()).collect();
    let first = ids[0].clone();
    let folder = remote_dir.join("producers").join(&first).join("7");
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{}.offsets", Uuid::new_v4()));
    fs::write(&file, r#"{"version":1,"table_id":7,"bucket_offsets":[100,200,300]}"#)?;
    let writes = stream::iter(ids.chunks(BATCH)).map(|batch| {
        let mut writer = client.new_multi_writer();
        let asked: std::result::Result<(), _> = batch.iter().try_for_each(|id| {
            let path = if *id == first {
                format!("file:{}", file.display())
            } else {
                format!("file:/fluss/producers/{id}/7/{}.offsets", Uuid::new_v4())
            };
            writer.add_create(&format!("{PRODUCERS}/{id}"), znode(&path).as_bytes(), &options)
        });
        async move {
            asked?;
            writer.commit().await.map(|_| ()).map_err(Box::<dyn Error>::from)
        }
    });
    writes.buffered(IN_FLIGHT).try_collect::<()>().await?;
    Ok(first)
}

/// What is compared, and where.
struct Pair {
    zookeeper: String,
    remote_dir: PathBuf,
    flussctl: PathBuf,
}

/// A command line and what it is called.
type Line<'a> = (&'a Path, &'a [&'a str]);

impl Pair {
    fn new(zookeeper: &str, remote_dir: &str, flussctl: &str) -> Self {
        Self { zookeeper: zookeeper.to_owned(), remote_dir: remote_dir.into(), flussctl: flussctl.into() }
    }

    /// Run all pairs and print them; false where a goal is missed.
    fn run(&self) -> Result<bool> {
        let start = Instant::now();
        let id = runtime()?.block_on(fill(&self.zookeeper, &self.remote_dir))?;
        println!("{SNAPSHOTS} snapshots of {BYTES} bytes made in {:.1} s", start.elapsed().as_secs_f64());
        let bare = std::env::current_exe()?;
        let nothing = Path::new("/bin/true");
        let list: Line<'_> = (&self.flussctl, &["po", "list", "-o", "jsonl", "--no-names"]);
        let bare_list: Line<'_> = (&bare, &["list", &self.zookeeper]);
        let get: Line<'_> = (&self.flussctl, &["po", "get", "--no-names", &id]);
        let bare_get: Line<'_> = (&bare, &["get", &self.zookeeper, &id]);
        let help: Line<'_> = (&self.flussctl, &["--help"]);

        let mut table = Table::default();
        let (ours, theirs) = self.medians(5, list, bare_list)?;
        table.ratio("list -o jsonl --no-names", ours, theirs, 2.0);
        table.limit("its peak memory, MB", self.peak_mb(list)?, Some(self.peak_mb(bare_list)?), 80.0);
        let (ours, theirs) = self.medians(41, get, bare_get)?;
        table.ratio("get --no-names ID, cold", ours, theirs, 1.5);
        let (ours, theirs) = self.medians(41, help, (nothing, &[]))?;
        table.limit("--help, ms (beside: a process that does nothing)", ms(ours), Some(ms(theirs)), 10.0);
        table.limit("the release binary, MB", megabytes(fs::metadata(&self.flussctl)?.len()), None, 30.0);
        Ok(table.print())
    }

    /// Run two lines in turn, and give the median of each one's times.
    fn medians(&self, times: usize, ours: Line<'_>, theirs: Line<'_>) -> Result<(Duration, Duration)> {
        let mut taken = (Vec::new(), Vec::new());
        for turn in 0..=times {
            let (a, b) = (self.time(ours)?, self.time(theirs)?);
            // The first turn warms the caches.
            if turn > 0 {
                taken.0.push(a);
                taken.1.push(b);
            }
        }
        let median = |mut all: Vec<Duration>| {
            all.sort();
            all[all.len() / 2]
        };
        Ok((median(taken.0), median(taken.1)))
    }

    fn time(&self, line: Line<'_>) -> Result<Duration> {
        let start = Instant::now();
        let status = self.command(line).status()?;
        let taken = start.elapsed();
        if status.success() { Ok(taken) } else { Err(format!("{line:?}: {status}").into()) }
    }

    /// Give the most memory that a run held, as the kernel's high-water mark said at the last look before its end.
    fn peak_mb(&self, line: Line<'_>) -> Result<f64> {
        let mut child = self.command(line).spawn()?;
        let status = PathBuf::from(format!("/proc/{}/status", child.id()));
        let mut peak = 0.0;
        while child.try_wait()?.is_none() {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let mark = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes = mark.and_then(|mark| mark.trim().trim_end_matches(" kB").parse::<f64>().ok());
            peak = kilobytes.map_or(peak, |kilobytes| kilobytes * 1024.0 / 1e6);
            std::thread::park_timeout(Duration::from_millis(1));
        }
        Ok(peak)
    }

    fn command(&self, (program, arguments): Line<'_>) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).env_clear().stdin(Stdio::null()).stdout(Stdio::null());
        command.env("FLUSSCTL_ZOOKEEPER", &self.zookeeper);
        command.env("FLUSSCTL_REMOTE_DATA_DIR", &self.remote_dir);
        command
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[expect(clippy::cast_precision_loss, reason = "a size to look at")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// The figures as they come together.
#[derive(Default)]
struct Table {
    rows: Vec<[String; 5]>,
    missed: bool,
}

impl Table {
    fn ratio(&mut self, what: &str, ours: Duration, theirs: Duration, goal: f64) {
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        let shown = |time| format!("{:.1} ms", ms(time));
        let verdict = self.verdict(ratio, goal);
        self.rows.push([
            what.into(),
            shown(ours),
            shown(theirs),
            format!("{ratio:.2}"),
            format!("{goal}x: {verdict}"),
        ]);
    }

    fn limit(&mut self, what: &str, ours: f64, theirs: Option<f64>, goal: f64) {
        let shown = |value: f64| format!("{value:.1}");
        let verdict = self.verdict(ours, goal);
        let theirs = theirs.map_or_else(String::new, shown);
        self.rows.push([what.into(), shown(ours), theirs, String::new(), format!("{goal}: {verdict}")]);
    }

    fn verdict(&mut self, value: f64, goal: f64) -> &'static str {
        self.missed |= value > goal;
        if value > goal { "MISSED" } else { "met" }
    }

    /// Print it; false where a goal is missed.
    fn print(self) -> bool {
        println!("| {:50} | {:>10} | {:>11} | {:>5} | goal |", "", "flussctl", "bare client", "ratio");
        println!("|{:-<52}|{:->12}|{:->13}|{:->7}|---|", "", ":", ":", ":");
        for [what, ours, theirs, ratio, goal] in self.rows {
            println!("| {what:50} | {ours:>10} | {theirs:>11} | {ratio:>5} | {goal} |");
        }
        !self.missed
    }
}
