//! The answer, in every format, from finished data.
//!
//! A command makes [`Record`]s and pushes them into a [`Renderer`]; nothing here fetches, decides or knows the time.
//! The shapes of `json`, `jsonl`, `csv` and `name` are a promise: they only grow.

pub mod escape;
mod renderer;
mod table;

use std::fmt::Display;

use serde::Serialize;

pub use renderer::{RenderOptions, Renderer, failure_document};

pub use crate::snapshot::document::SCHEMA_VERSION;

/// Name the formats of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Columns for people.
    #[default]
    Table,
    /// The same with more columns.
    Wide,
    /// One JSON document.
    Json,
    /// A JSON document a line, as they come.
    Jsonl,
    /// One YAML document, of the same shape as the JSON.
    Yaml,
    /// Comma-separated values under a header.
    Csv,
    /// Tables of GitHub's Markdown.
    Markdown,
    /// Names alone, one a line.
    Name,
}

impl Format {
    /// Say whether people read it, so that times and counts may be told in their words.
    pub const fn is_for_people(self) -> bool {
        matches!(self, Self::Table | Self::Wide | Self::Markdown)
    }

    /// Say whether failures are part of the answer.
    pub const fn holds_failures(self) -> bool {
        matches!(self, Self::Json | Self::Jsonl | Self::Yaml)
    }
}

/// Say how people are shown a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// More columns were asked for.
    pub wide: bool,
    /// The time that `in 3h` counts from, in milliseconds since 1970.
    pub now_ms: i64,
}

/// Show a piece of an answer in every format.
///
/// `Serialize` gives the JSON and YAML shape, an object in `snake_case`. All texts are given as they are: the renderer
/// makes them safe to show.
pub trait Record: Serialize {
    /// The key of the list of records in a document: `snapshots`.
    const LIST: &'static str;
    /// Show each record as a block of its own, its preamble above its table, in place of all records in one table.
    const GROUPED: bool = false;

    /// Give the columns of the table.
    fn columns(wide: bool) -> Vec<Column>;
    /// Give the rows of the table, with a cell for each column.
    fn rows(&self, view: View) -> Vec<Vec<Cell>>;
    /// Give the `key: value` lines above a grouped record's table.
    fn preamble(&self, _view: View) -> Vec<(&'static str, Cell)> {
        Vec::new()
    }
    /// Give the header of the CSV, in `snake_case`.
    fn csv_columns() -> &'static [&'static str];
    /// Give the lines of the CSV, with a field for each column; numbers and times as in JSON.
    fn csv_rows(&self) -> Vec<Vec<String>>;
    /// Give what `-o name` prints, such as a producer id; `None` prints nothing.
    fn name(&self) -> Option<&str>;
}

/// Say to which side a column leans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The title in lower case; a table shows it in capitals.
    pub title: &'static str,
    /// The side it leans to.
    pub align: Align,
}

impl Column {
    /// Make a column of text.
    pub const fn left(title: &'static str) -> Self {
        Self { title, align: Align::Left }
    }

    /// Make a column of numbers.
    pub const fn right(title: &'static str) -> Self {
        Self { title, align: Align::Right }
    }
}

/// Say what a cell's colour tells, where there is colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Nothing.
    #[default]
    Plain,
    /// All is well.
    Good,
    /// Worth a look.
    Warning,
    /// Broken or lost.
    Bad,
    /// Beside the point.
    Dim,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// What its colour tells; the text must say as much by itself.
    pub style: Style,
}

impl Cell {
    /// Make a cell with a meaning.
    pub fn new(text: impl Display, style: Style) -> Self {
        Self { text: text.to_string(), style }
    }

    /// Make a cell without a meaning of its own.
    pub fn plain(text: impl Display) -> Self {
        Self::new(text, Style::Plain)
    }
}

/// Show a count to people with its thousands apart: `12,345`. Never for ids and offsets, which are copied.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// Show a count of things to people: `1 file`, `12,345 files`.
pub fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", thousands(count as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        for (count, shown) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(count), shown);
        }
        assert_eq!(thousands(u64::MAX), "18,446,744,073,709,551,615");
    }
}
