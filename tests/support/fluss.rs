//! A Fluss cluster: a coordinator and a tablet server on a ZooKeeper, one for all tests and more with options of their own.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;

use super::peer::Peer;
use super::process::Server;
use super::servers::{ClassPath, java};
use super::zookeeper::ZooKeeper;
use super::{PATIENCE, ports, temp_dir, until};

/// Name the spellings of a local `remote.data.dir`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `file:///x`: the server's cleanup compares it right.
    Uri,
    /// `file:/x`.
    ShortUri,
    /// `/x`, as the shipped default: the server's cleanup deletes live files.
    Plain,
}

impl Spelling {
    fn of(self, dir: &Path) -> String {
        let dir = dir.display();
        match self {
            Self::Uri => format!("file://{dir}"),
            Self::ShortUri => format!("file:{dir}"),
            Self::Plain => dir.to_string(),
        }
    }
}

/// The password of the super user `admin` on a cluster with users.
pub const ADMIN_PASSWORD: &str = "admin-pass";
/// The password of `bob`, who has no rights, on a cluster with users.
pub const BOB_PASSWORD: &str = "bob-pass";

/// How a cluster is set up: chained, then [`Options::start`].
#[derive(Clone, Debug)]
pub struct Options {
    zookeeper: String,
    root: String,
    spelling: Spelling,
    folder: String,
    cleanup_interval: String,
    users: bool,
    properties: Vec<(String, String)>,
}

impl Options {
    /// Set how `remote.data.dir` is spelled; [`Spelling::Uri`] if not set.
    #[must_use]
    pub fn spelling(mut self, spelling: Spelling) -> Self {
        self.spelling = spelling;
        self
    }

    /// Set the name of the remote data dir's folder: with spaces and the like.
    #[must_use]
    pub fn folder(mut self, name: &str) -> Self {
        name.clone_into(&mut self.folder);
        self
    }

    /// Set how often the server cleans up producers; an hour if not set.
    #[must_use]
    pub fn cleanup_interval(mut self, interval: &str) -> Self {
        interval.clone_into(&mut self.cleanup_interval);
        self
    }

    /// Demand SASL PLAIN of clients and ask the authorizer: users `admin` (may everything) and `bob` (may nothing).
    #[must_use]
    pub fn users(mut self) -> Self {
        self.users = true;
        self
    }

    /// Set a property of both servers.
    #[must_use]
    pub fn property(mut self, key: &str, value: &str) -> Self {
        self.properties.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Start both servers and wait until they serve.
    pub fn start(self) -> Fluss {
        let dir = temp_dir();
        let remote_dir = dir.path().join(&self.folder);
        // The server makes it with its first file; where flussctl is first, it is the operator's to make.
        fs::create_dir(&remote_dir).expect("make the remote data dir");
        let coordinator_port = ports::free();
        self.write_configuration(dir.path(), &remote_dir, &self.listeners(coordinator_port));
        let tablet_listeners = self.listeners(ports::free());
        let coordinator = run_coordinator(dir.path());
        let tablet_server = run_tablet_server(dir.path(), &tablet_listeners);
        let mut fluss = Fluss {
            coordinator,
            tablet_server,
            coordinator_port,
            tablet_listeners,
            remote_data_dir: self.spelling.of(&remote_dir),
            remote_dir,
            zookeeper: self.zookeeper,
            root: self.root,
            dir,
        };
        fluss.ready();
        fluss
    }

    /// Write the listener of clients on a port, and beside it the servers' own where clients have to log in.
    fn listeners(&self, port: u16) -> String {
        if self.users {
            format!("INTERNAL://127.0.0.1:{}, CLIENT://127.0.0.1:{port}", ports::free())
        } else {
            format!("FLUSS://127.0.0.1:{port}")
        }
    }

    fn write_configuration(&self, dir: &Path, remote_dir: &Path, listeners: &str) {
        let mut lines = vec![
            format!("zookeeper.address: {}", self.zookeeper),
            format!("zookeeper.path.root: {}", self.root),
            "default.bucket.number: 3".to_owned(),
            "default.replication.factor: 1".to_owned(),
            format!("data.dir: {}", dir.join("data").display()),
            format!("remote.data.dir: {}", self.spelling.of(remote_dir)),
            format!("bind.listeners: {listeners}"),
            "tablet-server.id: 0".to_owned(),
            format!("coordinator.producer-offsets.cleanup-interval: {}", self.cleanup_interval),
        ];
        if self.users {
            let module = "org.apache.fluss.security.auth.sasl.plain.PlainLoginModule";
            lines.extend([
                "security.protocol.map: CLIENT:SASL, INTERNAL:PLAINTEXT".to_owned(),
                "internal.listener.name: INTERNAL".to_owned(),
                "security.sasl.enabled.mechanisms: PLAIN".to_owned(),
                format!(
                    "security.sasl.plain.jaas.config: {module} required user_admin=\"{ADMIN_PASSWORD}\" user_bob=\"{BOB_PASSWORD}\";"
                ),
                "authorizer.enabled: true".to_owned(),
                "super.users: User:admin".to_owned(),
            ]);
        }
        lines.extend(self.properties.iter().map(|(key, value)| format!("{key}: {value}")));
        fs::write(dir.join("server.yaml"), lines.join("\n") + "\n").expect("write server.yaml");
    }
}

fn run_coordinator(dir: &Path) -> Server {
    let mut command = fluss_java();
    command.args(["org.apache.fluss.server.coordinator.CoordinatorServer", "--configDir"]).arg(dir);
    Server::start("coordinator", dir, command)
}

fn run_tablet_server(dir: &Path, listeners: &str) -> Server {
    let mut command = fluss_java();
    command.args(["org.apache.fluss.server.tablet.TabletServer", "--configDir"]).arg(dir);
    command.arg(format!("-Dbind.listeners={listeners}"));
    Server::start("tablet-server", dir, command)
}

fn fluss_java() -> std::process::Command {
    let mut command = java(ClassPath::Fluss);
    command.args(["--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx1g"]);
    command
}

/// A running Fluss cluster.
#[derive(Debug)]
pub struct Fluss {
    coordinator: Server,
    tablet_server: Server,
    coordinator_port: u16,
    tablet_listeners: String,
    remote_dir: PathBuf,
    remote_data_dir: String,
    zookeeper: String,
    root: String,
    // Last, so that the servers are gone before their folder.
    dir: TempDir,
}

impl Fluss {
    /// Give the cluster that all tests share, on the shared ZooKeeper; its own cleanup runs hourly, so never.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Fluss> = OnceLock::new();
        SHARED.get_or_init(|| Self::options(ZooKeeper::shared()).start())
    }

    /// Begin the options of a cluster of one's own, under a root of its own.
    pub fn options(zookeeper: &ZooKeeper) -> Options {
        Self::options_at(&zookeeper.connect(), &zookeeper.unused_root())
    }

    /// Begin the options of a cluster on any connect string: of an ensemble, with a chroot, through a proxy.
    pub fn options_at(zookeeper: &str, root: &str) -> Options {
        Options {
            zookeeper: zookeeper.to_owned(),
            root: root.to_owned(),
            spelling: Spelling::Uri,
            folder: "remote".to_owned(),
            cleanup_interval: "1h".to_owned(),
            users: false,
            properties: Vec::new(),
        }
    }

    /// Give ZooKeeper's connect string.
    pub fn zookeeper(&self) -> &str {
        &self.zookeeper
    }

    /// Give the root in ZooKeeper.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Give the path of a producer's znode.
    pub fn znode(&self, producer_id: &str) -> String {
        format!("{}/producers/{producer_id}", self.root)
    }

    /// Give `remote.data.dir` as it is configured.
    pub fn remote_data_dir(&self) -> &str {
        &self.remote_data_dir
    }

    /// Give the folder that `remote.data.dir` means.
    pub fn remote_dir(&self) -> &Path {
        &self.remote_dir
    }

    /// List the offsets files of a producer, sorted.
    pub fn offsets_files(&self, producer_id: &str) -> Vec<PathBuf> {
        let tables = entries(&self.remote_dir.join("producers").join(producer_id));
        let mut files: Vec<_> = tables.iter().flat_map(|table| entries(table)).collect();
        files.sort();
        files
    }

    /// Wait until the server's own cleanup has made a whole pass over what is there now.
    ///
    /// A pass takes expired snapshots first and orphans after them. The pass that takes the first orphan may be one that was
    /// under way already; the second is made when that one has listed the folders, so that a later pass takes it.
    pub fn until_server_cleaned_up(&self) {
        for producer in ["swept-first", "swept-second"] {
            let folder = self.remote_dir.join("producers").join(producer).join("5");
            let orphan = folder.join("00000000-0000-0000-0000-000000000000.offsets");
            fs::create_dir_all(&folder).expect("make an orphan's folder");
            fs::write(&orphan, "{}").expect("write an orphan");
            until("the server has deleted an orphan", PATIENCE, || !orphan.exists());
        }
    }

    /// Give the address where clients find the coordinator.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.coordinator_port)
    }

    /// Give the coordinator's own `server.yaml`.
    pub fn server_config(&self) -> PathBuf {
        self.dir.path().join("server.yaml")
    }

    /// Start a Java client of its own for this cluster.
    pub fn peer(&self) -> Peer {
        self.peer_with(&[])
    }

    /// Start a Java client that logs in.
    pub fn peer_as(&self, user: &str, password: &str) -> Peer {
        self.peer_with(&[
            "client.security.protocol=SASL",
            "client.security.sasl.mechanism=PLAIN",
            &format!("client.security.sasl.username={user}"),
            &format!("client.security.sasl.password={password}"),
        ])
    }

    fn peer_with(&self, options: &[&str]) -> Peer {
        let peer = Peer::start();
        peer.connect(&self.address(), options);
        peer
    }

    /// Give the Java client that all tests share, of the shared cluster.
    pub fn shared_peer() -> &'static Peer {
        static SHARED: OnceLock<Peer> = OnceLock::new();
        SHARED.get_or_init(|| Self::shared().peer())
    }

    /// Give the coordinator's process, to freeze, thaw, stop or kill it.
    pub fn coordinator(&mut self) -> &mut Server {
        &mut self.coordinator
    }

    /// Start the coordinator again, after it was stopped or killed.
    pub fn restart_coordinator(&mut self) {
        self.coordinator.kill();
        self.coordinator = run_coordinator(self.dir.path());
        self.ready();
    }

    /// Give the tablet server's process, to freeze, thaw, stop or kill it.
    pub fn tablet_server(&mut self) -> &mut Server {
        &mut self.tablet_server
    }

    /// Start the tablet server again, after it was stopped or killed.
    pub fn restart_tablet_server(&mut self) {
        self.tablet_server.kill();
        self.tablet_server = run_tablet_server(self.dir.path(), &self.tablet_listeners);
        self.ready();
    }

    fn ready(&mut self) {
        let tablet_port = self.tablet_listeners.rsplit(':').next().and_then(|port| port.parse().ok());
        let tablet_port: u16 = tablet_port.expect("a listener ends in its port");
        let coordinator_port = self.coordinator_port;
        self.coordinator.ready(|| accepts(coordinator_port));
        self.tablet_server.ready(|| accepts(tablet_port));
    }
}

fn accepts(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}
