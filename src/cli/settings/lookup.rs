//! Looking up one option: on the command line, then in its variable.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::options::variable;
use crate::config::Env;
use crate::config::origin::{Origin, Sourced};
use crate::error::{Error, Result};

/// Give a choice's name on the command line.
pub(super) fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Parse a whole number between two bounds.
pub(super) fn number(text: &str, least: u32, most: u32) -> Result<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<u32>() {
        Ok(number) if digits && (least..=most).contains(&number) => Ok(number),
        _ => Err(Error::usage(format!("{text:?} is not a number from {least} to {most}"))),
    }
}

/// Looks up an option by its flag, on the command line first.
pub(super) struct Lookup<'a> {
    pub(super) env: &'a Env<'a>,
}

impl Lookup<'_> {
    /// Give a flag's value, else its variable's. An empty one is refused: it never means the default.
    fn raw(&self, flag: &'static str, given: Option<OsString>) -> Result<Option<Sourced<OsString>>> {
        let found = if let Some(value) = given {
            Some(Sourced::new(value, Origin::Flag(flag)))
        } else {
            let name = variable(flag);
            (self.env)(&name).map(|value| Sourced::new(value, Origin::Environment(name)))
        };
        match found {
            Some(found) if found.value.is_empty() => {
                Err(Error::usage(format!("{} is empty", found.origin))
                    .hint("give it a value, or leave it out"))
            }
            found => Ok(found),
        }
    }

    pub(super) fn text(&self, flag: &'static str, given: Option<&String>) -> Result<Option<Sourced<String>>> {
        let utf8 = |value: OsString| value.into_string().map_err(|_| Error::usage("it is not UTF-8"));
        self.raw(flag, given.map(OsString::from))?.map(|found| found.try_map(utf8)).transpose()
    }

    pub(super) fn path(
        &self,
        flag: &'static str,
        given: Option<&PathBuf>,
    ) -> Result<Option<Sourced<PathBuf>>> {
        let found = self.raw(flag, given.map(OsString::from))?;
        Ok(found.map(|found| Sourced::new(found.value.into(), found.origin)))
    }

    pub(super) fn parsed<T>(
        &self,
        flag: &'static str,
        given: Option<&String>,
        parse: impl FnOnce(&str) -> Result<T>,
    ) -> Result<Option<Sourced<T>>> {
        self.text(flag, given)?.map(|found| found.try_map(|text| parse(&text))).transpose()
    }

    pub(super) fn choice<T: ValueEnum>(
        &self,
        flag: &'static str,
        given: Option<T>,
    ) -> Result<Option<Sourced<T>>> {
        if let Some(value) = given {
            return Ok(Some(Sourced::new(value, Origin::Flag(flag))));
        }
        self.parsed(flag, None, |text| {
            T::from_str(text, false).map_err(|_| {
                let names: Vec<String> = T::value_variants().iter().map(name).collect();
                Error::usage(format!("{text:?} is none of {}", names.join(", ")))
            })
        })
    }

    pub(super) fn switch(&self, flag: &'static str, given: bool) -> Result<Option<Sourced<bool>>> {
        if given {
            return Ok(Some(Sourced::new(true, Origin::Flag(flag))));
        }
        self.parsed(flag, None, |text| match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Ok(true),
            "false" | "0" | "no" | "off" => Ok(false),
            _ => Err(Error::usage(format!("{text:?} is neither true nor false"))),
        })
    }
}
