//! The ZooKeeper session: bounded reads that are tried again, writes that are tried once, and the truth about lost ones.
//!
//! The rule on which all else stands: **a new session is only ever opened once the server itself has said that the old one is
//! over.** Where the client library gives up, the same session is attached to again. So whoever lost a write and then reads
//! through this type reads on the session that wrote, behind its writes, or after its end: what is absent then stays absent.

mod connect;
mod fault;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout_at};
use zookeeper_client as zk;

use self::fault::cannot;
pub use self::fault::{Fault, LOGIN};
use super::pace::Pace;
use crate::config::zookeeper::ZooKeeperSettings;
use crate::error::{Error, Kind, Result};

/// What is asked for; the server raises it to its own shortest, 4 s by default. A killed run blocks others no longer.
const SESSION: Duration = Duration::from_secs(4);

/// How long to wait before a lost read is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a request waits for a server that has left one unanswered for its whole time.
const LAST_TRY: Duration = Duration::from_secs(1);

/// A session with the cluster's ZooKeeper.
#[derive(Debug)]
pub struct ZooKeeper {
    settings: ZooKeeperSettings,
    connection: connect::Connection,
    client: Mutex<Attached>,
    request_timeout: Duration,
    given_up: AtomicBool,
    pace: Arc<Pace>,
}

/// The library's client, and whether its server may not know yet what an earlier one has shown us.
#[derive(Debug)]
struct Attached {
    client: zk::Client,
    may_be_behind: bool,
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
        let client = Mutex::new(Attached { client, may_be_behind: false });
        let given_up = AtomicBool::new(false);
        Ok(Self { settings, connection, client, request_timeout, given_up, pace })
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
        self.client.lock().await.client.session_timeout()
    }

    /// Read, and try again within the request timeout while connections are lost.
    pub async fn read<T>(
        &self,
        operations: usize,
        what: &str,
        ask: impl AsyncFn(&zk::Client) -> Result<T, zk::Error>,
    ) -> Result<T, Fault> {
        self.pace.take(operations).await;
        let limit = self.limit();
        let deadline = Instant::now() + limit;
        loop {
            let client = self.live(deadline).await.map_err(|e| Fault::Lost(e.context(cannot(what))))?;
            let cause = match timeout_at(deadline, ask(&client)).await {
                Ok(Err(error)) if fault::is_lost(&error) => {
                    if Instant::now() + PAUSE < deadline {
                        sleep(PAUSE).await;
                        continue;
                    }
                    error.into()
                }
                Ok(answer) => {
                    self.given_up.store(false, Ordering::Relaxed);
                    return answer.map_err(Fault::Answered);
                }
                Err(_) => anyhow::anyhow!("no answer within {} s", limit.as_secs_f32()),
            };
            self.given_up.store(true, Ordering::Relaxed);
            return Err(Fault::Lost(self.silent(cause).context(cannot(what))));
        }
    }

    /// Write, once: a lost answer is [`Fault::Lost`], and the write may or may not have happened.
    pub async fn write<T>(
        &self,
        operations: usize,
        what: &str,
        ask: impl AsyncFn(&zk::Client) -> Result<T, zk::Error>,
    ) -> Result<T, Fault> {
        self.write_once(None, operations, what, ask).await
    }

    /// Write, once, in this very session or not at all ([`Fault::Over`]): for what leans on an ephemeral that it owns.
    pub async fn write_in<T>(
        &self,
        session: i64,
        operations: usize,
        what: &str,
        ask: impl AsyncFn(&zk::Client) -> Result<T, zk::Error>,
    ) -> Result<T, Fault> {
        self.write_once(Some(session), operations, what, ask).await
    }

    async fn write_once<T>(
        &self,
        session: Option<i64>,
        operations: usize,
        what: &str,
        ask: impl AsyncFn(&zk::Client) -> Result<T, zk::Error>,
    ) -> Result<T, Fault> {
        self.pace.take(operations).await;
        // No write is risked on a server that does not even answer a question.
        self.require_answers().await.map_err(|e| Fault::Unsent(e.context(cannot(what))))?;
        let deadline = Instant::now() + self.request_timeout;
        let client = self.live(deadline).await.map_err(|e| Fault::Unsent(e.context(cannot(what))))?;
        if session.is_some_and(|session| session != client.session_id().0) {
            return Err(Fault::Over(Error::new(
                Kind::Unreachable,
                format!("{what}: the session with ZooKeeper was lost, and its hold with it"),
            )));
        }
        match timeout_at(deadline, ask(&client)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) if fault::is_refusal(&error) => Err(Fault::Answered(error)),
            Ok(Err(error)) => Err(Fault::Lost(self.silent(error.into()).context(cannot(what)))),
            Err(_) => {
                Err(Fault::Lost(self.silent(anyhow::anyhow!("no answer in time")).context(cannot(what))))
            }
        }
    }

    /// Fail where the server has left a request unanswered for its whole time, and still does not answer.
    pub async fn require_answers(&self) -> Result<()> {
        if self.given_up.load(Ordering::Relaxed) { self.sync().await } else { Ok(()) }
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
        let client = self.client.into_inner().client;
        let mut watcher = client.state_watcher();
        drop(client);
        let end = Instant::now() + Duration::from_secs(1);
        while !watcher.peek_state().is_terminated() && timeout_at(end, watcher.changed()).await.is_ok() {}
    }

    /// Give how long the next request may take: after one that waited in vain for its whole time, no other waits as long
    /// until the server answers again. Else a batch, item by item, would wait for hours.
    fn limit(&self) -> Duration {
        let whole = self.request_timeout;
        if self.given_up.load(Ordering::Relaxed) { whole.min(LAST_TRY) } else { whole }
    }

    /// Give a client that is not at its end, attaching to the same session again where the library gave up.
    async fn live(&self, deadline: Instant) -> Result<zk::Client> {
        let mut attached = self.client.lock().await;
        while attached.may_be_behind || attached.client.state().is_terminated() {
            let failed = match self.attach(&mut attached, deadline).await {
                Ok(()) => break,
                Err(failed) => failed,
            };
            if Instant::now() + PAUSE >= deadline || failed.kind() == Kind::NotPermitted {
                self.given_up.store(true, Ordering::Relaxed);
                return Err(failed);
            }
            sleep(PAUSE).await;
        }
        Ok(attached.client.clone())
    }

    /// Attach again, and have that server catch up: the library forgets what it has seen, and this one may be behind the last.
    async fn attach(&self, attached: &mut Attached, deadline: Instant) -> Result<()> {
        if attached.client.state().is_terminated() {
            let session = attached.client.session().clone();
            attached.client = self.connection.attach(session, deadline).await?;
            attached.may_be_behind = true;
        }
        let path = self.path("");
        match timeout_at(deadline, attached.client.sync(&path)).await {
            Ok(Err(error)) if fault::is_lost(&error) => Err(self.silent(error.into())),
            Err(_) => Err(self.silent(anyhow::anyhow!("no answer in time"))),
            Ok(_) => {
                attached.may_be_behind = false;
                Ok(())
            }
        }
    }

    fn silent(&self, cause: anyhow::Error) -> Error {
        Error::wrap(
            Kind::Unreachable,
            format!("no answer from ZooKeeper at {}", self.connection.hosts()),
            cause,
        )
    }
}
