//! From the kind of an end to the exit code, in one table; and from many items' ends to one.
//!
//! The codes are a promise: they only grow.

use std::fmt::Write as _;

use crate::error::Kind;

/// Give the exit code of a command that ended so; `None` is done.
pub const fn code(end: Option<Kind>) -> u8 {
    match end {
        None => 0,
        Some(kind) => code_of(kind),
    }
}

/// Give the exit code of a kind.
pub const fn code_of(kind: Kind) -> u8 {
    match kind {
        Kind::Failed => 1,
        Kind::Usage => 2,
        Kind::NotFound => 3,
        Kind::AlreadyExists => 4,
        Kind::Partial => 5,
        Kind::Changed => 6,
        Kind::Unreachable => 7,
        Kind::NotPermitted => 8,
        Kind::Problems => 9,
        Kind::Unknown => 10,
        Kind::TimedOut => 11,
        Kind::Interrupted => 130,
    }
}

/// Say in a few words what a kind's code tells, for help pages.
const fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::Failed => "failed, and none of the others; or the question was answered with no",
        Kind::Usage => "usage, or refused input; nothing was done",
        Kind::NotFound => "not found",
        Kind::AlreadyExists => "a valid snapshot is there already",
        Kind::Partial => "some items failed, the rest is done",
        Kind::Changed => "changed meanwhile by somebody else",
        Kind::Unreachable => "unreachable, or a request timed out",
        Kind::NotPermitted => "not permitted",
        Kind::Problems => "problems were found",
        Kind::Unknown => "the outcome is unknown: look before trying again",
        Kind::TimedOut => "--timeout was over first",
        Kind::Interrupted => "interrupted",
    }
}

/// Begins the exit codes on a help page.
pub const HELP_TITLE: &str = "Exit codes:";

/// Give the part of a help page that names the exit codes of a command, one a line.
pub fn help(kinds: &[Kind]) -> String {
    let mut text = format!("{HELP_TITLE}\n    0  done");
    for &kind in kinds {
        let _ = write!(text, "\n  {:>3}  {}", code_of(kind), meaning(kind));
    }
    text
}

/// Make one end of the ends of all items of a command; `None` is an item that is done.
///
/// An unknown outcome comes before all, since somebody has to look. Then a stop, because it says why the rest was
/// not tried. Items that all failed alike give their own kind, as a single item does; any other mixture is
/// [`Kind::Partial`]. [`Kind::Problems`] is a finding and no failure: it holds only where nothing failed.
pub fn worst(ends: impl IntoIterator<Item = Option<Kind>>) -> Option<Kind> {
    let mut done = false;
    let mut problems = false;
    let mut alike: Option<Kind> = None;
    let mut mixed = false;
    let mut first: Option<Kind> = None;
    for end in ends {
        match end {
            None => done = true,
            Some(Kind::Problems) => problems = true,
            Some(kind) => {
                // Lower is more pressing; the rest of the kinds never get here.
                let pressing = |kind| match kind {
                    Kind::Unknown => Some(0),
                    Kind::Interrupted => Some(1),
                    Kind::TimedOut => Some(2),
                    _ => None,
                };
                if let Some(rank) = pressing(kind)
                    && first.and_then(pressing).is_none_or(|held| rank < held)
                {
                    first = Some(kind);
                }
                mixed |= alike.is_some_and(|other| other != kind);
                alike = Some(kind);
            }
        }
    }
    match (first, alike) {
        (Some(kind), _) => Some(kind),
        (None, Some(kind)) if !mixed && !done && !problems => Some(kind),
        (None, Some(_)) => Some(Kind::Partial),
        (None, None) => problems.then_some(Kind::Problems),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_contract() {
        let table = [
            (None, 0),
            (Some(Kind::Failed), 1),
            (Some(Kind::Usage), 2),
            (Some(Kind::NotFound), 3),
            (Some(Kind::AlreadyExists), 4),
            (Some(Kind::Partial), 5),
            (Some(Kind::Changed), 6),
            (Some(Kind::Unreachable), 7),
            (Some(Kind::NotPermitted), 8),
            (Some(Kind::Problems), 9),
            (Some(Kind::Unknown), 10),
            (Some(Kind::TimedOut), 11),
            (Some(Kind::Interrupted), 130),
        ];
        for (end, expected) in table {
            assert_eq!(code(end), expected, "{end:?}");
        }
    }

    #[test]
    fn many_ends_make_one() {
        const DONE: Option<Kind> = None;
        const GONE: Option<Kind> = Some(Kind::NotFound);
        const DENIED: Option<Kind> = Some(Kind::NotPermitted);
        const UNKNOWN: Option<Kind> = Some(Kind::Unknown);
        const FOUND: Option<Kind> = Some(Kind::Problems);
        const STOPPED: Option<Kind> = Some(Kind::Interrupted);
        const LATE: Option<Kind> = Some(Kind::TimedOut);
        const PARTIAL: Option<Kind> = Some(Kind::Partial);
        let table: &[(&[Option<Kind>], Option<Kind>)] = &[
            (&[], DONE),
            (&[DONE], DONE),
            (&[DONE, DONE], DONE),
            (&[GONE], GONE),
            (&[GONE, GONE], GONE),
            (&[GONE, DONE], PARTIAL),
            (&[DONE, GONE], PARTIAL),
            (&[GONE, DENIED], PARTIAL),
            (&[GONE, DENIED, GONE], PARTIAL),
            (&[PARTIAL], PARTIAL),
            (&[PARTIAL, DONE], PARTIAL),
            (&[UNKNOWN], UNKNOWN),
            (&[DONE, UNKNOWN, GONE, FOUND], UNKNOWN),
            (&[STOPPED, UNKNOWN], UNKNOWN),
            (&[UNKNOWN, STOPPED], UNKNOWN),
            (&[FOUND], FOUND),
            (&[FOUND, DONE], FOUND),
            (&[FOUND, GONE], PARTIAL),
            (&[DONE, STOPPED], STOPPED),
            (&[GONE, STOPPED, STOPPED], STOPPED),
            (&[LATE, STOPPED], STOPPED),
            (&[DONE, LATE, GONE], LATE),
        ];
        for (ends, expected) in table {
            assert_eq!(worst(ends.iter().copied()), *expected, "{ends:?}");
        }
    }
}
