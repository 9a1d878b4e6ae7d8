//! All that a person sees beside the answer (status, warnings, errors; prompts and bars on top of it).
//!
//! One type holds stderr, so that a line never tears a bar and colour is decided once.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::{MultiProgress, ProgressDrawTarget};

use crate::error::Error;
use crate::render::escape::escape;

/// Say when colour is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    #[default]
    Auto,
    /// Everywhere, `NO_COLOR` or not.
    Always,
    /// Nowhere.
    Never,
}

/// What is around the program that decides how it may speak.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub struct Surroundings {
    /// stdin is a terminal.
    pub stdin: bool,
    /// stdout is a terminal.
    pub stdout: bool,
    /// stderr is a terminal.
    pub stderr: bool,
    /// No escape code may be written unasked: `NO_COLOR` is set and not empty, or `TERM` is `dumb`.
    pub plain: bool,
    /// The width of stdout in columns, if it is a terminal.
    pub width: Option<usize>,
}

impl Surroundings {
    /// Look at the environment and the three streams.
    pub fn detect() -> Self {
        let stdout = io::stdout().is_terminal();
        let width = stdout.then(|| rustix::termios::tcgetwinsize(io::stdout()).ok()).flatten();
        Self {
            stdin: io::stdin().is_terminal(),
            stdout,
            stderr: io::stderr().is_terminal(),
            plain: std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
                || std::env::var_os("TERM").is_some_and(|value| value == "dumb"),
            width: width.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0),
        }
    }
}

/// Speak to the person, and only to the person. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Terminal(Arc<Inner>);

struct Inner {
    quiet: bool,
    verbosity: u8,
    color_stdout: bool,
    color_stderr: bool,
    around: Surroundings,
    bars: MultiProgress,
    /// The reader of the answer went away, and the command was to end then.
    ended: AtomicBool,
    stderr: Mutex<Box<dyn Write + Send>>,
}

impl Terminal {
    /// Make the terminal of this process.
    pub fn new(quiet: bool, verbosity: u8, color: ColorChoice) -> Self {
        Self::with(quiet, verbosity, color, Surroundings::detect(), Box::new(io::stderr()))
    }

    /// Make a terminal over other surroundings, whose stderr goes elsewhere.
    pub fn with(
        quiet: bool,
        verbosity: u8,
        color: ColorChoice,
        around: Surroundings,
        stderr: Box<dyn Write + Send>,
    ) -> Self {
        let colored = |is_terminal: bool| match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => is_terminal && !around.plain,
        };
        // A bar moves the cursor by escape codes, so NO_COLOR forbids it like a colour.
        let target = if around.stderr && !around.plain && !quiet {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        Self(Arc::new(Inner {
            quiet,
            verbosity,
            color_stdout: colored(around.stdout),
            color_stderr: colored(around.stderr),
            around,
            bars: MultiProgress::with_draw_target(target),
            ended: AtomicBool::new(false),
            stderr: Mutex::new(stderr),
        }))
    }

    /// Say whether colour codes may go to stdout.
    pub fn color(&self) -> bool {
        self.0.color_stdout
    }

    /// Give the width of stdout in columns; `None` where it is no terminal and lines may be as long as they are.
    pub fn width(&self) -> Option<usize> {
        self.0.around.width
    }

    /// Give how often `-v` was said.
    pub fn verbosity(&self) -> u8 {
        self.0.verbosity
    }

    /// Say whether a prompt would find somebody.
    pub fn can_ask(&self) -> bool {
        self.0.around.stdin && self.0.around.stderr
    }

    pub(super) fn around(&self) -> &Surroundings {
        &self.0.around
    }

    pub(super) fn bars(&self) -> &MultiProgress {
        &self.0.bars
    }

    /// Say what was or is being done; hushed by `-q`.
    pub fn status(&self, text: impl Display) {
        if !self.0.quiet {
            self.line(&escape(&text.to_string()));
        }
    }

    /// Say a line of what is about to be confirmed; where somebody is asked, `-q` does not hush what is asked about.
    pub fn plan(&self, text: impl Display) {
        if !self.0.quiet || self.can_ask() {
            self.line(&escape(&text.to_string()));
        }
    }

    /// Say more, to whom said `-v` at least `level` times.
    pub fn verbose(&self, level: u8, text: impl Display) {
        if self.0.verbosity >= level {
            self.line(&escape(&text.to_string()));
        }
    }

    /// Warn; hushed by `-q`.
    pub fn warn(&self, text: impl Display) {
        if !self.0.quiet {
            self.labelled("warning", "33", &text.to_string());
        }
    }

    /// Say what to do next; hushed by `-q`.
    pub fn hint(&self, text: impl Display) {
        if !self.0.quiet {
            self.labelled("hint", "36", &text.to_string());
        }
    }

    /// Say what failed, why, and what to do next: `error: …`, a line `  because …` for each cause, then `hint: …`.
    pub fn error(&self, error: &Error) {
        let mut said = error.message();
        self.labelled("error", "31", &said);
        for cause in error.causes() {
            // Many errors print their source within themselves; nobody wants to read it twice.
            if !said.ends_with(&cause) {
                self.line(&format!("  because {}", escape(&cause)));
            }
            said = cause;
        }
        for hint in error.hints() {
            self.labelled("hint", "36", hint);
        }
    }

    fn labelled(&self, label: &str, code: &str, text: &str) {
        let text = escape(text);
        if self.0.color_stderr {
            self.line(&format!("\u{1b}[1;{code}m{label}\u{1b}[0m: {text}"));
        } else {
            self.line(&format!("{label}: {text}"));
        }
    }

    fn line(&self, text: &str) {
        self.raw(format!("{text}\n").as_bytes());
    }

    /// Write in one piece with the bars out of the way. A closed stderr has nobody to be told of it.
    pub(super) fn raw(&self, bytes: &[u8]) {
        self.0.bars.suspend(|| {
            let mut stderr = self.0.stderr.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = stderr.write_all(bytes).and_then(|()| stderr.flush());
        });
    }

    /// Say whether the command ended because nobody reads its answer any more: a quiet end with code 0.
    pub fn ended_quietly(&self) -> bool {
        self.0.ended.load(Ordering::Relaxed)
    }

    pub(super) fn end_quietly(&self) {
        self.0.ended.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::error::Kind;

    /// A stderr that remembers.
    #[derive(Clone, Default)]
    pub(crate) struct Captured(Arc<Mutex<Vec<u8>>>);

    impl Captured {
        pub(crate) fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    pub(crate) const NOWHERE: Surroundings =
        Surroundings { stdin: false, stdout: false, stderr: false, plain: false, width: None };
    const SCREEN: Surroundings =
        Surroundings { stdin: true, stdout: true, stderr: true, width: Some(80), ..NOWHERE };

    pub(crate) fn captured(quiet: bool, verbosity: u8) -> (Terminal, Captured) {
        let stderr = Captured::default();
        let terminal = Terminal::with(quiet, verbosity, ColorChoice::Auto, NOWHERE, Box::new(stderr.clone()));
        (terminal, stderr)
    }

    #[test]
    fn colour_and_bars_follow_the_surroundings() {
        let plain = Surroundings { plain: true, ..SCREEN };
        let piped = Surroundings { stdout: false, ..SCREEN };
        // (surroundings, choice, quiet) -> (colour on stdout, on stderr, bars)
        let table = [
            (SCREEN, ColorChoice::Auto, false, (true, true, true)),
            (SCREEN, ColorChoice::Auto, true, (true, true, false)),
            (SCREEN, ColorChoice::Never, false, (false, false, true)),
            (plain, ColorChoice::Auto, false, (false, false, false)),
            (plain, ColorChoice::Always, false, (true, true, false)),
            (piped, ColorChoice::Auto, false, (false, true, true)),
            (NOWHERE, ColorChoice::Auto, false, (false, false, false)),
            (NOWHERE, ColorChoice::Always, false, (true, true, false)),
        ];
        for (around, color, quiet, expected) in table {
            let terminal = Terminal::with(quiet, 0, color, around, Box::new(io::sink()));
            let inner = &terminal.0;
            // indicatif hides its bars by itself where the real stderr is no terminal, as under a test runner.
            let bars = !inner.bars.is_hidden() || (expected.2 && !io::stderr().is_terminal());
            assert_eq!(
                (inner.color_stdout, inner.color_stderr, bars),
                expected,
                "{around:?} {color:?} {quiet}"
            );
        }
    }

    #[test]
    fn stderr_is_escaped_and_hushed() {
        let (terminal, stderr) = captured(false, 1);
        terminal.status("did \u{1b}[2J\nit");
        terminal.verbose(1, "more");
        terminal.verbose(2, "too much");
        terminal.warn("mind\u{202e}");
        terminal.hint("try");
        assert_eq!(stderr.text(), "did \\u{1b}[2J\\nit\nmore\nwarning: mind\\u{202e}\nhint: try\n");
        let (terminal, stderr) = captured(true, 0);
        terminal.status("did");
        terminal.hint("try");
        terminal.warn("mind");
        terminal.plan("do");
        assert_eq!(stderr.text(), "");
        let asked = Captured::default();
        Terminal::with(true, 0, ColorChoice::Never, SCREEN, Box::new(asked.clone())).plan("do");
        assert_eq!(asked.text(), "do\n", "nobody says yes to what was not shown");
    }

    #[test]
    fn errors_name_causes_once_and_what_to_do() {
        let (terminal, stderr) = captured(true, 0);
        let error = Error::wrap(Kind::Failed, "no\u{7}", io::Error::other("disk: full"))
            .context("cannot save: no\u{7}")
            .hint("make room");
        terminal.error(&error);
        assert_eq!(stderr.text(), "error: cannot save: no\\u{7}\n  because disk: full\nhint: make room\n");
    }
}
