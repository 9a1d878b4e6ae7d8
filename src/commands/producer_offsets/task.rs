//! The work of a register, once it is resolved: create, replace an expired one, and what to say where another came first.

use std::collections::BTreeMap;
use std::time::Duration;

use super::outcome::{Outcome, Word};
use crate::carry_out::register::{self as carry_out, Over, Registered, Work};
use crate::carry_out::{Means, delete};
use crate::clock::now_ms;
use crate::error::{Error, Kind, Result};
use crate::plan::register::{self as plan, Baseline};
use crate::snapshot::znode::{Observed, with_tables};
use crate::snapshot::{ProducerId, Registration, State, TableFile, offsets_file};
use crate::time::rfc3339;

/// What is to be registered, resolved.
pub(super) struct Task<'a> {
    pub id: &'a ProducerId,
    pub baseline: &'a Baseline,
    pub expiration_time: i64,
    pub settle: Duration,
    /// That the store is the coordinator's was looked at.
    pub store_checked: bool,
    /// The snapshot that is replaced.
    pub instead_of: Option<Observed>,
}

impl Task<'_> {
    /// Say how it ended.
    pub(super) fn outcome(&self, word: Word) -> Outcome {
        let mut outcome = Outcome::snapshot(self.id.as_str(), word);
        outcome.expiration_time = Some(self.expiration_time);
        outcome.expires_at = rfc3339(self.expiration_time);
        outcome
    }

    /// Register where nothing stands.
    pub(super) async fn create(&self, means: &Means<'_>, if_not_exists: bool) -> Result<Outcome> {
        match self.write(means, Over::Nothing).await? {
            Registered::Done(stat) => Ok(self.done(Word::Created, stat.mzxid)),
            Registered::Meanwhile(seen) => self.met(&seen, if_not_exists),
            Registered::Gone | Registered::StillValid => Err(self.raced()),
        }
    }

    /// Register in the place of an expired one, without asking, as the server does it for a starting job.
    pub(super) async fn over_expired(
        &self,
        means: &Means<'_>,
        old: &Observed,
        if_not_exists: bool,
    ) -> Result<Outcome> {
        let mzxid = old.stat().map_or(0, |stat| stat.mzxid);
        match self.write(means, Over::Expired(mzxid)).await? {
            Registered::Done(stat) => {
                let left = delete::files_of_replaced(means, self.id, old).await;
                let mut outcome = self.done(Word::ReplacedExpired, stat.mzxid);
                outcome.files_left = left;
                Ok(outcome)
            }
            Registered::Meanwhile(seen) => self.met(&seen, if_not_exists),
            Registered::StillValid if if_not_exists => {
                Ok(Outcome::snapshot(self.id.as_str(), Word::AlreadyExists))
            }
            Registered::StillValid => Err(self.still_valid()),
            // Somebody's cleanup took the expired one: then this is a plain create.
            Registered::Gone => self.create(means, if_not_exists).await,
        }
    }

    /// Somebody else's snapshot came first.
    fn met(&self, seen: &Observed, if_not_exists: bool) -> Result<Outcome> {
        if if_not_exists && seen.registration().is_some() {
            return Ok(Outcome::snapshot(self.id.as_str(), Word::AlreadyExists));
        }
        Err(exists(self.id, seen.state(now_ms())))
    }

    fn still_valid(&self) -> Error {
        let what =
            format!("there is a snapshot {} already, and by ZooKeeper's clock it has not expired", self.id);
        Error::new(Kind::AlreadyExists, what).hint("this host's clock is ahead: set it right, then try again")
    }

    /// Say that somebody else was quicker.
    pub(super) fn raced(&self) -> Error {
        Error::new(Kind::Changed, format!("{} was changed by somebody else meanwhile", self.id))
            .hint(format!("look at it, then try again: flussctl producer-offsets get -- {}", self.id))
    }

    /// Say how it ended, and in which state.
    pub(super) fn done(&self, word: Word, mzxid: i64) -> Outcome {
        let mut outcome = self.outcome(word);
        outcome.mzxid = Some(mzxid);
        outcome
    }

    /// Write files and znode.
    pub(super) async fn write(&self, means: &Means<'_>, over: Over) -> Result<Registered> {
        let files: BTreeMap<i64, Vec<u8>> = plan::by_table(self.baseline)
            .iter()
            .map(|(&table, offsets)| (table, offsets_file::encode(table, offsets)))
            .collect();
        let data = |paths: &BTreeMap<i64, String>| {
            let tables = paths
                .iter()
                .map(|(&table_id, path)| TableFile { table_id, offsets_path: path.clone() })
                .collect();
            let registration = Registration { expiration_time: self.expiration_time, tables };
            // What stands there may know keys that we do not; what cannot be decoded has none worth keeping.
            let kept = self
                .instead_of
                .as_ref()
                .filter(|seen| seen.registration().is_some())
                .and_then(Observed::data);
            let kept =
                kept.and_then(|data| with_tables(data, registration.expiration_time, &registration.tables));
            Ok(kept.unwrap_or_else(|| registration.encode()))
        };
        let work = Work {
            id: self.id,
            files: &files,
            data: &data,
            over,
            settle: self.settle,
            at_once: means.at_once,
        };
        carry_out::register(means.zookeeper, means.store, means.stop, &work).await
    }
}

/// Say that a snapshot is there already, and what can be done about it.
pub(super) fn exists(id: &ProducerId, state: State) -> Error {
    let error =
        Error::new(Kind::AlreadyExists, format!("there is a snapshot {id} already, and it is {state}"));
    if state == State::Undecodable {
        return error
            .hint("nobody can use it: set the baseline in its place with --replace, or delete it first");
    }
    error.hint("--if-not-exists leaves it and is a success; --replace sets this baseline in its place")
}
