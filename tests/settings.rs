//! Where each value comes from, how ZooKeeper is reached, and what is said where it is not.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Duration;

use crate::support::PATIENCE;
use crate::support::flussctl::{Flussctl, Output};
use crate::support::ports;
use crate::support::redact::assert_output;
use crate::support::require_servers;
use crate::support::scene::{FAR, Scene};
use crate::support::zookeeper::ZooKeeper;

/// The line that `-v` says of a key.
#[track_caller]
fn told(output: &Output, key: &str) -> String {
    let found = output.stderr.lines().find(|line| line.starts_with(&format!("{key} = ")));
    found.unwrap_or_else(|| panic!("nothing is said of {key}\n{output}")).to_owned()
}

fn write(flussctl: &Flussctl, name: &str, text: &str) -> PathBuf {
    let path = flussctl.home().join(name);
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("make a folder");
    fs::write(&path, text).expect("write a file");
    path
}

#[test]
fn a_flag_lies_over_a_variable_over_a_definition_over_the_file_over_the_default() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    let (root, connect) = (zookeeper.root(), zookeeper.connect());
    let base = Flussctl::new().env("FLUSSCTL_ZOOKEEPER", &connect).line("po list -v");
    let yaml = write(
        &base,
        "server.yaml",
        "zookeeper.path.root: /from-file\nremote.data.dir: /from-file # not this\n",
    );
    let file = base.args(["--server-config"]).args([&yaml]);
    let defined = file.line("-D zookeeper.path.root=/from-definition");
    let variable = defined.env("FLUSSCTL_ZOOKEEPER_ROOT", "/from-variable");
    let flag = variable.args(["--zookeeper-root", &root]);

    let root_of = |line: &Flussctl| told(&line.run(), "zookeeper.path.root");
    assert_eq!(root_of(&base), "zookeeper.path.root = /fluss (default)");
    assert_eq!(
        root_of(&file),
        format!("zookeeper.path.root = /from-file (server.yaml line 1 ({}))", yaml.display())
    );
    assert_eq!(root_of(&defined), "zookeeper.path.root = /from-definition (-D)");
    assert_eq!(root_of(&variable), "zookeeper.path.root = /from-variable (FLUSSCTL_ZOOKEEPER_ROOT)");
    assert_eq!(root_of(&flag), format!("zookeeper.path.root = {root} (--zookeeper-root)"));
    let output = flag.run().expect(0);
    assert!(
        told(&output, "remote.data.dir").starts_with("remote.data.dir = /from-file (server.yaml line 2 "),
        "{output}"
    );
    assert_eq!(told(&output, "--request-timeout"), "--request-timeout = 30s (default)");
    let limits = flag.env("FLUSSCTL_REQUEST_TIMEOUT", "9s").line("--concurrency 3").run().expect(0);
    assert_eq!(told(&limits, "--request-timeout"), "--request-timeout = 9s (FLUSSCTL_REQUEST_TIMEOUT)");
    assert_eq!(told(&limits, "--concurrency"), "--concurrency = 3 (--concurrency)");
}

#[test]
fn a_cluster_is_named_by_its_own_file_or_one_of_ours_and_else_by_fluss() {
    require_servers!();
    let scene = Scene::new();
    scene.snapshot("p", FAR, &[]);
    let zookeeper = ZooKeeper::shared();
    let text = format!(
        "# as the server reads it\nzookeeper.address: {}\nzookeeper.path.root: {}/\nremote.data.dir: file://{}\nnot a line\n",
        zookeeper.connect(),
        scene.root,
        scene.remote().display()
    );
    let new = Flussctl::new();
    let yaml = write(&new, "conf/server.yaml", &text);
    write(&new, "config/flussctl/prod.yaml", &format!("{text}flussctl.read-only: true\n"));
    let list = new.line("po list -o name");
    for line in [
        list.args(["--server-config"]).args([&yaml]),
        list.env("FLUSSCTL_SERVER_CONFIG", &yaml),
        list.env("FLUSS_CONF_DIR", yaml.parent().unwrap()),
        list.line("--cluster prod"),
        list.env("FLUSSCTL_CLUSTER", "prod"),
        // A flag names the cluster whatever the variable says.
        list.env("FLUSSCTL_CLUSTER", "none").args(["--server-config"]).args([&yaml]),
        list.env("FLUSS_CONF_DIR", "/nowhere").line("--cluster prod"),
        list.env(
            "FLUSSCTL_DEFINE",
            format!("zookeeper.address={}\nzookeeper.path.root={}", zookeeper.connect(), scene.root),
        ),
    ] {
        assert_eq!(line.run().expect(0).stdout, "p\n");
    }
    assert_output!(list.run(), @"
    $ flussctl po list -o name
    --- stderr
    error: no ZooKeeper address is given
    hint: give --zookeeper HOST:PORT, --server-config FILE (the cluster's server.yaml) or --cluster NAME
    --- exit code 2
    ");
    assert_output!(list.line("--cluster none").run(), @"
    $ flussctl po list -o name --cluster none
    --- stderr
    error: cannot read server config [TMP]/config/flussctl/none.yaml
      because No such file or directory (os error 2)
    --- exit code 2
    ");
    assert_output!(list.line("--cluster ../prod").run(), @r#"
    $ flussctl po list -o name --cluster ../prod
    --- stderr
    error: --cluster is refused
      because "../prod" is not a cluster's name
    hint: a name has letters, digits, - _ and . and begins with no dot; a path goes to --server-config
    --- exit code 2
    "#);
    assert_output!(list.env("FLUSSCTL_CLUSTER", "prod").env("FLUSSCTL_SERVER_CONFIG", &yaml).run(), @"
    $ flussctl po list -o name
    --- stderr
    error: FLUSSCTL_SERVER_CONFIG and FLUSSCTL_CLUSTER name a file each
    hint: name one of them
    --- exit code 2
    ");
    assert_output!(list.env("FLUSS_CONF_DIR", "/nowhere").run(), @"
    $ flussctl po list -o name
    --- stderr
    warning: FLUSS_CONF_DIR has no server.yaml: /nowhere/server.yaml is not there
    error: no ZooKeeper address is given
    hint: give --zookeeper HOST:PORT, --server-config FILE (the cluster's server.yaml) or --cluster NAME
    --- exit code 2
    ");
    assert_output!(list.env("FLUSSCTL_ZOOKEEPER", "").run(), @"
    $ flussctl po list -o name
    --- stderr
    error: FLUSSCTL_ZOOKEEPER is empty
    hint: give it a value, or leave it out
    --- exit code 2
    ");
    assert_output!(list.line("-D zookeeper.address").run(), @"
    $ flussctl po list -o name -D zookeeper.address
    --- stderr
    error: -D takes key=value, such as zookeeper.address=h:2181
    --- exit code 2
    ");
}

#[test]
fn a_guarded_cluster_refuses_changes_whatever_the_variable_says() {
    require_servers!();
    let scene = Scene::new();
    scene.snapshot("p", FAR, &[]);
    let before = scene.everything();
    write(&scene.flussctl, "config/flussctl/prod.yaml", "flussctl.read-only: true\n");
    let guarded = scene.flussctl.line("--cluster prod").env("FLUSSCTL_READ_ONLY", "false");
    for line in [
        "po delete p --yes",
        "po register q --missing-as-zero --offset 0:0=1",
        "po cleanup --yes",
        "po restore config --yes",
    ] {
        let output = guarded.line(line).run();
        assert!(output.code == 8 && output.stderr.contains("flussctl.read-only"), "{output}");
    }
    guarded.line("po delete p --dry-run").run().expect(0);
    assert_eq!(scene.everything(), before);
    write(&scene.flussctl, "config/flussctl/typo.yaml", "flussctl.readonly: true\n");
    assert_output!(scene.flussctl.line("po list --cluster typo").run(), @r#"
    $ flussctl po list --cluster typo
    --- stderr
    error: typo.yaml line 1 ([TMP]/config/flussctl/typo.yaml): there is no key "flussctl.readonly"
    hint: the keys are flussctl.read-only and flussctl.dir-is-only-ours
    --- exit code 2
    "#);
}

#[test]
fn a_chroot_is_a_part_of_the_address() {
    require_servers!();
    let scene = Scene::new();
    scene.zk.create(&format!("{}/fluss/producers/p", scene.root), b"{}");
    let address = format!("{}{}", ZooKeeper::shared().connect(), scene.root);
    let list = Flussctl::new().line("po list -o name --zookeeper");
    assert_eq!(list.args([&address]).run().expect(0).stdout, "p\n");
    assert_output!(list.args([format!("{}/no/chroot", ZooKeeper::shared().connect())]).run(), @"
    $ flussctl po list -o name --zookeeper 127.0.0.1:[PORT]/no/chroot
    --- stderr
    error: there is no Fluss cluster: the root znode /fluss at 127.0.0.1:[PORT] is missing
    hint: check --zookeeper-root (zookeeper.path.root) and the chroot in --zookeeper
    --- exit code 3
    ");
}

#[test]
fn a_host_that_nobody_knows_is_passed_over_and_odd_addresses_are_refused() {
    require_servers!();
    let scene = Scene::new();
    scene.snapshot("p", FAR, &[]);
    let connect = ZooKeeper::shared().connect();
    let list = scene.flussctl.line("po list -o name --zookeeper");
    let output = list.args([format!("bad.invalid:2181,{connect}")]).run().expect(0);
    assert_eq!(output.stdout, "p\n");
    assert!(
        output.stderr.starts_with("warning: the ZooKeeper host bad.invalid:2181 is passed over"),
        "{output}"
    );
    list.args(["bad.invalid:2181"]).run().expect(7);
    list.args(["bad.invalid:2181,worse.invalid:2181"]).run().expect(7);
    for odd in [
        "::1",
        "h:2181:2182",
        "h:0",
        "h:x",
        "h:70000",
        ":2181",
        "h:2181,",
        ",",
        "h:2181/a//b",
        "h:2181/..",
        "[::1:2181",
        "http://h:2181",
        "h 1:2181",
        "",
    ] {
        let output = list.args([odd]).run().expect(2);
        assert!(output.stderr.contains("--zookeeper"), "{output}");
    }
    assert_output!(list.args(["::1"]).run(), @r#"
    $ flussctl po list -o name --zookeeper ::1
    --- stderr
    error: --zookeeper is refused: "::1" is not a ZooKeeper connect string: "::1" is an IPv6 address without brackets: write [::1]:2181
    hint: write host:port, several with commas between, and a chroot once at the end: h1:2181,h2:2181/fluss
    --- exit code 2
    "#);
    assert_output!(list.args(["h:2181:2182"]).run(), @r#"
    $ flussctl po list -o name --zookeeper h:2181:2182
    --- stderr
    error: --zookeeper is refused: "h:2181:2182" is not a ZooKeeper connect string: "h:2181:2182" has two ports: write host:port
    hint: write host:port, several with commas between, and a chroot once at the end: h1:2181,h2:2181/fluss
    --- exit code 2
    "#);
}

#[test]
fn ipv6_is_reached_in_brackets() {
    require_servers!();
    // Some hosts have none.
    if TcpListener::bind("[::1]:0").is_err() {
        return;
    }
    let zookeeper = ZooKeeper::options().setting("clientPortAddress=::").start();
    let address = zookeeper.connect().replace("127.0.0.1", "[::1]");
    let scene = Scene::at(&zookeeper);
    scene.snapshot("p", FAR, &[]);
    assert_eq!(
        scene.flussctl.line("po list -o name --zookeeper").args([&address]).run().expect(0).stdout,
        "p\n"
    );
}

#[test]
fn a_closed_port_and_a_silent_one_end_in_time_with_their_address() {
    let list = Flussctl::new().line("po list --request-timeout 5s --zookeeper");
    let closed = format!("127.0.0.1:{}", ports::free());
    assert_output!(list.args([&closed]).run(), @"
    $ flussctl po list --request-timeout 5s --zookeeper 127.0.0.1:[PORT]
    --- stderr
    error: cannot connect to ZooKeeper at 127.0.0.1:[PORT]
      because fails in connecting to tcp://127.0.0.1:[PORT] due to Connection refused
    hint: is it running, and is 127.0.0.1:[PORT] right? If it is its TLS port, give --zookeeper-tls-ca.
    --- exit code 7
    ");
    let listener = TcpListener::bind("127.0.0.1:0").expect("listen");
    let silent = listener.local_addr().expect("an address").to_string();
    // Far beyond what was asked for, and far below the default.
    let output = list.args([&silent]).spawn().wait(Duration::from_secs(20)).expect(7);
    assert_output!(output, @"
    $ flussctl po list --request-timeout 5s --zookeeper 127.0.0.1:[PORT]
    --- stderr
    error: cannot connect to ZooKeeper at 127.0.0.1:[PORT]
      because fails to establish session to tcp://127.0.0.1:[PORT] due to no response from connection in 1600ms
    hint: something listens there but does not answer as ZooKeeper does. If it is its TLS port, give --zookeeper-tls-ca.
    --- exit code 7
    ");
    let output = list.args([&silent]).line("--timeout 1s").spawn().wait(Duration::from_secs(20)).expect(11);
    assert!(output.stderr.ends_with("error: --timeout was over before the command was done\n"), "{output}");
}

#[test]
fn a_server_that_stops_in_the_middle_is_given_up_in_time() {
    require_servers!();
    let zookeeper = ZooKeeper::options().tick_ms(500).start();
    let scene = Scene::at(&zookeeper);
    scene.snapshot("p", FAR, &[]);
    zookeeper.freeze();
    let output = scene.flussctl.line("po list --request-timeout 5s").spawn().wait(PATIENCE);
    zookeeper.thaw();
    output.expect(7);
}
