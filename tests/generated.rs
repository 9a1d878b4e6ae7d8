//! What is generated from the definition of the command line and kept in the tree: completions and manuals.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::flussctl::Flussctl;
use crate::support::temp_dir;

/// The shells, each with the file name that it looks for.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "flussctl.bash"),
    ("zsh", "_flussctl"),
    ("fish", "flussctl.fish"),
    ("powershell", "_flussctl.ps1"),
    ("elvish", "flussctl.elv"),
];

/// Every command line that has a help page.
const COMMANDS: &[&str] = &[
    "",
    "producer-offsets",
    "producer-offsets list",
    "producer-offsets get",
    "producer-offsets register",
    "producer-offsets delete",
    "producer-offsets backup",
    "producer-offsets restore",
    "producer-offsets cleanup",
    "completions",
    "man",
];

fn kept(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

/// Compare a folder of the tree with what it should hold; with `UPDATE=1` in the environment make it so.
#[track_caller]
fn assert_current(folder: &str, wanted: &BTreeMap<String, String>) {
    let folder = kept(folder);
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        // It may not be there yet.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("make the folder");
        for (name, text) in wanted {
            fs::write(folder.join(name), text).expect("write a generated file");
        }
    }
    let held = read(&folder);
    let names = |files: &BTreeMap<String, String>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&held), names(wanted), "{}: run the test with UPDATE=1", folder.display());
    for (name, text) in wanted {
        assert!(
            held[name] == *text,
            "{} is not current: run the test with UPDATE=1",
            folder.join(name).display()
        );
    }
}

fn read(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("read {}: {e}", folder.display()));
    let read = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).expect("read a generated file");
        (entry.file_name().to_string_lossy().into_owned(), text)
    };
    entries.flatten().map(read).collect()
}

#[test]
fn completions_are_current() {
    let script = |shell| Flussctl::new().args(["completions", shell]).run().expect(0).stdout;
    let wanted = SHELLS.iter().map(|(shell, name)| ((*name).to_owned(), script(shell))).collect();
    assert_current("completions", &wanted);
}

#[test]
fn manuals_are_current_and_the_main_one_is_printed() {
    let folder = temp_dir();
    let output = Flussctl::new().args(["man", "--to"]).args([folder.path()]).run().expect(0);
    assert_eq!(output.stdout, "");
    let wanted = read(folder.path());
    assert_eq!(wanted.len(), COMMANDS.len(), "{:?}", wanted.keys());
    assert_current("man", &wanted);
    assert_eq!(Flussctl::new().args(["man"]).run().expect(0).stdout, wanted["flussctl.1"]);
}

#[test]
fn manuals_render_without_a_warning() {
    for (name, text) in read(&kept("man")) {
        let file = kept("man").join(&name);
        let rendered = Command::new("groff").args(["-ww", "-man", "-Tutf8"]).arg(&file).output();
        // A machine without groff has nobody to read the manuals there.
        let Ok(rendered) = rendered else { return };
        assert_eq!(String::from_utf8_lossy(&rendered.stderr), "", "{name}");
        assert!(rendered.stdout.len() > text.len() / 2, "{name}: most of it is not shown");
        assert!(text.contains("\n.SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR\ndone\n"), "{name}");
    }
}

#[test]
fn every_help_page_names_its_exit_codes() {
    for command in COMMANDS {
        let output = Flussctl::new().line(command).args(["--help"]).run().expect(0);
        assert!(output.stdout.contains("Exit codes:"), "{output}");
        assert!(output.stdout.contains("Usage: flussctl"), "{output}");
        assert_eq!(output.stderr, "");
        // The short page is the long one cut down, not another.
        let short = Flussctl::new().line(command).args(["-h"]).run().expect(0);
        assert_eq!(short.stdout.lines().next(), output.stdout.lines().next(), "{command}");
        assert!(short.stdout.lines().count() <= output.stdout.lines().count(), "{command}");
    }
}

#[test]
fn help_and_version_work_where_all_else_is_broken() {
    let broken = Flussctl::new()
        .env("FLUSSCTL_ZOOKEEPER", "::::")
        .env("FLUSSCTL_OUTPUT", "xml")
        .env("FLUSSCTL_VERBOSE", "loud")
        .env("FLUSSCTL_SERVER_CONFIG", "/nowhere")
        .env("FLUSS_CONF_DIR", "")
        .env("HOME", "");
    for command in COMMANDS {
        let output = broken.line(command).args(["--help"]).run().expect(0);
        assert_eq!(output.stderr, "", "{output}");
    }
    let version = broken.args(["--version"]).run().expect(0);
    assert_eq!(version.stdout, format!("flussctl {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_command_that_is_cut_short_shows_its_help_and_is_a_usage_error() {
    for (command, verb) in [("", "producer-offsets"), ("producer-offsets", "register"), ("po", "register")] {
        let output = Flussctl::new().line(command).run().expect(2);
        assert_eq!(output.stdout, "");
        assert!(output.stderr.contains("Commands:") && output.stderr.contains(verb), "{output}");
    }
}
