//! ZooKeeper servers: one for all tests, and more with options of their own.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use tempfile::TempDir;

use super::process::Server;
use super::servers::{ClassPath, java};
use super::tls::Certificates;
use super::zk::Zk;
use super::{PATIENCE, ports, temp_dir, unique, until_some};

/// Say whether a TLS client has to show a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientAuth {
    /// None is asked for.
    None,
    /// One is demanded.
    Need,
}

/// How a server is set up: chained, then [`Options::start`].
#[derive(Clone, Debug)]
pub struct Options {
    tick_ms: u32,
    tls: Option<ClientAuth>,
    users: Vec<(String, String)>,
    enforce_sasl: bool,
    settings: Vec<String>,
    member: Option<Member>,
}

/// A server's place in an ensemble.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// The server's number, from 1.
    pub id: usize,
    /// The lines `server.N=…` of all members.
    pub servers: Vec<String>,
}

impl Options {
    /// Set the tick; session timeouts are clamped to 2 to 20 ticks. 2 s if not set.
    #[must_use]
    pub fn tick_ms(mut self, tick_ms: u32) -> Self {
        self.tick_ms = tick_ms;
        self
    }

    /// Open a TLS port beside the plain one.
    #[must_use]
    pub fn tls(mut self, client_auth: ClientAuth) -> Self {
        self.tls = Some(client_auth);
        self
    }

    /// Know a user by SASL DIGEST-MD5.
    #[must_use]
    pub fn sasl(mut self, user: &str, password: &str) -> Self {
        self.users.push((user.to_owned(), password.to_owned()));
        self
    }

    /// Turn away whoever did not log in by SASL.
    #[must_use]
    pub fn enforce_sasl(mut self) -> Self {
        self.enforce_sasl = true;
        self
    }

    /// Add a line to `zoo.cfg`.
    #[must_use]
    pub fn setting(mut self, line: &str) -> Self {
        self.settings.push(line.to_owned());
        self
    }

    #[must_use]
    pub(super) fn member(mut self, member: Member) -> Self {
        self.member = Some(member);
        self
    }

    /// Start the server and wait until it answers.
    pub fn start(self) -> ZooKeeper {
        let mut zookeeper = self.launch();
        zookeeper.ready();
        zookeeper
    }

    /// Start the server without waiting: a member of an ensemble answers only when others are there.
    pub(super) fn launch(self) -> ZooKeeper {
        let dir = temp_dir();
        let (port, secure_port) = (ports::free(), ports::free());
        let certificates = self.tls.map(|_| Certificates::make(dir.path()));
        self.write_configuration(dir.path(), port, secure_port, certificates.as_ref());
        let server = run(dir.path());
        ZooKeeper { server, port, secure_port, certificates, dir }
    }

    fn write_configuration(
        &self,
        dir: &Path,
        port: u16,
        secure_port: u16,
        certificates: Option<&Certificates>,
    ) {
        let data = dir.join("data");
        fs::create_dir(&data).expect("make the data folder");
        let mut lines = vec![
            format!("tickTime={}", self.tick_ms),
            format!("dataDir={}", data.display()),
            format!("clientPort={port}"),
            "clientPortAddress=127.0.0.1".to_owned(),
            "maxClientCnxns=0".to_owned(),
            "admin.enableServer=false".to_owned(),
            "4lw.commands.whitelist=*".to_owned(),
        ];
        if let (Some(client_auth), Some(certificates)) = (self.tls, certificates) {
            let need = if client_auth == ClientAuth::Need { "need" } else { "none" };
            lines.extend([
                format!("secureClientPort={secure_port}"),
                "secureClientPortAddress=127.0.0.1".to_owned(),
                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory".to_owned(),
                format!("ssl.keyStore.location={}", certificates.server().display()),
                format!("ssl.trustStore.location={}", certificates.ca().display()),
                format!("ssl.clientAuth={need}"),
            ]);
        }
        if !self.users.is_empty() {
            lines.push(
                "authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider".to_owned(),
            );
        }
        if self.enforce_sasl {
            lines.extend(["enforce.auth.enabled=true".to_owned(), "enforce.auth.schemes=sasl".to_owned()]);
        }
        if let Some(member) = &self.member {
            lines.extend(["initLimit=20".to_owned(), "syncLimit=10".to_owned()]);
            lines.extend(member.servers.iter().cloned());
            fs::write(data.join("myid"), member.id.to_string()).expect("write myid");
        }
        lines.extend(self.settings.iter().cloned());
        fs::write(dir.join("zoo.cfg"), lines.join("\n") + "\n").expect("write zoo.cfg");

        // The file is there without users too: it costs nothing and keeps the command line the same.
        let users = self.users.iter().fold(String::new(), |mut users, (user, password)| {
            let _ = write!(users, " user_{user}=\"{password}\"");
            users
        });
        let module = "org.apache.zookeeper.server.auth.DigestLoginModule";
        let jaas = if users.is_empty() {
            String::new()
        } else {
            format!("Server {{ {module} required{users}; }};\n")
        };
        fs::write(dir.join("jaas.conf"), jaas).expect("write jaas.conf");
    }
}

fn run(dir: &Path) -> Server {
    let mut command = java(ClassPath::ZooKeeper);
    command.args(["-Xmx512m", "-Dzookeeper.forceSync=no", "-Dzookeeper.preAllocSize=1024"]);
    let jaas = dir.join("jaas.conf");
    if fs::metadata(&jaas).is_ok_and(|file| file.len() > 0) {
        command.arg(format!("-Djava.security.auth.login.config={}", jaas.display()));
    }
    command.arg("org.apache.zookeeper.server.quorum.QuorumPeerMain").arg(dir.join("zoo.cfg"));
    Server::start("zookeeper", dir, command)
}

/// A running ZooKeeper server.
#[derive(Debug)]
pub struct ZooKeeper {
    server: Server,
    port: u16,
    secure_port: u16,
    certificates: Option<Certificates>,
    // Last, so that the server is gone before its folder.
    dir: TempDir,
}

impl ZooKeeper {
    /// Give the server that all tests share; each works under a [`Self::root`] of its own, and none stops it.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<ZooKeeper> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Start a plain server of one's own.
    pub fn start() -> Self {
        Self::options().start()
    }

    /// Begin the options of a server of one's own.
    pub fn options() -> Options {
        Options {
            tick_ms: 2000,
            tls: None,
            users: Vec::new(),
            enforce_sasl: false,
            settings: Vec::new(),
            member: None,
        }
    }

    /// Give the connect string.
    pub fn connect(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Give the connect string of the TLS port.
    pub fn secure_connect(&self) -> String {
        format!("127.0.0.1:{}", self.secure_port)
    }

    /// Give the certificates of a server started with [`Options::tls`].
    pub fn certificates(&self) -> &Certificates {
        self.certificates.as_ref().expect("started with TLS")
    }

    /// Open a client of the tests' own.
    pub fn client(&self) -> Zk {
        Zk::connect(&self.connect())
    }

    /// Make a root that no other test has, and give its path.
    pub fn root(&self) -> String {
        let root = self.unused_root();
        self.client().create(&root, b"");
        root
    }

    /// Give the path of a root that is not there.
    #[expect(clippy::unused_self, reason = "a root belongs to a server, and reads so at its callers")]
    pub fn unused_root(&self) -> String {
        format!("/t-{}", unique())
    }

    /// Stop it where it is: connections stay open, and nothing answers.
    pub fn freeze(&self) {
        self.server.freeze();
    }

    /// Let it go on after [`Self::freeze`].
    pub fn thaw(&self) {
        self.server.thaw();
    }

    /// Kill it, as a crash does; the data stays for [`Self::restart`].
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Start it again on the same port and data.
    pub fn restart(&mut self) {
        self.relaunch();
        self.ready();
    }

    /// Start it again without waiting.
    pub(super) fn relaunch(&mut self) {
        self.server.kill();
        self.server = run(self.dir.path());
    }

    /// Wait until it answers.
    pub(super) fn ready(&mut self) {
        let port = self.port;
        // The ports open one after the other.
        let secure_port = self.certificates.as_ref().map(|_| self.secure_port);
        self.server.ready(|| {
            four_letters(port, "srvr").is_some_and(|answer| answer.contains("Mode:"))
                && secure_port.is_none_or(|port| TcpStream::connect(("127.0.0.1", port)).is_ok())
        });
    }

    /// Say what it is: `standalone`, `leader` or `follower`; nothing while it is out of an ensemble, or dead.
    pub fn mode(&self) -> Option<String> {
        let answer = four_letters(self.port, "srvr")?;
        answer.lines().find_map(|line| line.strip_prefix("Mode: ")).map(str::to_owned)
    }

    /// Send one of ZooKeeper's four-letter commands and give the answer.
    pub fn four_letters(&self, command: &str) -> String {
        until_some(&format!("ZooKeeper answers {command}"), PATIENCE, || four_letters(self.port, command))
    }

    /// Count the sessions that are alive on the server, those of the tests' own clients too.
    pub fn sessions(&self) -> usize {
        let dump = self.four_letters("dump");
        // The first number of a standalone server counts the times at which they end, and the second the sessions.
        let count = ["Global Sessions(", "Session Sets ("].iter().find_map(|marker| {
            let (_, rest) = dump.split_once(marker)?;
            rest.split(':').next()?.trim_end_matches(')').rsplit('(').next().map(str::to_owned)
        });
        count
            .and_then(|count| count.parse().ok())
            .unwrap_or_else(|| panic!("no count of sessions in: {dump}"))
    }

    /// Give all that the server printed.
    pub fn log(&self) -> String {
        self.server.log()
    }
}

fn four_letters(port: u16, command: &str) -> Option<String> {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok()?;
    // A probe that lands mid-start is never answered.
    stream.set_read_timeout(Some(Duration::from_secs(2))).ok()?;
    stream.write_all(command.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    (!answer.is_empty()).then_some(answer)
}
