use std::path::Path;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::snapshot::znode::{Found, Observed, Stat};
use crate::snapshot::{Registration, TableFile};

const CUTOFF: i64 = 1000;
const PRODUCERS: [&str; 4] = ["a", "b", "-rf", "d"];

fn dir() -> RemoteDir {
    RemoteDir::new("/r", Path::new("/")).unwrap()
}

fn producer(at: usize) -> ProducerId {
    ProducerId::parse(PRODUCERS[at]).unwrap()
}

/// A file by small numbers, so that znodes and listings meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    producer: usize,
    table: i64,
    number: u128,
}

impl Place {
    fn key(self) -> OffsetsKey {
        let uuid = Uuid::from_u128(0xabcd_0000 + self.number);
        OffsetsKey { producer: producer(self.producer), table_id: self.table, uuid }
    }

    /// Spell it in one of many ways; the last are those of other places.
    fn spelled(self, way: usize) -> String {
        let key = self.key();
        let (folder, name) = (format!("{}/{}", key.producer, key.table_id), key.file_name());
        match way {
            0 => format!("/r/producers/{folder}/{name}"),
            1 => format!("file:/r/producers/{folder}/{name}"),
            2 => format!("file:///r//producers/./{folder}/{name}/"),
            3 => format!("FILE:/x/../r/producers/{folder}/{}", name.to_uppercase()),
            4 => format!("/r/producers/{folder}/{}", name.replace('-', "%2D")),
            5 => format!("/%72/producers/{folder}/{name}"),
            6 => format!("\\r\\producers\\{folder}\\{name}"),
            7 => format!("s3a://bucket/r/producers/{folder}/{name}"),
            8 => format!("file://host/r/producers/{folder}/{name}"),
            _ => format!("/elsewhere/producers/{folder}/{name}"),
        }
    }
}

#[derive(Clone, Debug)]
enum Znode {
    Readable { refs: Vec<(Place, usize)>, expiring: bool },
    Undecodable,
    Unreadable,
}

impl Znode {
    fn observed(&self, owner: usize) -> Observed {
        let name = PRODUCERS[owner];
        match self {
            Self::Readable { refs, .. } => {
                let table = |(place, way): &(Place, usize)| TableFile {
                    table_id: place.table,
                    offsets_path: place.spelled(*way),
                };
                let tables = refs.iter().map(table).collect();
                Observed::of(name, Registration { expiration_time: 0, tables }.encode(), Stat::default())
            }
            Self::Undecodable => Observed::of(name, b"{".to_vec(), Stat::default()),
            Self::Unreadable => Observed { name: name.into(), found: Found::Unreadable("denied".into()) },
        }
    }

    fn is_readable(&self) -> bool {
        matches!(self, Self::Readable { .. })
    }
}

type Znodes = Vec<Option<Znode>>;

fn references(znodes: &Znodes) -> References {
    let mut references = References::default();
    for (owner, znode) in znodes.iter().enumerate() {
        let Some(znode) = znode else { continue };
        let expiring = matches!(znode, Znode::Readable { expiring: true, .. });
        references.add(&znode.observed(owner), &dir(), expiring);
    }
    references
}

/// Who names this file's name, in whatever spelling.
fn named_by(znodes: &Znodes, place: Place) -> Vec<(usize, Place, usize, bool)> {
    let mut by = Vec::new();
    for (owner, znode) in znodes.iter().enumerate() {
        if let Some(Znode::Readable { refs, expiring }) = znode {
            let same = refs.iter().filter(|(other, _)| other.number == place.number);
            by.extend(same.map(|&(other, way)| (owner, other, way, *expiring)));
        }
    }
    by
}

/// A table's folder: its files with their ages, its own age, whether something foreign lies in it.
#[derive(Clone, Debug)]
struct Table {
    producer: usize,
    id: i64,
    files: Vec<(u128, Option<i64>)>,
    modified_ms: Option<i64>,
    foreign: bool,
    failed: bool,
}

impl Table {
    fn places(&self) -> impl Iterator<Item = (Place, Option<i64>)> {
        self.files
            .iter()
            .map(|&(number, age)| (Place { producer: self.producer, table: self.id, number }, age))
    }
}

fn listed(tables: &[Table], before: &References) -> Vec<Listed> {
    let mut listed = Vec::new();
    for at in 0..PRODUCERS.len() {
        let own: Vec<&Table> = tables.iter().filter(|table| table.producer == at).collect();
        for table in &own {
            if table.failed {
                listed.push(Listed::Failed(producer(at), Error::usage("no")));
                continue;
            }
            let (mut wanted, mut others) = (Vec::new(), 0);
            for (place, modified_ms) in table.places() {
                let key = place.key();
                if before.named(&key) != Named::Here || before.is_expiring(&key.uuid) {
                    wanted.push(ListedFile { key, modified_ms, size: 1 });
                } else {
                    others += 1;
                }
            }
            listed.push(Listed::Table(ListedTable {
                producer: producer(at),
                table_id: table.id,
                modified_ms: table.modified_ms,
                wanted,
                others,
                foreign: table.foreign,
            }));
        }
        let (tables, foreign) = (own.len(), own.iter().any(|table| table.id == 2));
        listed.push(Listed::Producer { producer: producer(at), modified_ms: Some(1), tables, foreign });
    }
    listed
}

fn orphans(tables: &[Table], before: &Znodes, after: &Znodes) -> Orphans {
    let before = references(before);
    let mut scan = Scan::new(CUTOFF);
    for found in listed(tables, &before) {
        scan.take(found, &before);
    }
    scan.finish(&references(after), &dir()).unwrap()
}

fn place() -> impl Strategy<Value = Place> {
    (0..4_usize, 0..3_i64, 0..8_u128).prop_map(|(producer, table, number)| Place { producer, table, number })
}

fn znode() -> impl Strategy<Value = Option<Znode>> {
    prop_oneof![
        2 => Just(None),
        5 => (vec((place(), 0..10_usize), 0..3), any::<bool>())
            .prop_map(|(refs, expiring)| Some(Znode::Readable { refs, expiring })),
        1 => Just(Some(Znode::Undecodable)),
        1 => Just(Some(Znode::Unreadable)),
    ]
}

/// What the znodes say before and after the listing: the same, but for one that changed meanwhile.
fn znodes() -> impl Strategy<Value = (Znodes, Znodes)> {
    (vec(znode(), 4), option::of((0..4_usize, znode()))).prop_map(|(before, change)| {
        let mut after = before.clone();
        if let Some((at, znode)) = change {
            after[at] = znode;
        }
        (before, after)
    })
}

/// Any age that matters, and none.
fn age() -> impl Strategy<Value = Option<i64>> {
    prop_oneof![
        4 => Just(Some(CUTOFF - 1)),
        1 => Just(Some(CUTOFF)),
        1 => Just(Some(i64::MAX)),
        1 => Just(Some(i64::MIN)),
        1 => Just(None),
    ]
}

fn tables() -> impl Strategy<Value = Vec<Table>> {
    let table = (vec((0..8_u128, age()), 0..3), age(), any::<[bool; 3]>());
    vec(option::of(table), 12).prop_map(|tables| {
        let made = tables.into_iter().enumerate().filter_map(|(at, table)| {
            let (mut files, modified_ms, [foreign, failed, rarely]) = table?;
            files.sort_unstable();
            files.dedup_by_key(|file| file.0);
            let id = i64::try_from(at % 3).unwrap();
            let foreign = foreign && rarely;
            Some(Table { producer: at / 3, id, files, modified_ms, foreign, failed: failed && rarely })
        });
        made.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_that_a_znode_names_or_may_name_is_an_orphan(
        (before, after) in znodes(),
        tables in tables(),
    ) {
        let orphans = orphans(&tables, &before, &after);
        for file in &orphans.files {
            let owner = PRODUCERS.iter().position(|name| *name == file.key.producer.as_str()).unwrap();
            let table = tables.iter().find(|t| t.producer == owner && t.id == file.key.table_id).unwrap();
            let (place, age) = table.places().find(|(place, _)| place.key() == file.key).unwrap();
            prop_assert_eq!(named_by(&after, place), vec![], "{} is named", file.key);
            prop_assert!(after[owner].as_ref().is_none_or(Znode::is_readable), "{} may be named", file.key);
            prop_assert!(age.is_some_and(|age| age < CUTOFF), "{} is young", file.key);
            let failed = tables.iter().any(|t| t.producer == owner && t.failed);
            prop_assert!(!failed, "{} lies in a folder that could not be listed", file.key);
        }
    }

    #[test]
    fn what_nobody_names_and_is_old_is_an_orphan((before, after) in znodes(), tables in tables()) {
        let orphans = orphans(&tables, &before, &after);
        for table in &tables {
            let owner = &after[table.producer];
            let failed = tables.iter().any(|t| t.producer == table.producer && t.failed);
            if failed || owner.as_ref().is_some_and(|znode| !znode.is_readable()) {
                continue;
            }
            for (place, age) in table.places() {
                let unnamed = named_by(&before, place).is_empty() && named_by(&after, place).is_empty();
                if unnamed && age.is_some_and(|age| age < CUTOFF) {
                    prop_assert!(orphans.files.iter().any(|file| file.key == place.key()), "{}", place.key());
                }
            }
        }
    }

    #[test]
    fn a_folder_goes_only_with_all_that_is_in_it((before, after) in znodes(), tables in tables()) {
        let orphans = orphans(&tables, &before, &after);
        let goes = |place: Place| {
            let by = named_by(&after, place);
            let with_its_own = matches!(by[..], [(owner, named, way, true)]
                if owner == named.producer && way < 7 && way != 5);
            with_its_own || orphans.files.iter().any(|file| file.key == place.key())
        };
        for (at, folder) in orphans.folders.iter().enumerate() {
            let owner = PRODUCERS.iter().position(|name| *name == folder.producer.as_str()).unwrap();
            prop_assert!(after[owner].as_ref().is_none_or(Znode::is_readable));
            let own = tables.iter().filter(|t| t.producer == owner);
            for table in own.filter(|t| folder.table_id.is_none_or(|id| id == t.id)) {
                prop_assert!(!table.failed && !table.foreign);
                prop_assert!(table.modified_ms.is_some_and(|modified| modified < CUTOFF));
                prop_assert!(table.places().all(|(place, _)| goes(place)), "{:?}", folder);
                let itself = Folder { table_id: Some(table.id), ..folder.clone() };
                let before = orphans.folders.iter().position(|f| *f == itself);
                prop_assert!(before.is_some_and(|before| before <= at), "a producer's folder goes last");
            }
        }
    }

    #[test]
    fn a_name_in_doubt_is_a_conflict_at_any_age(znode in znode(), tables in tables()) {
        let znodes = vec![znode, None, None, None];
        let orphans = orphans(&tables, &znodes, &znodes);
        for table in tables.iter().filter(|table| !tables.iter().any(|t| t.producer == table.producer && t.failed)) {
            for (place, _) in table.places() {
                let by = named_by(&znodes, place);
                // A percent in the root may mean the same root; another folder below it is another place.
                let elsewhere = by.iter().all(|(.., way, _)| *way == 5 || *way >= 7);
                let doubtful =
                    elsewhere && by.iter().any(|(_, named, way, _)| *way != 5 || *named != place);
                let told = orphans.conflicts.iter().any(|(key, _)| *key == place.key());
                prop_assert_eq!(told, doubtful, "{}: {:?}", place.key(), by);
            }
        }
    }
}

#[test]
fn a_listing_that_broke_off_gives_no_orphans() {
    let mut scan = Scan::new(CUTOFF);
    let none = References::default();
    let file =
        ListedFile { key: Place { producer: 0, table: 1, number: 1 }.key(), modified_ms: Some(1), size: 1 };
    scan.take(
        Listed::Table(ListedTable {
            producer: producer(0),
            table_id: 1,
            modified_ms: Some(1),
            wanted: vec![file],
            others: 0,
            foreign: false,
        }),
        &none,
    );
    scan.take(Listed::BrokenOff(Error::usage("page 2 failed")), &none);
    assert_eq!(scan.finish(&none, &dir()).unwrap_err().message(), "page 2 failed");
}

#[test]
fn foreign_things_are_counted_beyond_those_that_are_named() {
    let (mut scan, none) = (Scan::new(CUTOFF), References::default());
    for at in 0..1500 {
        scan.take(Listed::Foreign(at.to_string()), &none);
    }
    let orphans = scan.finish(&none, &dir()).unwrap();
    assert_eq!((orphans.counts.foreign, orphans.foreign.len()), (1500, FOREIGN_NAMED));
}

#[test]
fn whose_store_it_is_is_doubted_until_somebody_says_so() {
    let named = references(&vec![Some(Znode::Readable {
        refs: vec![(Place { producer: 0, table: 1, number: 1 }, 0)],
        expiring: false,
    })]);
    let none = References::default();
    let counts = |live, folders_with_files, unknown_folders| Counts {
        live,
        folders_with_files,
        unknown_folders,
        ..Counts::default()
    };
    let doubt = |counts: Counts, references: &References, has, checked, ours| {
        whose_store(&counts, references, has, checked, ours)
    };
    assert_eq!(doubt(counts(1, 2, 1), &named, true, false, false), None, "half of them are known");
    assert_eq!(doubt(counts(0, 0, 0), &none, false, false, false), None, "a new cluster");
    let cases = [
        (counts(0, 1, 0), &named, true, "--store-checked"),
        (counts(0, 0, 0), &named, true, "--store-checked"),
        (counts(0, 1, 1), &none, false, "--dir-is-only-ours"),
        (counts(1, 3, 2), &named, true, "--dir-is-only-ours"),
        (counts(0, 1, 1), &none, true, "--dir-is-only-ours"),
    ];
    for (counts, references, has, word) in cases {
        let why = doubt(counts, references, has, false, false).unwrap();
        assert!(why.contains(word), "{why}");
        let (checked, ours) = (word == "--store-checked", word == "--dir-is-only-ours");
        assert_eq!(doubt(counts, references, has, checked, ours), None, "{why}");
        let other = doubt(counts, references, has, !checked, !ours);
        assert!(other.is_some(), "the other word does not answer it: {why}");
    }
}
