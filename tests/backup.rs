//! `backup`, and what `delete` and `register --replace` save before they change anything.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use zookeeper_client::{Acl, AuthId, Permission};

use crate::support::PATIENCE;
use crate::support::flussctl::Output;
use crate::support::require_servers;
use crate::support::site::{Site, in_ms, set_mode, tomorrow, with, yesterday};

/// Back all up, or what the words say, into the folder `to`.
fn backup(site: &Site, words: &str) -> Output {
    site.flussctl.line("po backup -o json --to").args([to(site)]).line(words).run()
}

fn to(site: &Site) -> PathBuf {
    site.beside("backups")
}

/// Give the names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("list a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("list a folder").file_name().display().to_string()).collect();
    names.sort();
    names
}

/// Read the one backup in a folder.
#[track_caller]
fn only(folder: &Path) -> Value {
    let names = names(folder);
    assert_eq!(names.len(), 1, "{names:?}");
    read(&folder.join(&names[0]))
}

fn read(path: &Path) -> Value {
    let bytes = fs::read(path).expect("read a backup");
    serde_json::from_slice(&bytes).expect("a backup is JSON")
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("look at a file").permissions().mode() & 0o777
}

#[test]
fn a_backup_holds_the_exact_bytes_for_its_owners_eyes_alone() {
    require_servers!();
    let site = Site::new();
    site.table("t", 7, 1000);
    let (one, other) = (site.file("p", 7), site.file("p", 8));
    let content = " {\"version\":1, \"table_id\":7,\n\t\"bucket_offsets\":[9007199254740993,-1]} ";
    fs::write(site.place(&one), content).unwrap();
    let time = tomorrow();
    let spelled = [site.place(&one).display().to_string(), site.spelled(&other)];
    let znode = format!(
        "{{\"comment\": \"Zoë\",\n \"version\":1,\"expiration_time\":{time},\"tables\":[\
         {{\"table_id\":7,\"offsets_path\":\"{}\",\"more\":1.50}},{{\"offsets_path\":\"{}\",\"table_id\":8}}]}}",
        spelled[0], spelled[1]
    );
    let stat = site.zk.create(&site.znode("p"), &znode);

    let output = backup(&site, "").expect(0);
    let result = &output.json()["results"][0];
    assert_eq!((&result["outcome"], &result["backup_complete"]), (&json!("backed_up"), &json!(true)));
    let path = PathBuf::from(result["backup"].as_str().unwrap());
    assert_eq!(path, to(&site).join(format!("p.{}.json", stat.mzxid)));
    assert_eq!((mode(&path), mode(&to(&site))), (0o600, 0o700));
    assert_eq!(names(&to(&site)).len(), 1, "nothing else is left there");

    let backup = read(&path);
    assert_eq!(backup["znode"]["text"], znode);
    assert_eq!(backup["complete"], true);
    assert_eq!(backup["files"][0], json!({"offsets_path": spelled[0], "content": {"text": content}}));
    let plain = fs::read_to_string(site.place(&other)).unwrap();
    assert_eq!(backup["files"][1], json!({"offsets_path": spelled[1], "content": {"text": plain}}));
    assert_eq!(backup["cluster"]["root"], site.root);
    let table = &backup["snapshot"]["tables"][0];
    assert_eq!((&table["table"], &table["created_time"]), (&json!("db.t"), &json!(1000)));
    assert_eq!(table["buckets"][0]["offset"], 9_007_199_254_740_993_i64);
}

#[test]
fn a_backup_overwrites_nothing() {
    require_servers!();
    let site = Site::new();
    let file = site.snapshot("p", tomorrow(), &[7]).remove(0);
    backup(&site, "").expect(0);
    let name = names(&to(&site)).remove(0);
    let first = fs::read(to(&site).join(&name)).unwrap();
    backup(&site, "").expect(0);
    assert_eq!(names(&to(&site)), [name.as_str()], "one of the same state serves");
    assert_eq!(fs::read(to(&site).join(&name)).unwrap(), first);

    fs::write(site.place(&file), r#"{"version":1,"table_id":7,"bucket_offsets":[2]}"#).unwrap();
    let output = backup(&site, "").expect(0);
    let second = name.replace(".json", ".2.json");
    assert!(output.json()["results"][0]["backup"].as_str().unwrap().ends_with(&second));
    assert_eq!(names(&to(&site)).len(), 2);
    assert_eq!(fs::read(to(&site).join(&name)).unwrap(), first);

    let other = Site::new();
    let stat = other.zk.create(&other.znode("p"), r#"{"version":1,"expiration_time":1,"tables":[]}"#);
    fs::create_dir(to(&other)).unwrap();
    let taken = to(&other).join(format!("p.{}.json", stat.mzxid));
    fs::write(&taken, "a letter").unwrap();
    backup(&other, "").expect(0);
    assert_eq!(fs::read_to_string(&taken).unwrap(), "a letter");
    assert_eq!(names(&to(&other)).len(), 2);
}

#[test]
fn a_backup_follows_no_link() {
    require_servers!();
    let site = Site::new();
    let stat = site.zk.create(&site.znode("p"), r#"{"version":1,"expiration_time":1,"tables":[]}"#);
    let (target, link) = (site.beside("target"), to(&site).join(format!("p.{}.json", stat.mzxid)));
    fs::create_dir(to(&site)).unwrap();
    symlink(&target, &link).unwrap();
    backup(&site, "").expect(0);
    assert!(!target.exists() && link.is_symlink());

    // A link to a backup of this very state serves nobody either: it may be gone tomorrow.
    let saved = to(&site).join(names(&to(&site)).iter().find(|name| name.contains(".2.")).unwrap());
    fs::rename(&saved, &target).unwrap();
    backup(&site, "").expect(0);
    assert!(saved.is_file() && !saved.is_symlink());
}

#[test]
fn what_could_not_be_read_is_said_and_marks_it_incomplete() {
    require_servers!();
    let site = Site::new();
    let files = site.snapshot("broken", tomorrow(), &[5, 6, 7, 8]);
    fs::remove_file(site.place(&files[1])).unwrap();
    fs::write(site.place(&files[2]), [0xff, 0, b'{']).unwrap();
    fs::remove_file(site.place(&files[3])).unwrap();
    fs::create_dir(site.place(&files[3])).unwrap();
    site.snapshot("whole", tomorrow(), &[7]);
    let output = backup(&site, "").expect(5);
    assert_eq!(with(&output, "backed_up").len(), 2);
    let path = output.json()["results"][0]["backup"].as_str().unwrap().to_owned();
    let backup = read(Path::new(&path));
    assert_eq!(backup["complete"], false);
    assert_eq!(output.json()["results"][0]["backup_complete"], false);
    let file = |at: usize| &backup["files"][at];
    assert!(file(0)["content"]["text"].is_string() && file(0)["fault"].is_null());
    assert!(file(1)["content"].is_null());
    assert_eq!(file(1)["fault"], "missing");
    assert_eq!(file(2)["content"]["base64"], "/wB7");
    assert!(file(2)["fault"].as_str().unwrap().starts_with("damaged"));
    assert!(file(3)["content"].is_null() && file(3)["fault"].is_string());
    assert!(output.stderr.contains("incomplete"), "{output}");
}

#[test]
fn of_what_cannot_be_decoded_the_folders_files_are_saved() {
    require_servers!();
    let site = Site::new();
    let (one, other) = (site.file("odd", 7), site.file("odd", 8));
    site.write("odd/7/left-over.tmp", "x");
    site.file("other", 7);
    site.zk.create(&site.znode("odd"), [0xfe, b'{']);
    let output = backup(&site, "").expect(0);
    assert_eq!(output.json()["results"][0]["backup_complete"], true, "{output}");
    let backup = only(&to(&site));
    assert_eq!(backup["znode"]["base64"], "/ns=");
    assert_eq!(backup["snapshot"]["state"], "undecodable");
    let paths: Vec<&str> =
        backup["files"].as_array().unwrap().iter().map(|f| f["offsets_path"].as_str().unwrap()).collect();
    let mut expected = [site.spelled(&one), site.spelled(&other), site.spelled("odd/7/left-over.tmp")];
    expected.sort();
    assert_eq!(paths, expected);
    assert!(backup["files"].as_array().unwrap().iter().all(|file| file["content"]["text"].is_string()));
}

#[test]
fn what_may_not_be_read_is_reported_and_the_others_are_saved() {
    require_servers!();
    let site = Site::new();
    site.snapshot("p", tomorrow(), &[7]);
    let nobody = Acl::new(Permission::ADMIN, AuthId::anyone());
    site.zk.create_with_acl(&site.znode("secret"), "x", &[nobody]);
    let output = backup(&site, "").expect(5);
    assert_eq!(with(&output, "backed_up"), ["p".to_owned()].into());
    assert_eq!(with(&output, "failed"), ["secret".to_owned()].into());
    backup(&site, "secret").expect(8);
}

#[test]
fn patterns_choose_and_an_empty_one_means_nothing() {
    require_servers!();
    let site = Site::new();
    for id in ["a-1", "a-2", "b-1"] {
        site.snapshot(id, tomorrow(), &[]);
    }
    // An id that is not there is an error, a pattern that matches nothing is none.
    assert_eq!(with(&backup(&site, "a-* b-9").expect(5), "backed_up").len(), 2);
    backup(&site, "b-9").expect(3);
    backup(&site, "c-*").expect(0);
    site.flussctl.line("po backup --to").args([to(&site).to_str().unwrap(), ""]).run().expect(2);
    site.flussctl.line("po backup --to").args([""]).run().expect(2);
    let file = site.beside("file");
    fs::write(&file, "").unwrap();
    site.flussctl.line("po backup --to").args([file.join("below")]).run().expect(1);
    assert_eq!(names(&to(&site)).len(), 2);
    // A guard against changes is none against a look.
    backup(&site, "--read-only").expect(0);
    assert_eq!(names(&to(&site)).len(), 3);
}

#[test]
fn a_delete_saves_first_and_into_the_users_state_folder_by_default() {
    require_servers!();
    let site = Site::new();
    let file = site.snapshot("p", tomorrow(), &[7]).remove(0);
    let znode = site.zk.text(&site.znode("p"));
    let delete = site.flussctl.line("po delete p --yes --job-stopped -o json");
    let paused = delete.spawn_paused_at("hold.taken");
    let state = site.flussctl.state_dir().join("flussctl/backups");
    let folder = state.join(&names(&state)[0]);
    assert_eq!(only(&folder)["znode"]["text"], znode);
    assert!(site.has("p") && site.place(&file).exists());
    let output = paused.go().wait(PATIENCE).expect(0);
    assert!(!site.has("p") && !site.place(&file).exists());
    let saved = PathBuf::from(output.json()["results"][0]["backup"].as_str().unwrap());
    assert_eq!((saved.parent(), mode(&saved)), (Some(folder.as_path()), 0o600));
}

#[test]
fn a_delete_that_cannot_save_deletes_nothing() {
    require_servers!();
    let site = Site::new();
    site.snapshot("p", tomorrow(), &[7]);
    site.file("odd", 7);
    site.zk.create(&site.znode("odd"), "{");
    let before = (site.state(), site.zk.text(&site.znode("p")));
    let file = site.beside("file");
    fs::write(&file, "").unwrap();
    for id in ["p", "odd"] {
        let delete = site.flussctl.line("po delete --yes --job-stopped").args([id, "--backup"]);
        for folder in [file.clone(), file.join("below"), "/proc/none".into(), "".into()] {
            let output = delete.args([&folder]).run();
            assert!(matches!(output.code, 1 | 2 | 8), "{output}");
        }
    }
    // By default too: the state folder's place is taken.
    fs::write(site.flussctl.state_dir(), "").unwrap();
    site.flussctl.line("po delete p odd --yes --job-stopped").run().expect(1);
    if let Some(bound) = site.bound() {
        let folder = site.beside("locked");
        fs::create_dir(&folder).unwrap();
        set_mode(&folder, 0o555);
        bound.line("po delete p odd --yes --job-stopped --backup").args([&folder]).run().expect(8);
    }
    assert_eq!((site.state(), site.zk.text(&site.znode("p"))), before);
    site.flussctl.line("po delete p odd --yes --job-stopped --no-backup").run().expect(0);
    assert!(!site.has("p") && !site.has("odd"));
}

#[test]
fn an_undecodable_one_is_saved_with_its_files() {
    require_servers!();
    let site = Site::new();
    let file = site.file("odd", 7);
    site.zk.create(&site.znode("odd"), "{\"version\":9}");
    site.snapshot("expired", yesterday(), &[7]);
    let delete = site.flussctl.line("po delete odd expired --yes --job-stopped -o json --backup");
    delete.args([to(&site)]).run().expect(0);
    let saved = names(&to(&site)).into_iter().find(|name| name.starts_with("odd."));
    let backup = read(&to(&site).join(saved.expect("a backup of it")));
    assert_eq!(backup["znode"]["text"], "{\"version\":9}");
    assert_eq!(backup["files"][0]["offsets_path"], site.spelled(&file));
    assert!(!site.has("odd") && site.place(&file).exists(), "its files are orphans now");
}

#[test]
fn a_replace_saves_first_and_is_not_done_where_it_cannot() {
    require_servers!();
    let site = Site::new();
    site.table("t", 7, 1000);
    let file = site.snapshot("p", tomorrow(), &[7]).remove(0);
    let before = (site.state(), site.zk.text(&site.znode("p")));
    let replace = site.flussctl.line("po register p --offset 7:0=5 --replace --yes -o json");
    let taken = site.beside("file");
    fs::write(&taken, "").unwrap();
    replace.line("--backup").args([&taken.join("below")]).run().expect(1);
    assert_eq!((site.state(), site.zk.text(&site.znode("p"))), before);

    let output = replace.line("--backup").args([to(&site)]).run().expect(0);
    assert_eq!(output.json()["results"][0]["outcome"], "replaced", "{output}");
    let backup = only(&to(&site));
    assert_eq!(backup["znode"]["text"], before.1);
    assert_eq!(backup["files"][0]["offsets_path"], site.spelled(&file));
    assert_ne!(site.zk.text(&site.znode("p")), before.1);
}

#[test]
fn a_second_run_finishes_a_killed_delete_and_the_old_expiry_is_in_the_backup() {
    require_servers!();
    let site = Site::new();
    let time = in_ms(3_600_000);
    site.snapshot("p", time, &[7]);
    let delete = site.flussctl.reader_wait("1").line("po delete p --yes -o json --backup").args([to(&site)]);
    delete.spawn_paused_at("delete.set-expired").kill();
    assert_eq!(site.zk.json(&site.znode("p"))["expiration_time"], 0);
    assert_eq!(only(&to(&site))["snapshot"]["expiration_time"], time);
    delete.run().expect(0);
    assert!(!site.has("p"));
    let old = names(&to(&site)).into_iter().map(|name| read(&to(&site).join(name)));
    assert!(old.into_iter().any(|backup| backup["snapshot"]["expiration_time"] == time));
}

#[test]
fn what_only_a_clock_ahead_calls_expired_does_not_go_unsaved() {
    require_servers!();
    let site = Site::new();
    let file = site.snapshot("p", tomorrow(), &[7]).remove(0);
    let delete = site.flussctl.clock_ms(365 * 86_400_000).line("po delete p --yes --job-stopped --backup");
    let output = delete.args([to(&site)]).run();
    let saved = to(&site).exists() && only(&to(&site))["complete"] == true;
    assert!(saved || site.has("p") && site.place(&file).exists(), "{output}");
    assert!(output.code == 0 || site.has("p"), "{output}");
}
