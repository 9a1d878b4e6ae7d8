//! What every command has at hand: the settings, the terminal, the stop, and the connections once they are wanted.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::carry_out::Means;
use crate::carry_out::journal::Journal;
use crate::cli::answer::{Answer, OnClosed, answer_failed};
use crate::cli::interrupt::Stop;
use crate::cli::settings::Settings;
use crate::cli::terminal::Terminal;
use crate::cli::trace;
use crate::clock::now_ms;
use crate::cluster::ZooKeeper;
use crate::cluster::pace::Pace;
use crate::config::origin::Origin;
use crate::error::{Context as _, Error, Kind, Result};
use crate::render::{Record, RenderOptions, Renderer};
use crate::snapshot::RemoteDir;
use crate::snapshot::backup::Cluster;
use crate::store::{self, Store};

/// The stage that a command runs on.
pub struct Context {
    /// Each value and where it came from.
    pub settings: Settings,
    /// Where people are spoken to.
    pub terminal: Terminal,
    /// Whether the command should come to its end.
    pub stop: Stop,
    answered: AtomicBool,
    connected: Mutex<Option<Arc<ZooKeeper>>>,
}

impl Context {
    /// Set the stage.
    pub const fn new(settings: Settings, terminal: Terminal, stop: Stop) -> Self {
        Self { settings, terminal, stop, answered: AtomicBool::new(false), connected: Mutex::const_new(None) }
    }

    /// Say whether the answer has been closed, its failure included.
    pub fn answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed)
    }

    /// Give how much is done side by side.
    pub const fn at_once(&self) -> usize {
        self.settings.concurrency.value
    }

    /// Connect to ZooKeeper. What the client library tells only its log is added to the error.
    pub async fn zookeeper(&self) -> Result<Arc<ZooKeeper>> {
        let start = Instant::now().into_std();
        let settings = self.settings.zookeeper()?.clone();
        let pace = Arc::new(Pace::new(self.settings.max_ops_per_second.as_ref().map(|n| n.value)));
        let terminal = self.terminal.clone();
        let mut warn = move |text: String| terminal.warn(text);
        let connect = ZooKeeper::connect(settings, self.settings.request_timeout.value, pace, &mut warn);
        let zookeeper = self.stop.abortable(connect).await.map_err(|error| with_causes(error, start))?;
        let zookeeper = Arc::new(zookeeper);
        *self.connected.lock().await = Some(Arc::clone(&zookeeper));
        Ok(zookeeper)
    }

    /// Close the session, however the command ended: one that is left behind holds what its children hold.
    pub async fn disconnect(&self) {
        let zookeeper = self.connected.lock().await.take().and_then(Arc::into_inner);
        if let Some(zookeeper) = zookeeper {
            zookeeper.close().await;
        }
    }

    /// Open the remote data dir.
    pub fn store(&self) -> Result<Box<dyn Store>> {
        let text = &self.settings.remote_data_dir()?.value;
        let here =
            std::env::current_dir().or_fail(Kind::Failed, || "the working folder is gone".to_owned())?;
        store::open(RemoteDir::new(text, &here)?, self.settings.request_timeout.value)
    }

    /// Give what a plan is carried out with.
    pub fn means<'a>(
        &'a self,
        zookeeper: &'a ZooKeeper,
        store: &'a dyn Store,
        journal: &'a Journal,
    ) -> Means<'a> {
        let (stop, terminal, at_once) = (&self.stop, &self.terminal, self.at_once());
        Means { zookeeper, store, stop, terminal, journal, at_once }
    }

    /// Refuse to change what a guard protects.
    pub fn require_writable(&self) -> Result<()> {
        let read_only = &self.settings.read_only;
        if read_only.value {
            let guard = match &read_only.origin {
                said @ (Origin::Flag(_) | Origin::Environment(_)) => said.to_string(),
                file => format!("flussctl.read-only ({file})"),
            };
            return Err(Error::new(Kind::NotPermitted, format!("{guard} forbids every change"))
                .hint("nothing was done; --dry-run shows what would be"));
        }
        Ok(())
    }

    /// Say which cluster a backup is of.
    pub fn cluster(&self) -> Result<Cluster> {
        let zookeeper = self.settings.zookeeper()?;
        Ok(Cluster { zookeeper: zookeeper.connect_string(), root: zookeeper.root.clone() })
    }

    /// Give the folder that backups go to by themselves: one a cluster, in the user's state folder.
    pub fn backup_folder(&self) -> Result<PathBuf> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let state = set("XDG_STATE_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| set("HOME").map(|home| home.join(".local/state")))
            .ok_or_else(|| {
                Error::usage("there is no folder for the backup: neither XDG_STATE_HOME nor HOME is set")
                    .hint("give one with --backup DIR")
            })?;
        let cluster = self.cluster()?;
        let name: String = format!("{}{}", cluster.zookeeper, cluster.root)
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' })
            .take(120)
            .collect();
        Ok(state.join("flussctl").join("backups").join(name.trim_start_matches('.')))
    }

    /// Render an answer: `fill` pushes its records; the document is closed whatever comes of it.
    ///
    /// With [`OnClosed::End`] a closed pipe ends the command quietly, and a stop ends it at once.
    pub async fn answer<R: Record, T>(
        &self,
        on_closed: OnClosed,
        fill: impl AsyncFnOnce(&mut Renderer<'_, R>) -> Result<T>,
    ) -> Result<T> {
        let mut out: Answer = self.terminal.stdout(on_closed);
        let mut renderer =
            Renderer::new(&mut out as &mut (dyn Write + Send), self.format(), self.render_options());
        let filled = match on_closed {
            OnClosed::End => self.stop.abortable(fill(&mut renderer)).await,
            OnClosed::GoOn => fill(&mut renderer).await,
        };
        self.answered.store(true, Ordering::Relaxed);
        let finished = renderer.finish(filled.as_ref().err()).map_err(answer_failed);
        let filled = filled?;
        finished?;
        out.close()?;
        Ok(filled)
    }

    /// Give the format of the answer.
    pub const fn format(&self) -> crate::render::Format {
        self.settings.appearance.output.value
    }

    /// Say how an answer looks.
    pub fn render_options(&self) -> RenderOptions {
        RenderOptions { color: self.terminal.color(), width: self.terminal.width(), now_ms: now_ms() }
    }
}

fn with_causes(error: Error, start: std::time::Instant) -> Error {
    if error.kind() != Kind::Unreachable {
        return error;
    }
    let causes = trace::causes_since(start);
    match causes.last() {
        Some(cause) => {
            let hints = error.hints().to_vec();
            let wrapped = Error::wrap(error.kind(), error.message(), anyhow::anyhow!("{cause}"));
            hints.into_iter().fold(wrapped, Error::hint)
        }
        None => error,
    }
}
