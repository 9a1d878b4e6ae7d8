//! The way of the answer out: stdout, and what happens when its reader goes away.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::terminal::Terminal;
use crate::error::{Error, Kind, Result};

/// Say what becomes of a command whose stdout was closed by its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnClosed {
    /// It ends quietly: it only reads, and nobody wants more.
    End,
    /// It goes on, writing to nobody: it changes things, and must not stop half-way.
    GoOn,
}

impl Terminal {
    /// Open the way of the answer to stdout.
    pub fn stdout(&self, on_closed: OnClosed) -> Answer {
        self.answer(Box::new(io::stdout()), on_closed)
    }

    /// Open the way of the answer to another place.
    pub fn answer(&self, out: Box<dyn Write + Send>, on_closed: OnClosed) -> Answer {
        Answer {
            terminal: self.clone(),
            out,
            buffer: Vec::with_capacity(BUFFER),
            flushed: Instant::now(),
            on_closed,
            closed: false,
        }
    }
}

/// Turn a failure to write the answer into an error.
pub fn answer_failed(cause: io::Error) -> Error {
    Error::wrap(Kind::Failed, "cannot write the answer to stdout", cause)
}

/// As many bytes are held before they are written.
const BUFFER: usize = 64 * 1024;
/// So long a line waits for others when they come slowly.
const PATIENCE: Duration = Duration::from_millis(100);

/// The answer on its way to stdout: held in pieces of 64 KiB or 100 ms, and closed as [`OnClosed`] says.
pub struct Answer {
    terminal: Terminal,
    out: Box<dyn Write + Send>,
    buffer: Vec<u8>,
    flushed: Instant,
    on_closed: OnClosed,
    closed: bool,
}

impl Answer {
    /// Say whether the reader went away.
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Write out what is held, and give the error that the command ends with.
    pub fn close(mut self) -> Result<()> {
        self.flush().map_err(answer_failed)
    }

    fn drain(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.buffer);
        self.flushed = Instant::now();
        if bytes.is_empty() || self.closed {
            return self.verdict();
        }
        let out = &mut self.out;
        let mut write = || out.write_all(&bytes).and_then(|()| out.flush());
        // Only a stdout that shares the screen with the bars has to wait for them.
        let written =
            if self.terminal.around().stdout { self.terminal.bars().suspend(write) } else { write() };
        self.buffer = bytes;
        self.buffer.clear();
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                self.verdict()
            }
            other => other,
        }
    }

    fn verdict(&self) -> io::Result<()> {
        if self.closed && self.on_closed == OnClosed::End {
            self.terminal.end_quietly();
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        Ok(())
    }
}

impl Write for Answer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return self.verdict().map(|()| bytes.len());
        }
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER || (bytes.ends_with(b"\n") && self.flushed.elapsed() >= PATIENCE) {
            self.drain()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.drain()
    }
}

impl Drop for Answer {
    /// What was answered before a failure is still an answer. Whoever wants to know whether it got out calls `close`.
    fn drop(&mut self) {
        let _ = self.drain();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::terminal::tests::{Captured, captured};

    struct ClosedAfter(usize);

    impl Write for ClosedAfter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.0 -= 1;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_pipe_ends_readers_quietly_and_lets_changers_go_on() {
        let (terminal, _) = captured(false, 0);
        let mut answer = terminal.answer(Box::new(ClosedAfter(1)), OnClosed::GoOn);
        for _ in 0..3 {
            writeln!(answer, "line").unwrap();
            answer.flush().unwrap();
        }
        assert!(answer.is_closed() && !terminal.ended_quietly());
        answer.close().unwrap();

        let mut answer = terminal.answer(Box::new(ClosedAfter(1)), OnClosed::End);
        writeln!(answer, "line").unwrap();
        answer.flush().unwrap();
        assert!(!terminal.ended_quietly());
        writeln!(answer, "line").unwrap();
        assert_eq!(answer.flush().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(writeln!(answer, "line").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert!(terminal.ended_quietly());
        assert_eq!(answer.close().unwrap_err().kind(), Kind::Failed);
    }

    #[test]
    fn the_answer_is_held_until_it_is_worth_a_write() {
        let (terminal, _) = captured(false, 0);
        let out = Captured::default();
        let mut answer = terminal.answer(Box::new(out.clone()), OnClosed::End);
        answer.flushed = Instant::now() + Duration::from_hours(1);
        writeln!(answer, "a").unwrap();
        assert_eq!(out.text(), "");
        answer.write_all(&vec![b'x'; BUFFER]).unwrap();
        assert_eq!(out.text().len(), BUFFER + 2);
        writeln!(answer, "b").unwrap();
        drop(answer);
        assert!(out.text().ends_with("xb\n"));
    }
}
