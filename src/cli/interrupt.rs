//! Ctrl-C, SIGTERM and `--timeout`: the item in hand is finished, the next not begun.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::ProgressDrawTarget;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::time::Instant;

use super::terminal::Terminal;
use crate::error::{Context, Error, Kind, Result};
use crate::exit;
use crate::render::escape::escape;

/// Ask whether the command should come to its end. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Stop(Arc<Inner>);

struct Inner {
    terminal: Terminal,
    requested: watch::Sender<Option<Kind>>,
    next: AtomicU64,
    in_hand: Mutex<BTreeMap<u64, Item>>,
    pauses: watch::Sender<Pauses>,
}

struct Item {
    label: String,
    stage: String,
}

/// The time spent in prompts.
#[derive(Clone, Copy, Default)]
struct Pauses {
    open: u32,
    since: Option<Instant>,
    past: Duration,
}

impl Stop {
    /// Make a stop that nothing requests yet.
    pub fn new(terminal: &Terminal) -> Self {
        Self(Arc::new(Inner {
            terminal: terminal.clone(),
            requested: watch::Sender::new(None),
            next: AtomicU64::new(0),
            in_hand: Mutex::default(),
            pauses: watch::Sender::new(Pauses::default()),
        }))
    }

    /// Listen for Ctrl-C and SIGTERM from now on, in a task of the current runtime.
    ///
    /// The first asks for a stop, the second lists what is unknown and ends the process with 130.
    pub fn listen(&self) -> Result<()> {
        let failed = || "cannot listen for signals".to_owned();
        let mut interrupt = signal(SignalKind::interrupt()).or_fail(Kind::Failed, failed)?;
        let mut terminate = signal(SignalKind::terminate()).or_fail(Kind::Failed, failed)?;
        let stop = self.clone();
        tokio::spawn(async move {
            let mut first = true;
            loop {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
                if !first {
                    stop.leave();
                }
                first = false;
                stop.request(Kind::Interrupted);
            }
        });
        Ok(())
    }

    /// Ask for a stop with [`Kind::TimedOut`] after so long, prompts not counted, in a task of the current runtime.
    pub fn deadline(&self, limit: Duration) {
        let stop = self.clone();
        let begin = Instant::now();
        tokio::spawn(async move {
            let mut pauses = stop.0.pauses.subscribe();
            loop {
                let state = *pauses.borrow_and_update();
                if state.open > 0 {
                    // A closed channel would mean that nobody holds the stop any more; this task does.
                    let _ = pauses.changed().await;
                    continue;
                }
                // A limit past the end of the clock is none.
                let Some(end) = begin.checked_add(limit).and_then(|end| end.checked_add(state.past)) else {
                    return;
                };
                tokio::select! {
                    () = tokio::time::sleep_until(end) => break,
                    _ = pauses.changed() => {}
                }
            }
            stop.request(Kind::TimedOut);
        });
    }

    /// Ask for a stop; the first reason stands.
    pub fn request(&self, kind: Kind) {
        // Said before it is asked for: whoever hears of it may be the first to write its end below.
        let before = self.requested();
        // A prompt ends at once, and its error says enough.
        let asking = self.0.pauses.borrow().open > 0;
        let news = before.is_none() || (before, kind) == (Some(Kind::TimedOut), Kind::Interrupted);
        if news && !asking {
            let doing = if self.items().is_empty() { "stopping" } else { "finishing the item in hand" };
            self.say(
                match kind {
                    Kind::TimedOut => format!("--timeout is over: {doing}\n"),
                    _ => format!("{doing}; Ctrl-C again leaves at once\n"),
                },
                false,
            );
        }
        self.0.requested.send_if_modified(|requested| {
            let first = requested.is_none();
            requested.get_or_insert(kind);
            first
        });
    }

    /// Say whether to begin nothing new, and why.
    pub fn requested(&self) -> Option<Kind> {
        *self.0.requested.borrow()
    }

    /// Fail where a stop was requested: the check before each item.
    pub fn check(&self) -> Result<()> {
        self.requested().map_or(Ok(()), |kind| Err(self.error(kind)))
    }

    /// Wait until a stop is requested.
    pub async fn wait(&self) -> Kind {
        let mut requested = self.0.requested.subscribe();
        let kind = requested.wait_for(Option::is_some).await.ok().and_then(|kind| *kind);
        // The sender lives as long as `self`.
        kind.unwrap_or(Kind::Interrupted)
    }

    /// Run what may be dropped at any point, such as reading and planning; a stop ends it at once.
    pub async fn abortable<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        tokio::select! {
            biased;
            kind = self.wait() => Err(self.error(kind)),
            done = work => done,
        }
    }

    /// Make the error of a command that was stopped.
    #[allow(clippy::unused_self)]
    pub fn error(&self, kind: Kind) -> Error {
        match kind {
            Kind::TimedOut => Error::new(kind, "--timeout was over before the command was done"),
            _ => Error::new(kind, "interrupted"),
        }
    }

    /// Note an item whose outcome would be unknown if the process ended now; dropped, it is known.
    pub fn in_hand(&self, label: impl Into<String>, stage: impl Into<String>) -> InHand {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        self.items().insert(id, Item { label: label.into(), stage: stage.into() });
        InHand { stop: self.clone(), id }
    }

    /// Stop the clock of `--timeout` until the guard is dropped.
    pub fn pause(&self) -> Pause {
        self.0.pauses.send_modify(|pauses| {
            pauses.open += 1;
            pauses.since.get_or_insert_with(Instant::now);
        });
        Pause { stop: self.clone() }
    }

    /// Give the time spent in prompts that are over.
    pub fn paused(&self) -> Duration {
        self.0.pauses.borrow().past
    }

    fn items(&self) -> MutexGuard<'_, BTreeMap<u64, Item>> {
        self.0.in_hand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Say what would be unknown if the process ended now.
    fn farewell(&self) -> String {
        let items = self.items();
        if items.is_empty() {
            return "interrupted again; nothing was in hand\n".to_owned();
        }
        let mut text = "interrupted again; how these ended is unknown:\n".to_owned();
        for Item { label, stage } in items.values() {
            text.push_str("  ");
            text.push_str(&escape(label));
            text.push_str(": ");
            text.push_str(&escape(stage));
            text.push('\n');
        }
        text.push_str("hint: look at each again before you repeat the command\n");
        text
    }

    fn leave(&self) -> ! {
        self.say(self.farewell(), true);
        std::process::exit(i32::from(exit::code_of(Kind::Interrupted)))
    }

    /// Write to stderr, but wait no longer than a second for it: who presses Ctrl-C may have a stderr that is stuck.
    fn say(&self, text: String, last: bool) {
        let terminal = self.0.terminal.clone();
        let (sender, said) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            if terminal.around().stderr && !terminal.around().plain {
                // A prompt hides the cursor.
                let _ = dialoguer::console::Term::stderr().show_cursor();
            }
            if last {
                let _ = terminal.bars().clear();
                terminal.bars().set_draw_target(ProgressDrawTarget::hidden());
            }
            terminal.raw(text.as_bytes());
            let _ = sender.send(());
        });
        let _ = said.recv_timeout(Duration::from_secs(1));
    }
}

/// An item in hand.
#[must_use = "the item is in hand as long as this lives"]
pub struct InHand {
    stop: Stop,
    id: u64,
}

impl InHand {
    /// Say what is being done to it now: `set expired, waiting for readers`.
    pub fn stage(&self, stage: impl Into<String>) {
        if let Some(item) = self.stop.items().get_mut(&self.id) {
            item.stage = stage.into();
        }
    }
}

impl Drop for InHand {
    fn drop(&mut self) {
        self.stop.items().remove(&self.id);
    }
}

/// A pause of the clock of `--timeout`.
#[must_use = "the clock stands as long as this lives"]
pub struct Pause {
    stop: Stop,
}

impl Drop for Pause {
    fn drop(&mut self) {
        self.stop.0.pauses.send_modify(|pauses| {
            pauses.open -= 1;
            if pauses.open == 0
                && let Some(since) = pauses.since.take()
            {
                pauses.past += since.elapsed();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::terminal::tests::captured;

    #[tokio::test]
    async fn the_first_reason_stands_and_ends_what_may_be_dropped() {
        let (terminal, stderr) = captured(true, 0);
        let stop = Stop::new(&terminal);
        stop.check().unwrap();
        assert_eq!(stop.abortable(async { Ok(1) }).await.unwrap(), 1);
        let item = stop.in_hand("a", "deleting");
        stop.request(Kind::Interrupted);
        stop.request(Kind::TimedOut);
        assert_eq!(stop.requested(), Some(Kind::Interrupted));
        assert_eq!(stop.wait().await, Kind::Interrupted);
        let ended = stop.abortable(std::future::pending::<Result<()>>()).await;
        assert_eq!(ended.unwrap_err().kind(), Kind::Interrupted);
        assert_eq!(stop.check().unwrap_err().kind(), Kind::Interrupted);
        assert_eq!(stderr.text(), "finishing the item in hand; Ctrl-C again leaves at once\n");
        drop(item);
    }

    #[test]
    fn a_second_one_names_what_is_unknown() {
        let (terminal, _) = captured(false, 0);
        let stop = Stop::new(&terminal);
        assert_eq!(stop.farewell(), "interrupted again; nothing was in hand\n");
        let first = stop.in_hand("job-1\u{202e}", "set expired");
        let second = stop.in_hand("job-2", "writing");
        first.stage("deleting the znode");
        assert_eq!(
            stop.farewell(),
            "interrupted again; how these ended is unknown:\n  job-1\\u{202e}: deleting the znode\n  job-2: writing\n\
             hint: look at each again before you repeat the command\n"
        );
        drop(first);
        drop(second);
        assert_eq!(stop.farewell(), "interrupted again; nothing was in hand\n");
    }

    #[tokio::test]
    async fn a_deadline_does_not_count_prompts() {
        let (terminal, stderr) = captured(false, 0);
        let stop = Stop::new(&terminal);
        let begin = Instant::now();
        stop.deadline(Duration::from_millis(150));
        let pause = stop.pause();
        let nested = stop.pause();
        drop(nested);
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(stop.requested(), None);
        drop(pause);
        assert!(stop.paused() >= Duration::from_millis(300));
        assert_eq!(stop.wait().await, Kind::TimedOut);
        assert!(begin.elapsed() >= Duration::from_millis(450));
        assert_eq!(stderr.text(), "--timeout is over: stopping\n");
        assert_eq!(stop.error(Kind::TimedOut).kind(), Kind::TimedOut);
    }

    #[test]
    fn a_prompt_is_ended_without_a_word_and_a_late_ctrl_c_is_still_answered() {
        let (terminal, stderr) = captured(false, 0);
        let stop = Stop::new(&terminal);
        let pause = stop.pause();
        stop.request(Kind::Interrupted);
        drop(pause);
        stop.request(Kind::Interrupted);
        assert_eq!(stderr.text(), "");
        let stop = Stop::new(&terminal);
        stop.request(Kind::TimedOut);
        stop.request(Kind::Interrupted);
        assert_eq!(stop.requested(), Some(Kind::TimedOut));
        assert_eq!(stderr.text(), "--timeout is over: stopping\nstopping; Ctrl-C again leaves at once\n");
    }

    /// The only test that listens: a signal reaches every listener of the process.
    #[tokio::test]
    async fn a_signal_asks_for_a_stop() {
        let (terminal, stderr) = captured(false, 0);
        let stop = Stop::new(&terminal);
        stop.listen().unwrap();
        let pid = std::process::id().to_string();
        assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let kind = tokio::time::timeout(Duration::from_secs(10), stop.wait()).await.unwrap();
        assert_eq!(kind, Kind::Interrupted);
        assert_eq!(stderr.text(), "stopping; Ctrl-C again leaves at once\n");
    }

    #[tokio::test]
    async fn an_endless_deadline_never_comes() {
        let (terminal, _) = captured(false, 0);
        let stop = Stop::new(&terminal);
        stop.deadline(Duration::MAX);
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(stop.requested(), None);
    }
}
