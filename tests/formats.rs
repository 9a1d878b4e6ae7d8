//! What every command and every format promise: one document, exact numbers, nothing that moves a cursor, a quiet end.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::flussctl::{Flussctl, Output};
use crate::support::redact::assert_output;
use crate::support::require_servers;
use crate::support::scene::{FAR, PAST, Scene};

const FORMATS: &[&str] = &["table", "wide", "json", "jsonl", "yaml", "csv", "markdown", "name"];

/// Command lines that succeed, find nothing, and fail, with their exit codes; none of them changes what the next one sees.
const LINES: &[(&str, i32)] = &[
    ("list", 0),
    ("list --files", 0),
    ("list --state broken", 0),
    ("list nothing*", 0),
    ("list --table no.table", 2),
    ("list --zookeeper-root /nowhere", 3),
    ("get p", 0),
    ("get p nobody", 5),
    ("get nobody", 3),
    ("get junk", 1),
    ("get p --zookeeper 127.0.0.1:1", 7),
    ("register new --offset 0:0=1 --offset 0:1=1 --dry-run", 0),
    ("register new --offset 0:0=1", 2),
    ("register p --offset 0:0=1 --offset 0:1=1", 4),
    ("register p --offset 0:0=1 --offset 0:1=1 --replace", 2),
    ("delete p junk --dry-run", 0),
    ("delete nobody --yes", 0),
    ("delete nobody --must-exist --yes", 3),
    ("delete p", 2),
    ("delete p --yes --if-mzxid 1", 6),
    ("delete p --yes --read-only", 8),
    ("backup nothing* --to saved", 0),
    ("backup p --to saved", 0),
    ("backup p --to /dev/null/x", 1),
    ("restore saved --dry-run", 0),
    ("restore /nowhere --dry-run", 2),
    ("cleanup --dry-run", 5),
    ("cleanup --dry-run --older-than 1s", 2),
    ("cleanup --dry-run --zookeeper-root /nowhere", 3),
    // Refused before the options are known.
    ("list --no-such-option", 2),
    ("get", 2),
    ("delete p --if-mzxid", 2),
    ("nonsense", 2),
    ("register p --offset 0:0=1 --ttl 1h --expires-at 2099-01-01T00:00:00Z", 2),
    ("list --concurrency 0", 2),
    ("", 2),
];

fn scene() -> Scene {
    let scene = Scene::new();
    scene.table(0, "db.orders", 2);
    scene.snapshot("p", FAR, &[(0, &[9_007_199_254_740_993, i64::MAX])]);
    scene.snapshot("old", PAST, &[]);
    scene.zk.create(&scene.znode("junk"), b"{}");
    scene
}

/// Demand that an answer is one document of its format.
#[track_caller]
fn assert_document(format: &str, output: &Output) {
    match format {
        "json" => {
            let document = output.json();
            assert_eq!(document["schema_version"], 1, "{output}");
            assert_error(&document, output);
        }
        "jsonl" => {
            let lines = output.json_lines();
            assert!(lines.iter().all(|line| line["schema_version"] == 1), "{output}");
        }
        "yaml" => {
            let text = &output.stdout;
            assert!(text.starts_with("schema_version: 1\n"), "{output}");
            assert!(text.ends_with('\n') && !text.contains("\n---"), "{output}");
        }
        "csv" => {
            let mut lines = csv::Reader::from_reader(output.stdout.as_bytes());
            let all: Result<Vec<_>, _> = lines.records().collect();
            assert!(all.is_ok(), "{output}");
        }
        _ => {}
    }
}

/// Demand that a failed document holds why, with the code that the process ended with.
#[track_caller]
fn assert_error(document: &Value, output: &Output) {
    let error = &document["error"];
    let items = document["errors"].as_array().is_some_and(|errors| !errors.is_empty())
        || document["results"].as_array().into_iter().flatten().any(|result| result.get("error").is_some());
    match output.code {
        0 => assert!(error.is_null() && !items, "{output}"),
        _ if items => assert!(error.is_null(), "{output}"),
        code => {
            assert_eq!(error["exit_code"], code, "{output}");
            let message = error["message"].as_str().unwrap_or_default();
            assert!(
                !message.is_empty() && error["kind"].is_string() && error["hints"].is_array(),
                "{output}"
            );
        }
    }
}

#[test]
fn every_answer_is_one_document_and_never_an_escape() {
    require_servers!();
    let scene = scene();
    for (words, code) in LINES {
        for format in FORMATS {
            let output = scene.flussctl.line(&format!("po {words} -v -o {format}")).run();
            assert!(output.code == *code, "exit code {code} was expected\n{output}");
            assert!(!output.stdout.contains('\u{1b}') && !output.stderr.contains('\u{1b}'), "{output}");
            assert_document(format, &output);
        }
    }
}

#[test]
fn the_format_is_known_however_it_was_asked_for() {
    let refused = Flussctl::new();
    for line in [
        "po list --bad -o json",
        "po list --bad -ojson",
        "-vo json po list --bad",
        "po list -qojson --bad",
        "--output=json po list --bad",
        "po list --output json --bad",
    ] {
        let output = refused.line(line).run().expect(2);
        assert_eq!(output.json()["error"]["message"], "unexpected argument '--bad' found", "{output}");
    }
    let variable = refused.env("FLUSSCTL_OUTPUT", "json");
    assert_output!(variable.line("po list --bad").run(), @r#"
    $ flussctl po list --bad
    --- stdout
    {
      "schema_version": 1,
      "error": {
        "kind": "usage",
        "exit_code": 2,
        "message": "unexpected argument '--bad' found",
        "causes": [],
        "hints": []
      }
    }
    --- stderr
    error: unexpected argument '--bad' found

      tip: to pass '--bad' as a value, use '-- --bad'

    Usage: flussctl producer-offsets list [OPTIONS] [GLOB]...

    For more information, try '--help'.
    --- exit code 2
    "#);
    assert_eq!(variable.line("po list --bad -o jsonl").run().expect(2).json_lines().len(), 1);
    // The other options' variables are refused in it too.
    variable.env("FLUSSCTL_COLOR", "pink").line("po list").run().expect(2).json();
    variable.env("FLUSSCTL_TIMEOUT", "soon").line("po list").run().expect(2).json();
    variable.line("po list").run().expect(2).json();
    // What stands after two dashes asks for nothing.
    assert_eq!(refused.line("po list --bad -- -o json").run().expect(2).stdout, "");
    // No format can be made of these.
    assert_eq!(refused.line("po list -o xml").run().expect(2).stdout, "");
}

#[test]
fn numbers_are_exact_in_every_format() {
    require_servers!();
    let scene = scene();
    scene
        .zk
        .set(&scene.znode("old"), format!(r#"{{"version":1,"expiration_time":{},"tables":[]}}"#, i64::MAX));
    for format in FORMATS.iter().filter(|format| **format != "name") {
        let output = scene.run(&format!("po get p -o {format}")).expect(0);
        for number in ["9007199254740993", "9223372036854775807"] {
            assert!(output.stdout.contains(number), "{output}");
        }
        let output = scene.run(&format!("po list old -o {format}")).expect(0);
        assert!(output.stdout.contains("9223372036854775807"), "{output}");
    }
}

/// Names that turn the direction and that hide; ZooKeeper itself refuses controls.
const HOSTILE: [&str; 2] = ["x\u{2066}\u{200b}2", "y\u{202e}z"];

#[test]
fn names_from_outside_show_no_control_in_any_format() {
    require_servers!();
    let scene = scene();
    let path = "/tmp/\u{1b}[31m\u{202e}\n\u{7}.offsets";
    let znode = |path: &str| serde_json::json!({"version": 1, "expiration_time": FAR, "tables": [{"table_id": 0, "offsets_path": path}]});
    for name in HOSTILE {
        scene.zk.create(&scene.znode(name), znode(path).to_string());
    }
    scene.zk.create(&scene.znode("path"), znode(path).to_string());
    scene.table(5, "db.a\u{202e}b", 1);
    scene.snapshot("table", FAR, &[(5, &[1])]);
    let hidden = |c: char| {
        (c.is_control() && c != '\n') || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}')
    };
    for line in [
        "list",
        "list --files",
        "list x* y*",
        "get path",
        "get table",
        "delete --match * --dry-run",
        "cleanup --dry-run",
        "backup --to saved",
    ] {
        for format in FORMATS {
            let output = scene.flussctl.line(&format!("po {line} -vv -o {format}")).run();
            let shown = format!("{}{}", output.stdout, output.stderr);
            assert!(
                !shown.contains(hidden),
                "{:?}\n{output:?}",
                shown.chars().filter(|c| hidden(*c)).collect::<BTreeSet<_>>()
            );
            // A line of an answer stays a line.
            assert!(
                !output.stdout.contains("\n\u{7}")
                    && !output.stderr.lines().any(|line| line.starts_with(".offsets")),
                "{output}"
            );
        }
    }
    // JSON keeps the value.
    let json = scene.run("po list -o json").expect(0).json();
    let ids: Vec<_> =
        json["snapshots"].as_array().unwrap().iter().map(|s| s["producer_id"].as_str().unwrap()).collect();
    assert!(HOSTILE.iter().all(|name| ids.contains(name)), "{ids:?}");
    assert_output!(scene.run("po list x* y* --no-names"), @r"
    $ flussctl po list 'x*' 'y*' --no-names
    --- stdout
    PRODUCER ID  STATE  EXPIRES  TABLES  CREATED
    x\u{2066}\u{200b}2  valid  [TIME] ([LEFT])  0  [TIME] ([LEFT])
    y\u{202e}z  valid  [TIME] ([LEFT])  0  [TIME] ([LEFT])
    --- exit code 0
    ");
    assert_output!(scene.run("po get path"), @r"
    $ flussctl po get path
    --- stdout
    producer id: path
    state:  broken
    expires:  [TIME] ([LEFT])
    created:  [TIME] ([LEFT])
    changed:  [TIME] ([LEFT])
    mzxid:  [ZXID]
    version:  0

    TABLE  PARTITION  BUCKET  OFFSET
    db.orders (0)  missing
    --- stderr
    error: the snapshot path is broken: /tmp/\u{1b}[31m\u{202e}\n\u{7}.offsets of table 0 is missing
    hint: a job that needs it is stuck; put the file back, or set the true baseline in its place: flussctl producer-offsets register --replace -f FILE -- path
    hint: if other snapshots' files are missing too, is --remote-data-dir the coordinator's?
    --- exit code 1
    ");
}

#[test]
fn colour_is_for_terminals_that_want_it() {
    require_servers!();
    let scene = scene();
    let colour = "\u{1b}[1m";
    let on_terminal = |line: Flussctl| line.terminal().wait().0;
    let list = scene.flussctl.line("po list");
    assert!(on_terminal(list.clone()).contains(colour));
    assert!(!on_terminal(list.line("--color never")).contains(colour));
    assert!(!on_terminal(list.env("NO_COLOR", "1")).contains('\u{1b}'));
    assert!(on_terminal(list.env("NO_COLOR", "")).contains(colour), "an empty NO_COLOR says nothing");
    assert!(!on_terminal(list.env("FLUSSCTL_COLOR", "never")).contains(colour));
    assert!(on_terminal(list.env("NO_COLOR", "1").line("--color always")).contains(colour));
    assert!(list.line("--color always").run().expect(0).stdout.contains(colour));
    assert!(!list.run().expect(0).stdout.contains('\u{1b}'));
    for plain in ["-o json", "-o csv", "-o yaml", "-o name", "-o jsonl"] {
        assert!(
            !list.line("--color always").line(plain).run().expect(0).stdout.contains('\u{1b}'),
            "{plain}"
        );
    }
    // A failure is told in colour too, and only there.
    let failing = scene.flussctl.line("po get nobody");
    assert!(on_terminal(failing.clone()).contains("\u{1b}[1;31merror\u{1b}[0m: "));
    assert!(!on_terminal(failing.env("NO_COLOR", "1")).contains('\u{1b}'));
}

#[test]
fn a_dumb_terminal_is_asked_plainly() {
    require_servers!();
    let scene = scene();
    let before = scene.everything();
    // The runner's own TERM comes last: `env` sets another.
    let program = env!("CARGO_BIN_EXE_flussctl");
    for setting in ["TERM=dumb", "NO_COLOR=1"] {
        let line =
            scene.flussctl.program("/usr/bin/env").args([setting, program, "po", "delete", "p", "old"]);
        let terminal = line.terminal();
        terminal.until_shown("Delete these 2 snapshots? [y/N] ");
        terminal.type_keys("n\r");
        let (shown, code) = terminal.wait();
        assert!(!shown.contains('\u{1b}') && code == 1, "{shown:?}");
        assert_eq!(scene.everything(), before);
    }
}

#[test]
fn a_closed_pipe_is_a_quiet_end_for_what_reads() {
    require_servers!();
    let scene = scene();
    let many: Vec<String> = (0..3000).map(|n| format!("many-{n:05}-{}", "x".repeat(100))).collect();
    for id in &many {
        scene.zk.create(&scene.znode(id), b"{}");
    }
    for format in FORMATS {
        let output = scene.flussctl.line(&format!("po list -o {format}")).head(1).run().expect(0);
        assert_eq!((output.stdout.lines().count(), output.stderr.as_str()), (1, ""), "{format}");
    }
    scene.flussctl.line("completions bash").head(1).run().expect(0);
    scene.flussctl.line("man").head(1).run().expect(0);
    let help = scene.flussctl.line("--help").head(1).run().expect(0);
    assert_eq!(help.stderr, "");
}

#[test]
fn what_changes_goes_on_where_nobody_reads_its_answer() {
    require_servers!();
    let scene = scene();
    scene.flussctl.line("po delete old --yes --no-backup").head(0).run();
    assert!(!scene.zk.exists(&scene.znode("old")));
}

#[test]
fn quiet_leaves_the_answer_and_errors_alone() {
    require_servers!();
    let scene = scene();
    let output = scene.run("po list nothing* -q").expect(0);
    assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("", ""));
    let output = scene.run("po register q --offset 0:0=1 --missing-as-zero -q").expect(0);
    assert_eq!(output.stderr, "");
    assert_output!(scene.run("po get nobody -q"), @"
    $ flussctl po get nobody -q
    --- stderr
    error: there is no snapshot nobody
    hint: see what there is: flussctl producer-offsets list
    --- exit code 3
    ");
    assert_eq!(scene.run("po delete nobody --yes -q -o name").expect(0).stderr, "");
    let open = scene.flussctl.home().join("server.yaml");
    fs::write(&open, "no-such-line\n").unwrap();
    let warned = scene.flussctl.args(["po", "list", "-o", "name", "--server-config"]).args([&open]);
    assert!(warned.run().expect(0).stderr.contains("warning: "));
    assert_eq!(warned.args(["-q"]).run().expect(0).stderr, "");
}

#[test]
fn verbose_says_where_each_value_comes_from_and_more_what_goes_on() {
    require_servers!();
    let scene = scene();
    let quiet = scene.run("po list -o name").expect(0);
    assert_eq!(quiet.stderr, "");
    let verbose = scene.run("po list -o name -v").expect(0);
    assert!(verbose.stderr.contains("(FLUSSCTL_ZOOKEEPER)"), "{verbose}");
    let more = scene.run("po list -o name -vv").expect(0);
    assert!(more.stderr.lines().count() > verbose.stderr.lines().count(), "{more}");
    assert_eq!((&verbose.stdout, &more.stdout), (&quiet.stdout, &quiet.stdout));
}
