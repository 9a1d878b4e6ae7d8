//! Fluss's `server.yaml`, which is read line by line and is no YAML (Fluss's `GlobalConfiguration`).

use std::fmt;
use std::path::Path;

use super::{file, secret};
use crate::error::Result;

/// A key with its value, as one line says it.
#[derive(Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The value, quotes and all.
    pub value: String,
    /// The line, counted from 1.
    pub line: usize,
}

/// Secrets stay hidden.
impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?} (line {})", self.key, secret::shown(&self.key, &self.value), self.line)
    }
}

/// The lines of a `server.yaml` that Fluss would take, and what it would pass over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerYaml {
    /// Every key with its value, in the order of the file, duplicates too.
    pub values: Vec<Entry>,
    /// Sentences on what is passed over; they name lines and never repeat them, as a line may hold a secret.
    pub warnings: Vec<String>,
    /// The lines passed over that were meant for this program, such as `flussctl.read-only:true`.
    pub lost_guards: Vec<usize>,
    /// Whether others than its owner can read the file.
    pub open_to_others: bool,
}

impl ServerYaml {
    /// Read a file of at most 1 MiB.
    ///
    /// # Errors
    /// `Usage` when it is missing or too large, `NotPermitted` without the right to read it.
    pub fn read(path: &Path) -> Result<Self> {
        let contents = file::read(path, "server config")?;
        Ok(Self { open_to_others: contents.open_to_others, ..Self::parse(&contents.bytes) })
    }

    /// Parse the bytes of a file. Nothing is an error to Fluss; what it passes over is a warning.
    ///
    /// Each line is cut at its first `#`, trimmed and split at the first `": "`.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut parsed = Self::default();
        let text = String::from_utf8_lossy(bytes);
        if std::str::from_utf8(bytes).is_err() {
            parsed.warnings.push("the file is not UTF-8: what is not is replaced".into());
        }
        // Java ends a line at \n, \r or both.
        for (index, line) in text.replace("\r\n", "\n").split(['\n', '\r']).enumerate() {
            parsed.take_line(index + 1, line);
        }
        parsed
    }

    fn take_line(&mut self, number: usize, line: &str) {
        if line.starts_with('\u{feff}') {
            self.warnings.push(format!(
                "line {number} begins with a byte order mark, which Fluss takes for a part of the key"
            ));
        }
        let conf = line.split('#').next().unwrap_or_default().trim_matches(java_space);
        if conf.is_empty() {
            return;
        }
        let skipped = match conf.split_once(": ") {
            None => "is skipped: it has no key and value with colon and space between",
            Some((key, value)) => {
                let (key, value) = (key.trim_matches(java_space), value.trim_matches(java_space));
                if !key.is_empty() && !value.is_empty() {
                    self.take_entry(key, value, number);
                    return;
                }
                "is skipped: its key or value is empty"
            }
        };
        self.warnings.push(format!("line {number} {skipped}"));
        if conf.trim_start_matches('\u{feff}').starts_with("flussctl.") {
            self.lost_guards.push(number);
        }
    }

    fn take_entry(&mut self, key: &str, value: &str, line: usize) {
        if let Some(earlier) = self.get(key) {
            self.warnings
                .push(format!("line {line} sets {key} again, in the place of line {}", earlier.line));
        }
        self.values.push(Entry { key: key.into(), value: value.into(), line });
    }

    /// Give the entry that counts for a key, the last one.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.values.iter().rev().find(|entry| entry.key == key)
    }
}

/// What Java's `String.trim` takes away.
fn java_space(c: char) -> bool {
    c <= ' '
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(text: &str, key: &str) -> Option<String> {
        ServerYaml::parse(text.as_bytes()).get(key).map(|entry| entry.value.clone())
    }

    #[test]
    fn lines_read_as_fluss_reads_them() {
        for (line, want) in [
            ("k: v", Some("v")),
            ("  k  :  v  ", Some("v")),
            ("k   : v", Some("v")),
            ("k: p#ss", Some("p")),
            ("k: v # note", Some("v")),
            ("k: a: b", Some("a: b")),
            ("k: h1:2181,h2:2181/chroot", Some("h1:2181,h2:2181/chroot")),
            ("k: \"v\"", Some("\"v\"")),
            ("parent:\n  k: v", Some("v")),
            ("k: 1\nk: 2", Some("2")),
            ("k: 1\rk: 2\r\n", Some("2")),
            ("k: ${env:X}", Some("${env:X}")),
            ("k:v", None),
            ("k:", None),
            ("k:\tv", None),
            ("k: ", None),
            ("k: # v", None),
            ("# k: v", None),
            (": v", None),
            ("- k: v", None),
            ("\u{feff}k: v", None),
        ] {
            assert_eq!(value(line, "k").as_deref(), want, "{line:?}");
        }
    }

    #[test]
    fn what_is_passed_over_is_said_by_line_and_not_repeated() {
        let parsed =
            ServerYaml::parse(b"a: 1\n\n#c\nsecret:hunter2\n: x\na: 2\n\xff: y\nflussctl.read-only:true");
        assert_eq!(
            parsed.warnings,
            [
                "the file is not UTF-8: what is not is replaced",
                "line 4 is skipped: it has no key and value with colon and space between",
                "line 5 is skipped: its key or value is empty",
                "line 6 sets a again, in the place of line 1",
                "line 8 is skipped: it has no key and value with colon and space between",
            ]
        );
        assert_eq!(parsed.lost_guards, [8]);
        assert_eq!(parsed.get("a").map(|entry| entry.line), Some(6));
    }

    #[test]
    fn debug_hides_secrets() {
        let parsed = ServerYaml::parse(b"s3.secret-key: hunter2\nremote.data.dir: s3://b");
        let shown = format!("{parsed:?}");
        assert!(shown.contains("s3://b") && !shown.contains("hunter2"), "{shown}");
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>(), like in "([a-z]{0,3}:? ?[a-z#]{0,3}[\r\n]{0,2}){0,9}") {
            let _ = ServerYaml::parse(&bytes);
            for entry in ServerYaml::parse(like.as_bytes()).values {
                prop_assert!(!entry.key.is_empty() && !entry.value.is_empty() && !entry.value.contains('#'));
            }
        }
    }
}
