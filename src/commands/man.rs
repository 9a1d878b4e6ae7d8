//! `flussctl man`: the manuals, from the definition of the command line, as kept under `man/`.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use clap_mangen::Man;

use crate::cli::answer::{OnClosed, answer_failed};
use crate::cli::terminal::Terminal;
use crate::error::{Context as _, Kind, Result};

/// The arguments of `man`.
#[derive(Args)]
pub struct Arguments {
    /// Write all manuals into this folder, in the place of printing flussctl(1)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    to: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<()> {
    let Some(folder) = &arguments.to else {
        let mut answer = terminal.stdout(OnClosed::End);
        let page = page(super::definition())?;
        answer.write_all(&page).map_err(answer_failed)?;
        return answer.close();
    };
    let failed = || format!("cannot write the manuals into {}", folder.display());
    fs::create_dir_all(folder).or_fail(Kind::Failed, failed)?;
    for (name, text) in pages()? {
        fs::write(folder.join(name), text).or_fail(Kind::Failed, failed)?;
    }
    Ok(())
}

/// Make all manuals, by file name.
fn pages() -> Result<Vec<(String, Vec<u8>)>> {
    let mut root = super::definition();
    root.build();
    let mut pages = Vec::new();
    gather(&root, &mut pages)?;
    Ok(pages)
}

fn gather(command: &clap::Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    pages.push((format!("{name}.1"), page(command.clone())?));
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        gather(verb, pages)?;
    }
    Ok(())
}

fn page(command: clap::Command) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    // Without a date, so that the kept files change only with the commands.
    Man::new(command)
        .date("")
        .render(&mut text)
        .or_fail(Kind::Failed, || "cannot make the manual".to_owned())?;
    Ok(text)
}
