//! Which files the znodes name: what a cleanup must keep.

use std::collections::{BTreeMap, HashMap, HashSet};

use uuid::Uuid;

use crate::snapshot::remote_dir::referenced_uuid;
use crate::snapshot::znode::Observed;
use crate::snapshot::{Location, OffsetsKey, ProducerId, RemoteDir};

/// A reference that means a place outside of the remote data dir.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// Whose znode names it.
    pub owner: String,
    /// What it means.
    pub place: Location,
}

/// All that the readable znodes name, and whose znodes could not be read.
///
/// A file's name is a UUID, so a name is enough to keep it: whatever the path before it says, however it is spelled.
#[derive(Debug, Default)]
pub struct References {
    inside: HashSet<Uuid>,
    shared: HashSet<Uuid>,
    expiring: HashSet<Uuid>,
    outside: HashMap<Uuid, Vec<Outside>>,
    /// References that no file of ours can have, by what they mean, with how many there are.
    odd: HashMap<Location, usize>,
    owners: HashSet<String>,
    unreadable: BTreeMap<String, String>,
    with_files: usize,
}

/// What stands for a file among the references.
#[derive(Debug, PartialEq, Eq)]
pub enum Named<'a> {
    /// No znode names it.
    Not,
    /// A znode names it, below this remote data dir.
    Here,
    /// A znode names its name at another place.
    Elsewhere(&'a [Outside]),
}

impl References {
    /// Take in a znode; `expiring` says that its snapshot is about to go.
    pub fn add(&mut self, seen: &Observed, dir: &RemoteDir, expiring: bool) {
        self.owners.insert(seen.name.clone());
        let Some(registration) = seen.registration() else {
            self.unreadable.insert(seen.name.clone(), seen.fault().unwrap_or_default().to_owned());
            return;
        };
        if !registration.tables.is_empty() {
            self.with_files += 1;
        }
        let id = ProducerId::from_name(&seen.name);
        for table in &registration.tables {
            let Some(place) = Location::parse(&table.offsets_path) else { continue };
            let Some(uuid) = referenced_uuid(&place) else {
                *self.odd.entry(place).or_default() += 1;
                continue;
            };
            if dir.holds(&place) {
                if !self.inside.insert(uuid) {
                    self.shared.insert(uuid);
                }
                // Only what lies in its own folder goes with it: no delete follows a reference elsewhere.
                if expiring && id.as_ref().is_some_and(|id| dir.owned(id, &place).is_some()) {
                    self.expiring.insert(uuid);
                }
            } else {
                self.outside.entry(uuid).or_default().push(Outside { owner: seen.name.clone(), place });
            }
        }
    }

    /// Say whether a znode names this file.
    pub fn named(&self, key: &OffsetsKey) -> Named<'_> {
        if self.inside.contains(&key.uuid) {
            Named::Here
        } else if let Some(places) = self.outside.get(&key.uuid) {
            Named::Elsewhere(places)
        } else {
            Named::Not
        }
    }

    /// Say whether a file is named by a snapshot that is about to go, and by no other.
    pub fn is_expiring(&self, uuid: &Uuid) -> bool {
        self.expiring.contains(uuid) && !self.shared.contains(uuid) && !self.outside.contains_key(uuid)
    }

    /// Say whether any znode names this place.
    pub fn names(&self, place: &Location) -> bool {
        match referenced_uuid(place) {
            Some(uuid) => self.inside.contains(&uuid) || self.outside.contains_key(&uuid),
            None => self.odd.contains_key(place),
        }
    }

    /// Say whether more than one znode names this place, or one names its name elsewhere.
    pub fn shares(&self, place: &Location) -> bool {
        match referenced_uuid(place) {
            Some(uuid) => self.shared.contains(&uuid) || self.outside.contains_key(&uuid),
            None => self.odd.get(place).is_some_and(|&count| count > 1),
        }
    }

    /// Say whether a producer has a znode.
    pub fn knows(&self, producer: &ProducerId) -> bool {
        self.owners.contains(producer.as_str())
    }

    /// Say whose znodes could not be read or understood, and why: they keep all their files.
    pub const fn unreadable(&self) -> &BTreeMap<String, String> {
        &self.unreadable
    }

    /// Say how many znodes name files.
    pub const fn with_files(&self) -> usize {
        self.with_files
    }
}

#[cfg(test)]
mod tests;
