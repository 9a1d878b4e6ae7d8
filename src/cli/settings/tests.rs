use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use proptest::prelude::*;

use super::super::options::Definition;
use super::*;
use crate::config::zookeeper::Auth;
use crate::error::Kind;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    options: GlobalOptions,
}

/// A home with files, and an environment.
struct Place {
    dir: tempfile::TempDir,
    env: BTreeMap<&'static str, OsString>,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join(".config/flussctl")).unwrap();
        let env = BTreeMap::from([("HOME", dir.path().into())]);
        Self { dir, env }
    }

    fn with(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.env.insert(name, value.into());
        self
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        path
    }

    fn resolve(&self, arguments: &[&str]) -> Result<Settings> {
        let options = Cli::parse_from(["flussctl"].iter().chain(arguments)).options;
        Settings::resolve(&options, &|name| self.env.get(name).cloned())
    }

    /// Give address and origin.
    fn address(&self, arguments: &[&str]) -> (String, String) {
        let rows = self.resolve(arguments).unwrap().explain();
        let row = rows.into_iter().find(|row| row.key == "zookeeper.address");
        row.map_or_else(Default::default, |row| (row.value, row.origin.to_string()))
    }

    fn refused(&self, arguments: &[&str]) -> Error {
        let error = self.resolve(arguments).unwrap_err();
        assert_eq!(error.kind(), Kind::Usage, "{error}");
        error
    }
}

fn pair(value: &str, origin: &str) -> (String, String) {
    (value.to_owned(), origin.to_owned())
}

#[test]
fn a_flag_lies_over_the_environment_and_so_on_down() {
    let mut place = Place::new();
    let conf = place.write("server.yaml", "# the cluster\nzookeeper.address: conf\n");
    let path = place.write("s.yaml", "zookeeper.address: file\n");
    let own = place.write(".config/flussctl/prod.yaml", "zookeeper.address: own\n");
    let file = path.to_str().unwrap();
    place = place.with("FLUSS_CONF_DIR", conf.parent().unwrap());
    assert_eq!(place.address(&[]), pair("conf:2181", &format!("server.yaml line 2 ({})", conf.display())));
    let define = ["-D", "zookeeper.address=def"];
    assert_eq!(place.address(&["--server-config", file]).0, "file:2181");
    assert_eq!(
        place.address(&["--cluster", "prod"]),
        pair("own:2181", &format!("prod.yaml line 1 ({})", own.display()))
    );
    assert_eq!(place.address(&["--server-config", file, define[0], define[1]]), pair("def:2181", "-D"));
    place = place.with("FLUSSCTL_ZOOKEEPER", "env");
    assert_eq!(place.address(&define), pair("env:2181", "FLUSSCTL_ZOOKEEPER"));
    assert_eq!(
        place.address(&["--zookeeper", "flag", define[0], define[1]]),
        pair("flag:2181", "--zookeeper")
    );
    let warnings = place.resolve(&["--server-config", file]).unwrap().warnings;
    assert!(warnings[0].starts_with("FLUSSCTL_ZOOKEEPER lies over zookeeper.address"), "{warnings:?}");
}

#[test]
fn fluss_conf_dir_is_taken_only_when_nothing_else_names_a_cluster() {
    let place = Place::new();
    place.write("server.yaml", "zookeeper.address: conf\nremote.data.dir: /conf\n");
    let other = place.write("other.yaml", "zookeeper.address: h\n");
    let conf = place.dir.path().to_owned();
    let place = place.with("FLUSS_CONF_DIR", conf);
    let dir = |place: &Place, arguments: &[&str]| {
        let settings = place.resolve(arguments).unwrap();
        settings.remote_data_dir().map(|dir| dir.value.clone()).ok()
    };
    assert_eq!(dir(&place, &[]), Some("/conf".into()));
    assert_eq!(dir(&place, &["-D", "s3.region=x"]), Some("/conf".into()));
    assert_eq!(dir(&place, &["--remote-data-dir", "/flag"]), Some("/flag".into()));
    for arguments in
        [["--zookeeper", "h"], ["-D", "zookeeper.address=h"], ["--server-config", other.to_str().unwrap()]]
    {
        assert_eq!(dir(&place, &arguments), None, "{arguments:?}");
    }
    assert_eq!(dir(&place.with("FLUSSCTL_ZOOKEEPER", "h"), &[]), None);

    let nowhere = Place::new().with("FLUSS_CONF_DIR", "/nowhere");
    let settings = nowhere.resolve(&[]).unwrap();
    assert!(settings.warnings[0].contains("/nowhere/server.yaml"));
    assert!(
        Place::new().with("FLUSS_CONF_DIR", "").refused(&[]).to_string().contains("FLUSS_CONF_DIR is empty")
    );
}

#[test]
fn a_missing_value_is_refused_only_when_asked_for() {
    let settings = Place::new().resolve(&[]).unwrap();
    assert!(settings.zookeeper().unwrap_err().to_string().contains("no ZooKeeper address"));
    assert!(settings.remote_data_dir().unwrap_err().to_string().contains("no remote data dir"));
    assert_eq!(settings.producer_offsets_ttl().unwrap().value, Duration::from_hours(24));
    let settings = Place::new().resolve(&["-D", "remote.data.dirs=/a,/b", "--zookeeper", "::1"]).unwrap();
    assert!(settings.remote_data_dir().unwrap_err().hints()[1].contains("remote.data.dir alone"));
    assert!(settings.zookeeper().unwrap_err().to_string().contains("--zookeeper is refused: \"::1\""));
    let settings = Place::new().resolve(&["-D", "coordinator.producer-offsets.ttl=24"]).unwrap();
    let error = settings.producer_offsets_ttl().unwrap_err().to_string();
    assert!(
        error.contains("coordinator.producer-offsets.ttl is refused") && error.contains("no unit"),
        "{error}"
    );
}

#[test]
fn an_empty_string_is_refused_by_name() {
    for flag in [
        "--zookeeper",
        "--zookeeper-root",
        "--remote-data-dir",
        "--server-config",
        "--cluster",
        "--define",
        "--output",
        "--color",
        "--quiet",
        "--verbose",
        "--request-timeout",
        "--timeout",
        "--concurrency",
        "--max-ops-per-second",
        "--read-only",
    ] {
        let name = super::super::options::variable(flag);
        let error = Place::new().with(name.clone().leak(), "").refused(&[]).to_string();
        assert_eq!(error, format!("{name} is empty"));
    }
    for name in [
        "FLUSSCTL_ZOOKEEPER_TLS",
        "FLUSSCTL_ZOOKEEPER_TLS_CA",
        "FLUSSCTL_ZOOKEEPER_TLS_CERT",
        "FLUSSCTL_ZOOKEEPER_TLS_KEY",
        "FLUSSCTL_ZOOKEEPER_AUTH",
        "FLUSSCTL_ZOOKEEPER_USER",
        "FLUSSCTL_ZOOKEEPER_PASSWORD",
        "FLUSSCTL_ZOOKEEPER_PASSWORD_FILE",
    ] {
        let settings = Place::new().with(name, "").resolve(&["--zookeeper", "h"]).unwrap();
        let error = settings.zookeeper().unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("is empty"), "{error}");
    }
    assert_eq!(Place::new().refused(&["--zookeeper", ""]).to_string(), "--zookeeper is empty");
    assert!(Place::new().refused(&["-D", "a="]).to_string().contains("\"a\" an empty value"));
}

#[test]
fn limits_are_bounded_and_durations_have_units() {
    let settings = Place::new()
        .with("FLUSSCTL_REQUEST_TIMEOUT", "5s")
        .with("FLUSSCTL_CONCURRENCY", "4")
        .resolve(&["--timeout", "1h30m", "--concurrency", "1024"])
        .unwrap();
    assert_eq!(settings.request_timeout.value, Duration::from_secs(5));
    assert_eq!(settings.timeout.unwrap().value, Duration::from_mins(90));
    assert_eq!(settings.concurrency, Sourced::new(1024, Origin::Flag("--concurrency")));
    assert_eq!(settings.max_ops_per_second, None);
    for (arguments, want) in [
        (["--timeout", "30"], "--timeout is refused: \"30\" is not a duration: it has no unit, write 30s"),
        (["--timeout", "366d"], "--timeout is refused: it must be at most 365d"),
        (["--timeout", "0s"], "--timeout is refused: it must be longer than nothing"),
        (["--request-timeout", "1M"], "--request-timeout is refused: \"1M\""),
        (["--concurrency", "0"], "--concurrency is refused: \"0\" is not a number from 1 to 1024"),
        (["--concurrency", "1025"], "from 1 to 1024"),
        (["--max-ops-per-second", "0"], "from 1 to"),
        (["--max-ops-per-second", "1e3"], "from 1 to"),
    ] {
        let error = Place::new().refused(&arguments).to_string();
        assert!(error.contains(want), "{error}");
    }
}

#[test]
fn appearance_needs_no_file() {
    let place = Place::new()
        .with("FLUSSCTL_OUTPUT", "json")
        .with("FLUSSCTL_VERBOSE", "2")
        .with("FLUSSCTL_SERVER_CONFIG", "/nowhere");
    let env = |name: &str| place.env.get(name).cloned();
    let found = Appearance::resolve(&GlobalOptions::default(), &env).unwrap();
    assert_eq!(found.output, Sourced::new(Format::Json, Origin::Environment("FLUSSCTL_OUTPUT".into())));
    assert_eq!((found.verbosity.value, found.color.value, found.quiet.value), (2, ColorChoice::Auto, false));
    assert!(place.refused(&[]).to_string().contains("/nowhere"));
    for (name, value, want) in [
        ("FLUSSCTL_OUTPUT", "xml", "FLUSSCTL_OUTPUT is refused: \"xml\" is none of table, wide, json"),
        ("FLUSSCTL_VERBOSE", "3", "FLUSSCTL_VERBOSE is refused: \"3\" is not a number from 0 to 2"),
        ("FLUSSCTL_QUIET", "maybe", "neither true nor false"),
    ] {
        let error = Place::new().with(name, value).refused(&[]).to_string();
        assert!(error.contains(want), "{error}");
    }
}

#[test]
fn the_guard_of_a_file_is_not_lifted_from_outside() {
    let place = Place::new();
    place.write(
        ".config/flussctl/prod.yaml",
        "zookeeper.address: h\nflussctl.read-only: true\nflussctl.dir-is-only-ours: true\n",
    );
    let place = place.with("FLUSSCTL_READ_ONLY", "false");
    let settings = place.resolve(&["--cluster", "prod"]).unwrap();
    assert!(settings.read_only.value && settings.dir_is_only_ours.value);
    assert!(settings.read_only.origin.to_string().starts_with("prod.yaml line 2"));
    assert!(!place.resolve(&[]).unwrap().read_only.value);
    assert!(place.resolve(&["--read-only"]).unwrap().read_only.value);
    place.write(".config/flussctl/prod.yaml", "flussctl.read-only:true\n");
    assert!(place.refused(&["--cluster", "prod"]).to_string().contains("line 1"));
}

#[test]
fn one_file_names_the_cluster() {
    let place = Place::new().with("FLUSSCTL_SERVER_CONFIG", "/a").with("FLUSSCTL_CLUSTER", "b");
    assert!(place.refused(&[]).to_string().contains("FLUSSCTL_SERVER_CONFIG and FLUSSCTL_CLUSTER"));
    assert!(place.refused(&["--server-config", "/a", "--cluster", "b"]).to_string().contains("a file each"));
    let error = place.refused(&["--cluster", "b"]).to_string();
    assert!(error.contains(".config/flussctl/b.yaml"), "{error}");
    assert!(place.refused(&["--cluster", "../b"]).to_string().contains("--cluster is refused: \"../b\""));
}

#[test]
fn references_are_resolved_only_where_the_cluster_allows_it() {
    let place = Place::new().with("ZK", "h9:1");
    let text = "config.providers: env\nzookeeper.address: ${env:ZK}\nremote.data.dir: ${env:NO}\n";
    let path = place.write("s.yaml", text);
    let arguments = ["--server-config", path.to_str().unwrap()];
    assert_eq!(place.address(&arguments).0, "h9:1");
    let error = place.resolve(&arguments).unwrap().remote_data_dir().unwrap_err().to_string();
    assert!(error.contains("remote.data.dir is \"${env:NO}\"") && error.contains("not set"), "{error}");
}

#[test]
fn a_password_comes_from_file_or_environment_and_never_shows() {
    let place = Place::new();
    let file = place.write("pw", "hunter2 \n");
    let arguments = [
        "--zookeeper",
        "h",
        "--zookeeper-auth",
        "sasl",
        "--zookeeper-user",
        "bob",
        "-D",
        "s3.secret-key=hunter3",
    ];
    let with_file = [&arguments[..], &["--zookeeper-password-file", file.to_str().unwrap()]].concat();
    let password = |settings: &Settings| match &settings.zookeeper().unwrap().auth {
        Auth::Sasl { password, .. } => password.expose().to_owned(),
        other => panic!("{other:?}"),
    };
    let settings = place.resolve(&with_file).unwrap();
    assert_eq!((password(&settings).as_str(), settings.warnings.len()), ("hunter2 ", 0));
    let place = place.with("FLUSSCTL_ZOOKEEPER_PASSWORD", "hunter4");
    let settings = place.resolve(&arguments).unwrap();
    assert_eq!(password(&settings), "hunter4");
    // The flag lies over the variable.
    assert_eq!(password(&place.resolve(&with_file).unwrap()), "hunter2 ");
    let url = place.resolve(&["--remote-data-dir", "s3://id:hunter5@b/x"]).unwrap();
    assert_eq!(url.remote_data_dir().unwrap().value, "s3://id:hunter5@b/x");
    let shown = format!("{settings:?} {:?} {url:?}", settings.explain());
    assert!(shown.contains("s3.secret-key") && !shown.contains("hunter"), "{shown}");

    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(place.resolve(&with_file).unwrap().warnings[0].contains("chmod 600"));
    let place = place.with("FLUSSCTL_ZOOKEEPER_PASSWORD_FILE", &file);
    let error = place.resolve(&arguments).unwrap().zookeeper().unwrap_err().to_string();
    assert!(error.contains("give a password each"), "{error}");
    let bad = Place::new().with("FLUSSCTL_ZOOKEEPER_PASSWORD", OsString::from_vec(b"hunter\xff".to_vec()));
    let error = bad.resolve(&arguments).unwrap().zookeeper().unwrap_err();
    assert!(error.to_string().contains("not UTF-8") && !format!("{error:?}").contains("hunter"), "{error:?}");
}

#[test]
fn a_definition_that_is_none_is_refused_without_showing_it() {
    for text in ["s3.secret-key:hunter2", "=hunter2", "hunter2", ""] {
        let error = Place::new().refused(&["-D", text]).to_string();
        assert!(error.contains("-D takes key=value") && !error.contains("hunter"), "{error}");
    }
    let place = Place::new().with("FLUSSCTL_DEFINE", "a.b=1\nzookeeper.address=env\n");
    assert_eq!(place.address(&[]), pair("env:2181", "FLUSSCTL_DEFINE"));
    assert_eq!(place.address(&["-D", "zookeeper.address=flag"]), pair("flag:2181", "-D"));
}

proptest! {
    #[test]
    fn no_value_panics(text in any::<String>(), definition in any::<String>(), bytes in any::<Vec<u8>>()) {
        let options = GlobalOptions {
            zookeeper: Some(text.clone()),
            cluster: Some(text),
            define: vec![Definition(definition)],
            ..GlobalOptions::default()
        };
        let env = |name: &str| (name != "HOME").then(|| OsString::from_vec(bytes.clone()));
        let _ = Settings::resolve(&options, &env);
        let _ = Settings::resolve(&GlobalOptions { cluster: None, ..options }, &|_| None).map(|s| s.explain());
    }
}
