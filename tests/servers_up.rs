//! The servers and tools that the other tests stand on, each shown to do what these rely on.

use std::time::{Duration, Instant, SystemTime};

use zookeeper_client::{
    Acl, Acls, AuthId, Connector, CreateMode, Error, Permission, SaslOptions, TlsOptions,
};

use crate::support::ensemble::Ensemble;
use crate::support::fluss::{ADMIN_PASSWORD, BOB_PASSWORD, Fluss, Spelling};
use crate::support::peer::Registered;
use crate::support::proxy::{Fault, Proxy, op};
use crate::support::zk::{Zk, wait};
use crate::support::zookeeper::{ClientAuth, ZooKeeper};
use crate::support::{PATIENCE, require_servers, until};

/// Give up at the first server that does not answer.
fn impatient(connector: Connector) -> Connector {
    connector.with_session_timeout(Duration::from_secs(20)).with_fail_eagerly()
}

#[test]
fn the_shared_zookeeper_gives_each_test_a_root_of_its_own() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    let (mine, other) = (zookeeper.root(), zookeeper.root());
    assert_ne!(mine, other);
    let zk = zookeeper.client();
    let path = format!("{mine}/producers/p");
    assert_eq!(zk.create(&path, b"one").version, 0);
    assert_eq!(zk.set(&path, b"two").version, 1);
    assert_eq!(zk.text(&path), "two");
    assert_eq!(zk.children(&mine), ["producers"]);
    assert_eq!(zk.children(&other), [""; 0]);
    zk.delete_all(&mine);
    assert!(!zk.exists(&mine));
}

#[test]
fn ephemerals_go_with_their_session_and_acls_hold() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    let (zk, root) = (zookeeper.client(), zookeeper.root());
    let (child, closed) = (format!("{root}/child"), format!("{root}/closed"));

    let other = zookeeper.client();
    other.create_ephemeral(&child);
    assert_eq!(other.ephemerals(&root), [child.as_str()]);
    assert!(zk.exists(&child));
    drop(other);
    zk.until_exists(&child, false);

    let nobody = Acl::new(Permission::ADMIN, AuthId::anyone());
    zk.create_with_acl(&closed, b"x", std::slice::from_ref(&nobody));
    assert_eq!(zk.acl(&closed), [nobody]);
    assert_eq!(wait(zk.client().get_data(&closed)), Err(Error::NoAuth));
}

#[test]
fn a_server_keeps_its_data_when_killed_and_answers_again_when_thawed() {
    require_servers!();
    let mut zookeeper = ZooKeeper::options().tick_ms(500).start();
    zookeeper.client().create("/kept", b"x");
    zookeeper.kill();
    zookeeper.restart();
    let zk = zookeeper.client();
    assert_eq!(zk.text("/kept"), "x");

    zookeeper.freeze();
    let started = Instant::now();
    let answer =
        wait(async { tokio::time::timeout(Duration::from_millis(300), zk.client().get_data("/kept")).await });
    assert!(answer.is_err(), "a frozen server answered after {:?}", started.elapsed());
    zookeeper.thaw();
    assert_eq!(zk.text("/kept"), "x");
}

#[test]
fn tls_wants_the_ca_and_where_demanded_a_certificate() {
    require_servers!();
    for (client_auth, without_certificate) in [(ClientAuth::None, true), (ClientAuth::Need, false)] {
        let zookeeper = ZooKeeper::options().tls(client_auth).start();
        let certificates = zookeeper.certificates();
        let read = |path| std::fs::read_to_string(path).expect("read a PEM file");
        let connect = |tls: TlsOptions| {
            let servers = format!("tcp+tls://{}", zookeeper.secure_connect());
            Zk::try_connect_with(&servers, |connector| impatient(connector).with_tls(tls))
        };
        let trusting = || TlsOptions::new().with_pem_ca(&read(certificates.ca())).expect("a CA");
        let (certificate, key) = (read(certificates.client_certificate()), read(certificates.client_key()));
        let with_certificate = trusting().with_pem_identity(&certificate, &key).expect("an identity");
        let stranger = TlsOptions::new().with_pem_ca(&read(certificates.stranger_ca())).expect("a CA");

        connect(with_certificate).expect("connect with a certificate").create("/over-tls", b"x");
        assert_eq!(connect(trusting()).is_ok(), without_certificate, "{client_auth:?}");
        assert!(connect(stranger).is_err(), "a stranger's CA is trusted");
        assert!(zookeeper.client().exists("/over-tls"));
    }
}

#[test]
fn sasl_knows_its_users_and_may_be_demanded() {
    require_servers!();
    let zookeeper = ZooKeeper::options().sasl("bob", "bobsecret").enforce_sasl().start();
    let connect = |password: Option<&'static str>| {
        Zk::try_connect_with(&zookeeper.connect(), |connector| match password {
            Some(password) => impatient(connector).with_sasl(SaslOptions::digest_md5("bob", password)),
            None => impatient(connector),
        })
    };
    let bob = connect(Some("bobsecret")).expect("log in");
    bob.create("/bobs", b"x");
    assert!(
        wait(bob.client().list_auth_users()).expect("list users").iter().any(|user| user.user() == "bob")
    );
    assert_eq!(connect(Some("wrong")).err(), Some(Error::AuthFailed));
    let turned_away = connect(None).and_then(|zk| wait(zk.client().get_data("/bobs")).map(drop));
    assert!(turned_away.is_err(), "who did not log in was let in");
}

#[test]
fn an_ensemble_outlives_its_leader() {
    require_servers!();
    let mut ensemble = Ensemble::start();
    let zk = Zk::connect(&ensemble.connect());
    zk.create("/kept", b"x");
    let killed = ensemble.kill_leader();
    ensemble.settle();
    assert_eq!(Zk::connect(&ensemble.connect()).text("/kept"), "x");
    ensemble.restart(killed);
    assert_eq!(ensemble.follower().client().text("/kept"), "x");
}

#[test]
fn the_proxy_loses_requests_replies_and_patience() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    let (direct, root) = (zookeeper.client(), zookeeper.root());
    let proxy = Proxy::zookeeper(&zookeeper.connect());
    let zk = Zk::connect(&proxy.connect());
    let create = |path: &str| {
        let options = CreateMode::Persistent.with_acls(Acls::anyone_all());
        wait(zk.client().create(path, b"", &options)).map(drop)
    };

    let (lost, arrived) = (format!("{root}/lost"), format!("{root}/arrived"));
    let path = lost.clone();
    proxy.arm(Fault::LoseRequest, move |request| request.contains(&path));
    assert!(create(&lost).is_err());
    assert!(!direct.exists(&lost), "a lost request arrived");

    let path = arrived.clone();
    proxy.arm(Fault::LoseReply, move |request| request.op == op::CREATE2 && request.contains(&path));
    assert!(create(&arrived).is_err());
    direct.until_exists(&arrived, true);
    assert_eq!(proxy.hits(), 2);
    assert!(zk.exists(&arrived), "the client reconnects through the proxy");

    proxy.arm_nth(Fault::Silence, 2);
    assert!(zk.exists(&arrived));
    let silent =
        wait(async { tokio::time::timeout(Duration::from_millis(300), zk.client().check_stat(&root)).await });
    assert!(silent.is_err(), "an answer came out of the silence");
    proxy.pass();
    assert!(zk.exists(&arrived));

    proxy.delay(Duration::from_millis(50), Duration::from_millis(50));
    let started = Instant::now();
    assert!(zk.exists(&arrived));
    assert!(started.elapsed() >= Duration::from_millis(100));

    proxy.delay(Duration::ZERO, Duration::ZERO);
    proxy.arm(Fault::LoseServer, |request| request.op == op::EXISTS);
    assert!(wait(zk.client().check_stat(&arrived)).is_err());
    assert!(Zk::try_connect_with(&proxy.connect(), impatient).is_err());
}

#[test]
fn the_java_client_registers_gets_and_deletes() {
    require_servers!();
    let (fluss, peer) = (Fluss::shared(), Fluss::shared_peer());
    peer.create_database("smoke").unwrap();
    let plain = peer.create_table("smoke.plain", 3, &[]).unwrap();
    let parted = peer.create_table("smoke.parted", 2, &["year", "region"]).unwrap();
    peer.create_partition("smoke.parted", "year=2026,region=eu").unwrap();
    let info = peer.table_info("smoke.parted").unwrap();
    assert_eq!((info.id, info.buckets), (parted, 2));
    let partition = info.partitions["2026$eu"];

    peer.append("smoke.plain", 100, None).unwrap();
    peer.append("smoke.parted", 10, Some("year=2026,region=eu")).unwrap();
    let rows = |ends: Vec<String>| -> i64 {
        ends.iter().map(|end| end.rsplit_once('=').unwrap().1.parse::<i64>().unwrap()).sum()
    };
    assert_eq!(rows(peer.log_ends("smoke.plain").unwrap()), 100);
    assert_eq!(rows(peer.log_ends("smoke.parted").unwrap()), 10);

    let offsets = [
        format!("{plain}:0=7"),
        format!("{plain}:2=9223372036854775807"),
        format!("{parted}/{partition}:1=0"),
    ];
    assert_eq!(peer.register("smoke", &offsets), Ok(Registered::Created));
    assert_eq!(peer.register("smoke", &offsets), Ok(Registered::AlreadyExists));
    assert_eq!(peer.get("smoke").unwrap().unwrap().offsets, offsets);
    let zk = Zk::connect(fluss.zookeeper());
    assert_eq!(zk.json(&fluss.znode("smoke"))["version"], 1);
    assert_eq!(fluss.offsets_files("smoke").len(), 2);

    peer.delete("smoke").unwrap();
    assert_eq!(peer.get("smoke"), Ok(None));
    assert!(!zk.exists(&fluss.znode("smoke")));
    assert!(fluss.offsets_files("smoke").is_empty());
    assert!(peer.register("no/such/id", &offsets).unwrap_err().starts_with("InvalidProducerIdException"));
    peer.drop_table("smoke.plain").unwrap();
}

#[test]
fn the_java_client_races_and_reads_in_the_background() {
    require_servers!();
    let peer = Fluss::shared_peer();
    let at = SystemTime::now() + Duration::from_millis(200);
    let pending = peer.register_at(at, "race", &["77:0=1"]);
    assert_eq!(pending.wait(), Ok(Registered::Created));
    assert!(SystemTime::now() >= at);
    peer.start_readers(4, 10, &["race"]);
    until("the readers read", PATIENCE, || peer.readings().reads > 20);
    let readings = peer.stop_readers();
    assert_eq!((readings.emptied, readings.errors), (0, 0));
    peer.delete("race").unwrap();
}

#[test]
fn a_cluster_with_users_knows_who_may_do_what() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    let fluss = Fluss::options(zookeeper).users().start();
    let admin = fluss.peer_as("admin", ADMIN_PASSWORD);
    admin.create_database("db").unwrap();
    let table = admin.create_table("db.t", 1, &[]).unwrap();
    let offsets = [format!("{table}:0=1")];
    assert_eq!(admin.register("p", &offsets), Ok(Registered::Created));
    let bob = fluss.peer_as("bob", BOB_PASSWORD);
    assert!(bob.delete("p").unwrap_err().starts_with("AuthorizationException"));
    assert_eq!(bob.get("p").unwrap().unwrap().offsets, [""; 0], "what bob may not read is left out");
}

#[test]
fn a_coordinator_is_frozen_killed_and_started_again() {
    require_servers!();
    let mut fluss = Fluss::options(ZooKeeper::shared()).start();
    let peer = fluss.peer();
    assert_eq!(peer.register("p", &["5:0=1"]), Ok(Registered::Created));
    fluss.coordinator().freeze();
    fluss.coordinator().thaw();
    fluss.coordinator().stop();
    fluss.restart_coordinator();
    assert_eq!(fluss.peer().get("p").unwrap().unwrap().offsets, ["5:0=1"]);
}

/// The claim that the README makes of the shipped default, and that it makes of no other spelling.
#[test]
fn without_a_scheme_the_servers_cleanup_deletes_a_live_snapshots_files() {
    require_servers!();
    let zookeeper = ZooKeeper::shared();
    let started = |spelling| Fluss::options(zookeeper).spelling(spelling).cleanup_interval("2s").start();
    let (plain, uri) = (started(Spelling::Plain), started(Spelling::Uri));
    let (plain_peer, uri_peer) = (plain.peer(), uri.peer());
    let offsets = ["5:0=1"];
    assert_eq!(uri_peer.register("live", &offsets), Ok(Registered::Created));
    assert_eq!(plain_peer.register("live", &offsets), Ok(Registered::Created));

    until("the server has deleted the live file", PATIENCE, || plain.offsets_files("live").is_empty());
    let zk = zookeeper.client();
    assert!(zk.exists(&plain.znode("live")), "the snapshot itself is alive");
    let answer = plain_peer.get("live").unwrap_err();
    assert!(answer.contains("Offsets file not found"), "{answer}");

    // Its own orphan shows that the other server's cleanup has been there meanwhile.
    let orphan = uri.remote_dir().join("producers/gone/5/00000000-0000-0000-0000-000000000000.offsets");
    std::fs::create_dir_all(orphan.parent().unwrap()).unwrap();
    std::fs::write(&orphan, "{}").unwrap();
    until("the server has deleted the orphan", PATIENCE, || !orphan.exists());
    assert_eq!(uri_peer.get("live").unwrap().unwrap().offsets, offsets);
}
