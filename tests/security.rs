//! How ZooKeeper is logged in to, by TLS, SASL and digests, and that nobody is told a password.

use std::fs;
use std::path::PathBuf;

use zookeeper_client::{Acl, AuthId, Permission};

use crate::support::PATIENCE;
use crate::support::flussctl::{Flussctl, Output};
use crate::support::redact::assert_output;
use crate::support::require_servers;
use crate::support::scene::Scene;
use crate::support::zk::Zk;
use crate::support::zookeeper::{ClientAuth, ZooKeeper};

/// Write a file in the program's home.
fn write(flussctl: &Flussctl, name: &str, text: &str) -> PathBuf {
    let path = flussctl.home().join(name);
    fs::write(&path, text).expect("write a file");
    path
}

/// The passwords of these tests, which no output may hold.
const SECRETS: [&str; 3] = ["s3cret-right", "s3cret-wrong", "s3cret-key"];

/// Demand that an output holds no password.
#[track_caller]
fn assert_no_secret(output: &Output) {
    for secret in SECRETS {
        let told = output.stdout.contains(secret) || output.stderr.contains(secret);
        assert!(!told, "a password is told: {output}");
    }
}

fn sasl() -> ZooKeeper {
    ZooKeeper::options().sasl("bob", SECRETS[0]).enforce_sasl().start()
}

fn as_bob(zookeeper: &ZooKeeper) -> Zk {
    let options = zookeeper_client::SaslOptions::digest_md5("bob", SECRETS[0]);
    Zk::connect_with(&zookeeper.connect(), |connector| connector.with_sasl(options))
}

#[test]
fn sasl_logs_in_by_flags_variables_and_jaas_and_a_wrong_login_is_said() {
    require_servers!();
    let zookeeper = sasl();
    as_bob(&zookeeper).create("/fluss/producers/p", b"{}");
    let new = Flussctl::new().env("FLUSSCTL_ZOOKEEPER", zookeeper.connect());
    let list = new.line("po list -o name -vv --request-timeout 5s");
    let password = write(&new, "password", &format!("{}\n", SECRETS[0]));
    let jaas = |password: &str| {
        let module = "org.apache.zookeeper.server.auth.DigestLoginModule";
        format!("Client {{ {module} required username=\"bob\" password=\"{password}\"; }};\n")
    };
    let properties = |jaas: &PathBuf| format!("java.security.auth.login.config={}\n", jaas.display());
    let right = write(&new, "jaas.conf", &jaas(SECRETS[0]));
    let client = write(&new, "client.properties", &properties(&right));
    let user = list.line("--zookeeper-auth sasl --zookeeper-user bob");
    for line in [
        user.env("FLUSSCTL_ZOOKEEPER_PASSWORD", SECRETS[0]),
        user.args(["--zookeeper-password-file"]).args([&password]),
        list.env("FLUSSCTL_ZOOKEEPER_AUTH", "sasl")
            .env("FLUSSCTL_ZOOKEEPER_USER", "bob")
            .env("FLUSSCTL_ZOOKEEPER_PASSWORD_FILE", &password),
        list.args(["-D", &format!("zookeeper.client.config-path={}", client.display())]),
    ] {
        let output = line.run();
        assert_eq!((output.stdout.as_str(), output.code), ("p\n", 0), "{output}");
        assert_no_secret(&output);
    }
    let wrong = write(&new, "wrong.conf", &jaas(SECRETS[1]));
    let client = write(&new, "wrong.properties", &properties(&wrong));
    for line in [
        user.env("FLUSSCTL_ZOOKEEPER_PASSWORD", SECRETS[1]),
        list.args(["-D", &format!("zookeeper.client.config-path={}", client.display())]),
        // None where one is needed.
        list.clone(),
    ] {
        let output = line.run();
        assert!([7, 8].contains(&output.code), "{output}");
        assert!(output.stderr.contains("--zookeeper-auth") && output.stderr.contains("password"), "{output}");
        assert_no_secret(&output);
    }
    let plain = |line: &Flussctl| line.env("FLUSSCTL_VERBOSE", "0");
    let quiet = plain(&new.line("po list --request-timeout 5s"));
    assert_output!(quiet.line("--zookeeper-auth sasl --zookeeper-user bob").env("FLUSSCTL_ZOOKEEPER_PASSWORD", SECRETS[1]).run(), @"
    $ flussctl po list --request-timeout 5s --zookeeper-auth sasl --zookeeper-user bob
    --- stderr
    error: cannot connect to ZooKeeper at 127.0.0.1:[PORT]
      because authentication failed
    hint: ZooKeeper wants a login, or refused this one: check --zookeeper-auth, --zookeeper-user and the password
    --- exit code 8
    ");
    assert_output!(quiet.run(), @"
    $ flussctl po list --request-timeout 5s
    --- stderr
    error: cannot connect to ZooKeeper at 127.0.0.1:[PORT]
      because authentication failed
    hint: ZooKeeper wants a login, or refused this one: check --zookeeper-auth, --zookeeper-user and the password
    --- exit code 8
    ");
    assert_output!(quiet.line("--zookeeper-user bob").run(), @"
    $ flussctl po list --request-timeout 5s --zookeeper-user bob
    --- stderr
    error: a ZooKeeper user or password is given, and not what it is for
    hint: give --zookeeper-auth sasl or --zookeeper-auth digest
    --- exit code 2
    ");
}

#[test]
fn a_server_without_sasl_does_not_take_a_login_for_granted() {
    require_servers!();
    let scene = Scene::new();
    let line = scene.flussctl.line("po list --zookeeper-auth sasl --zookeeper-user bob");
    assert_output!(line.env("FLUSSCTL_ZOOKEEPER_PASSWORD", SECRETS[0]).run(), @"
    $ flussctl po list --zookeeper-auth sasl --zookeeper-user bob
    --- stderr
    error: ZooKeeper at 127.0.0.1:[PORT] did not authenticate bob: it has no SASL
    hint: leave SASL out, or have it turned on in the server
    --- exit code 8
    ");
}

#[test]
fn znodes_have_the_acl_of_the_clusters_other_znodes() {
    require_servers!();
    let scene = Scene::new();
    scene.table(0, "db.orders", 1);
    let zookeeper = ZooKeeper::shared();
    let user = |name: &str| {
        let auth = format!("{name}:{}", SECRETS[0]);
        Zk::connect_with(&zookeeper.connect(), |connector| connector.with_auth("digest", auth.as_bytes()))
    };
    let fluss = user("fluss");
    let all = [Acl::new(Permission::ALL, AuthId::authed())];
    fluss.create_with_acl(&scene.path("producers"), b"", &all);
    let wanted = fluss.acl(&scene.path("producers"));
    assert_eq!(wanted[0].scheme(), "digest");

    let register = scene.flussctl.line("po register p --offset 0:0=1 -vv");
    let digest = register.line("--zookeeper-auth digest --zookeeper-user fluss");
    let output = digest.env("FLUSSCTL_ZOOKEEPER_PASSWORD", SECRETS[0]).run().expect(0);
    assert_no_secret(&output);
    assert_eq!(fluss.acl(&scene.znode("p")), wanted);

    // Nobody, and somebody with a wrong password, are told that it is the login.
    let before = fluss.get(&scene.znode("p"));
    let anonymous = scene.flussctl.line("po register q --offset 0:0=1").run();
    assert_output!(anonymous, @"
    $ flussctl po register q --offset 0:0=1
    --- stderr
    error: cannot read the ACL of the cluster's znodes
      because ZooKeeper refused: not authorized
    hint: the znode's ACL asks for a user: see --zookeeper-auth, --zookeeper-user and FLUSSCTL_ZOOKEEPER_PASSWORD
    --- exit code 8
    ");
    let wrong = digest.line("--if-not-exists").env("FLUSSCTL_ZOOKEEPER_PASSWORD", SECRETS[1]).run().expect(8);
    assert_no_secret(&wrong);
    assert_output!(scene.flussctl.line("po list").run(), @"
    $ flussctl po list
    --- stderr
    error: cannot list the snapshots
      because ZooKeeper refused: not authorized
    hint: the znode's ACL asks for a user: see --zookeeper-auth, --zookeeper-user and FLUSSCTL_ZOOKEEPER_PASSWORD
    --- exit code 8
    ");
    assert_output!(scene.flussctl.line("po get p").run(), @"
    $ flussctl po get p
    --- stdout
    producer id: p
    state:  unreadable
    fault:  not authorized
    --- stderr
    error: the znode of p cannot be read: not authorized
    hint: the znode's ACL asks for a user: see --zookeeper-auth, --zookeeper-user and FLUSSCTL_ZOOKEEPER_PASSWORD
    --- exit code 8
    ");
    assert_eq!(fluss.get(&scene.znode("p")), before);
    assert_eq!(fluss.children(&scene.path("producers")), ["p"]);
}

#[test]
fn tls_is_reached_with_the_right_files_by_flags_and_client_properties() {
    require_servers!();
    let zookeeper = ZooKeeper::options().tls(ClientAuth::Need).start();
    zookeeper.client().create("/fluss/producers/p", b"{}");
    let files = zookeeper.certificates();
    let new = Flussctl::new();
    let list = new
        .line("po list -o name --request-timeout 5s")
        .env("FLUSSCTL_ZOOKEEPER", zookeeper.secure_connect());
    let properties = format!(
        "zookeeper.client.secure=true\nzookeeper.clientCnxnSocket=org.apache.zookeeper.ClientCnxnSocketNetty\n\
         zookeeper.ssl.trustStore.location={}\nzookeeper.ssl.keyStore.location={}\n",
        files.ca().display(),
        files.client().display()
    );
    let client = write(&new, "client.properties", &properties);
    let trusting = list.args(["--zookeeper-tls-ca"]).args([files.ca()]);
    for line in [
        trusting
            .args(["--zookeeper-tls-cert"])
            .args([files.client_certificate()])
            .args(["--zookeeper-tls-key"])
            .args([files.client_key()]),
        trusting.args(["--zookeeper-tls-cert"]).args([files.client()]),
        list.env("FLUSSCTL_ZOOKEEPER_TLS_CA", files.ca()).env("FLUSSCTL_ZOOKEEPER_TLS_CERT", files.client()),
        list.args(["-D", &format!("zookeeper.client.config-path={}", client.display())]),
    ] {
        assert_eq!(line.run().expect(0).stdout, "p\n");
    }
    // Without a certificate, with a stranger's CA, and each way round with the wrong port.
    let failing = [
        (trusting.run(), "TLS"),
        (
            list.args(["--zookeeper-tls-ca"])
                .args([files.stranger_ca()])
                .args(["--zookeeper-tls-cert"])
                .args([files.client()])
                .run(),
            "TLS",
        ),
        (list.run(), "--zookeeper-tls-ca"),
        (
            trusting
                .args(["--zookeeper-tls-cert"])
                .args([files.client()])
                .args(["--zookeeper", &zookeeper.connect()])
                .run(),
            "TLS is on: is this its TLS port?",
        ),
    ];
    for (output, hint) in failing {
        assert!(output.code == 7 && output.stderr.contains(hint), "{hint}: {output}");
    }
    assert_output!(list.line("--zookeeper-tls").run(), @"
    $ flussctl po list -o name --request-timeout 5s --zookeeper-tls
    --- stderr
    error: TLS to ZooKeeper needs the certificates to trust
    hint: give --zookeeper-tls-ca FILE, a PEM file
    --- exit code 2
    ");
    assert_output!(list.line("--zookeeper-tls-ca /nowhere/ca.pem").run(), @"
    $ flussctl po list -o name --request-timeout 5s --zookeeper-tls-ca /nowhere/ca.pem
    --- stderr
    error: cannot read the certificates to trust /nowhere/ca.pem
      because No such file or directory (os error 2)
    --- exit code 2
    ");
}

#[test]
fn no_secret_is_told_whatever_fails() {
    require_servers!();
    let scene = Scene::new();
    let new = &scene.flussctl;
    let [password, wrong, key] = SECRETS;
    let yaml = write(
        new,
        "server.yaml",
        &format!(
            "s3.access-key: {key}\ns3.secret-key: {key}\nfs.oss.accessKeySecret: {key}\nclient.security.sasl.password: {key}\nzookeeper.path.root: {}\n",
            scene.root
        ),
    );
    let base = new
        .env("FLUSSCTL_ZOOKEEPER_PASSWORD", password)
        .args([
            "-vv",
            "--request-timeout",
            "2s",
            "--zookeeper-auth",
            "digest",
            "--zookeeper-user",
            "bob",
            "--server-config",
        ])
        .args([&yaml]);
    let urls = format!("s3://user:{wrong}@bucket/x");
    for line in [
        base.line("po list"),
        base.line("po list -o json"),
        base.line("po list --zookeeper 127.0.0.1:1"),
        base.line("po list --files --remote-data-dir").args([&urls]),
        base.line("po get p --remote-data-dir").args([&urls]),
        base.line("po cleanup --dry-run -o json --remote-data-dir").args([&urls]),
        base.line("po list --zookeeper").args([format!("user:{wrong}@h:2181")]),
        base.args(["po", "list", "-D", &format!("s3.secret-key={wrong}")]),
        base.args(["po", "list", "-D", &format!("={wrong}")]),
        base.args(["po", "list", "-D", wrong]),
        base.args(["po", "list", "--zookeeper-root", "/nowhere"]),
        base.env("FLUSSCTL_DEFINE", format!("fs.azure.account.key={wrong}\n{key}")).line("po list"),
    ] {
        let output = line.run();
        let shown = Output { shown: String::new(), ..output };
        assert_no_secret(&shown);
    }
}

#[test]
fn no_secret_is_on_the_programs_own_command_line() {
    require_servers!();
    let scene = Scene::new();
    scene.table(0, "db.orders", 1);
    let line =
        scene.flussctl.line("po register p --offset 0:0=1 --zookeeper-auth digest --zookeeper-user bob");
    let paused =
        line.env("FLUSSCTL_ZOOKEEPER_PASSWORD", SECRETS[0]).spawn_paused_at("register.files-written");
    let command = fs::read(format!("/proc/{}/cmdline", paused.running.pid())).expect("read the command line");
    assert!(!String::from_utf8_lossy(&command).contains(SECRETS[0]));
    paused.go().wait(PATIENCE).expect(0);
    // There is no flag that takes it.
    line.args(["--zookeeper-password", SECRETS[0]]).run().expect(2);
}
