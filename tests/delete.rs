//! `delete`: the znode and then its files, what is refused, what is left, and what a person is asked.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use zookeeper_client::{Acl, AuthId, Permission};

use crate::support::flussctl::{Flussctl, Output};
use crate::support::redact::assert_output;
use crate::support::require_servers;
use crate::support::scene::{FAR, PAST, Scene};

/// A valid snapshot `p`, an expired one `old`, one that cannot be decoded `junk`; deletes wait for no reader.
fn scene() -> Scene {
    let mut scene = Scene::new();
    scene.flussctl = scene.flussctl.reader_wait("1ms");
    scene.table(0, "db.orders", 2);
    scene.snapshot("p", FAR, &[(0, &[1, 2])]);
    scene.snapshot("old", PAST, &[(0, &[1, 2])]);
    scene.zk.create(&scene.znode("junk"), b"{}");
    scene
}

/// The results of a delete, each its id and outcome.
#[track_caller]
fn results(output: &Output) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let json = output.json();
    let results = json["results"].as_array().expect("a delete has results").iter();
    results.map(|result| (text(&result["producer_id"]), text(&result["outcome"]))).collect()
}

fn pair(id: &str, outcome: &str) -> (String, String) {
    (id.to_owned(), outcome.to_owned())
}

#[test]
fn a_valid_one_is_saved_and_goes_with_its_files() {
    require_servers!();
    let scene = scene();
    assert_output!(scene.run("po delete p --yes"), @"
    $ flussctl po delete p --yes
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    p  deleted  1 file deleted; backup: [TMP]/state/flussctl/backups/[CLUSTER]/p.[ZXID].json
    --- stderr
    p: valid, 1 table
    what is valid is set expired first, and 60 s are waited for its readers
    a job that still needs its snapshot will not undo what it has not committed
    --- exit code 0
    ");
    assert!(!scene.zk.exists(&scene.znode("p")) && scene.files("p").is_empty());
    let backups = scene.flussctl.state_dir().join("flussctl/backups");
    let folder = fs::read_dir(backups).unwrap().next().unwrap().unwrap().path();
    let saved = fs::read_to_string(fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()).unwrap();
    assert!(saved.contains("\"producer_id\": \"p\""), "{saved}");
    assert!(scene.zk.exists(&scene.znode("old")), "only what was named goes");
}

#[test]
fn several_end_each_by_itself() {
    require_servers!();
    let scene = scene();
    assert_output!(scene.run("po delete p old junk nobody --yes --no-backup"), @"
    $ flussctl po delete p old junk nobody --yes --no-backup
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    junk  deleted
    nobody  not found
    old  deleted  1 file deleted
    p  deleted  1 file deleted
    --- stderr
    junk: undecodable
    old: expired, 1 table
    p: valid, 1 table
    what is valid is set expired first, and 60 s are waited for its readers
    a job that still needs its snapshot will not undo what it has not committed
    --- exit code 0
    ");
    assert_eq!(scene.zk.children(&scene.path("producers")), [""; 0]);
    assert!(scene.files("p").is_empty() && scene.files("old").is_empty());
}

#[test]
fn an_expired_one_goes_at_once() {
    require_servers!();
    let scene = scene();
    // A whole minute would be far beyond the patience of this line.
    let line = scene.flussctl.reader_wait("3600000ms").line("po delete old --yes -o json");
    let output = line.run().expect(0);
    assert_eq!(results(&output), [pair("old", "deleted")]);
    assert_eq!(output.json()["results"][0]["files_deleted"], 1);
    assert!(output.json()["results"][0].get("backup").is_none(), "nobody needs it: {output}");
}

#[test]
fn a_stopped_job_has_no_readers_to_wait_for() {
    require_servers!();
    let scene = scene();
    let line = scene.flussctl.reader_wait("3600000ms").line("po delete p junk --yes --job-stopped -o json");
    assert_eq!(results(&line.run().expect(0)), [pair("junk", "deleted"), pair("p", "deleted")]);
}

#[test]
fn one_that_cannot_be_decoded_is_saved_cleared_and_its_files_stay() {
    require_servers!();
    let scene = scene();
    let file = scene.file("junk", 0, "x");
    let output = scene.run("po delete junk --yes -o json").expect(0);
    assert_eq!(results(&output), [pair("junk", "deleted")]);
    let backup = output.json()["results"][0]["backup"].as_str().unwrap().to_owned();
    assert!(Path::new(&backup).exists());
    assert!(!scene.zk.exists(&scene.znode("junk")));
    assert!(file.exists(), "nobody knows which files are its own: they count as orphans now");
}

#[test]
fn an_absent_one_is_a_success_unless_it_must_exist() {
    require_servers!();
    let scene = scene();
    assert_output!(scene.run("po delete nobody --yes"), @"
    $ flussctl po delete nobody --yes
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    nobody  not found
    --- exit code 0
    ");
    assert_output!(scene.run("po delete nobody --must-exist --yes"), @"
    $ flussctl po delete nobody --must-exist --yes
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    nobody  not found  there is no snapshot nobody
    --- stderr
    error: there is no snapshot nobody
    hint: see what there is: flussctl producer-offsets list
    --- exit code 3
    ");
    assert_eq!(
        results(&scene.run("po delete nobody --yes -o json").expect(0)),
        [pair("nobody", "not_found")]
    );
    assert_eq!(
        results(&scene.run("po delete nobody --must-exist --yes -o json").expect(3)),
        [pair("nobody", "not_found")]
    );
    let mixed = scene.run("po delete nobody old --must-exist --yes -o json").expect(5);
    assert_eq!(results(&mixed), [pair("nobody", "not_found"), pair("old", "deleted")]);
}

#[test]
fn only_the_state_that_was_shown_is_deleted() {
    require_servers!();
    let scene = scene();
    let shown =
        scene.run("po get p -o json").expect(0).json()["snapshots"][0]["znode"]["mzxid"].as_i64().unwrap();
    scene.zk.set(&scene.znode("p"), scene.zk.get(&scene.znode("p")));
    let before = scene.everything();
    let refused = scene.run(&format!("po delete p --yes --if-mzxid {shown}")).expect(6);
    assert!(refused.stderr.starts_with("error: p was changed meanwhile (its mzxid is "), "{refused}");
    assert_eq!(scene.everything(), before);
    for wrong in ["x", "", "1.0", "99999999999999999999"] {
        scene.flussctl.args(["po", "delete", "p", "--yes", "--if-mzxid", wrong]).run().expect(2);
    }
    scene.run("po delete p old --yes --if-mzxid 1").expect(2);
    scene.run("po delete --match p* --yes --if-mzxid 1").expect(2);
    assert_eq!(scene.everything(), before);
    let now = scene.zk.stat(&scene.znode("p")).unwrap().mzxid;
    scene.run(&format!("po delete p --yes --if-mzxid {now}")).expect(0);
    assert!(!scene.zk.exists(&scene.znode("p")));
    // What is gone cannot be in the wrong state.
    assert_eq!(
        results(&scene.run(&format!("po delete p --yes --if-mzxid {now} -o json")).expect(0)),
        [pair("p", "not_found")]
    );
}

#[test]
fn a_pattern_takes_what_it_matches_and_an_empty_one_nothing() {
    require_servers!();
    let scene = scene();
    scene.snapshot("p2", PAST, &[]);
    let before = scene.everything();
    assert_output!(scene.run("po delete --match x* --yes"), @"
    $ flussctl po delete --match 'x*' --yes
    --- stderr
    no snapshot matches
    --- exit code 0
    ");
    assert_output!(scene.flussctl.args(["po", "delete", "--yes", "--match", ""]).run(), @"
    $ flussctl po delete --yes --match ''
    --- stderr
    error: an empty pattern matches nothing
    hint: '*' means every snapshot
    --- exit code 2
    ");
    assert_output!(scene.run("po delete --yes"), @"
    $ flussctl po delete --yes
    --- stderr
    error: the following required arguments were not provided:
      <ID>...

    Usage: flussctl producer-offsets delete --yes <ID>...

    For more information, try '--help'.
    --- exit code 2
    ");
    assert_eq!(scene.everything(), before);
    let output = scene.run("po delete --match p* --match old --yes --no-backup -o json").expect(0);
    assert_eq!(results(&output), [pair("old", "deleted"), pair("p", "deleted"), pair("p2", "deleted")]);
    assert_eq!(scene.zk.children(&scene.path("producers")), ["junk"]);
}

#[test]
fn a_match_that_is_no_producer_id_is_said_and_left() {
    require_servers!();
    let scene = scene();
    scene.zk.create(&scene.znode("p.x"), b"{}");
    assert_output!(scene.run("po delete --match p.* --yes"), @r#"
    $ flussctl po delete --match 'p.*' --yes
    --- stderr
    warning: "p.x" matches and is left: it is no producer id
    no snapshot matches
    --- exit code 0
    "#);
    assert!(scene.zk.exists(&scene.znode("p.x")));
}

#[test]
fn a_file_outside_of_its_own_folder_is_left_and_said() {
    require_servers!();
    let scene = scene();
    let theirs = scene.file("other", 0, r#"{"version":1,"table_id":0,"bucket_offsets":[1,2]}"#);
    let elsewhere = scene.remote().join("elsewhere.offsets");
    fs::write(&elsewhere, r#"{"version":1,"table_id":1}"#).unwrap();
    let data = format!(
        r#"{{"version":1,"expiration_time":{PAST},"tables":[{{"table_id":0,"offsets_path":"file:{}"}},{{"table_id":1,"offsets_path":"{}"}}]}}"#,
        theirs.display(),
        elsewhere.display()
    );
    scene.zk.create(&scene.znode("q"), data);
    assert_output!(scene.run("po delete q --yes"), @"
    $ flussctl po delete q --yes
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    q  deleted  files are left: file:[TMP]/producers/other/0/[UUID].offsets: outside of the producer's own folder; [TMP]/elsewhere.offsets: outside of the producer's own folder
    --- stderr
    q: expired, 2 tables
    --- exit code 0
    ");
    assert!(theirs.exists() && elsewhere.exists());
}

#[test]
fn a_file_that_another_snapshot_names_is_left() {
    require_servers!();
    let scene = scene();
    let shared = scene.named("p").remove(0);
    let data = format!(
        r#"{{"version":1,"expiration_time":{FAR},"tables":[{{"table_id":0,"offsets_path":"{}"}}]}}"#,
        shared.display()
    );
    scene.zk.create(&scene.znode("twin"), data);
    let output = scene.run("po delete p --yes -o json").expect(0);
    let reason = output.json()["results"][0]["files_left"][0].as_str().unwrap().to_owned();
    assert!(reason.contains("another snapshot names it") && shared.exists(), "{output}");
}

#[test]
fn a_dry_run_announces_just_what_the_real_one_takes() {
    require_servers!();
    let scene = scene();
    let before = scene.everything();
    for yes in ["", "--yes"] {
        let output = scene.run(&format!("po delete p old junk nobody --dry-run -o json {yes}")).expect(0);
        assert_eq!(
            results(&output),
            [
                pair("junk", "would_delete"),
                pair("nobody", "not_found"),
                pair("old", "would_delete"),
                pair("p", "would_delete")
            ]
        );
        assert_eq!(output.json()["dry_run"], true);
    }
    assert_output!(scene.run("po delete p old junk nobody --dry-run"), @"
    $ flussctl po delete p old junk nobody --dry-run
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    junk  would delete  it is undecodable
    nobody  not found
    old  would delete  expired [TIME] ([LEFT])
    p  would delete  expires [TIME] ([LEFT])
    --- exit code 0
    ");
    scene.run("po delete p --dry-run --read-only").expect(0);
    assert!(!scene.flussctl.state_dir().exists(), "a dry run saves nothing");
    assert_eq!(scene.everything(), before);
    assert_output!(scene.run("po delete p --yes --read-only"), @"
    $ flussctl po delete p --yes --read-only
    --- stderr
    error: --read-only forbids every change
    hint: nothing was done; --dry-run shows what would be
    --- exit code 8
    ");
    assert_eq!(scene.everything(), before);
}

#[test]
fn without_a_terminal_and_without_yes_nothing_is_done_and_stdin_is_not_read() {
    require_servers!();
    let scene = scene();
    let before = scene.everything();
    let line = scene.flussctl.line("po delete p");
    assert_output!(line.run(), @"
    $ flussctl po delete p
    --- stderr
    error: this changes things and there is no terminal to ask on
    hint: say --yes to go on without a question, or --dry-run to see what it would do
    --- exit code 2
    ");
    line.stdin("y\n").run().expect(2);

    // A pipe keeps what nobody read of it.
    let (mut kept, pipe) = std::io::pipe().expect("make a pipe");
    std::io::Write::write_all(&mut { pipe }, b"y\n").expect("fill the pipe");
    let script = "\"$0\" po delete p 2>/dev/null; echo $?; cat";
    let output = environment(&line, Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_flussctl")]))
        .stdin(Stdio::from(kept.try_clone().expect("share the pipe")))
        .output()
        .expect("run a shell");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2\ny\n");
    assert_eq!(std::io::Read::read(&mut kept, &mut [0; 8]).expect("read the pipe"), 0);

    let closed = environment(
        &line,
        Command::new("sh").args(["-c", "\"$0\" po delete p <&-", env!("CARGO_BIN_EXE_flussctl")]),
    )
    .output()
    .expect("run a shell");
    assert_eq!(closed.status.code(), Some(2), "{}", String::from_utf8_lossy(&closed.stderr));
    assert!(String::from_utf8_lossy(&closed.stderr).contains("--yes"));
    assert_eq!(scene.everything(), before);
}

/// Give a command the variables that the runner gives the program.
fn environment<'a>(line: &Flussctl, command: &'a mut Command) -> &'a mut Command {
    let variables = line.program("/usr/bin/env").bare().run().expect(0).stdout;
    let variables = variables.lines().filter_map(|line| line.split_once('='));
    command.env_clear().envs(variables.map(|(name, value)| (name.to_owned(), value.to_owned())))
}

#[test]
fn on_a_terminal_the_plan_is_shown_and_the_answer_counts() {
    require_servers!();
    let scene = scene();
    let before = scene.everything();
    let line = scene.flussctl.line("po delete p old");
    for (more, answer, code) in [("", "n\r", 1), ("-q", "n\r", 1), ("", "\r", 1), ("", "\u{3}", 130)] {
        let terminal = line.line(more).terminal();
        terminal.until_shown("Delete these 2 snapshots?");
        let shown = terminal.text();
        assert!(shown.contains("p: valid, 1 table") && shown.contains("old: expired, 1 table"), "{shown}");
        assert!(shown.contains("60 s are waited for its readers"), "{shown}");
        terminal.type_keys(answer);
        assert_eq!(terminal.wait().1, code, "{answer:?}");
        assert_eq!(scene.everything(), before, "{answer:?}");
    }
    let terminal = line.terminal();
    terminal.until_shown("Delete these 2 snapshots?");
    terminal.type_keys("y\r");
    assert_eq!(terminal.wait().1, 0);
    assert_eq!(scene.zk.children(&scene.path("producers")), ["junk"]);
    // There is nothing to ask about.
    let terminal = scene.flussctl.line("po delete p").terminal();
    let (shown, code) = terminal.wait();
    assert!(code == 0 && shown.contains("not found") && !shown.contains("Delete"), "{shown}");
}

#[test]
fn where_no_file_is_found_the_first_question_is_whose_store_it_is() {
    require_servers!();
    let scene = scene();
    let before = scene.everything();
    let other = crate::support::temp_dir();
    let wrong = scene.flussctl.env("FLUSSCTL_REMOTE_DATA_DIR", other.path());
    // The paths in the znodes are whole: only where the files themselves are gone is it in doubt.
    for path in scene.named("p").into_iter().chain(scene.named("old")) {
        fs::remove_file(path).unwrap();
    }
    let lost = scene.everything();
    assert_ne!(lost, before);
    assert_output!(scene.run("po delete p --yes"), @"
    $ flussctl po delete p --yes
    --- stderr
    error: not one file of any snapshot is in file:[TMP]: is this the coordinator's store?
    hint: check --remote-data-dir; if it is right and the files are lost, say --store-checked
    --- exit code 1
    ");
    wrong.line("po delete p --yes").run().expect(1);
    assert_eq!(scene.everything(), lost);
    let output = scene.run("po delete p --yes --store-checked -o json").expect(0);
    assert_eq!(results(&output), [pair("p", "deleted")]);
    assert_eq!(output.json()["results"][0]["backup_complete"], false);
    // What has expired is nobody's any more.
    scene.run("po delete old --yes").expect(0);
}

#[test]
fn one_lost_file_among_others_is_no_doubt_about_the_store() {
    require_servers!();
    let scene = scene();
    scene.snapshot("q", FAR, &[(0, &[1, 2])]);
    fs::remove_file(&scene.named("p")[0]).unwrap();
    assert_output!(scene.run("po delete p --yes"), @"
    $ flussctl po delete p --yes
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    p  deleted  backup: [TMP]/state/flussctl/backups/[CLUSTER]/p.[ZXID].json; the backup is incomplete
    --- stderr
    p: broken, 1 table
    what is valid is set expired first, and 60 s are waited for its readers
    a job that still needs its snapshot will not undo what it has not committed
    warning: the backup [TMP]/state/flussctl/backups/[CLUSTER]/p.[ZXID].json is incomplete: file:[TMP]/producers/p/0/[UUID].offsets of table 0 is missing
    --- exit code 0
    ");
}

#[test]
fn where_the_backup_cannot_be_written_nothing_is_deleted() {
    require_servers!();
    let scene = scene();
    let file = scene.flussctl.home().join("file");
    File::create(&file).unwrap();
    let before = scene.everything();
    let output = scene.flussctl.line("po delete p junk old --yes --backup").args([file.join("below")]).run();
    assert_output!(output, @"
    $ flussctl po delete p junk old --yes --backup [TMP]/file/below
    --- stderr
    junk: undecodable
    old: expired, 1 table
    p: valid, 1 table
    what is valid is set expired first, and 60 s are waited for its readers
    a job that still needs its snapshot will not undo what it has not committed
    error: cannot write the backup into [TMP]/file/below
      because Not a directory (os error 20)
    hint: nothing was changed: is the folder writable, and is there room?
    --- exit code 1
    ");
    assert_eq!(scene.everything(), before);
    scene.flussctl.args(["po", "delete", "p", "--yes", "--backup", ""]).run().expect(2);
    scene.flussctl.line("po delete p --yes --no-backup --backup x").run().expect(2);
    assert_eq!(scene.everything(), before);
}

#[test]
fn one_that_may_not_be_read_is_left_whole() {
    require_servers!();
    let scene = scene();
    scene.snapshot("closed", FAR, &[(0, &[1, 2])]);
    let nobody = Acl::new(Permission::ADMIN, AuthId::anyone());
    scene.zk.set_acl(&scene.znode("closed"), std::slice::from_ref(&nobody));
    let before = scene.everything();
    assert_output!(scene.run("po delete closed --yes"), @"
    $ flussctl po delete closed --yes
    --- stdout
    PRODUCER ID  OUTCOME  DETAIL
    closed  failed  the znode of closed cannot be read: not authorized
    --- stderr
    error: the znode of closed cannot be read: not authorized
    hint: the znode's ACL asks for a user: see --zookeeper-auth, --zookeeper-user and FLUSSCTL_ZOOKEEPER_PASSWORD
    --- exit code 8
    ");
    assert_eq!(scene.everything(), before);
}

#[test]
fn a_missing_root_is_no_absent_snapshot() {
    require_servers!();
    let scene = scene();
    let output = scene.run("po delete p --yes --zookeeper-root /nowhere").expect(3);
    assert!(output.stderr.contains("the root znode /nowhere"), "{output}");
}

#[test]
fn ids_of_dashes_are_ordinary() {
    require_servers!();
    let scene = scene();
    for id in ["-rf", "--json", "--", "_p"] {
        scene.snapshot(id, PAST, &[(0, &[1, 2])]);
        let output = scene.flussctl.args(["po", "delete", "--yes", "-o", "name", "--", id]).run().expect(0);
        assert_eq!(output.stdout, format!("{id}\n"));
        assert!(!scene.zk.exists(&scene.znode(id)) && scene.files(id).is_empty());
    }
}

#[test]
fn each_decision_is_a_line_in_the_audit_log() {
    require_servers!();
    let scene = scene();
    let log = scene.flussctl.home().join("audit.log");
    let line = |words: &str| scene.flussctl.line(words).args(["--audit-log"]).args([&log]);
    line("po delete p --dry-run").run().expect(0);
    assert!(!log.exists(), "a dry run decides nothing");
    line("po delete p nobody --yes").run().expect(0);
    line("po delete old --yes").run().expect(0);
    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let actions: Vec<_> = lines
        .iter()
        .map(|line| format!("{} {}", line["producer_id"].as_str().unwrap(), line["action"].as_str().unwrap()))
        .collect();
    assert_eq!(
        actions,
        ["p set_expired", "p delete_znode", "p delete_file", "old delete_znode", "old delete_file"]
    );
    assert!(lines.iter().all(|line| line["outcome"] == "done"), "{text}");
}
