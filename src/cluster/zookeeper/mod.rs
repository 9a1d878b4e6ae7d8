//! The ZooKeeper session: bounded reads that are tried again, writes that are tried once, and the truth about lost ones.
//!
//! The rule on which all else stands: **a new session is only ever opened once the server itself has said that the old one is
//! over.** Where the client library gives up, the same session is attached to again. So whoever lost a write and then reads
//! through this type reads on the session that wrote, behind its writes, or after its end: what is absent then stays absent.

mod connect;
mod fault;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout_at};
use zookeeper_client as zk;

pub use self::fault::Fault;
use super::pace::Pace;
use crate::config::zookeeper::ZooKeeperSettings;
use crate::error::{Error, Kind, Result};

/// What is asked for; the server raises it to its own shortest, 4 s by default. A killed run blocks others no longer.
const SESSION: Duration = Duration::from_secs(4);

/// How long to wait before a lost read is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// A session with the cluster's ZooKeeper.
#[derive(Debug)]
pub struct ZooKeeper {
    settings: ZooKeeperSettings,
    connection: connect::Connection,
    client: Mutex<zk::Client>,
    request_timeout: Duration,
    pace: Arc<Pace>,
}

impl ZooKeeper {
    /// Open a session. Fails with `Unreachable`, or `NotPermitted` where the server refuses who we are.
    pub async fn connect(
        settings: ZooKeeperSettings,
        request_timeout: Duration,
        pace: Arc<Pace>,
        warn: &mut (dyn FnMut(String) + Send),
    ) -> Result<Self> {
        let deadline = Instant::now() + request_timeout;
        let connection = connect::Connection::prepare(&settings, deadline, warn).await?;
        let client = connection.open(deadline).await?;
        Ok(Self { settings, connection, client: Mutex::new(client), request_timeout, pace })
    }

    /// Give the path of something below the cluster's root.
    pub fn path(&self, below: &str) -> String {
        let root = self.settings.root.trim_end_matches('/');
        if below.is_empty() {
            if root.is_empty() { "/".into() } else { root.into() }
        } else {
            format!("{root}/{below}")
        }
    }

    /// Say where this is, for messages: the hosts and the root.
    pub fn address(&self) -> String {
        format!("{} at {}", self.path(""), self.connection.hosts())
    }

    /// Give what keeps to `--max-ops-per-second`, for the store's operations too.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// Give the settings that it was opened with.
    pub const fn settings(&self) -> &ZooKeeperSettings {
        &self.settings
    }

    /// Give how long a session outlives whoever held it.
    pub async fn session_timeout(&self) -> Duration {
        self.client.lock().await.session_timeout()
    }

    /// Give the session's id: what owns our ephemeral children.
    pub async fn session_id(&self) -> i64 {
        self.client.lock().await.session_id().0
    }

    /// Read, and try again within the request timeout while connections are lost.
    pub async fn read<T>(
        &self,
        operations: usize,
        what: &str,
        ask: impl AsyncFn(&zk::Client) -> Result<T, zk::Error>,
    ) -> Result<T, Fault> {
        let deadline = Instant::now() + self.request_timeout;
        self.pace.take(operations).await;
        loop {
            let client = self.live(deadline).await.map_err(|e| Fault::Lost(e.context(what)))?;
            match timeout_at(deadline, ask(&client)).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) if !fault::is_lost(&error) => return Err(Fault::Answered(error)),
                Ok(Err(_)) if Instant::now() + PAUSE < deadline => sleep(PAUSE).await,
                Ok(Err(error)) => {
                    return Err(Fault::Lost(self.silent(error.into()).context(what)));
                }
                Err(_) => {
                    let limit = self.request_timeout;
                    return Err(Fault::Lost(
                        self.silent(anyhow::anyhow!("no answer within {} s", limit.as_secs_f32()))
                            .context(what),
                    ));
                }
            }
        }
    }

    /// Write, once: a lost answer is [`Fault::Lost`], and the write may or may not have happened.
    pub async fn write<T>(
        &self,
        operations: usize,
        what: &str,
        ask: impl AsyncFn(&zk::Client) -> Result<T, zk::Error>,
    ) -> Result<T, Fault> {
        let deadline = Instant::now() + self.request_timeout;
        self.pace.take(operations).await;
        let client = self.live(deadline).await.map_err(|e| Fault::Unsent(e.context(what)))?;
        match timeout_at(deadline, ask(&client)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) if fault::is_lost(&error) => {
                Err(Fault::Lost(self.silent(error.into()).context(what)))
            }
            Ok(Err(error)) => Err(Fault::Answered(error)),
            Err(_) => Err(Fault::Lost(self.silent(anyhow::anyhow!("no answer in time")).context(what))),
        }
    }

    /// Make sure that what is read from now on tells how a lost write ended, and on every server of the ensemble alike.
    pub async fn settle(&self) -> Result<()> {
        self.sync().await
    }

    /// Have the server catch up with the ensemble before what decides a deletion is read.
    pub async fn sync(&self) -> Result<()> {
        let path = self.path("");
        let done = self.read(1, "sync with ZooKeeper", async |client| client.sync(&path).await).await;
        done.map_err(|fault| fault.into_error("sync with ZooKeeper"))
    }

    /// Close the session and wait until the server has seen it, a second at most.
    pub async fn close(self) {
        let client = self.client.into_inner();
        let mut watcher = client.state_watcher();
        drop(client);
        let end = Instant::now() + Duration::from_secs(1);
        while !watcher.peek_state().is_terminated() && timeout_at(end, watcher.changed()).await.is_ok() {}
    }

    /// Give a client that is not at its end, attaching to the same session again where the library gave up.
    async fn live(&self, deadline: Instant) -> Result<zk::Client> {
        let mut client = self.client.lock().await;
        while client.state().is_terminated() {
            match self.connection.attach(client.session().clone(), deadline).await {
                Ok(attached) => *client = attached,
                Err(error) if Instant::now() + PAUSE >= deadline || error.kind() == Kind::NotPermitted => {
                    return Err(error);
                }
                Err(_) => sleep(PAUSE).await,
            }
        }
        Ok(client.clone())
    }

    fn silent(&self, cause: anyhow::Error) -> Error {
        Error::wrap(
            Kind::Unreachable,
            format!("no answer from ZooKeeper at {}", self.connection.hosts()),
            cause,
        )
    }
}
