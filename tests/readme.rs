//! The README: every command that it shows is run, in its order, and what it shows is what is said.
//!
//! With `UPDATE_README=1` the outputs are written anew in place of being compared.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;
use serde_json::json;
use tempfile::TempDir;

use crate::support::flussctl::Flussctl;
use crate::support::process::Signal;
use crate::support::zk::Zk;
use crate::support::zookeeper::ZooKeeper;
use crate::support::{PATIENCE, require_servers, temp_dir, until};

/// The places of the README; the test has its own.
const CONF: &str = "/opt/fluss/conf";
const REMOTE: &str = "/var/lib/fluss/remote";
const HOME: &str = "/home/ops";
const ZOOKEEPER: &str = "zk1:2181";

/// What differs from run to run: patterns and their stand-ins, for what is shown and for what is said.
const VOLATILE: &[(&str, &str)] = &[
    (r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\dZ(?: \([^)]*\))?", "[TIME]"),
    (r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", "[TIME]"),
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "[UUID]"),
    (r"\b1[7-9]\d{11}\b", "[MS]"),
    (r#"("?[cm]zxid"?: *)\d+"#, "${1}[ZXID]"),
    // A register sets its znode so often as nobody can foretell.
    (r#"(\bversion"?: *)\d+"#, "${1}[VERSION]"),
    (r"\.\d+\.json", ".[ZXID].json"),
    (r"(\[MS\],)\d+,", "${1}[ZXID],"),
    (r#""pid":\d+"#, "[PID]"),
    // The width of a column is that of its times.
    (r" {2,}", "  "),
    (r"(?m) +$", ""),
];

/// A command of a `console` block, and where in the README its output stands.
#[derive(Debug)]
struct Step {
    command: String,
    output: std::ops::Range<usize>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("read the README")
}

/// Give the commands of the blocks of a language; a line that ends with a backslash goes on in the next.
fn steps(lines: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut in_block = false;
    let mut continued = false;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("```") {
            in_block = *line == "```console";
        } else if let (true, true, Some(step)) = (in_block, continued, steps.last_mut()) {
            write!(step.command, "\n{line}").expect("a string takes all");
            step.output = at + 1..at + 1;
            continued = line.ends_with('\\');
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| in_block) {
            steps.push(Step { command: command.to_owned(), output: at + 1..at + 1 });
            continued = line.ends_with('\\');
        } else if let (true, Some(step)) = (in_block, steps.last_mut()) {
            step.output.end = at + 1;
        }
    }
    steps
}

/// The cluster of the README: tables in ZooKeeper, snapshots in every state, a remote data dir.
struct Stage {
    zookeeper: ZooKeeper,
    client: Zk,
    dir: TempDir,
}

impl Stage {
    fn set() -> Self {
        let zookeeper = ZooKeeper::start();
        let client = zookeeper.client();
        let stage = Self { zookeeper, client, dir: temp_dir() };
        fs::create_dir_all(stage.conf()).expect("make the configuration's folder");
        let yaml = format!(
            "zookeeper.address: {}\nremote.data.dir: {}\n",
            stage.zookeeper.connect(),
            stage.remote().display()
        );
        fs::write(stage.conf().join("server.yaml"), yaml).expect("write server.yaml");
        stage.table("orders", 7, 3, false);
        stage.table("returns", 9, 2, false);
        stage.table("clicks", 8, 2, true);
        let partition = json!({"version": 1, "table_id": 8, "partition_id": 3});
        stage.client.create(
            "/fluss/metadata/databases/shop/tables/clicks/partitions/2026-11-30",
            partition.to_string(),
        );
        stage.snapshot("orders-job", 7, 24, &json!({"bucket_offsets": [1500, 1720, 1498]}));
        let clicks = json!({"partition_offsets": [{"partition_id": 3, "bucket_offsets": [165, 135]}]});
        stage.snapshot("clicks-job", 8, 24, &clicks);
        stage.snapshot("nightly-import", 7, -48, &json!({"bucket_offsets": [10, 20, 30]}));
        stage.snapshot("billing-job", 7, 24, &json!({"bucket_offsets": [1500, 1_000_000, 1498]}));
        stage.snapshot("report-job", 5, 24, &json!({"bucket_offsets": [40, 50]}));
        let lost = stage.snapshot("returns-job", 9, 24, &json!({"bucket_offsets": [310, 290]}));
        stage.run("flussctl po backup returns-job --to backups");
        fs::remove_file(lost).expect("lose an offsets file");
        stage.client.create("/fluss/producers/ingest-job", r#"{"version":1,"expira"#);
        stage.file("crashed-job", 7, &json!({"bucket_offsets": [1, 2, 3]}));
        stage.run(&format!(
            "cd {REMOTE}/producers && touch -d '5 days ago' crashed-job/7/* crashed-job/7 crashed-job"
        ));
        stage
    }

    fn conf(&self) -> PathBuf {
        self.dir.path().join("conf")
    }

    fn remote(&self) -> PathBuf {
        self.dir.path().join("remote")
    }

    fn table(&self, name: &str, id: i64, buckets: i32, partitioned: bool) {
        let mut table = json!({"version": 1, "table_id": id, "bucket_count": buckets, "created_time": 1_764_000_000_000_i64 + id});
        if partitioned {
            table["partition_key"] = json!(["day"]);
        }
        self.client.create(&format!("/fluss/metadata/databases/shop/tables/{name}"), table.to_string());
    }

    /// Write an offsets file as the server does, and give its path.
    fn file(&self, id: &str, table_id: i64, offsets: &serde_json::Value) -> PathBuf {
        let folder = self.remote().join("producers").join(id).join(table_id.to_string());
        fs::create_dir_all(&folder).expect("make a table's folder");
        let path = folder.join(format!("{}.offsets", uuid::Uuid::new_v4()));
        let mut file = json!({"version": 1, "table_id": table_id});
        for (key, value) in offsets.as_object().into_iter().flatten() {
            file[key] = value.clone();
        }
        fs::write(&path, file.to_string()).expect("write an offsets file");
        path
    }

    /// Register a snapshot as the server does on the shipped default, a remote data dir without a scheme.
    fn snapshot(&self, id: &str, table_id: i64, hours: i64, offsets: &serde_json::Value) -> PathBuf {
        let path = self.file(id, table_id, offsets);
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().expect("the clock is past 1970");
        let expiry = i64::try_from(now.as_millis()).expect("now fits") + hours * 3_600_000 + 30_000;
        let znode = json!({
            "version": 1,
            "expiration_time": expiry,
            "tables": [{"table_id": table_id, "offsets_path": path.display().to_string()}],
        });
        self.client.create(&format!("/fluss/producers/{id}"), znode.to_string());
        path
    }

    /// Give each place of the README beside the one that the test has for it, the longer ones first.
    fn places(&self) -> Vec<(String, String)> {
        let show = |path: PathBuf| path.display().to_string();
        let connect = self.zookeeper.connect();
        vec![
            (CONF.to_owned(), show(self.conf())),
            (REMOTE.to_owned(), show(self.remote())),
            (HOME.to_owned(), show(self.dir.path().to_owned())),
            (ZOOKEEPER.replace(':', "_"), connect.replace(':', "_")),
            (ZOOKEEPER.to_owned(), connect),
        ]
    }

    /// Run a command of the README in a shell, and give all that it says.
    fn run(&self, command: &str) -> String {
        let places = self.places();
        let command =
            places.iter().fold(command.to_owned(), |text, (shown, there)| text.replace(shown, there));
        let binary = Path::new(env!("CARGO_BIN_EXE_flussctl")).parent().expect("a binary lies in a folder");
        let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
        let output = Flussctl::new()
            .program("/bin/bash")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .env("PATH", path)
            .env("HOME", self.dir.path())
            .env("XDG_CONFIG_HOME", self.dir.path().join(".config"))
            .env("XDG_STATE_HOME", self.dir.path().join(".local/state"))
            .env("FLUSS_CONF_DIR", self.conf())
            .reader_wait("0s")
            .dir(self.dir.path())
            .run()
            .expect(0);
        places.iter().fold(output.stdout, |text, (shown, there)| text.replace(there, shown))
    }
}

fn push_lines(text: &mut String, lines: &[&str]) {
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
}

fn redacted(text: &str) -> String {
    VOLATILE.iter().fold(text.trim_end().to_owned(), |text, (pattern, word)| {
        Regex::new(pattern).expect("a pattern of this file").replace_all(&text, *word).into_owned()
    })
}

/// Say whether a text is what is shown, where a line `…` stands for any lines.
fn fits(shown: &str, said: &str) -> bool {
    let mut pattern = String::from("^(?s)");
    for (at, part) in redacted(shown).split("…\n").enumerate() {
        pattern += if at > 0 { ".*?" } else { "" };
        pattern += &regex::escape(part).replace("…", ".*");
    }
    Regex::new(&(pattern + "$")).expect("an escaped text is a pattern").is_match(&redacted(said))
}

#[test]
fn its_commands_do_what_it_shows() {
    require_servers!();
    let text = readme();
    let lines: Vec<&str> = text.lines().collect();
    let steps = steps(&lines);
    assert!(steps.len() > 20, "the README has its examples");
    let stage = Stage::set();
    let update = std::env::var_os("UPDATE_README").is_some();
    let mut new = String::new();
    let mut copied = 0;
    for step in &steps {
        let said = stage.run(&step.command);
        let shown = lines[step.output.clone()].join("\n");
        if update && !shown.is_empty() && !shown.contains('…') {
            push_lines(&mut new, &lines[copied..step.output.start]);
            push_lines(&mut new, &[said.trim_end()]);
            copied = step.output.end;
        } else if !shown.is_empty() && !fits(&shown, &said) {
            panic!("$ {}\n--- shown\n{shown}\n--- said\n{said}", step.command);
        }
    }
    if update {
        push_lines(&mut new, &lines[copied..]);
        fs::write(root().join("README.md"), new).expect("write the README");
    }
}

/// What cannot be run here is at least there, and a shell can read it.
#[test]
fn its_other_commands_are_there() {
    let text = readme();
    let blocks = text.split("```sh\n").skip(1).filter_map(|block| block.split("```").next());
    let commands: Vec<&str> =
        blocks.flat_map(str::lines).map(|line| line.split(" #").next().unwrap_or(line).trim()).collect();
    assert!(commands.contains(&"tests/demo.sh") && commands.contains(&"tests/run.sh"), "{commands:?}");
    for command in commands.into_iter().filter(|command| !command.is_empty()) {
        let words: Vec<&str> = command.split_whitespace().collect();
        let there = match words[..] {
            ["cargo", "install", ..] => root().join("Cargo.toml").exists(),
            ["cargo", "test", ..] | [] => true,
            [script, ..] => {
                Command::new("bash").arg("-n").arg(root().join(script)).status().is_ok_and(|s| s.success())
            }
        };
        assert!(there, "{command}");
    }
    for folder in text.split('`').filter(|word| word.starts_with("src/") || word.starts_with("tests/")) {
        let path = folder.split([' ', '\n', '{', '*']).next().unwrap_or(folder);
        assert!(root().join(path).exists(), "{folder} is not there");
    }
}

/// Begin the demo with the program as it is built here, in a folder of its own.
fn demo(folder: &Path) -> Flussctl {
    Flussctl::new()
        .program("/bin/bash")
        .args([root().join("tests/demo.sh")])
        .env("FLUSSCTL", env!("CARGO_BIN_EXE_flussctl"))
        .env("HOME", std::env::var_os("HOME").unwrap_or_default())
        .env("TMPDIR", folder)
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

#[test]
fn the_demo_shows_it_all_and_leaves_nothing() {
    require_servers!();
    let folder = temp_dir();
    // It starts six JVMs.
    let output = demo(folder.path()).spawn().wait(PATIENCE * 5).expect(0);
    for shown in
        ["orders-job   deleted  1 file deleted", "damaged-job  deleted", "crashed-job  deleted", "Done"]
    {
        assert!(output.stdout.contains(shown), "{shown:?} is missing in\n{output}");
    }
    assert!(is_empty(folder.path()));
}

#[test]
fn a_demo_that_is_interrupted_leaves_nothing() {
    require_servers!();
    let folder = temp_dir();
    let mut running = demo(folder.path()).spawn();
    until("the demo has made its folder", PATIENCE, || !is_empty(folder.path()));
    running.signal(Signal::TERM);
    running.wait(PATIENCE).expect(130);
    assert!(is_empty(folder.path()));
}

#[test]
fn blocks_are_taken_apart_and_compared() {
    let lines = ["```console", "$ a \\", "  b", "out", "$ c", "```", "$ no", "```sh", "$ no", "```"];
    let found: Vec<_> = steps(&lines).into_iter().map(|s| (s.command, s.output)).collect();
    assert_eq!(found, [("a \\\n  b".to_owned(), 3..4), ("c".to_owned(), 5..5)]);
    assert!(fits("a  2026-12-01 15:04:05Z (in 3h)  b\n", "a  2026-12-02 15:04:05Z (now)   b"));
    assert!(fits("{\n…\n}\n", "{\n  1\n  2\n}\n"));
    assert!(!fits("a\n", "a\nb\n") && !fits("{\n…\n]\n", "{\n  1\n}\n"));
}
