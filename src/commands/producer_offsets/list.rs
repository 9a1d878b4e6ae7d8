//! `list`: every snapshot in a line, from ZooKeeper alone; with `--files` what the files say too.

use clap::{Args, ValueEnum};
use futures::stream::{self, StreamExt as _};
use serde::Serialize;

use super::arguments::globs;
use super::cells::{state_cell, time_cell};
use crate::cli::answer::{OnClosed, answer_failed};
use crate::clock::now_ms;
use crate::cluster::snapshots;
use crate::commands::Context;
use crate::error::{Kind, Result};
use crate::read::{self, FileFault, Whole};
use crate::render::{Align, Cell, Column, Format, Record, Renderer, View, counted};
use crate::snapshot::catalog::Name;
use crate::snapshot::znode::{Observed, Stat};
use crate::snapshot::{Catalog, State};
use crate::time::rfc3339;

/// List the snapshots
///
/// From ZooKeeper alone, so it works where the store does not. --files reads every offsets file too.
#[derive(Args)]
pub struct Arguments {
    /// Only the ids that match one of these patterns
    #[arg(value_name = "GLOB")]
    globs: Vec<String>,

    /// Add what the offsets files say: buckets, missing and broken ones
    #[arg(long)]
    files: bool,

    /// Only snapshots in this state; broken reads the files
    #[arg(long, value_name = "STATE")]
    state: Option<StateFilter>,

    /// Only snapshots with this table: an id, or DATABASE.TABLE
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,

    /// The order
    #[arg(long, value_enum, default_value_t = Sort::Id)]
    sort: Sort,

    /// Show ids alone, which saves reading the tables' metadata
    #[arg(long)]
    no_names: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StateFilter {
    Valid,
    Expired,
    Undecodable,
    Unreadable,
    Broken,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    Id,
    Expires,
    Created,
    Tables,
}

impl StateFilter {
    const fn matches(self, state: State) -> bool {
        matches!(
            (self, state),
            (Self::Valid, State::Valid)
                | (Self::Expired, State::Expired)
                | (Self::Undecodable, State::Undecodable)
                | (Self::Unreadable, State::Unreadable)
                | (Self::Broken, State::Broken)
        )
    }
}

/// Run `list`.
pub(super) async fn run(arguments: &Arguments, context: &Context) -> Result<Option<Kind>> {
    if arguments.files || arguments.state == Some(StateFilter::Broken) {
        return listed::<true>(arguments, context).await;
    }
    listed::<false>(arguments, context).await
}

async fn listed<const FILES: bool>(arguments: &Arguments, context: &Context) -> Result<Option<Kind>> {
    let globs = globs(&arguments.globs)?;
    let store = if FILES { Some(context.store()?) } else { None };
    let zookeeper = context.zookeeper().await?;
    let by_name = arguments.table.as_ref().is_some_and(|t| Name(t.clone()).as_id().is_none());
    let with_names = by_name || (!arguments.no_names && context.format() != Format::Name);
    let reading =
        async { Ok((read::names(&zookeeper, with_names).await?, snapshots::names(&zookeeper).await?)) };
    let (catalog, names) = context.stop.abortable(reading).await?;
    let table_id = arguments.table.as_ref().map(|t| catalog.table_id(&Name(t.clone()))).transpose()?;
    let shown = if arguments.no_names { Catalog::default() } else { catalog };
    let mut names = names.unwrap_or_default();
    names.retain(|name| globs.is_empty() || globs.iter().any(|glob| glob.is_match(name)));
    let progress = context.terminal.progress("reading snapshots", Some(names.len() as u64));
    let unreadable = context
        .answer::<Row<FILES>, _>(OnClosed::End, async |renderer| {
            let mut held = Vec::new();
            let (mut unreadable, mut undecodable) = (0, 0);
            let mut batches = snapshots::many(&zookeeper, &names);
            while let Some(batch) = batches.next().await {
                let batch = batch?;
                progress.inc(batch.len() as u64);
                unreadable += batch.iter().filter(|seen| seen.stat().is_none()).count();
                undecodable += batch.iter().filter(|seen| seen.registration().is_none()).count();
                let batch: Vec<Observed> =
                    batch.into_iter().filter(|seen| has_table(seen, table_id)).collect();
                let rows = match &store {
                    None => batch.iter().map(|seen| Row::of(seen, &shown)).collect(),
                    Some(store) => with_files(context, &zookeeper, store.as_ref(), batch, &shown).await?,
                };
                for row in rows {
                    unreadable += usize::from(row.files.is_some_and(|files| files.unreadable > 0));
                    if arguments.state.is_some_and(|wanted| !wanted.matches(row.state)) {
                        continue;
                    }
                    if arguments.sort == Sort::Id {
                        renderer.push(&row).map_err(answer_failed)?;
                    } else {
                        held.push(row);
                    }
                }
            }
            push_sorted(held, arguments.sort, renderer)?;
            if renderer.pushed() == 0 {
                context.terminal.status("no snapshots");
            }
            if table_id.is_some() && undecodable > 0 {
                let unknown = counted(undecodable, "snapshot");
                context.terminal.warn(format!("{unknown} cannot be decoded, and may have the table too"));
            }
            Ok(unreadable)
        })
        .await?;
    drop(progress);
    if unreadable > 0 {
        context.terminal.warn(format!("{} could not be read", counted(unreadable, "snapshot")));
        return Ok(Some(Kind::Partial));
    }
    Ok(None)
}

/// Say whether a snapshot is known to have the table.
fn has_table(seen: &Observed, table_id: Option<i64>) -> bool {
    let Some(id) = table_id else { return true };
    seen.registration().is_some_and(|r| r.tables.iter().any(|t| t.table_id == id))
}

fn push_sorted<const FILES: bool>(
    mut rows: Vec<Row<FILES>>,
    sort: Sort,
    renderer: &mut Renderer<'_, Row<FILES>>,
) -> Result<()> {
    match sort {
        Sort::Id => {}
        Sort::Expires => rows.sort_by_key(|row| row.expiration_time),
        Sort::Created => rows.sort_by_key(|row| row.znode.map(|stat| stat.ctime)),
        Sort::Tables => rows.sort_by_key(|row| row.tables.as_ref().map(Vec::len)),
    }
    for row in rows {
        renderer.push(&row).map_err(answer_failed)?;
    }
    Ok(())
}

/// Read each snapshot's files; before one is called missing or broken its znode is read again.
async fn with_files<const FILES: bool>(
    context: &Context,
    zookeeper: &crate::cluster::ZooKeeper,
    store: &dyn crate::store::Store,
    batch: Vec<Observed>,
    catalog: &Catalog,
) -> Result<Vec<Row<FILES>>> {
    let rows: Vec<Result<Option<Row<FILES>>>> = stream::iter(batch)
        .map(|seen| async move {
            let Some(registration) = seen.registration() else { return Ok(Some(Row::of(&seen, catalog))) };
            let files = read::files(store, registration, 4).await;
            let whole = Whole { seen, files };
            if whole.is_complete() {
                return Ok(Some(Row::with_files(&whole, catalog)));
            }
            let again = read::one(zookeeper, store, &whole.seen.name, 4).await?;
            Ok(again.map(|whole| Row::with_files(&whole, catalog)))
        })
        .buffered(context.at_once())
        .collect()
        .await;
    rows.into_iter().filter_map(Result::transpose).collect()
}

/// A snapshot in a line.
#[derive(Serialize)]
struct Row<const FILES: bool> {
    producer_id: String,
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    znode: Option<Stat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<Vec<RowTable>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<RowFiles>,
}

#[derive(Serialize)]
struct RowTable {
    table_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    offsets_path: String,
}

/// What the files of a snapshot say.
#[derive(Clone, Copy, Serialize)]
struct RowFiles {
    buckets: usize,
    missing: usize,
    broken: usize,
    unreadable: usize,
}

impl<const FILES: bool> Row<FILES> {
    fn of(seen: &Observed, catalog: &Catalog) -> Self {
        let registration = seen.registration();
        let tables = registration.map(|r| {
            let mut tables: Vec<RowTable> = r
                .tables
                .iter()
                .map(|t| RowTable {
                    table_id: t.table_id,
                    table: catalog.table_name(t.table_id).map(str::to_owned),
                    offsets_path: t.offsets_path.clone(),
                })
                .collect();
            tables.sort_by_key(|t| t.table_id);
            tables
        });
        Self {
            producer_id: seen.name.clone(),
            state: seen.state(now_ms()),
            expiration_time: registration.map(|r| r.expiration_time),
            expires_at: registration.and_then(|r| rfc3339(r.expiration_time)),
            znode: seen.stat().copied(),
            fault: seen.fault().map(str::to_owned),
            tables,
            files: None,
        }
    }

    fn with_files(whole: &Whole, catalog: &Catalog) -> Self {
        let mut row = Self::of(&whole.seen, catalog);
        row.state = whole.state(now_ms());
        let count = |wanted: fn(&FileFault) -> bool| {
            whole.files.iter().filter(|f| f.offsets.as_ref().err().is_some_and(wanted)).count()
        };
        row.files = Some(RowFiles {
            buckets: whole.offsets().len(),
            missing: count(|fault| matches!(fault, FileFault::Missing)),
            broken: count(|fault| matches!(fault, FileFault::Damaged(_))),
            unreadable: count(|fault| matches!(fault, FileFault::Unreadable(..))),
        });
        row
    }

    fn table_names(&self) -> String {
        let names =
            self.tables.iter().flatten().map(|t| t.table.clone().unwrap_or_else(|| t.table_id.to_string()));
        names.collect::<Vec<_>>().join(", ")
    }
}

fn number(count: Option<usize>) -> Cell {
    Cell::plain(count.map_or_else(String::new, |n| n.to_string()))
}

impl<const FILES: bool> Record for Row<FILES> {
    const LIST: &'static str = "snapshots";

    fn columns(wide: bool) -> Vec<Column> {
        let mut columns = vec![
            Column::left("producer id"),
            Column::left("state"),
            Column::left("expires"),
            Column::left("tables"),
        ];
        if FILES {
            columns.extend(["buckets", "missing", "broken"].map(Column::right));
        }
        columns.push(Column::left("created"));
        if wide {
            columns.extend([
                Column { title: "mzxid", align: Align::Right },
                Column::right("version"),
                Column::left("fault"),
            ]);
        }
        columns
    }

    fn rows(&self, view: View) -> Vec<Vec<Cell>> {
        let mut row = vec![
            Cell::plain(&self.producer_id),
            state_cell(self.state),
            time_cell(self.expiration_time, view.now_ms),
            Cell::plain(self.table_names()),
        ];
        if FILES {
            row.push(number(self.files.map(|f| f.buckets)));
            row.push(number(self.files.map(|f| f.missing)));
            row.push(number(self.files.map(|f| f.broken + f.unreadable)));
        }
        row.push(time_cell(self.znode.map(|stat| stat.ctime), view.now_ms));
        if view.wide {
            row.push(Cell::plain(self.znode.map_or_else(String::new, |stat| stat.mzxid.to_string())));
            row.push(Cell::plain(self.znode.map_or_else(String::new, |stat| stat.version.to_string())));
            row.push(Cell::plain(self.fault.clone().unwrap_or_default()));
        }
        vec![row]
    }

    fn csv_columns() -> &'static [&'static str] {
        &[
            "producer_id",
            "state",
            "expiration_time",
            "tables",
            "table_ids",
            "ctime",
            "mzxid",
            "version",
            "buckets",
            "missing",
            "broken",
            "unreadable",
        ]
    }

    fn csv_rows(&self) -> Vec<Vec<String>> {
        let text = |value: Option<String>| value.unwrap_or_default();
        let ids = self.tables.iter().flatten().map(|t| t.table_id.to_string()).collect::<Vec<_>>().join(" ");
        let count = |pick: fn(&RowFiles) -> usize| text(self.files.as_ref().map(|f| pick(f).to_string()));
        vec![vec![
            self.producer_id.clone(),
            self.state.to_string(),
            text(self.expiration_time.map(|t| t.to_string())),
            text(self.tables.as_ref().map(|t| t.len().to_string())),
            ids,
            text(self.znode.map(|stat| stat.ctime.to_string())),
            text(self.znode.map(|stat| stat.mzxid.to_string())),
            text(self.znode.map(|stat| stat.version.to_string())),
            count(|f| f.buckets),
            count(|f| f.missing),
            count(|f| f.broken),
            count(|f| f.unreadable),
        ]]
    }

    fn name(&self) -> Option<&str> {
        Some(&self.producer_id)
    }
}
