//! Arguments that several verbs share, and how their texts are read.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use globset::{GlobBuilder, GlobMatcher};

use crate::carry_out::journal::Journal;
use crate::cli::audit::Audit;
use crate::commands::Context;
use crate::config::{duration, instant};
use crate::error::{Context as _, Error, Kind, Result};
use crate::snapshot::ProducerId;
use crate::time::absolute;

/// The shortest life that a snapshot is given: a shorter one would be over before it is registered.
const SHORTEST_TTL: Duration = Duration::from_secs(1);

/// The longest life that a snapshot is given: what is longer is a slip.
const LONGEST_TTL: Duration = Duration::from_hours(87840);

/// How a change is asked for and written down.
#[derive(Args)]
#[command(next_help_heading = "Change options")]
pub(super) struct ChangeOptions {
    /// Do it without asking
    #[arg(short, long)]
    pub yes: bool,

    /// Show what would be done, and do nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Append a JSON line for each decision to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    audit_log: Option<PathBuf>,
}

/// Where what is changed is saved first.
#[derive(Args)]
#[command(next_help_heading = "Change options")]
pub(super) struct BackupOptions {
    /// Save each snapshot into this folder before it is changed [default: the user's state folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "no_backup")]
    backup: Option<PathBuf>,

    /// Save nothing before a change
    #[arg(long)]
    no_backup: bool,
}

/// When a snapshot expires.
#[derive(Args)]
pub(super) struct ExpiryOptions {
    /// Let it expire after so long, for example 24h [default: the cluster's own TTL; of a restore, the backup's expiry]
    #[arg(long, value_name = "DURATION", conflicts_with = "expires_at", allow_hyphen_values = true, value_hint = ValueHint::Other)]
    pub ttl: Option<String>,

    /// Let it expire at this time, for example 2026-12-31T12:00:00Z
    #[arg(long, value_name = "TIME", value_hint = ValueHint::Other)]
    pub expires_at: Option<String>,
}

impl ChangeOptions {
    /// Open the audit log before anything is done.
    pub(super) fn journal(&self, command: &'static str) -> Result<Journal> {
        let audit = match &self.audit_log {
            Some(path) if !self.dry_run => Audit::open(path)?,
            _ => Audit::none(),
        };
        Ok(Journal::new(command, audit))
    }

    /// Refuse at once where a question would find nobody: before anything is read.
    pub(super) fn require_answerable(&self, context: &Context) -> Result<()> {
        if self.yes || self.dry_run || context.terminal.can_ask() {
            return Ok(());
        }
        Err(context.terminal.nobody_to_ask())
    }

    /// Have the shown plan confirmed: `--yes`, or a yes on a terminal.
    pub(super) async fn confirm(&self, context: &Context, question: &str) -> Result<()> {
        if self.yes || context.terminal.confirm(question, &context.stop).await? {
            return Ok(());
        }
        Err(Error::new(Kind::Failed, "nothing was done: the answer was no"))
    }
}

impl BackupOptions {
    /// Say whether what is changed is saved first.
    pub(super) const fn is_wanted(&self) -> bool {
        !self.no_backup
    }

    /// Give the folder to save into; none where saving is not wanted.
    pub(super) fn folder(&self, context: &Context) -> Result<Option<PathBuf>> {
        match &self.backup {
            _ if self.no_backup => Ok(None),
            Some(folder) if folder.as_os_str().is_empty() => Err(Error::usage("--backup names no folder")),
            Some(folder) => Ok(Some(folder.clone())),
            None => context.backup_folder().map(Some),
        }
    }
}

impl ExpiryOptions {
    /// Say whether any of the two was given.
    pub(super) const fn is_given(&self) -> bool {
        self.ttl.is_some() || self.expires_at.is_some()
    }

    /// Give the expiration time in milliseconds, by default after the cluster's own TTL.
    pub(super) fn expiration_time(&self, context: &Context, now_ms: i64) -> Result<i64> {
        let (ttl, given_as) = match (&self.ttl, &self.expires_at) {
            (_, Some(time)) => {
                let at =
                    instant::parse(time).map_err(|e| e.context("--expires-at is refused"))?.as_millisecond();
                if at <= now_ms {
                    return Err(Error::usage(format!("--expires-at is refused: {} is past", absolute(at))));
                }
                let ttl = Duration::from_millis(u64::try_from(at.saturating_sub(now_ms)).unwrap_or(0));
                (ttl, "--expires-at".to_owned())
            }
            (Some(text), None) => {
                (duration::parse(text).map_err(|e| e.context("--ttl is refused"))?, "--ttl".to_owned())
            }
            (None, None) => {
                let found = context.settings.producer_offsets_ttl()?;
                (found.value, format!("coordinator.producer-offsets.ttl ({})", found.origin))
            }
        };
        let refused = |why: &str| Err(Error::usage(format!("{given_as} is refused: {why}")));
        if ttl < SHORTEST_TTL {
            return refused("the snapshot would be born expired");
        }
        if ttl > LONGEST_TTL {
            return refused("the snapshot would live for more than ten years");
        }
        let millis = i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX);
        now_ms.checked_add(millis).ok_or_else(|| Error::usage("the expiry is beyond what a znode can hold"))
    }
}

/// Read the ids of a command line; one given twice counts once.
pub(super) fn ids(texts: &[String]) -> Result<Vec<ProducerId>> {
    let mut ids = texts.iter().map(|text| ProducerId::parse(text)).collect::<Result<Vec<_>>>()?;
    ids.sort();
    ids.dedup();
    Ok(ids)
}

/// Read globs over ids; an empty one never means all.
pub(super) fn globs(texts: &[String]) -> Result<Vec<GlobMatcher>> {
    let read = |text: &String| {
        if text.is_empty() {
            return Err(Error::usage("an empty pattern matches nothing").hint("'*' means every snapshot"));
        }
        let glob = GlobBuilder::new(text).literal_separator(false).build();
        glob.map(|g| g.compile_matcher()).or_fail(Kind::Usage, || format!("{text:?} is no pattern"))
    };
    texts.iter().map(read).collect()
}

/// Read `--settle`.
pub(super) fn settle(text: Option<&String>) -> Result<Duration> {
    text.map_or(Ok(Duration::ZERO), |text| {
        duration::parse(text).map_err(|e| e.context("--settle is refused"))
    })
}
