//! The one error type: what failed, on what, why, and what to do next.
//!
//! A [`Kind`] says what a caller may do about it and, through one table (`exit`), which exit code it gives.

use std::fmt::{self, Display};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Name the ways in which a command or one of its items can end other than done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Failed, and none of the kinds below.
    Failed,
    /// The command line or an input file was refused; nothing was done.
    Usage,
    /// What was named does not exist.
    NotFound,
    /// A valid snapshot is there already.
    AlreadyExists,
    /// Some items failed, the rest is done.
    Partial,
    /// What was shown is no longer what is there.
    Changed,
    /// A server could not be reached, or did not answer within the request timeout.
    Unreachable,
    /// The server or the file system refused for lack of rights.
    NotPermitted,
    /// `verify` found problems.
    Problems,
    /// A change may or may not have happened.
    Unknown,
    /// `--timeout` was over first.
    TimedOut,
    /// Ctrl-C or SIGTERM.
    Interrupted,
}

impl Kind {
    /// Give the kind's name in machine output, a promise: `snake_case`, never renamed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Usage => "usage",
            Self::NotFound => "not_found",
            Self::AlreadyExists => "already_exists",
            Self::Partial => "partial",
            Self::Changed => "changed",
            Self::Unreachable => "unreachable",
            Self::NotPermitted => "not_permitted",
            Self::Problems => "problems",
            Self::Unknown => "unknown",
            Self::TimedOut => "timed_out",
            Self::Interrupted => "interrupted",
        }
    }
}

/// Say what failed, with its chain of causes and what to do next.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    chain: anyhow::Error,
    hints: Vec<String>,
}

impl Error {
    /// Make an error without a cause.
    pub fn new(kind: Kind, message: impl Display) -> Self {
        Self { kind, chain: anyhow::Error::msg(message.to_string()), hints: Vec::new() }
    }

    /// Make an error over its cause.
    pub fn wrap(kind: Kind, message: impl Display, cause: impl Into<anyhow::Error>) -> Self {
        Self { kind, chain: cause.into().context(message.to_string()), hints: Vec::new() }
    }

    /// Shorten [`Error::new`] for a refused command line or input.
    pub fn usage(message: impl Display) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// Put what was being done in front of the message.
    #[must_use]
    pub fn context(mut self, message: impl Display) -> Self {
        self.chain = self.chain.context(message.to_string());
        self
    }

    /// Add a sentence of what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Display) -> Self {
        self.hints.push(hint.to_string());
        self
    }

    /// Give the error another kind, where a caller knows better what it means.
    #[must_use]
    pub fn with_kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// Say of which kind it is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Give the outermost message, without causes.
    pub fn message(&self) -> String {
        self.chain.to_string()
    }

    /// Give the causes, outermost first, without the message itself.
    pub fn causes(&self) -> Vec<String> {
        self.chain.chain().skip(1).map(ToString::to_string).collect()
    }

    /// Give the sentences of what to do next.
    pub fn hints(&self) -> &[String] {
        &self.hints
    }
}

/// The message and its causes in one line, `a: b: c`.
impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.chain)
    }
}

/// Turn a foreign error into [`Error`] where it is met.
pub trait Context<T> {
    /// Wrap the error with its kind and what failed.
    fn or_fail(self, kind: Kind, message: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<anyhow::Error>> Context<T> for std::result::Result<T, E> {
    fn or_fail(self, kind: Kind, message: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|cause| Error::wrap(kind, message(), cause))
    }
}
