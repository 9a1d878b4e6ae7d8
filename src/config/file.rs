//! Reading the small files that configure a run.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use crate::error::{Error, Kind, Result};

/// The most bytes that a configuration file may have, 1 MiB.
pub const LIMIT: u64 = 1024 * 1024;

/// The longest that a file may take to be read.
const PATIENCE: Duration = Duration::from_secs(30);

/// A file's bytes, and whether more than its owner can read it.
pub struct Contents {
    /// All bytes of the file.
    pub bytes: Vec<u8>,
    /// Whether the group or everybody has the right to read it.
    pub open_to_others: bool,
}

/// Read a file of at most [`LIMIT`] bytes, named in messages as `what`.
///
/// # Errors
/// `NotPermitted` without the right to read it, `Usage` when it is missing, too large or no file.
pub fn read(path: &Path, what: &str) -> Result<Contents> {
    let failed = |cause: io::Error| {
        let kind =
            if cause.kind() == io::ErrorKind::PermissionDenied { Kind::NotPermitted } else { Kind::Usage };
        Error::wrap(kind, format!("cannot read {what} {}", path.display()), cause)
    };
    if path.as_os_str().is_empty() {
        return Err(Error::usage(format!("the path of {what} is empty")));
    }
    let (metadata, bytes) = read_in_time(path).map_err(failed)?;
    if bytes.len() as u64 > LIMIT {
        return Err(Error::usage(format!("{what} {} is larger than 1 MiB", path.display())));
    }
    // A pipe (`<(…)` in a shell) has rights too, but no one else can open it by name.
    let open_to_others = metadata.is_file() && metadata.permissions().mode() & 0o044 != 0;
    Ok(Contents { bytes, open_to_others })
}

/// Read in a thread of its own: a pipe that nobody writes to keeps the thread, and not the command.
fn read_in_time(path: &Path) -> io::Result<(Metadata, Vec<u8>)> {
    let (sender, answer) = mpsc::channel();
    let path = path.to_owned();
    std::thread::spawn(move || {
        let read = || {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            let mut bytes = Vec::new();
            file.take(LIMIT + 1).read_to_end(&mut bytes)?;
            Ok((metadata, bytes))
        };
        // Nobody listens any more once the time is over.
        let _ = sender.send(read());
    });
    let late = || io::Error::new(io::ErrorKind::TimedOut, "nothing came within 30 s");
    answer.recv_timeout(PATIENCE).unwrap_or_else(|_| Err(late()))
}

/// Word the warning for a file with secrets that others can read.
pub fn warn_open(path: &Path) -> String {
    format!("{0} holds secrets and more than its owner can read it: chmod 600 {0}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_bounded_and_failures_name_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        std::fs::write(&path, vec![b'a'; 1024 * 1024]).unwrap();
        assert_eq!(read(&path, "it").unwrap().bytes.len(), 1024 * 1024);
        std::fs::write(&path, vec![b'a'; 1024 * 1024 + 1]).unwrap();
        for (path, want) in
            [(path.as_path(), "larger than 1 MiB"), (dir.path(), "cannot read"), (Path::new(""), "empty")]
        {
            let error = read(path, "it").err().unwrap();
            assert_eq!(error.kind(), Kind::Usage);
            assert!(error.to_string().contains(want), "{error}");
        }
    }

    #[test]
    fn rights_are_looked_at() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        std::fs::write(&path, "a").unwrap();
        for (mode, open) in [(0o600, false), (0o640, true), (0o604, true)] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(read(&path, "it").unwrap().open_to_others, open, "{mode:o}");
        }
    }
}
