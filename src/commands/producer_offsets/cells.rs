//! What several verbs show alike: a state, a time, a snapshot that is not there.

use crate::cluster::zookeeper::LOGIN;
use crate::error::{Error, Kind};
use crate::render::{Cell, Style};
use crate::snapshot::{ProducerId, State};
use crate::time::{absolute, left};

/// Show a state; the text says as much as the colour.
pub(super) fn state_cell(state: State) -> Cell {
    let style = match state {
        State::Valid => Style::Good,
        State::Expired => Style::Dim,
        State::Undecodable | State::Unreadable => Style::Warning,
        State::Broken => Style::Bad,
    };
    Cell::new(state, style)
}

/// Show a time and what is left or past.
pub(super) fn time_cell(ms: Option<i64>, now_ms: i64) -> Cell {
    ms.map_or_else(Cell::default, |ms| Cell::plain(format!("{} ({})", absolute(ms), left(ms, now_ms))))
}

/// Say that a snapshot is not there.
pub(super) fn not_found(id: &ProducerId) -> Error {
    Error::new(Kind::NotFound, format!("there is no snapshot {id}"))
        .hint("see what there is: flussctl producer-offsets list")
}

/// Say that a snapshot is there and may not be looked at.
pub(super) fn not_readable(name: &str, why: &str) -> Error {
    Error::new(Kind::NotPermitted, format!("the znode of {name} cannot be read: {why}")).hint(LOGIN)
}
