//! Where a value came from, and values that are refused only when they are needed.

use std::fmt;
use std::path::PathBuf;

use crate::error::{Error, Kind, Result};

/// Say where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A flag, such as `--zookeeper`.
    Flag(&'static str),
    /// An environment variable.
    Environment(String),
    /// A `-D key=value`.
    Define,
    /// A line of a file, counted from 1.
    File {
        /// The file as it was named.
        path: PathBuf,
        /// The line.
        line: usize,
    },
    /// Nowhere: it is the default.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => f.write_str(flag),
            Self::Environment(name) => f.write_str(name),
            Self::Define => f.write_str("-D"),
            Self::File { path, line } => {
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                write!(f, "{name} line {line} ({})", path.display())
            }
            Self::Default => f.write_str("default"),
        }
    }
}

/// A value with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub origin: Origin,
}

impl<T> Sourced<T> {
    /// Put a value and its origin together.
    pub const fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }

    /// Mark a value as the default.
    pub const fn default_value(value: T) -> Self {
        Self::new(value, Origin::Default)
    }

    /// Turn the value into another, naming the origin in the error.
    pub fn try_map<U>(self, f: impl FnOnce(T) -> Result<U>) -> Result<Sourced<U>> {
        match f(self.value) {
            Ok(value) => Ok(Sourced::new(value, self.origin)),
            Err(error) => Err(error.context(format!("{} is refused", self.origin))),
        }
    }
}

/// One line of what `-v` tells: a setting, its value as it may be shown, its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The setting, by its key in `server.yaml` or its flag.
    pub key: String,
    /// The value, secrets as `***`.
    pub value: String,
    /// Where it was written.
    pub origin: Origin,
}

impl Explained {
    /// Describe one setting; the value must be fit to be shown.
    pub fn new(key: impl Into<String>, value: impl fmt::Display, origin: &Origin) -> Self {
        Self { key: key.into(), value: value.to_string(), origin: origin.clone() }
    }
}

/// Keep a value, or why there is none until somebody needs it.
#[derive(Clone, Debug)]
pub enum Deferred<T> {
    /// It is there.
    Ready(T),
    /// It is refused.
    Refused(Refusal),
}

/// The parts of an [`Error`] that can be given out more than once.
#[derive(Clone, Debug)]
pub struct Refusal {
    kind: Kind,
    text: String,
    hints: Vec<String>,
}

impl<T> Deferred<T> {
    /// Give the value, or the error that it is refused with, each time anew.
    pub fn get(&self) -> Result<&T> {
        match self {
            Self::Ready(value) => Ok(value),
            Self::Refused(Refusal { kind, text, hints }) => {
                Err(hints.iter().fold(Error::new(*kind, text), Error::hint))
            }
        }
    }
}

impl<T> From<Result<T>> for Deferred<T> {
    fn from(result: Result<T>) -> Self {
        match result {
            Ok(value) => Self::Ready(value),
            Err(error) => Self::Refused(Refusal {
                kind: error.kind(),
                text: error.to_string(),
                hints: error.hints().to_vec(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_read_as_promised() {
        let file = Origin::File { path: "/etc/fluss/server.yaml".into(), line: 3 };
        for (origin, want) in [
            (Origin::Flag("--zookeeper"), "--zookeeper"),
            (Origin::Environment("FLUSSCTL_ZOOKEEPER".into()), "FLUSSCTL_ZOOKEEPER"),
            (Origin::Define, "-D"),
            (file, "server.yaml line 3 (/etc/fluss/server.yaml)"),
            (Origin::Default, "default"),
        ] {
            assert_eq!(origin.to_string(), want);
        }
    }

    #[test]
    fn a_refusal_keeps_kind_text_and_hints() {
        let error = Error::wrap(Kind::NotPermitted, "outer", std::io::Error::other("inner")).hint("do it");
        let deferred: Deferred<()> = Err(error).into();
        for _ in 0..2 {
            let error = deferred.get().unwrap_err();
            assert_eq!((error.kind(), error.to_string().as_str()), (Kind::NotPermitted, "outer: inner"));
            assert_eq!(error.hints(), ["do it"]);
        }
    }
}
