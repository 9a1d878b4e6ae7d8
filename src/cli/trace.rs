//! What libraries tell only their log: `-vv` shows it, and the last causes of failed connects are kept for errors.
//!
//! The ZooKeeper client answers a failed connect with "no host reachable" and logs the reason of each host. These few
//! lines are caught here, and everything else is passed over before it is formatted.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};

use super::terminal::Terminal;

/// So many causes are kept, the youngest.
const KEPT: usize = 16;
/// The client's messages that tell a cause begin so.
const CAUSES: [&str; 2] = ["fail", "enter state"];
/// The client whose causes are kept.
const CLIENT: &str = "zookeeper_client";

static RECENT: Mutex<VecDeque<(Instant, String)>> = Mutex::new(VecDeque::new());

/// Begin to listen, once for the process; a second call changes nothing.
pub fn install(terminal: &Terminal) {
    let terminal = (terminal.verbosity() >= 2).then(|| terminal.clone());
    // Only a second call can fail, and the first one's listener does the same.
    let _ =
        tracing::subscriber::set_global_default(tracing_subscriber::registry().with(Listener { terminal }));
}

/// Give the causes that the ZooKeeper client has logged last, oldest first, without those said before.
pub fn recent_causes() -> Vec<String> {
    causes(None)
}

/// Give those of [`recent_causes`] that are younger than `since`, as of one connect.
pub fn causes_since(since: Instant) -> Vec<String> {
    causes(Some(since))
}

fn causes(since: Option<Instant>) -> Vec<String> {
    let recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut causes: Vec<String> = Vec::new();
    for (at, cause) in recent.iter() {
        if since.is_none_or(|since| *at >= since) && !causes.contains(cause) {
            causes.push(cause.clone());
        }
    }
    causes
}

struct Listener {
    terminal: Option<Terminal>,
}

impl Listener {
    /// Other libraries log whole URLs, in which tokens may stand: they are never listened to.
    fn wants(&self, metadata: &Metadata<'_>) -> bool {
        let target = metadata.target();
        let listed = is_of(target, CLIENT) || (self.terminal.is_some() && is_of(target, "flussctl"));
        listed && *metadata.level() <= Level::DEBUG
    }
}

fn is_of(target: &str, name: &str) -> bool {
    target.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

impl<S: Subscriber> Layer<S> for Listener {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if self.wants(metadata) { Interest::always() } else { Interest::never() }
    }

    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        self.wants(metadata)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::DEBUG)
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        let is_cause =
            is_of(metadata.target(), CLIENT) && (*metadata.level() <= Level::WARN || tells_a_cause(event));
        if !is_cause && self.terminal.is_none() {
            return;
        }
        let mut text = Text::default();
        event.record(&mut text);
        let text = text.message + &text.fields;
        if let Some(terminal) = &self.terminal {
            terminal.verbose(2, format_args!("{}: {text}", metadata.target()));
        }
        if is_cause {
            let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
            if recent.len() == KEPT {
                recent.pop_front();
            }
            recent.push_back((Instant::now(), in_words(text)));
        }
    }
}

/// Take an operating system's error in words out of its form for programmers, `Os { code: 1, kind: X, message: "…" }`.
fn in_words(text: String) -> String {
    let Some((before, rest)) = text.split_once("Os { code: ") else { return text };
    let Some((_, message)) = rest.split_once("message: \"") else { return text };
    let Some((message, after)) = message.split_once("\" }") else { return text };
    format!("{before}{message}{after}")
}

fn tells_a_cause(event: &Event<'_>) -> bool {
    let mut beginning = Beginning::default();
    event.record(&mut beginning);
    CAUSES.iter().any(|cause| beginning.0.starts_with(cause))
}

/// The first bytes of a message. The client logs each request, so formatting stops where enough is known.
#[derive(Default)]
struct Beginning(String);

impl Visit for Beginning {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            // The error is how the formatting is stopped.
            let _ = write!(self, "{value:?}");
        }
    }
}

impl fmt::Write for Beginning {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.extend(part.chars().take(16));
        if self.0.len() >= 16 { Err(fmt::Error) } else { Ok(()) }
    }
}

/// A whole event in a line: the message, then ` field=value`.
#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a string cannot fail.
        let _ = if field.name() == "message" {
            write!(self.message, "{value:?}")
        } else {
            write!(self.fields, " {}={value:?}", field.name())
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::terminal::tests::captured;

    /// The causes are the process's own, so one test looks at them.
    #[test]
    fn causes_are_kept_and_the_rest_passed_over() {
        struct Untouched;
        impl fmt::Debug for Untouched {
            fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
                panic!("formatted for nobody")
            }
        }

        let quiet = tracing_subscriber::registry().with(Listener { terminal: None });
        tracing::subscriber::with_default(quiet, || {
            tracing::debug!(target: "zookeeper_client::session", "fails in connecting to {} due to {:?}", "h:1", "refused");
            tracing::debug!(target: "zookeeper_client::session::depot", "sending request: {:?}", Untouched);
            tracing::trace!(target: "zookeeper_client::session", "fails {:?}", Untouched);
            tracing::warn!(target: "zookeeper_client::session", "odd");
            tracing::warn!(target: "zookeeper_client_of_others", "fail {:?}", Untouched);
            tracing::error!(target: "hyper", "fail {:?}", Untouched);
            tracing::debug!(target: "flussctl::x", "fail {:?}", Untouched);
        });
        assert_eq!(recent_causes(), ["fails in connecting to h:1 due to \"refused\"", "odd"]);
        assert!(causes_since(Instant::now()).is_empty());

        let (terminal, stderr) = captured(false, 2);
        let loud = tracing_subscriber::registry().with(Listener { terminal: Some(terminal) });
        tracing::subscriber::with_default(loud, || {
            tracing::debug!(target: "flussctl::x", count = 3, "did\u{1b}");
            tracing::debug!(target: "hyper", "https://h/?token=secret");
            for at in 0..20 {
                tracing::debug!(target: "zookeeper_client", "fails {at}");
            }
        });
        assert!(stderr.text().starts_with("flussctl::x: did\\u{1b} count=3\nzookeeper_client: fails 0\n"));
        assert!(!stderr.text().contains("secret"));
        assert_eq!(recent_causes().len(), KEPT);
        assert_eq!(recent_causes()[0], "fails 4");
    }
}
