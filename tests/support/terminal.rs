//! The program on a terminal: what it shows, prompts for and draws there.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Child;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use tempfile::TempDir;

use super::flussctl::exit_code;
use super::process::{self, Signal};
use super::{PATIENCE, until, until_some};

/// A terminal of 100 columns and 40 rows with the program in its foreground; killed when dropped.
pub struct Terminal {
    child: Child,
    pty: Arc<Pty>,
    seen: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
    /// Keeps the home while the program lives.
    _home: Arc<TempDir>,
}

impl Terminal {
    pub(super) fn start(
        program: &Path,
        args: &[OsString],
        environment: impl Iterator<Item = (OsString, OsString)>,
        dir: &Path,
        home: Arc<TempDir>,
    ) -> Self {
        let (pty, child_end) = open().expect("open a terminal");
        pty.resize(Size::new(40, 100)).expect("size the terminal");
        let command = Command::new(program).args(args).env_clear().envs(environment).current_dir(dir);
        let child = command.spawn(child_end).expect("start flussctl on a terminal");
        let pty = Arc::new(pty);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let reader = thread::spawn({
            let (pty, seen) = (Arc::clone(&pty), Arc::clone(&seen));
            move || {
                let mut buffer = [0; 4096];
                // A terminal that nobody has open any more reads as an error.
                while let Ok(read @ 1..) = (&*pty).read(&mut buffer) {
                    seen.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&buffer[..read]);
                }
            }
        });
        Self { child, pty, seen, reader: Some(reader), _home: home }
    }

    /// Give all that was written to the terminal, escape sequences included.
    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// Give all that was written to the terminal, as text: no escape sequences, no carriage returns.
    pub fn text(&self) -> String {
        plain(&self.raw())
    }

    /// Wait until the terminal has shown a text.
    #[track_caller]
    pub fn until_shown(&self, text: &str) {
        until(&format!("the terminal shows {text:?}"), PATIENCE, || self.text().contains(text));
    }

    /// Type; a line ends with `\r`, as the key does.
    pub fn type_keys(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).expect("type into the terminal");
    }

    /// Press Ctrl-C.
    pub fn ctrl_c(&self) {
        self.type_keys("\u{3}");
    }

    /// Press Ctrl-D.
    pub fn ctrl_d(&self) {
        self.type_keys("\u{4}");
    }

    /// Send the program a signal.
    pub fn signal(&self, signal: Signal) {
        process::signal(&self.child, signal);
    }

    /// Wait for the program's end, and give all that was shown, as [`Self::raw`], and the exit code.
    #[track_caller]
    pub fn wait(mut self) -> (String, i32) {
        let status = until_some("the program on the terminal has ended", PATIENCE, || {
            self.child.try_wait().expect("look at flussctl's process")
        });
        if let Some(reader) = self.reader.take() {
            reader.join().expect("read the terminal");
        }
        (self.raw(), exit_code(status))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended, and then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Take escape sequences (ECMA-48: CSI and two-byte ones) and carriage returns out of a text.
pub fn plain(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {}
            '\u{1b}' => {
                if chars.next() == Some('[') {
                    chars.by_ref().find(|c| ('@'..='~').contains(c));
                }
            }
            c => text.push(c),
        }
    }
    text
}
