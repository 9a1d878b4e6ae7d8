//! The one place that writes an answer.

use std::io::{self, Write};
use std::marker::PhantomData;

use serde::Serialize;
use serde_json::{Map, Value};

use super::escape::{Escaping, escape, escape_markdown};
use super::table::{write_markdown, write_markdown_preamble, write_preamble, write_table};
use super::{Cell, Format, Record, SCHEMA_VERSION, View};
use crate::error::Error;
use crate::exit;

/// Say how an answer is shown, beyond its format.
#[derive(Clone, Copy, Debug)]
pub struct RenderOptions {
    /// Colour codes are welcome.
    pub color: bool,
    /// The width of the terminal in columns, if it is one.
    pub width: Option<usize>,
    /// The time that `in 3h` counts from, in milliseconds since 1970.
    pub now_ms: i64,
}

/// Write records of one kind in one format.
///
/// `json`, `jsonl`, `csv`, `name` and grouped tables are written as the records come; `yaml` and plain tables are held
/// until [`Renderer::finish`], which must be called on every way out: a JSON document is whole only then.
#[must_use = "a document is whole only after finish"]
pub struct Renderer<'a, R> {
    out: &'a mut (dyn Write + Send),
    format: Format,
    options: RenderOptions,
    pushed: usize,
    rows: Vec<Vec<Cell>>,
    documents: Vec<Value>,
    notes: Map<String, Value>,
    failures: Vec<Value>,
    records: PhantomData<fn(&R)>,
}

impl<'a, R: Record> Renderer<'a, R> {
    /// Begin an answer; nothing is written yet.
    pub fn new(out: &'a mut (dyn Write + Send), format: Format, options: RenderOptions) -> Self {
        Self {
            out,
            format,
            options,
            pushed: 0,
            rows: Vec::new(),
            documents: Vec::new(),
            notes: Map::new(),
            failures: Vec::new(),
            records: PhantomData,
        }
    }

    /// Add a record.
    pub fn push(&mut self, record: &R) -> io::Result<()> {
        let view = self.view();
        match self.format {
            Format::Table | Format::Wide if R::GROUPED => self.write_block(record)?,
            Format::Markdown if R::GROUPED => self.write_markdown_block(record)?,
            Format::Table | Format::Wide | Format::Markdown => self.rows.extend(record.rows(view)),
            Format::Json => {
                // A record that cannot be serialized must not leave half of itself in the document.
                let text = to_json(record, Escaping::pretty(2))?;
                self.open_json()?;
                self.out.write_all(if self.pushed == 0 { b"\n    " } else { b",\n    " })?;
                self.out.write_all(&text)?;
            }
            Format::Jsonl => self.write_line(record)?,
            Format::Yaml => self.documents.push(serde_json::to_value(record)?),
            Format::Csv => {
                let rows = record.csv_rows();
                self.write_csv(&rows)?;
            }
            Format::Name => {
                if let Some(name) = record.name() {
                    writeln!(self.out, "{}", escape(name))?;
                }
            }
        }
        self.pushed += 1;
        Ok(())
    }

    /// Add a field to the end of a `json` or `yaml` document, such as `dry_run` or `summary`; no other format has it.
    pub fn note(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        self.notes.insert(key.into(), value.into());
    }

    /// Add the failure of one item of many: into the list `errors` of a `json` or `yaml` document, as a line of `jsonl`.
    pub fn push_failure(&mut self, producer_id: &str, error: &Error) -> io::Result<()> {
        let failure = ItemFailure { producer_id, failure: FailureDocument::of(error).error };
        match self.format {
            Format::Json | Format::Yaml => self.failures.push(serde_json::to_value(failure)?),
            Format::Jsonl => self.write_line(&ItemFailureDocument { error: failure })?,
            Format::Table | Format::Wide | Format::Markdown | Format::Csv | Format::Name => {}
        }
        Ok(())
    }

    /// Say how many records were added.
    pub const fn pushed(&self) -> usize {
        self.pushed
    }

    /// Complete the answer, with the failure that ended the command, and flush it.
    pub fn finish(mut self, failure: Option<&Error>) -> io::Result<()> {
        match self.format {
            Format::Table | Format::Wide => {
                let options = self.options;
                let columns = R::columns(self.view().wide);
                write_table(self.out, &columns, &self.rows, options.color, options.width)?;
            }
            Format::Markdown => write_markdown(self.out, &R::columns(false), &self.rows)?,
            Format::Json => self.close_json(failure)?,
            Format::Jsonl => {
                if let Some(failure) = failure {
                    self.write_line(&FailureDocument::of(failure))?;
                }
            }
            Format::Yaml => self.write_yaml(failure)?,
            Format::Csv => {
                if self.pushed == 0 {
                    self.write_csv(&[])?;
                }
            }
            Format::Name => {}
        }
        self.out.flush()
    }

    fn trailer(&mut self, failure: Option<&Error>) -> io::Result<Map<String, Value>> {
        let mut trailer = std::mem::take(&mut self.notes);
        if !self.failures.is_empty() {
            trailer.insert("errors".to_owned(), Value::Array(std::mem::take(&mut self.failures)));
        }
        if let Some(failure) = failure {
            trailer.insert("error".to_owned(), serde_json::to_value(FailureDocument::of(failure).error)?);
        }
        Ok(trailer)
    }

    fn view(&self) -> View {
        View { wide: self.format == Format::Wide, now_ms: self.options.now_ms }
    }

    fn write_block(&mut self, record: &R) -> io::Result<()> {
        let (view, options) = (self.view(), self.options);
        if self.pushed > 0 {
            writeln!(self.out)?;
        }
        let preamble = record.preamble(view);
        write_preamble(self.out, &preamble, options.color)?;
        let rows = record.rows(view);
        if !preamble.is_empty() && !rows.is_empty() {
            writeln!(self.out)?;
        }
        write_table(self.out, &R::columns(view.wide), &rows, options.color, options.width)
    }

    fn write_markdown_block(&mut self, record: &R) -> io::Result<()> {
        let view = self.view();
        if self.pushed > 0 {
            writeln!(self.out)?;
        }
        if let Some(name) = record.name() {
            writeln!(self.out, "## {}\n", escape_markdown(name))?;
        }
        let preamble = record.preamble(view);
        write_markdown_preamble(self.out, &preamble)?;
        let rows = record.rows(view);
        if !preamble.is_empty() && !rows.is_empty() {
            writeln!(self.out)?;
        }
        write_markdown(self.out, &R::columns(view.wide), &rows)
    }

    fn open_json(&mut self) -> io::Result<()> {
        if self.pushed > 0 {
            return Ok(());
        }
        write!(self.out, "{{\n  \"schema_version\": {SCHEMA_VERSION},\n  \"{}\": [", R::LIST)
    }

    fn close_json(&mut self, failure: Option<&Error>) -> io::Result<()> {
        self.open_json()?;
        self.out.write_all(if self.pushed == 0 { b"]" } else { b"\n  ]" })?;
        for (key, value) in self.trailer(failure)? {
            self.out.write_all(b",\n  ")?;
            self.out.write_all(&to_json(&key, Escaping::compact())?)?;
            self.out.write_all(b": ")?;
            self.out.write_all(&to_json(&value, Escaping::pretty(1))?)?;
        }
        self.out.write_all(b"\n}\n")
    }

    fn write_line(&mut self, document: &impl Serialize) -> io::Result<()> {
        let mut line = to_json(&Versioned { schema_version: SCHEMA_VERSION, document }, Escaping::compact())?;
        line.push(b'\n');
        self.out.write_all(&line)
    }

    fn write_yaml(&mut self, failure: Option<&Error>) -> io::Result<()> {
        let mut document = Map::new();
        document.insert("schema_version".to_owned(), SCHEMA_VERSION.into());
        document.insert(R::LIST.to_owned(), Value::Array(std::mem::take(&mut self.documents)));
        document.extend(self.trailer(failure)?);
        self.out.write_all(to_yaml(&Value::Object(document))?.as_bytes())
    }

    fn write_csv(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        // Into memory first: the csv writer's own flush would also flush what is beneath it, at each record.
        let mut csv = csv::Writer::from_writer(Vec::new());
        if self.pushed == 0 {
            csv.write_record(R::csv_columns())?;
        }
        for row in rows {
            csv.write_record(row.iter().map(|field| escape(field).into_owned()))?;
        }
        let text = csv.into_inner().map_err(csv::IntoInnerError::into_error)?;
        self.out.write_all(&text)
    }
}

/// Give the whole answer of a command that failed before it had a [`Renderer`]: a document of `json` or `yaml`, a line of
/// `jsonl`, nothing in the other formats.
pub fn failure_document(format: Format, failure: &Error) -> String {
    let document = Versioned { schema_version: SCHEMA_VERSION, document: &FailureDocument::of(failure) };
    let text = match format {
        Format::Json => to_json(&document, Escaping::pretty(0)).map(|text| lossy_line(&text)),
        Format::Jsonl => to_json(&document, Escaping::compact()).map(|text| lossy_line(&text)),
        Format::Yaml => {
            serde_json::to_value(&document).map_err(io::Error::from).and_then(|value| to_yaml(&value))
        }
        Format::Table | Format::Wide | Format::Csv | Format::Markdown | Format::Name => Ok(String::new()),
    };
    // Strings and numbers alone always have a form.
    text.unwrap_or_default()
}

#[derive(Serialize)]
struct Versioned<'a, D> {
    schema_version: u32,
    #[serde(flatten)]
    document: &'a D,
}

#[derive(Serialize)]
struct FailureDocument<'a> {
    error: Failure<'a>,
}

#[derive(Serialize)]
struct ItemFailureDocument<'a> {
    error: ItemFailure<'a>,
}

#[derive(Serialize)]
struct ItemFailure<'a> {
    producer_id: &'a str,
    #[serde(flatten)]
    failure: Failure<'a>,
}

#[derive(Serialize)]
struct Failure<'a> {
    kind: &'static str,
    exit_code: u8,
    message: String,
    causes: Vec<String>,
    hints: &'a [String],
}

impl<'a> FailureDocument<'a> {
    fn of(error: &'a Error) -> Self {
        Self {
            error: Failure {
                kind: error.kind().name(),
                exit_code: exit::code_of(error.kind()),
                message: error.message(),
                causes: error.causes(),
                hints: error.hints(),
            },
        }
    }
}

fn to_json(value: &impl Serialize, formatter: Escaping) -> io::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(256);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, formatter))?;
    Ok(text)
}

fn lossy_line(text: &[u8]) -> String {
    format!("{}\n", String::from_utf8_lossy(text))
}

fn to_yaml(value: &Value) -> io::Result<String> {
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    let mut text =
        serde_saphyr::to_string_with_options(&escaped(value), options).map_err(io::Error::other)?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// YAML has more than one way to hide a character and to write one, so its strings are escaped as people see them.
fn escaped(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(escape(text).into_owned()),
        Value::Array(items) => Value::Array(items.iter().map(escaped).collect()),
        Value::Object(fields) => Value::Object(
            fields.iter().map(|(key, value)| (escape(key).into_owned(), escaped(value))).collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
#[path = "renderer_tests.rs"]
mod tests;
