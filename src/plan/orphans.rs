//! Which files and folders below `producers/` nobody needs: rule 5, in one place.

use std::collections::{BTreeMap, BTreeSet};

use super::references::{Named, Outside, References};
use crate::error::Error;
use crate::snapshot::listing::{Listed, ListedFile, ListedTable};
use crate::snapshot::location::Relation;
use crate::snapshot::{OffsetsKey, ProducerId, RemoteDir};

/// How many foreign things are named; the rest is counted.
const FOREIGN_NAMED: usize = 1000;

/// A folder that is empty, or will be once its orphans are gone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Folder {
    /// Whose.
    pub producer: ProducerId,
    /// Which table's; the producer's own folder where none is named.
    pub table_id: Option<i64>,
}

/// Gathers a listing as it streams by. What is live is counted and forgotten, so memory grows with the orphans alone.
#[derive(Debug)]
pub struct Scan {
    cutoff_ms: i64,
    old: BTreeMap<Folder, (Vec<ListedFile>, bool)>,
    producers: BTreeMap<ProducerId, usize>,
    /// Too young to be orphans, and named at another place.
    elsewhere: Vec<OffsetsKey>,
    failed: Vec<(ProducerId, Error)>,
    broken_off: Option<Error>,
    foreign: Vec<String>,
    current: Option<ProducerId>,
    counts: Counts,
}

/// What a listing held, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Offsets files that a znode named while they were listed.
    pub live: usize,
    /// Files that no znode names, and that are younger than the cutoff.
    pub too_recent: usize,
    /// Files that no znode names, and of an age that the store does not tell.
    pub unknown_age: usize,
    /// Things that are not ours.
    pub foreign: usize,
    /// Producers' folders that hold offsets files.
    pub folders_with_files: usize,
    /// Those of them that no znode of this cluster owns.
    pub unknown_folders: usize,
}

/// What a listing and the znodes read after it say together.
#[derive(Debug, Default)]
pub struct Orphans {
    /// The files to delete, by folder and name.
    pub files: Vec<ListedFile>,
    /// The folders to remove: a table's before its producer's.
    pub folders: Vec<Folder>,
    /// Files that a znode names at another place: nothing may be deleted before a person has looked.
    pub conflicts: Vec<(OffsetsKey, Outside)>,
    /// Folders that could not be listed.
    pub failed: Vec<(ProducerId, Error)>,
    /// Things that are not ours, the first of them by name.
    pub foreign: Vec<String>,
    /// The listing in numbers.
    pub counts: Counts,
}

impl Scan {
    /// Begin a scan with the frozen cutoff, in milliseconds.
    pub const fn new(cutoff_ms: i64) -> Self {
        Self {
            cutoff_ms,
            old: BTreeMap::new(),
            producers: BTreeMap::new(),
            elsewhere: Vec::new(),
            failed: Vec::new(),
            broken_off: None,
            foreign: Vec::new(),
            current: None,
            counts: Counts {
                live: 0,
                too_recent: 0,
                unknown_age: 0,
                foreign: 0,
                folders_with_files: 0,
                unknown_folders: 0,
            },
        }
    }

    /// Take in what the listing found, given what the znodes named when it began.
    pub fn take(&mut self, listed: Listed, before: &References) {
        match listed {
            Listed::Table(table) => self.table(table, before),
            Listed::Producer { producer, modified_ms, tables, foreign } => {
                if !foreign && self.is_old(modified_ms) {
                    self.producers.insert(producer, tables);
                }
            }
            Listed::Foreign(what) => {
                self.counts.foreign += 1;
                if self.foreign.len() < FOREIGN_NAMED {
                    self.foreign.push(what);
                }
            }
            Listed::Failed(producer, error) => self.failed.push((producer, error)),
            Listed::BrokenOff(error) => self.broken_off = Some(error),
        }
    }

    fn is_old(&self, modified_ms: Option<i64>) -> bool {
        modified_ms.is_some_and(|modified| modified < self.cutoff_ms)
    }

    fn table(&mut self, table: ListedTable, before: &References) {
        self.counts.live += table.others;
        if table.others > 0 || !table.wanted.is_empty() {
            self.count_folder(&table.producer, before);
        }
        let whole = table.wanted.len();
        let mut going = Vec::new();
        for file in table.wanted {
            let elsewhere = matches!(before.named(&file.key), Named::Elsewhere(_));
            match file.modified_ms {
                _ if before.is_expiring(&file.key.uuid) => going.push(file),
                Some(modified) if modified < self.cutoff_ms => going.push(file),
                // Live files are young as a rule: a conflict shows at any age.
                _ if elsewhere => self.elsewhere.push(file.key),
                None => self.counts.unknown_age += 1,
                Some(_) => self.counts.too_recent += 1,
            }
        }
        let emptied =
            table.others == 0 && !table.foreign && going.len() == whole && self.is_old(table.modified_ms);
        if emptied || !going.is_empty() {
            let folder = Folder { producer: table.producer, table_id: Some(table.table_id) };
            self.old.insert(folder, (going, emptied));
        }
    }

    fn count_folder(&mut self, producer: &ProducerId, before: &References) {
        if self.current.as_ref() == Some(producer) {
            return;
        }
        self.counts.folders_with_files += 1;
        if !before.knows(producer) {
            self.counts.unknown_folders += 1;
        }
        self.current = Some(producer.clone());
    }

    /// Say whether a file is too young for an orphan: one of a snapshot that was about to go, which somebody removed since.
    fn is_recent(cutoff_ms: i64, file: &ListedFile) -> bool {
        file.modified_ms.is_none_or(|modified| modified >= cutoff_ms)
    }

    /// Hold what was listed against the znodes that were read **after** it.
    pub fn finish(self, references: &References, dir: &RemoteDir) -> Result<Orphans, Error> {
        if let Some(error) = self.broken_off {
            return Err(error);
        }
        let mut orphans = Orphans { counts: self.counts, foreign: self.foreign, ..Orphans::default() };
        let cutoff_ms = self.cutoff_ms;
        let failed: BTreeSet<&ProducerId> = self.failed.iter().map(|(producer, _)| producer).collect();
        let mut emptied: BTreeMap<ProducerId, usize> = BTreeMap::new();
        for (folder, (files, mut goes)) in self.old {
            if failed.contains(&folder.producer) {
                continue;
            }
            if references.unreadable().contains_key(folder.producer.as_str()) {
                continue;
            }
            for file in files {
                match references.named(&file.key) {
                    Named::Not if Self::is_recent(cutoff_ms, &file) => goes = false,
                    Named::Not => orphans.files.push(file),
                    Named::Here if references.is_expiring(&file.key.uuid) => orphans.counts.live += 1,
                    Named::Here => {
                        goes = false;
                        orphans.counts.live += 1;
                    }
                    Named::Elsewhere(places) => {
                        goes = false;
                        orphans.elsewhere(&file.key, places, dir);
                    }
                }
            }
            if goes {
                *emptied.entry(folder.producer.clone()).or_default() += 1;
                orphans.folders.push(folder);
            }
        }
        for key in self.elsewhere {
            match references.named(&key) {
                Named::Not => orphans.counts.too_recent += 1,
                Named::Here => orphans.counts.live += 1,
                Named::Elsewhere(places) => orphans.elsewhere(&key, places, dir),
            }
        }
        for (producer, tables) in self.producers {
            let kept = failed.contains(&producer) || references.unreadable().contains_key(producer.as_str());
            if !kept && emptied.get(&producer).copied().unwrap_or(0) == tables {
                orphans.folders.push(Folder { producer, table_id: None });
            }
        }
        // A table's folder goes before its producer's.
        orphans.folders.sort_by(|a, b| {
            (&a.producer, a.table_id.is_none(), a.table_id).cmp(&(
                &b.producer,
                b.table_id.is_none(),
                b.table_id,
            ))
        });
        orphans.failed = self.failed;
        Ok(orphans)
    }
}

impl Orphans {
    /// Take in a file that is named at other places: a conflict, unless they may mean this one.
    fn elsewhere(&mut self, key: &OffsetsKey, places: &[Outside], dir: &RemoteDir) {
        self.counts.live += 1;
        let here = dir.location(&key.owned());
        let doubtful = places
            .iter()
            .filter(|outside| !matches!(outside.place.relation(&here), Relation::Same | Relation::Perhaps));
        self.conflicts.extend(doubtful.map(|outside| (key.clone(), outside.clone())));
    }
}

/// Say why orphans are left where it is doubtful that this is the cluster's own store.
///
/// `store_checked` and `ours_alone` are what the operator has said: that the store was looked at, and that no other cluster
/// uses it.
pub fn whose_store(
    counts: &Counts,
    references: &References,
    has_producers_znode: bool,
    store_checked: bool,
    ours_alone: bool,
) -> Option<String> {
    if references.with_files() > 0 && counts.live == 0 && !store_checked {
        return Some(format!(
            "not one file of the snapshots that name any ({}) is in this store: is it the coordinator's? \
             If it is, say --store-checked",
            references.with_files()
        ));
    }
    if ours_alone {
        return None;
    }
    if !has_producers_znode && counts.folders_with_files > 0 {
        return Some(format!(
            "the cluster has no znode of snapshots, and the store has {} folders with files: another cluster's? \
             If no other uses this store, say --dir-is-only-ours",
            counts.folders_with_files
        ));
    }
    if counts.unknown_folders * 2 > counts.folders_with_files {
        return Some(format!(
            "{} of the {} folders that hold files are of producers that this cluster does not know: another cluster's? \
             If no other uses this store, say --dir-is-only-ours",
            counts.unknown_folders, counts.folders_with_files
        ));
    }
    None
}

#[cfg(test)]
mod tests;
