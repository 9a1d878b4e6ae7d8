//! From the command line to the exit code: takes it apart, sets the stage, runs the command, tells how it ended.

use std::ffi::OsString;
use std::io::Write as _;

use clap::error::ErrorKind;
use clap::{Parser as _, ValueEnum as _};

use super::{Command, Context, Flussctl, completions, man, producer_offsets};
use crate::cli::answer::OnClosed;
use crate::cli::interrupt::Stop;
use crate::cli::options::{Format, variable};
use crate::cli::settings::{Appearance, Settings};
use crate::cli::terminal::{ColorChoice, Terminal};
use crate::cli::trace;
use crate::error::{Context as _, Error, Kind, Result};
use crate::exit;
use crate::render::failure_document;

pub(super) fn run(arguments: &[OsString]) -> u8 {
    let cli = match Flussctl::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return refused(&error, arguments),
    };
    let env = |name: &str| std::env::var_os(name);
    let appearance =
        match cli.options.check_definitions(arguments).and_then(|()| Appearance::resolve(&cli.options, &env))
        {
            Ok(appearance) => appearance,
            Err(error) => {
                let format = cli.options.output.unwrap_or_else(variable_format);
                return failed(&Terminal::new(false, 0, ColorChoice::Never), format, &error);
            }
        };
    let terminal = Terminal::new(appearance.quiet.value, appearance.verbosity.value, appearance.color.value);
    let format = appearance.output.value;
    let ended = match &cli.command {
        Command::Completions(arguments) => {
            completions::run(arguments, &terminal).map(|()| None).map_err(Ended::from)
        }
        Command::Man(arguments) => man::run(arguments, &terminal).map(|()| None).map_err(Ended::from),
        Command::ProducerOffsets(command) => {
            let settings = match Settings::resolve(&cli.options, &env) {
                Ok(settings) => settings,
                Err(error) => return failed(&terminal, format, &error),
            };
            with_stage(settings, &terminal, command)
        }
    };
    match ended {
        _ if terminal.ended_quietly() => 0,
        Ok(end) => exit::code(end),
        Err(Ended { error, answered: true }) => {
            terminal.error(&error);
            exit::code_of(error.kind())
        }
        Err(Ended { error, answered: false }) => failed(&terminal, format, &error),
    }
}

/// An error, and whether the answer on stdout has been closed with it already.
pub(super) struct Ended {
    error: Error,
    answered: bool,
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        Self { error, answered: false }
    }
}

fn with_stage(
    settings: Settings,
    terminal: &Terminal,
    command: &producer_offsets::Command,
) -> Result<Option<Kind>, Ended> {
    for warning in &settings.warnings {
        terminal.warn(warning);
    }
    if terminal.verbosity() > 0 {
        for row in settings.explain() {
            terminal.verbose(1, format!("{} = {} ({})", row.key, row.value, row.origin));
        }
    }
    trace::install(terminal);
    let mut builder = if command.is_short() {
        // A few requests one after the other are answered before a second thread has begun.
        tokio::runtime::Builder::new_current_thread()
    } else {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2);
        builder
    };
    let runtime = builder.enable_all().build().or_fail(Kind::Failed, || "cannot start".to_owned())?;
    let end = runtime.block_on(async {
        let stop = Stop::new(terminal);
        stop.listen()?;
        if let Some(limit) = &settings.timeout {
            stop.deadline(limit.value);
        }
        let context = Context::new(settings, terminal.clone(), stop);
        let result = producer_offsets::run(command, &context).await;
        context.disconnect().await;
        // What was in hand was finished and reported, maybe all of it; that it was stopped is said all the same.
        let result = result.map(|end| match context.stop.requested() {
            None => end,
            stopped => exit::worst([end, stopped]),
        });
        result.map_err(|error| Ended { error, answered: context.answered() })
    });
    // A prompt or a listing that was left behind must not keep the process.
    runtime.shutdown_background();
    end
}

/// Tell a failure, and close the answer of a format that holds failures.
fn failed(terminal: &Terminal, format: Format, error: &Error) -> u8 {
    let document = failure_document(format, error);
    if !document.is_empty() {
        let mut answer = terminal.stdout(OnClosed::GoOn);
        // Whoever closed stdout does not want it.
        let _ = answer.write_all(document.as_bytes());
        let _ = answer.close();
    }
    terminal.error(error);
    exit::code_of(error.kind())
}

/// End with what clap says: help and version on stdout, refusals on stderr, and in a format that holds failures on stdout too.
fn refused(error: &clap::Error, arguments: &[OsString]) -> u8 {
    let wanted = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if !wanted {
        let text = error.render().to_string();
        let said = text.lines().next().unwrap_or_default();
        let message = match error.kind() {
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "the command is cut short",
            _ => said.strip_prefix("error: ").unwrap_or(said),
        };
        let document = failure_document(asked_format(arguments), &Error::usage(message));
        let mut answer = Terminal::new(true, 0, ColorChoice::Never).stdout(OnClosed::GoOn);
        let _ = answer.write_all(document.as_bytes());
        let _ = answer.close();
    }
    // A closed pipe has nobody to be told.
    let _ = error.print();
    if wanted { 0 } else { exit::code_of(Kind::Usage) }
}

/// Find the format that a refused command line asked for, as far as it can be made out; else the variable's.
fn asked_format(arguments: &[OsString]) -> Format {
    let arguments: Vec<&str> =
        arguments.iter().skip(1).map_while(|a| a.to_str()).take_while(|a| *a != "--").collect();
    let named = arguments.iter().enumerate().rev().find_map(|(at, argument)| {
        let value = if let Some(long) = argument.strip_prefix("--output") {
            long.strip_prefix('=').or_else(|| long.is_empty().then(|| arguments.get(at + 1).copied())?)?
        } else {
            // Behind switches that take no value: -qo json, -vvojson.
            let short = argument.strip_prefix('-')?.trim_start_matches(['q', 'v', 'y']).strip_prefix('o')?;
            let value = short.strip_prefix('=').unwrap_or(short);
            if value.is_empty() { arguments.get(at + 1).copied()? } else { value }
        };
        Format::from_str(value, false).ok()
    });
    named.unwrap_or_else(variable_format)
}

/// Read the format's variable, for a failure that comes before the settings; what is wrong with it is told elsewhere.
fn variable_format() -> Format {
    let value = std::env::var(variable("--output")).ok();
    value.and_then(|value| Format::from_str(&value, false).ok()).unwrap_or_default()
}
