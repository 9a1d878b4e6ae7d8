//! The runner and the terminal, each shown on a shell in the program's place.

use crate::support::PATIENCE;
use crate::support::flussctl::Flussctl;
use crate::support::process::Signal;
use crate::support::redact::assert_output;

fn shell(script: &str) -> Flussctl {
    Flussctl::new().program("/bin/sh").args(["-c", script])
}

#[test]
fn the_environment_is_clean() {
    let output = shell("env | cut -d= -f1 | grep -v -e PWD -e SHLVL -e '^_$' | sort").run().expect(0);
    assert_eq!(output.stdout, "HOME\nLC_ALL\nPATH\nTZ\nXDG_CONFIG_HOME\nXDG_STATE_HOME\n");
    let set = shell("echo $FLUSSCTL_ZOOKEEPER $HOME").env("FLUSSCTL_ZOOKEEPER", "h:1");
    assert_eq!(set.run().stdout, format!("h:1 {}\n", set.home().display()));
}

#[test]
fn an_output_is_one_block() {
    let output = shell("cat; echo oops >&2; pwd >&2; exit 3").stdin("one\ntwo\n").run();
    assert_output!(output, @"
    $ sh -c 'cat; echo oops >&2; pwd >&2; exit 3'
    --- stdout
    one
    two
    --- stderr
    oops
    [TMP]
    --- exit code 3
    ");
    assert_eq!(shell("read -r line; echo \"[$line]\"").run().stdout, "[]\n", "without more stdin is empty");
}

#[test]
fn a_reader_may_close_the_pipe() {
    let output = shell("echo one; while echo more; do :; done 2>/dev/null").head(1).run();
    assert_eq!(output.stdout, "one\n");
}

#[test]
fn the_background_hears_signals() {
    let mut running = shell("trap 'echo caught; exit 130' INT; echo ready; while :; do :; done").spawn();
    running.until_stdout("ready");
    running.freeze();
    running.signal(Signal::INT);
    assert!(!running.ended(), "a frozen program acts on nothing");
    running.thaw();
    assert_eq!(running.wait(PATIENCE).expect(130).stdout, "ready\ncaught\n");

    let mut running = shell("while :; do :; done").spawn();
    running.signal(Signal::KILL);
    running.wait(PATIENCE).expect(137);
}

#[test]
fn a_step_waits_until_it_is_let_go() {
    let step = "p=$FLUSSCTL_FAULT_DIR/$FLUSSCTL_FAULT_POINT
        : >$p.reached; until [ -e $p.go ]; do :; done; echo gone on";
    let mut paused = shell(step).spawn_paused_at("after-files");
    assert!(!paused.running.ended());
    assert_eq!(paused.go().wait(PATIENCE).expect(0).stdout, "gone on\n");
    assert_eq!(shell(step).spawn_paused_at("after-files").kill().code, 137);
}

#[test]
fn a_terminal_shows_prompts_and_passes_keys() {
    let prompt = "test -t 0 && test -t 1 && test -t 2 && stty size
        printf '\\033[1mdelete?\\033[0m '; read -r x; echo got $x";
    let terminal = shell(prompt).terminal();
    terminal.until_shown("delete?");
    assert!(terminal.text().starts_with("40 100\n"), "{}", terminal.text());
    terminal.type_keys("yes\r");
    let (shown, code) = terminal.wait();
    assert!(shown.contains("\u{1b}[1mdelete?"), "{shown}");
    assert!(shown.ends_with("got yes\r\n"), "{shown}");
    assert_eq!(code, 0);

    let terminal = shell("printf sure?; read -r x").terminal();
    terminal.until_shown("sure?");
    terminal.ctrl_c();
    assert_eq!(terminal.wait().1, 130);
}
