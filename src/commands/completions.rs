//! `flussctl completions SHELL`: from the definition of the command line, as kept under `completions/`.

use std::io::Write as _;

use clap::Args;
use clap_complete::Shell;

use crate::cli::answer::{OnClosed, answer_failed};
use crate::cli::terminal::Terminal;
use crate::error::Result;

/// The arguments of `completions`.
#[derive(Args)]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::definition(), "flussctl", &mut script);
    let mut answer = terminal.stdout(OnClosed::End);
    answer.write_all(&script).map_err(answer_failed)?;
    answer.close()
}
