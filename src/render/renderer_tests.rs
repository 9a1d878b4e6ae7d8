//! What every format prints.

use serde_json::json;

use super::*;
use crate::error::Kind;
use crate::render::{Column, Style};

#[derive(Serialize)]
struct Line {
    producer_id: String,
    offset: i64,
}

impl Record for Line {
    const LIST: &'static str = "snapshots";

    fn columns(wide: bool) -> Vec<Column> {
        let mut columns = vec![Column::left("id"), Column::right("offset")];
        if wide {
            columns.push(Column::left("more"));
        }
        columns
    }

    fn rows(&self, view: View) -> Vec<Vec<Cell>> {
        let mut row = vec![Cell::plain(&self.producer_id), Cell::new(self.offset, Style::Good)];
        if view.wide {
            row.push(Cell::plain(view.now_ms));
        }
        vec![row]
    }

    fn csv_columns() -> &'static [&'static str] {
        &["producer_id", "offset"]
    }

    fn csv_rows(&self) -> Vec<Vec<String>> {
        vec![vec![self.producer_id.clone(), self.offset.to_string()]]
    }

    fn name(&self) -> Option<&str> {
        Some(&self.producer_id)
    }
}

#[derive(Serialize)]
struct Block(Line);

impl Record for Block {
    const LIST: &'static str = "snapshots";
    const GROUPED: bool = true;

    fn columns(wide: bool) -> Vec<Column> {
        Line::columns(wide)
    }

    fn rows(&self, view: View) -> Vec<Vec<Cell>> {
        if self.0.offset < 0 { Vec::new() } else { self.0.rows(view) }
    }

    fn preamble(&self, _view: View) -> Vec<(&'static str, Cell)> {
        vec![("producer", Cell::plain(&self.0.producer_id)), ("state", Cell::new("valid", Style::Good))]
    }

    fn csv_columns() -> &'static [&'static str] {
        Line::csv_columns()
    }

    fn csv_rows(&self) -> Vec<Vec<String>> {
        self.0.csv_rows()
    }

    fn name(&self) -> Option<&str> {
        self.0.name()
    }
}

const FORMATS: [Format; 8] = [
    Format::Table,
    Format::Wide,
    Format::Json,
    Format::Jsonl,
    Format::Yaml,
    Format::Csv,
    Format::Markdown,
    Format::Name,
];

fn line(producer_id: &str, offset: i64) -> Line {
    Line { producer_id: producer_id.to_owned(), offset }
}

fn show<R: Record>(format: Format, records: &[R], failure: Option<&Error>, note: bool) -> String {
    let mut out = Vec::new();
    let options = RenderOptions { color: false, width: None, now_ms: 5 };
    let mut renderer = Renderer::<R>::new(&mut out, format, options);
    for record in records {
        renderer.push(record).unwrap();
    }
    if note {
        renderer.note("dry_run", true);
    }
    renderer.finish(failure).unwrap();
    String::from_utf8(out).unwrap()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn failure() -> Error {
    Error::wrap(Kind::NotPermitted, "cannot read /x", io::Error::other("no rights\u{202e}"))
        .hint("ask for them")
}

#[test]
fn every_format_shows_the_same_records() {
    let records = [line("a", i64::MAX), line("b", i64::MIN)];
    let expected = [
        "ID                OFFSET\na    9223372036854775807\nb   -9223372036854775808\n",
        "ID                OFFSET  MORE\na    9223372036854775807  5\nb   -9223372036854775808  5\n",
        r#"{
  "schema_version": 1,
  "snapshots": [
    {
      "producer_id": "a",
      "offset": 9223372036854775807
    },
    {
      "producer_id": "b",
      "offset": -9223372036854775808
    }
  ],
  "dry_run": true
}
"#,
        "{\"schema_version\":1,\"producer_id\":\"a\",\"offset\":9223372036854775807}\n\
         {\"schema_version\":1,\"producer_id\":\"b\",\"offset\":-9223372036854775808}\n",
        "schema_version: 1\nsnapshots:\n- producer_id: a\n  offset: 9223372036854775807\n\
         - producer_id: b\n  offset: -9223372036854775808\ndry_run: true\n",
        "producer_id,offset\na,9223372036854775807\nb,-9223372036854775808\n",
        "| id | offset |\n| --- | ---: |\n| a | 9223372036854775807 |\n| b | -9223372036854775808 |\n",
        "a\nb\n",
    ];
    for (format, expected) in FORMATS.into_iter().zip(expected) {
        assert_eq!(show(format, &records, None, true), expected, "{format:?}");
    }
}

#[test]
fn json_is_one_document_whatever_happens() {
    let error = failure();
    let shown = json!({"kind": "not_permitted", "exit_code": 8, "message": "cannot read /x",
        "causes": ["no rights\u{202e}"], "hints": ["ask for them"]});
    let empty = show::<Line>(Format::Json, &[], None, false);
    assert_eq!(parsed(&empty), json!({"schema_version": 1, "snapshots": []}));
    let failed = show::<Line>(Format::Json, &[], Some(&error), true);
    assert_eq!(
        parsed(&failed),
        json!({"schema_version": 1, "snapshots": [], "dry_run": true, "error": shown})
    );
    assert!(!failed.contains('\u{202e}'));
    let partial = show(Format::Json, &[line("a", 1)], Some(&error), false);
    assert_eq!(
        parsed(&partial),
        json!({"schema_version": 1, "snapshots": [{"producer_id": "a", "offset": 1}], "error": shown})
    );
    let lines = show(Format::Jsonl, &[line("a", 1)], Some(&error), true);
    let lines: Vec<Value> = lines.lines().map(parsed).collect();
    assert_eq!(
        lines,
        [
            json!({"schema_version": 1, "producer_id": "a", "offset": 1}),
            json!({"schema_version": 1, "error": shown})
        ]
    );
    for format in [Format::Json, Format::Jsonl] {
        let document = failure_document(format, &error);
        assert_eq!(parsed(&document), json!({"schema_version": 1, "error": shown}));
        assert!(document.ends_with('\n') && !document.contains('\u{202e}'));
    }
    assert_eq!(failure_document(Format::Jsonl, &error).lines().count(), 1);
}

#[test]
fn formats_that_hold_no_failure_stay_silent() {
    for format in FORMATS {
        let document = failure_document(format, &failure());
        assert_eq!(document.is_empty(), !format.holds_failures(), "{format:?}");
        let without = show(format, &[line("a", 1)], None, false);
        let with = show(format, &[line("a", 1)], Some(&failure()), false);
        assert_eq!(without == with, !format.holds_failures(), "{format:?}");
    }
}

#[test]
fn an_empty_list_is_said_in_each_format() {
    let expected = [
        "",
        "",
        "{\n  \"schema_version\": 1,\n  \"snapshots\": []\n}\n",
        "",
        "schema_version: 1\nsnapshots: []\n",
        "producer_id,offset\n",
        "",
        "",
    ];
    for (format, expected) in FORMATS.into_iter().zip(expected) {
        assert_eq!(show::<Line>(format, &[], None, false), expected, "{format:?}");
    }
}

#[test]
fn nothing_hidden_gets_through_in_any_format() {
    let nasty = line("x\u{1b}[2J\u{202e}\n\u{9b}|`\u{200b}", 1);
    for format in FORMATS {
        let shown = show(format, std::slice::from_ref(&nasty), Some(&failure()), false);
        assert!(
            !shown.contains(|c| c != '\n' && crate::render::escape::is_hidden(c)),
            "{format:?}: {shown:?}"
        );
    }
    assert_eq!(parsed(&show(Format::Json, &[nasty], None, false))["snapshots"][0]["producer_id"], {
        "x\u{1b}[2J\u{202e}\n\u{9b}|`\u{200b}"
    });
}

#[test]
fn yaml_strings_stay_strings() {
    for text in
        ["no", "1", "~", "- rf", "null", "1e3", "0x10", "", " a", "a: b", "# c", "2026-12-01", "*x", "|"]
    {
        let shown = show(Format::Yaml, &[line(text, i64::MIN)], None, false);
        let quoted = shown.lines().nth(2).unwrap().trim_start_matches("- producer_id: ");
        assert!(quoted.starts_with(['"', '\'']), "{text:?} shown as {quoted}");
        assert!(shown.contains("offset: -9223372036854775808"), "{shown}");
    }
    // Plain, and a string to every reader.
    assert!(show(Format::Yaml, &[line("-rf", 0)], None, false).contains("producer_id: -rf\n"));
    let long = "x".repeat(300);
    assert!(show(Format::Yaml, &[line(&long, 0)], None, false).contains(&long));
}

#[test]
fn grouped_records_are_blocks() {
    let records = [Block(line("a|b", 1)), Block(line("c", -1))];
    assert_eq!(
        show(Format::Table, &records, None, false),
        "producer: a|b\nstate:    valid\n\nID   OFFSET\na|b       1\n\nproducer: c\nstate:    valid\n"
    );
    assert_eq!(
        show(Format::Markdown, &records, None, false),
        "## a\\|b\n\n- **producer**: a\\|b\n- **state**: valid\n\n| id | offset |\n| --- | ---: |\n| a\\|b | 1 |\n\n\
         ## c\n\n- **producer**: c\n- **state**: valid\n"
    );
}

#[test]
fn a_broken_pipe_is_reported_and_not_hidden() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let options = RenderOptions { color: false, width: None, now_ms: 0 };
    for format in FORMATS {
        let mut out = Broken;
        let mut renderer = Renderer::new(&mut out, format, options);
        let pushed = renderer.push(&line("a", 1));
        let ended = pushed.and_then(|()| renderer.finish(None));
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::BrokenPipe, "{format:?}");
    }
}
