//! Bars and spinners on stderr, for long work on a terminal; silence elsewhere.

use std::fmt::Display;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::terminal::Terminal;
use crate::render::escape::escape;

const BAR: &str = "{prefix} [{bar:30}] {human_pos}/{human_len} {msg}";
const SPINNER: &str = "{spinner} {prefix} {human_pos} {msg}";
const COUNTDOWN: &str = "{prefix} [{bar:30}] {msg}";

/// Show how far a piece of work is. Dropped, it leaves no trace on the screen.
pub struct Progress {
    bar: ProgressBar,
}

impl Terminal {
    /// Show a bar up to `total`, or a spinner that counts where the total is not known.
    pub fn progress(&self, label: &str, total: Option<u64>) -> Progress {
        self.begin(label, total, total.map_or(SPINNER, |_| BAR))
    }

    fn begin(&self, label: &str, total: Option<u64>, template: &str) -> Progress {
        if self.bars().is_hidden() {
            return Progress { bar: ProgressBar::hidden() };
        }
        // All is set before the first draw, which is when it is added.
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden())
            .with_style(style(template))
            .with_prefix(escape(label).into_owned());
        let bar = self.bars().add(bar);
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar }
    }

    /// Wait for so long, showing on a terminal what for and how much of it is left.
    pub async fn count_down(&self, label: &str, wait: Duration) {
        let progress = self.begin(label, Some(wait.as_secs()), COUNTDOWN);
        let end = Instant::now() + wait;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            progress.bar.set_position(wait.saturating_sub(left).as_secs());
            progress.message(format_args!("{}s left", left.as_secs_f64().ceil()));
            // Up to the next whole second, so that each is shown.
            let part = Duration::from_nanos(u64::from(left.subsec_nanos()).max(1));
            tokio::time::sleep(if left.subsec_nanos() == 0 {
                left.min(Duration::from_secs(1))
            } else {
                part
            })
            .await;
        }
    }
}

impl Progress {
    /// Learn how much there is to do.
    pub fn total(&self, total: u64) {
        self.bar.set_style(style(BAR));
        self.bar.set_length(total);
    }

    /// Count work done.
    pub fn inc(&self, done: u64) {
        self.bar.inc(done);
    }

    /// Say what is in hand.
    pub fn message(&self, text: impl Display) {
        if !self.bar.is_hidden() {
            self.bar.set_message(escape(&text.to_string()).into_owned());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    // The templates above are fixed and the tests draw each; a wrong one costs looks, not the work.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;
    use crate::cli::terminal::tests::captured;

    /// A screen of one line.
    #[derive(Clone, Debug, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl Screen {
        fn contents(&self) -> String {
            self.0.lock().unwrap().trim_end().to_owned()
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap().clear();
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn on_a_screen() -> (Terminal, Screen) {
        let (terminal, _) = captured(false, 0);
        let screen = Screen::default();
        terminal.bars().set_draw_target(ProgressDrawTarget::term_like_with_hz(Box::new(screen.clone()), 255));
        (terminal, screen)
    }

    #[test]
    fn a_bar_shows_its_work_and_leaves_no_trace() {
        let (terminal, screen) = on_a_screen();
        let progress = terminal.progress("reading\u{202e}", Some(2_000));
        progress.inc(1_500);
        progress.message("job\u{1b}");
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(
            screen.contents(),
            "reading\\u{202e} [======================>       ] 1,500/2,000 job\\u{1b}"
        );
        terminal.status("a line");
        drop(progress);
        assert_eq!(screen.contents(), "");
    }

    #[test]
    fn a_spinner_counts() {
        let (terminal, screen) = on_a_screen();
        let progress = terminal.progress("listing", None);
        progress.inc(7);
        std::thread::sleep(Duration::from_millis(300));
        assert!(screen.contents().ends_with(" listing 7"), "{:?}", screen.contents());
    }

    #[tokio::test]
    async fn a_countdown_takes_its_time() {
        let (terminal, screen) = on_a_screen();
        let begin = Instant::now();
        let wait = terminal.count_down("waiting for readers", Duration::from_millis(1_200));
        tokio::select! {
            () = wait => {}
            () = async {
                tokio::time::sleep(Duration::from_millis(100)).await;
                assert!(screen.contents().starts_with("waiting for readers ["), "{:?}", screen.contents());
                assert!(screen.contents().ends_with("2s left"), "{:?}", screen.contents());
                std::future::pending::<()>().await;
            } => {}
        }
        assert!(begin.elapsed() >= Duration::from_millis(1_200));
        assert_eq!(screen.contents(), "");
    }

    #[test]
    fn elsewhere_there_is_silence() {
        let (terminal, stderr) = captured(false, 0);
        let progress = terminal.progress("reading", Some(2));
        progress.inc(1);
        progress.message("x");
        progress.total(3);
        drop(progress);
        assert_eq!(stderr.text(), "");
    }
}
