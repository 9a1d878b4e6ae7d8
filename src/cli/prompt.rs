//! The question before a change.

use std::io::{self, BufRead};

use dialoguer::Confirm;
use dialoguer::console::Term;
use tokio::sync::oneshot;

use super::interrupt::Stop;
use super::terminal::Terminal;
use crate::error::{Error, Kind, Result};
use crate::render::escape::escape;

impl Terminal {
    /// Make the error of a question that would find nobody.
    #[allow(clippy::unused_self)] // it is the terminal that is not there
    pub fn nobody_to_ask(&self) -> Error {
        Error::usage("this changes things and there is no terminal to ask on")
            .hint("say --yes to go on without a question, or --dry-run to see what it would do")
    }

    /// Ask a question on stderr; only `y` and Enter is a yes.
    ///
    /// Without a terminal on both stdin and stderr it fails with [`Kind::Usage`] at once, stdin unread. A stop ends it at
    /// once; the time it takes does not count against `--timeout`.
    pub async fn confirm(&self, question: &str, stop: &Stop) -> Result<bool> {
        if !self.can_ask() {
            return Err(self.nobody_to_ask());
        }
        let _paused = stop.pause();
        // A failure to clear a bar is seen on the screen and nowhere else.
        let _ = self.bars().clear();
        let question = escape(question).into_owned();
        let plain = self.around().plain;
        if plain {
            self.raw(format!("{question} [y/N] ").as_bytes());
        }
        // The prompt holds the terminal in raw mode while it waits for a key, and no thread that waits can be stopped.
        let before = rustix::termios::tcgetattr(io::stdin()).ok();
        let (sender, answer) = oneshot::channel();
        // A thread of its own and not the runtime's, which would wait for it at the end.
        std::thread::spawn(move || {
            let asked = if plain { ask_plainly(&mut io::stdin().lock()) } else { ask(question) };
            // Nobody listens any more after a stop.
            let _ = sender.send(asked);
        });
        tokio::select! {
            biased;
            kind = stop.wait() => {
                if let Some(before) = before {
                    let _ = rustix::termios::tcsetattr(
                        io::stdin(), rustix::termios::OptionalActions::Now, &before);
                }
                if !plain {
                    let _ = Term::stderr().show_cursor();
                }
                self.raw(b"\n");
                Err(stop.error(kind))
            }
            asked = answer => match asked {
                Ok(Ok(yes)) => Ok(yes),
                Ok(Err(cause)) if cause.kind() == io::ErrorKind::Interrupted => {
                    let _ = Term::stderr().show_cursor();
                    // The prompt has taken the key and sends the signal, which may come later.
                    stop.request(Kind::Interrupted);
                    Err(stop.error(Kind::Interrupted))
                }
                Ok(Err(cause)) => Err(Error::wrap(Kind::Failed, "cannot read the answer to the question", cause)),
                Err(cause) => Err(Error::wrap(Kind::Failed, "the prompt ended without an answer", cause)),
            },
        }
    }
}

fn ask(question: String) -> io::Result<bool> {
    let asked = Confirm::new().with_prompt(question).default(false).wait_for_newline(true).interact_opt();
    asked.map(|yes| yes.unwrap_or(false)).map_err(|dialoguer::Error::IO(error)| error)
}

/// Where no escape code may be written the line is read as it is.
fn ask_plainly(stdin: &mut dyn BufRead) -> io::Result<bool> {
    let mut line = String::new();
    stdin.read_line(&mut line)?;
    Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::terminal::tests::captured;

    #[tokio::test]
    async fn without_a_terminal_nobody_is_asked() {
        let (terminal, stderr) = captured(false, 0);
        let refused = terminal.confirm("delete?", &Stop::new(&terminal)).await.unwrap_err();
        assert_eq!(refused.kind(), Kind::Usage);
        assert!(refused.hints()[0].contains("--yes"));
        assert_eq!(stderr.text(), "");
    }

    #[test]
    fn only_yes_is_a_yes() {
        for (line, yes) in
            [("y\n", true), ("YES\n", true), ("", false), ("\n", false), ("n\n", false), ("yy\n", false)]
        {
            assert_eq!(ask_plainly(&mut line.as_bytes()).unwrap(), yes, "{line:?}");
        }
    }
}
