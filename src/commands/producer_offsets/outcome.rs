//! What became of each item of a change: one record for all verbs that change something.

use serde::Serialize;
use serde_json::{Value, json};

use crate::carry_out::delete::{Ended, Outcome as DeleteOutcome};
use crate::error::{Error, Kind};
use crate::exit;
use crate::render::{Cell, Column, Record, Style, View, counted};

/// How an item ended. The names are a promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Word {
    Created,
    Replaced,
    ReplacedExpired,
    AlreadyExists,
    Restored,
    BackedUp,
    Deleted,
    Removed,
    NotFound,
    Kept,
    Skipped,
    Failed,
    Unknown,
    Changed,
    WouldCreate,
    WouldReplace,
    WouldReplaceExpired,
    WouldRestore,
    WouldDelete,
    WouldRemove,
}

impl Word {
    const fn text(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Replaced => "replaced",
            Self::ReplacedExpired => "replaced an expired one",
            Self::AlreadyExists => "already exists",
            Self::Restored => "restored",
            Self::BackedUp => "backed up",
            Self::Deleted => "deleted",
            Self::Removed => "removed",
            Self::NotFound => "not found",
            Self::Kept => "kept",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::Changed => "changed meanwhile",
            Self::WouldCreate => "would create",
            Self::WouldReplace => "would replace",
            Self::WouldReplaceExpired => "would replace an expired one",
            Self::WouldRestore => "would restore",
            Self::WouldDelete => "would delete",
            Self::WouldRemove => "would remove",
        }
    }

    const fn style(self) -> Style {
        match self {
            Self::Failed | Self::Unknown | Self::Changed => Style::Bad,
            Self::Kept | Self::AlreadyExists | Self::Skipped => Style::Warning,
            Self::NotFound => Style::Dim,
            _ => Style::Plain,
        }
    }
}

/// What an outcome is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Thing {
    Snapshot,
    OrphanFile,
    Folder,
}

/// One item's end.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    pub kind: Thing,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub producer_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    pub outcome: Word,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiration_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mzxid: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_deleted: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files_left: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup_complete: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
    #[serde(skip)]
    pub end: Option<Kind>,
}

impl Outcome {
    /// Say how a snapshot ended.
    pub(super) fn snapshot(id: &str, outcome: Word) -> Self {
        Self::new(Thing::Snapshot, Some(id.to_owned()), None, outcome)
    }

    /// Say how a file or folder ended.
    pub(super) fn place(kind: Thing, producer_id: &str, path: String, outcome: Word) -> Self {
        Self::new(kind, Some(producer_id.to_owned()), Some(path), outcome)
    }

    const fn new(kind: Thing, producer_id: Option<String>, path: Option<String>, outcome: Word) -> Self {
        Self {
            kind,
            producer_id,
            path,
            outcome,
            state: None,
            expiration_time: None,
            expires_at: None,
            mzxid: None,
            files_deleted: None,
            files_left: Vec::new(),
            backup: None,
            backup_complete: None,
            reason: None,
            error: None,
            end: None,
        }
    }

    /// Say that it failed, and how.
    #[must_use]
    pub(super) fn failed(mut self, error: &Error) -> Self {
        self.outcome = match error.kind() {
            Kind::Unknown => Word::Unknown,
            Kind::Changed => Word::Changed,
            Kind::Interrupted | Kind::TimedOut => Word::Skipped,
            _ => Word::Failed,
        };
        let kind = error.kind();
        self.end = Some(kind);
        self.reason = Some(error.to_string());
        self.error = Some(error_value(error));
        self
    }

    /// See that whatever makes the exit code other than 0 says so in the answer too, under `error`.
    pub(super) fn close(&mut self) {
        if let (Some(kind), None) = (self.end, &self.error) {
            self.error = Some(error_value(&Error::new(kind, self.reason.clone().unwrap_or_default())));
        }
    }

    /// Give the reason why it is as it is.
    #[must_use]
    pub(super) fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Take over how a deletion ended.
    #[must_use]
    pub(super) fn deleted(mut self, deletion: DeleteOutcome) -> Self {
        match deletion.ended {
            Ended::Deleted => self.outcome = Word::Deleted,
            Ended::NotFound => self.outcome = Word::NotFound,
            Ended::Left(why) => {
                self.outcome = Word::Kept;
                self.reason = Some(why);
            }
            Ended::Failed(error) => return self.failed(&error),
        }
        self.files_deleted = Some(deletion.files_deleted);
        if deletion.files_failed.is_some() {
            self.end = deletion.files_failed;
            self.reason =
                Some(format!("the znode is gone, files are left: {}", deletion.files_left.join("; ")));
        } else if !deletion.files_left.is_empty() {
            self.reason = Some(format!("files are left: {}", deletion.files_left.join("; ")));
        }
        self.files_left = deletion.files_left;
        self
    }
}

impl Record for Outcome {
    const LIST: &'static str = "results";

    fn columns(wide: bool) -> Vec<Column> {
        let mut columns = vec![Column::left("producer id"), Column::left("outcome"), Column::left("detail")];
        if wide {
            columns.extend([Column::left("backup"), Column::right("mzxid")]);
        }
        columns
    }

    fn rows(&self, view: View) -> Vec<Vec<Cell>> {
        let mut detail: Vec<String> = Vec::new();
        detail.extend(self.path.clone());
        // The expiry that follows says as much as these two.
        let told = |state: &&String| {
            !(["valid", "expired"].contains(&state.as_str()) && self.expiration_time.is_some())
        };
        detail.extend(self.state.as_ref().filter(told).map(|state| format!("it is {state}")));
        detail.extend(self.expiration_time.map(|ms| {
            let word = if ms < view.now_ms { "expired" } else { "expires" };
            format!("{word} {} ({})", crate::time::absolute(ms), crate::time::left(ms, view.now_ms))
        }));
        let deleted = self.files_deleted.filter(|n| *n > 0);
        detail.extend(deleted.map(|n| format!("{} deleted", counted(n, "file"))));
        detail.extend(self.reason.clone());
        if !view.wide {
            detail.extend(self.backup.as_ref().map(|path| format!("backup: {path}")));
        }
        if self.backup_complete == Some(false) {
            detail.push("the backup is incomplete".to_owned());
        }
        let mut row = vec![
            Cell::plain(self.producer_id.clone().unwrap_or_default()),
            Cell::new(self.outcome.text(), self.outcome.style()),
            Cell::plain(detail.join("; ")),
        ];
        if view.wide {
            row.push(Cell::plain(self.backup.clone().unwrap_or_default()));
            row.push(Cell::plain(self.mzxid.map_or_else(String::new, |m| m.to_string())));
        }
        vec![row]
    }

    fn csv_columns() -> &'static [&'static str] {
        &[
            "kind",
            "producer_id",
            "path",
            "outcome",
            "expiration_time",
            "mzxid",
            "files_deleted",
            "backup",
            "reason",
        ]
    }

    fn csv_rows(&self) -> Vec<Vec<String>> {
        vec![vec![
            word(self.kind),
            self.producer_id.clone().unwrap_or_default(),
            self.path.clone().unwrap_or_default(),
            word(self.outcome),
            self.expiration_time.map_or_else(String::new, |n| n.to_string()),
            self.mzxid.map_or_else(String::new, |n| n.to_string()),
            self.files_deleted.map_or_else(String::new, |n| n.to_string()),
            self.backup.clone().unwrap_or_default(),
            self.reason.clone().unwrap_or_default(),
        ]]
    }

    /// What was done, or would be: what failed or was left is no name to go on with.
    fn name(&self) -> Option<&str> {
        if self.end.is_some() || matches!(self.outcome, Word::NotFound | Word::Kept | Word::Skipped) {
            return None;
        }
        match self.kind {
            Thing::Snapshot => self.producer_id.as_deref(),
            Thing::OrphanFile | Thing::Folder => self.path.as_deref(),
        }
    }
}

fn error_value(error: &Error) -> Value {
    json!({
        "kind": error.kind().name(),
        "exit_code": exit::code_of(error.kind()),
        "message": error.message(),
        "causes": error.causes(),
        "hints": error.hints(),
    })
}

/// Give the name that the JSON has, for the CSV.
fn word(value: impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}
