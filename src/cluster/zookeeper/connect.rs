//! Opens a session, or attaches to one again: hosts, TLS and authentication as the settings say.

use std::fmt::Write as _;
use std::time::Duration;

use futures::future::join_all;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use zookeeper_client as zk;

use super::{PAUSE, SESSION};
use crate::config::zookeeper::{Auth, TlsSettings, ZooKeeperSettings};
use crate::error::{Context, Error, Kind, Result};

/// How long a name may take to be looked up before its host is passed over, if there are others.
const LOOKUP: Duration = Duration::from_secs(3);

/// A failure that takes longer than this was silence and no refusal: worth another try.
const REFUSED_AT_ONCE: Duration = Duration::from_secs(1);

/// All that is needed to connect, checked and read once.
#[derive(Debug)]
pub(super) struct Connection {
    hosts: String,
    usable: Vec<String>,
    connect: String,
    tls: Option<zk::TlsOptions>,
    auth: Auth,
}

impl Connection {
    /// Look up the hosts and read the TLS files. A host that has no address is passed over with a warning.
    pub(super) async fn prepare(
        settings: &ZooKeeperSettings,
        deadline: Instant,
        warn: &mut (dyn FnMut(String) + Send),
    ) -> Result<Self> {
        let all: Vec<String> = settings.hosts.iter().map(ToString::to_string).collect();
        let hosts = all.join(",");
        let usable = if all.len() > 1 { known(&all, deadline, warn).await? } else { all };
        let connect = usable.join(",") + settings.chroot.as_deref().unwrap_or_default();
        let tls = match &settings.tls {
            Some(files) => Some(tls_options(files).await?),
            None => None,
        };
        Ok(Self { hosts, usable, connect, tls, auth: settings.auth.clone() })
    }

    /// Give the hosts as configured, for messages.
    pub(super) fn hosts(&self) -> &str {
        &self.hosts
    }

    /// Open a new session.
    pub(super) async fn open(&self, deadline: Instant) -> Result<zk::Client> {
        loop {
            let start = Instant::now();
            let error = match timeout_at(deadline, self.connect(self.connector())).await {
                Ok(Ok(client)) => {
                    self.require_sasl(&client, deadline).await?;
                    return Ok(client);
                }
                Ok(Err(error)) => error,
                Err(_) => zk::Error::Timeout,
            };
            let silent = start.elapsed() > REFUSED_AT_ONCE || self.elects(&error).await;
            if !silent || error == zk::Error::AuthFailed || Instant::now() + PAUSE >= deadline {
                return Err(self.failed(error));
            }
            sleep(PAUSE).await;
        }
    }

    /// Say whether one of several hosts listens, and none takes us: an ensemble does so for the seconds in which it has no leader.
    async fn elects(&self, error: &zk::Error) -> bool {
        if self.usable.len() < 2 || *error != zk::Error::NoHosts {
            return false;
        }
        let listens = self.usable.iter().map(|host| timeout(REFUSED_AT_ONCE, TcpStream::connect(host)));
        join_all(listens).await.into_iter().any(|tried| matches!(tried, Ok(Ok(_))))
    }

    /// Attach to a session again, or open a new one where the server says that it is over.
    pub(super) async fn attach(&self, session: zk::SessionInfo, deadline: Instant) -> Result<zk::Client> {
        let connector = self.connector().with_session(session);
        match timeout_at(deadline, self.connect(connector)).await {
            Ok(Ok(client)) => Ok(client),
            Ok(Err(zk::Error::SessionExpired)) => self.open(deadline).await,
            Ok(Err(error)) => Err(self.failed(error)),
            Err(_) => Err(self.failed(zk::Error::Timeout)),
        }
    }

    fn connector(&self) -> zk::Connector {
        let connector = zk::Client::connector().with_session_timeout(SESSION).with_fail_eagerly();
        let connector = match &self.tls {
            Some(tls) => connector.with_tls(tls.clone()),
            None => connector,
        };
        match &self.auth {
            Auth::None => connector,
            Auth::Sasl { user, password } => {
                connector.with_sasl(zk::SaslOptions::digest_md5(user.clone(), password.expose().to_owned()))
            }
            Auth::Digest { user, password } => {
                connector.with_auth("digest", format!("{user}:{}", password.expose()).as_bytes())
            }
        }
    }

    async fn connect(&self, connector: zk::Connector) -> Result<zk::Client, zk::Error> {
        if self.tls.is_some() {
            connector.secure_connect(&self.connect).await
        } else {
            connector.connect(&self.connect).await
        }
    }

    /// Refuse a server that took our SASL and left us nobody: it has none, and every ACL would say so later and worse.
    async fn require_sasl(&self, client: &zk::Client, deadline: Instant) -> Result<()> {
        let Auth::Sasl { user, .. } = &self.auth else { return Ok(()) };
        match timeout_at(deadline, client.list_auth_users()).await {
            // The question is as new as ZooKeeper 3.7; an older server is believed.
            Ok(Err(zk::Error::Unimplemented)) => Ok(()),
            Ok(Ok(users)) if users.iter().any(|u| u.scheme() == "sasl") => Ok(()),
            Ok(Ok(_)) => Err(Error::new(
                Kind::NotPermitted,
                format!("ZooKeeper at {} did not authenticate {user}: it has no SASL", self.hosts),
            )
            .hint("leave SASL out, or have it turned on in the server")),
            Ok(Err(error)) => Err(self.failed(error)),
            Err(_) => Err(self.failed(zk::Error::Timeout)),
        }
    }

    fn failed(&self, error: zk::Error) -> Error {
        let what = format!("cannot connect to ZooKeeper at {}", self.hosts);
        match error {
            zk::Error::AuthFailed => Error::wrap(Kind::NotPermitted, what, error).hint(
                "ZooKeeper wants a login, or refused this one: check --zookeeper-auth, --zookeeper-user and the password",
            ),
            zk::Error::BadArguments(_) => Error::wrap(Kind::Usage, what, error),
            zk::Error::NoHosts => Error::new(Kind::Unreachable, what)
                .hint(format!("is it running, and is {} right?{}", self.hosts, self.about_tls())),
            zk::Error::Timeout => Error::wrap(Kind::Unreachable, what, anyhow::anyhow!("no answer in time"))
                .hint(format!("something listens there but does not answer as ZooKeeper does.{}", self.about_tls())),
            other => Error::wrap(Kind::Unreachable, what, other)
                .hint(format!("is {} a ZooKeeper?{}", self.hosts, self.about_tls())),
        }
    }

    fn about_tls(&self) -> &'static str {
        if self.tls.is_some() {
            " TLS is on: is this its TLS port?"
        } else {
            " If it is its TLS port, give --zookeeper-tls-ca."
        }
    }
}

/// Keep the hosts that have an address.
async fn known(
    hosts: &[String],
    deadline: Instant,
    warn: &mut (dyn FnMut(String) + Send),
) -> Result<Vec<String>> {
    let limit = LOOKUP.min(deadline.saturating_duration_since(Instant::now()));
    let lookups = hosts.iter().map(|host| async move {
        match timeout(limit, lookup_host(host.as_str())).await {
            Ok(Ok(mut addresses)) => {
                addresses.next().map(|_| ()).ok_or_else(|| "it has no address".to_owned())
            }
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("looking it up took too long".to_owned()),
        }
    });
    let mut usable = Vec::new();
    let mut faults = String::new();
    for (host, found) in hosts.iter().zip(join_all(lookups).await) {
        match found {
            Ok(()) => usable.push(host.clone()),
            Err(why) => {
                let _ = write!(faults, "{}{host}: {why}", if faults.is_empty() { "" } else { "; " });
                warn(format!("the ZooKeeper host {host} is passed over: {why}"));
            }
        }
    }
    if usable.is_empty() {
        return Err(Error::new(Kind::Unreachable, format!("no ZooKeeper host has an address: {faults}")));
    }
    Ok(usable)
}

async fn tls_options(files: &TlsSettings) -> Result<zk::TlsOptions> {
    let Some(ca) = &files.ca_file else {
        return Err(Error::usage("TLS to ZooKeeper needs the certificates to trust")
            .hint("give --zookeeper-tls-ca FILE, a PEM file"));
    };
    let read = async |path: &std::path::Path, what: &str| {
        tokio::fs::read_to_string(path)
            .await
            .or_fail(Kind::Usage, || format!("cannot read {what} {}", path.display()))
    };
    let refused = |path: &std::path::Path| format!("{} cannot be used for TLS", path.display());
    let trusted = read(ca, "the certificates to trust").await?;
    let options = zk::TlsOptions::new().with_pem_ca(&trusted).or_fail(Kind::Usage, || refused(ca))?;
    let Some(cert) = &files.cert_file else { return Ok(options) };
    let key = files.key_file.as_ref().unwrap_or(cert);
    let (cert_pem, key_pem) =
        (read(cert, "the client's certificate").await?, read(key, "the client's key").await?);
    options.with_pem_identity(&cert_pem, &key_pem).or_fail(Kind::Usage, || refused(cert))
}
