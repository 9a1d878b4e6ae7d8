//! `--audit-log`: a JSON line for each decision, appended to a file of the operator's own.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::{Context, Error, Kind, Result};
use crate::render::SCHEMA_VERSION;
use crate::render::escape::Escaping;

/// Record decisions, or nothing where no log was asked for.
pub struct Audit {
    log: Option<Log>,
}

struct Log {
    path: PathBuf,
    file: Mutex<Appender>,
}

struct Appender {
    file: File,
    /// The last line was cut by a full disk; the next must not be glued to it.
    torn: bool,
}

/// A decision and how it ended.
#[derive(Clone, Debug, Serialize)]
pub struct Decision<'a> {
    /// The command: `delete`.
    pub command: &'a str,
    /// The snapshot that it is about; `None` for files of nobody.
    pub producer_id: Option<&'a str>,
    /// What was decided: `delete_znode`, `keep`.
    pub action: &'a str,
    /// How it ended: `done`, `not_found`, or the name of a [`Kind`].
    pub outcome: &'a str,
    /// What else is worth keeping: `mzxid`, `path`, `reason`.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

#[derive(Serialize)]
struct Line<'a> {
    schema_version: u32,
    at: String,
    pid: u32,
    #[serde(flatten)]
    decision: &'a Decision<'a>,
}

impl Audit {
    /// Record nothing.
    pub const fn none() -> Self {
        Self { log: None }
    }

    /// Open the log before anything is done; made with mode 0600 if it is not there.
    ///
    /// Anything but a regular file is refused with [`Kind::Usage`], a symbolic link too: the log would go where somebody
    /// else pointed it.
    pub fn open(path: &Path) -> Result<Self> {
        let shown = path.display();
        // A named pipe without a reader would hold us here; with NONBLOCK it is an error.
        let flags = OFlags::WRONLY
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let file = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR).map_err(|errno| match errno {
            Errno::LOOP | Errno::NXIO | Errno::ISDIR => {
                Error::usage(format!("the audit log {shown} is not a regular file"))
            }
            Errno::ACCESS | Errno::PERM | Errno::ROFS => {
                Error::wrap(Kind::NotPermitted, format!("cannot open the audit log {shown}"), errno)
            }
            Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG | Errno::INVAL => {
                Error::wrap(Kind::Usage, format!("cannot open the audit log {shown}"), errno)
            }
            _ => Error::wrap(Kind::Failed, format!("cannot open the audit log {shown}"), errno),
        })?;
        let stat = rustix::fs::fstat(&file)
            .or_fail(Kind::Failed, || format!("cannot look at the audit log {shown}"))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(Error::usage(format!("the audit log {shown} is not a regular file")));
        }
        let file = Mutex::new(Appender { file: File::from(file), torn: false });
        Ok(Self { log: Some(Log { path: path.to_owned(), file }) })
    }

    /// Append a line in one write, with the time of now.
    pub fn record(&self, decision: &Decision<'_>) -> Result<()> {
        let Some(log) = &self.log else { return Ok(()) };
        let failed = || format!("cannot write the audit log {}", log.path.display());
        let line = Line { schema_version: SCHEMA_VERSION, at: now(), pid: std::process::id(), decision };
        let mut text = vec![b'\n'];
        line.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Escaping::compact()))
            .or_fail(Kind::Failed, failed)?;
        text.push(b'\n');
        let mut appender = log.file.lock().unwrap_or_else(PoisonError::into_inner);
        let text = if appender.torn { &text[..] } else { &text[1..] };
        // One write of a file opened to append is one piece, whoever else writes to it.
        let written = loop {
            match appender.file.write(text) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        match written {
            Ok(length) if length == text.len() => {
                appender.torn = false;
                Ok(())
            }
            Ok(length) => {
                appender.torn |= length > 0;
                Err(Error::new(Kind::Failed, failed()).context("the disk took a part of a line only"))
            }
            Err(cause) => Err(Error::wrap(Kind::Failed, failed(), cause)),
        }
    }
}

fn now() -> String {
    format!("{:.3}", Timestamp::now())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use serde_json::json;

    use super::*;

    fn decision(id: &str) -> Decision<'_> {
        let more = [("mzxid".to_owned(), json!(i64::MAX))].into_iter().collect();
        Decision { command: "delete", producer_id: Some(id), action: "delete_znode", outcome: "done", more }
    }

    #[test]
    fn each_decision_is_a_line_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        Audit::open(&path).unwrap().record(&decision("a")).unwrap();
        Audit::open(&path).unwrap().record(&decision("b\n\u{202e}")).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1]["producer_id"], "b\n\u{202e}");
        assert_eq!(lines[0]["mzxid"], json!(i64::MAX));
        assert_eq!(lines[0]["schema_version"], 1);
        assert!(lines[0]["at"].as_str().unwrap().parse::<Timestamp>().is_ok());
        assert!(!text.contains('\u{202e}'));
        let keys: Vec<&str> = lines[0].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            ["schema_version", "at", "pid", "command", "producer_id", "action", "outcome", "mzxid"]
        );
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn only_a_regular_file_is_a_log() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        std::fs::write(&target, "kept").unwrap();
        let link = folder.path().join("link");
        symlink(&target, &link).unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
        for path in [&link, &pipe, folder.path(), Path::new("/dev/null"), &folder.path().join("no/such")] {
            let refused = Audit::open(path).err().unwrap();
            assert_eq!(refused.kind(), Kind::Usage, "{path:?}: {refused}");
        }
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "kept");
        Audit::none().record(&decision("a")).unwrap();
    }

    #[test]
    fn a_line_after_a_torn_one_stands_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        std::fs::write(&path, "{\"torn").unwrap();
        let audit = Audit::open(&path).unwrap();
        audit.log.as_ref().unwrap().file.lock().unwrap().torn = true;
        audit.record(&decision("a")).unwrap();
        audit.record(&decision("b")).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().skip(1).all(|line| serde_json::from_str::<Value>(line).is_ok()));
    }
}
