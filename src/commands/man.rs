//! `flussctl man`: the manuals, from the definition of the command line, as kept under `man/`.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use clap_mangen::Man;

use crate::cli::answer::{OnClosed, answer_failed};
use crate::cli::terminal::Terminal;
use crate::error::{Context as _, Kind, Result};
use crate::exit;

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
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set() && verb.get_name() != "help") {
        gather(verb, pages)?;
    }
    Ok(())
}

fn page(command: clap::Command) -> Result<Vec<u8>> {
    let codes = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let mut text = Vec::new();
    render(command, &codes, &mut text).or_fail(Kind::Failed, || "cannot make the manual".to_owned())?;
    Ok(text)
}

fn render(command: clap::Command, codes: &str, text: &mut Vec<u8>) -> io::Result<()> {
    let has_verbs = command.has_subcommands();
    // Without a date, so that the kept files change only with the commands.
    let man = Man::new(command).date("");
    man.render_title(text)?;
    man.render_name_section(text)?;
    man.render_synopsis_section(text)?;
    man.render_description_section(text)?;
    man.render_options_section(text)?;
    if has_verbs {
        man.render_subcommands_section(text)?;
    }
    // A section of its own, where its readers look for it, in the place of clap_mangen's EXTRA.
    writeln!(text, ".SH \"EXIT STATUS\"")?;
    let lines = codes.lines().filter(|line| *line != exit::HELP_TITLE);
    for (code, meaning) in lines.filter_map(|line| line.trim().split_once("  ")) {
        writeln!(text, ".TP\n\\fB{code}\\fR\n{}", meaning.replace('-', "\\-"))?;
    }
    man.render_version_section(text)
}
