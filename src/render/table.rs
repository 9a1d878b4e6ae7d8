//! Tables for people, and for Markdown.

use std::io::{self, Write};

use tabled::builder::Builder;
use tabled::grid::util::string::get_line_width;
use tabled::settings::object::{Cell as At, Columns, Rows};
use tabled::settings::style::Style as Frame;
use tabled::settings::{Alignment, Color, Modify, Padding, Width};

use super::escape::{escape, escape_markdown};
use super::{Align, Cell, Column, Style};

/// Two blanks between columns.
const GAP: usize = 2;
/// No column is made narrower than this, however narrow the terminal.
const NARROWEST: usize = 12;

/// Write a table without borders under capital titles; nothing when there are no rows.
///
/// With a `width` the widest column of text is wrapped to fit it, so that nothing is lost; a column of numbers never is.
pub(super) fn write_table(
    out: &mut dyn Write,
    columns: &[Column],
    rows: &[Vec<Cell>],
    color: bool,
    width: Option<usize>,
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut widths: Vec<usize> = columns.iter().map(|column| get_line_width(column.title)).collect();
    let mut builder = Builder::with_capacity(rows.len() + 1, columns.len());
    builder.push_record(columns.iter().map(|column| column.title.to_uppercase()));
    for row in rows {
        let texts = row.iter().map(|cell| escape(&cell.text).into_owned()).collect::<Vec<_>>();
        for (widest, text) in widths.iter_mut().zip(&texts) {
            *widest = (*widest).max(get_line_width(text));
        }
        builder.push_record(texts);
    }
    let mut table = builder.build();
    table.with(Frame::empty()).with(Padding::new(0, GAP, 0, 0));
    for (at, column) in columns.iter().enumerate() {
        if column.align == Align::Right {
            table.with(Modify::new(Columns::one(at)).with(Alignment::right()));
        }
    }
    if let Some((at, narrowed)) = width.and_then(|width| narrow(columns, &widths, width)) {
        table.with(Modify::new(Columns::one(at)).with(Width::wrap(narrowed)));
    }
    if color {
        table.with(Modify::new(Rows::first()).with(Color::BOLD));
        for (row, cells) in rows.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                if let Some(color) = tint(cell.style) {
                    table.with(Modify::new(At::new(row + 1, column)).with(color));
                }
            }
        }
    }
    for line in table.to_string().lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Choose the column of text to wrap, and how wide it may be.
fn narrow(columns: &[Column], widths: &[usize], width: usize) -> Option<(usize, usize)> {
    let total = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    let excess = total.checked_sub(width).filter(|excess| *excess > 0)?;
    let (at, widest) = widths
        .iter()
        .copied()
        .enumerate()
        .filter(|(at, _)| columns[*at].align == Align::Left)
        .max_by_key(|(_, width)| *width)?;
    let narrowed = widest.saturating_sub(excess).max(NARROWEST);
    (narrowed < widest).then_some((at, narrowed))
}

/// Write aligned `key: value` lines.
pub(super) fn write_preamble(
    out: &mut dyn Write,
    lines: &[(&'static str, Cell)],
    color: bool,
) -> io::Result<()> {
    let widest = lines.iter().map(|(key, _)| get_line_width(key)).max().unwrap_or(0) + 1;
    for (key, cell) in lines {
        let text = escape(&cell.text);
        match tint(cell.style).filter(|_| color) {
            Some(tint) => writeln!(out, "{:widest$} {}", format!("{key}:"), tint.colorize(text))?,
            None => writeln!(out, "{}", format!("{:widest$} {text}", format!("{key}:")).trim_end())?,
        }
    }
    Ok(())
}

/// Write a table of GitHub's Markdown; nothing when there are no rows.
pub(super) fn write_markdown(out: &mut dyn Write, columns: &[Column], rows: &[Vec<Cell>]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    for column in columns {
        write!(out, "| {} ", escape_markdown(column.title))?;
    }
    writeln!(out, "|")?;
    for column in columns {
        write!(out, "| {} ", if column.align == Align::Right { "---:" } else { "---" })?;
    }
    writeln!(out, "|")?;
    for row in rows {
        for cell in row {
            write!(out, "| {} ", escape_markdown(&cell.text))?;
        }
        writeln!(out, "|")?;
    }
    Ok(())
}

/// Write `key: value` lines as a list of Markdown.
pub(super) fn write_markdown_preamble(out: &mut dyn Write, lines: &[(&'static str, Cell)]) -> io::Result<()> {
    for (key, cell) in lines {
        writeln!(out, "- **{}**: {}", escape_markdown(key), escape_markdown(&cell.text))?;
    }
    Ok(())
}

fn tint(style: Style) -> Option<Color> {
    match style {
        Style::Plain => None,
        Style::Good => Some(Color::FG_GREEN),
        Style::Warning => Some(Color::FG_YELLOW),
        Style::Bad => Some(Color::FG_RED),
        Style::Dim => Some(Color::new("\u{1b}[2m", "\u{1b}[22m")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(rows: &[Vec<Cell>], color: bool, width: Option<usize>) -> String {
        let columns = [Column::left("id"), Column::right("tables"), Column::left("state")];
        let mut out = Vec::new();
        write_table(&mut out, &columns, rows, color, width).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn row(id: &str, tables: i64, state: Cell) -> Vec<Cell> {
        vec![Cell::plain(id), Cell::plain(tables), state]
    }

    #[test]
    fn columns_are_even_with_wide_characters_and_no_blank_ends_a_line() {
        let rows = [
            row("job-1", 7, Cell::plain("valid")),
            row("表表", i64::MAX, Cell::plain("")),
            row("a\u{202e}", i64::MIN, Cell::plain("expired")),
        ];
        assert_eq!(
            shown(&rows, false, None),
            "ID                       TABLES  STATE\n\
             job-1                         7  valid\n\
             表表        9223372036854775807\n\
             a\\u{202e}  -9223372036854775808  expired\n"
        );
        assert_eq!(shown(&[], false, None), "");
    }

    #[test]
    fn only_the_widest_column_of_text_is_wrapped_and_nothing_lost() {
        let rows = [row("0123456789abcdefghij", 123_456_789_012, Cell::plain("valid"))];
        assert_eq!(
            shown(&rows, false, Some(36)),
            "ID                     TABLES  STATE\n0123456789abcde  123456789012  valid\nfghij\n"
        );
        assert_eq!(shown(&rows, false, Some(200)), shown(&rows, false, None));
        assert!(shown(&rows, false, Some(1)).contains("123456789012"));
    }

    #[test]
    fn colour_is_the_callers_choice() {
        let rows = [row("a", 1, Cell::new("bad", Style::Bad))];
        assert!(!shown(&rows, false, None).contains('\u{1b}'));
        let coloured = shown(&rows, true, None);
        assert!(coloured.contains("\u{1b}[31mbad\u{1b}[39m"), "{coloured:?}");
    }

    #[test]
    fn markdown_aligns_and_escapes() {
        let mut out = Vec::new();
        let columns = [Column::left("id"), Column::right("offset")];
        write_markdown(&mut out, &columns, &[vec![Cell::plain("a|b\nc"), Cell::plain(i64::MAX)]]).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "| id | offset |\n| --- | ---: |\n| a\\|b\\\\nc | 9223372036854775807 |\n"
        );
    }
}
