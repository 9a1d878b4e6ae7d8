//! `get`: a snapshot, whole.

use clap::Args;

use super::arguments::ids;
use super::cells::{not_found, not_readable, state_cell, time_cell};
use crate::cli::answer::{OnClosed, answer_failed};
use crate::clock::now_ms;
use crate::cluster::snapshots;
use crate::commands::Context;
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::read::{self, FileFault, Whole};
use crate::render::{Cell, Column, Record, Style, View};
use crate::snapshot::ProducerId;
use crate::snapshot::document::Document;
use crate::snapshot::input;

/// Show snapshots with all their offsets
///
/// The JSON and the CSV can be given to `register -f`. Where one offsets file cannot be read the snapshot is shown
/// without any offsets, and that is an error: a part of a baseline is worse than none.
#[derive(Args)]
pub struct Arguments {
    /// The producer ids; ids that begin with a dash stand after --
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,

    /// Show ids alone, which saves reading the tables' metadata
    #[arg(long)]
    no_names: bool,
}

/// Run `get`.
pub(super) async fn run(arguments: &Arguments, context: &Context) -> Result<Option<Kind>> {
    let ids = ids(&arguments.ids)?;
    let store = context.store()?;
    let zookeeper = context.zookeeper().await?;
    let catalog = context.stop.abortable(read::names(&zookeeper, !arguments.no_names)).await?;
    let mut failures: Vec<(ProducerId, Error)> = Vec::new();
    let single = ids.len() == 1;
    let mut shown = 0;
    let answered = context
        .answer::<Document, _>(OnClosed::End, async |renderer| {
            for id in &ids {
                match read::one(&zookeeper, store.as_ref(), id.as_str(), context.at_once()).await? {
                    None => {
                        // From the wrong root every snapshot looks gone.
                        snapshots::require_root(&zookeeper).await?;
                        failures.push((id.clone(), not_found(id)));
                    }
                    Some(whole) => {
                        if let Some(why) = whole.seen.fault() {
                            failures.push((id.clone(), unreadable(id, why, whole.seen.stat().is_some())));
                        } else if !whole.is_complete() {
                            failures.push((id.clone(), broken(id, &whole)));
                        } else {
                            shown += 1;
                        }
                        let document = read::document(&whole, &catalog, now_ms());
                        renderer.push(&document).map_err(answer_failed)?;
                    }
                }
            }
            if single && let Some((_, error)) = failures.pop() {
                return Err(error);
            }
            for (id, error) in &failures {
                renderer.push_failure(id.as_str(), error).map_err(answer_failed)?;
            }
            Ok(())
        })
        .await;
    answered?;
    for (_, error) in &failures {
        context.terminal.error(error);
    }
    let ends = failures.iter().map(|(_, error)| Some(error.kind())).chain((0..shown).map(|_| None));
    Ok(exit::worst(ends))
}

fn unreadable(id: &ProducerId, why: &str, undecodable: bool) -> Error {
    if undecodable {
        return Error::new(Kind::Failed, format!("the znode of {id} cannot be decoded: {why}"))
            .hint(format!("save it and clear it: flussctl producer-offsets delete -- {id}"));
    }
    not_readable(id.as_str(), why)
}

/// Say what is wrong with its files, and what cures it: of what may only not be read, nothing is known.
fn broken(id: &ProducerId, whole: &Whole) -> Error {
    let error = read::incomplete(whole);
    if !whole.is_broken() {
        return error;
    }
    let error = error.hint(format!(
        "a job that needs it is stuck; put the file back, or set the true baseline in its place: \
         flussctl producer-offsets register --replace -f FILE -- {id}"
    ));
    if whole.files.iter().all(|file| file.offsets.as_ref().err() == Some(&FileFault::Missing)) {
        return error
            .hint("if other snapshots' files are missing too, is --remote-data-dir the coordinator's?");
    }
    error
}

impl Record for Document {
    const LIST: &'static str = "snapshots";
    const GROUPED: bool = true;

    fn columns(wide: bool) -> Vec<Column> {
        let mut columns = vec![
            Column::left("table"),
            Column::left("partition"),
            Column::right("bucket"),
            Column::right("offset"),
        ];
        if wide {
            columns.push(Column::left("file"));
        }
        columns
    }

    fn rows(&self, view: View) -> Vec<Vec<Cell>> {
        let mut rows = Vec::new();
        for table in self.tables.iter().flatten() {
            let name = named(table.table.as_deref(), table.table_id);
            let file = |row: &mut Vec<Cell>| {
                if view.wide {
                    row.push(Cell::plain(&table.offsets_path));
                }
            };
            match (&table.fault, &table.buckets) {
                (Some(fault), _) => {
                    let mut row = vec![
                        Cell::plain(name),
                        Cell::new(fault, Style::Bad),
                        Cell::default(),
                        Cell::default(),
                    ];
                    file(&mut row);
                    rows.push(row);
                }
                (None, Some(buckets)) if !buckets.is_empty() => {
                    for bucket in buckets {
                        let partition = bucket.partition_id.map(|id| named(bucket.partition.as_deref(), id));
                        let mut row = vec![
                            Cell::plain(&name),
                            Cell::plain(partition.unwrap_or_default()),
                            Cell::plain(bucket.bucket_id),
                            Cell::plain(bucket.offset),
                        ];
                        file(&mut row);
                        rows.push(row);
                    }
                }
                _ => {
                    let mut row = vec![Cell::plain(name), Cell::default(), Cell::default(), Cell::default()];
                    file(&mut row);
                    rows.push(row);
                }
            }
        }
        rows
    }

    fn preamble(&self, view: View) -> Vec<(&'static str, Cell)> {
        let mut lines =
            vec![("producer id", Cell::plain(&self.producer_id)), ("state", state_cell(self.state))];
        if self.expiration_time.is_some() {
            lines.push(("expires", time_cell(self.expiration_time, view.now_ms)));
        }
        if let Some(stat) = &self.znode {
            lines.push(("created", time_cell(Some(stat.ctime), view.now_ms)));
            lines.push(("changed", time_cell(Some(stat.mtime), view.now_ms)));
            lines.push(("mzxid", Cell::plain(stat.mzxid)));
            lines.push(("version", Cell::plain(stat.version)));
        }
        if let Some(fault) = &self.fault {
            lines.push(("fault", Cell::new(fault, Style::Bad)));
        }
        lines
    }

    fn csv_columns() -> &'static [&'static str] {
        &input::COLUMNS
    }

    fn csv_rows(&self) -> Vec<Vec<String>> {
        let number = |value: Option<i64>| value.map_or_else(String::new, |n| n.to_string());
        let mut rows = Vec::new();
        for table in self.tables.iter().flatten() {
            for bucket in table.buckets.iter().flatten() {
                rows.push(vec![
                    self.producer_id.clone(),
                    self.state.to_string(),
                    number(self.expiration_time),
                    table.table_id.to_string(),
                    table.table.clone().unwrap_or_default(),
                    number(table.created_time),
                    number(bucket.partition_id),
                    bucket.partition.clone().unwrap_or_default(),
                    bucket.bucket_id.to_string(),
                    bucket.offset.to_string(),
                ]);
            }
        }
        rows
    }

    fn name(&self) -> Option<&str> {
        Some(&self.producer_id)
    }
}

/// Show a name with its id, `db.orders (7)`, or the id alone.
pub(super) fn named(name: Option<&str>, id: i64) -> String {
    name.map_or_else(|| id.to_string(), |name| format!("{name} ({id})"))
}
