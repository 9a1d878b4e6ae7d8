//! How a snapshot is deleted: under readers or not, and which of its files are its own.

use crate::plan::age::GRACE_MS;
use crate::snapshot::znode::{Observed, Stat, with_expiration};
use crate::snapshot::{Location, OwnedKey, ProducerId, Registration, RemoteDir};

/// The most snapshots that are set expired, waited for and deleted together.
pub const BATCH: usize = 100;

/// Say how to delete a znode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Delete it: nobody can read it as valid.
    AtOnce,
    /// Set it expired, give its readers time, delete it: the server reads the znode twice for one answer, and deleted in
    /// between the job gets an empty baseline and wipes its table.
    AfterReaders,
}

/// Decide how to delete a znode, given its bytes and ZooKeeper's time.
///
/// What we cannot decode but is a JSON object the server may still read: it is more lenient with numbers than we are.
pub fn manner(data: &[u8], stat: &Stat, now_ms: i64, job_stopped: bool) -> Manner {
    if job_stopped {
        return Manner::AtOnce;
    }
    match Registration::decode(data) {
        Ok(registration) if past_grace(&registration, stat, now_ms) => Manner::AtOnce,
        Ok(_) => Manner::AfterReaders,
        Err(_) if with_expiration(data, 0).is_some() => Manner::AfterReaders,
        Err(_) => Manner::AtOnce,
    }
}

/// Say whether a snapshot was set expired by a delete.
const fn meant_for_deletion(registration: &Registration, stat: &Stat) -> bool {
    registration.expiration_time == 0 && stat.mzxid != stat.czxid
}

/// Say whether a snapshot is so long past its expiry that no reader can still take it for valid.
///
/// An expiration time of 0 that was set and not made is what a delete sets first: until then it may have been valid, so a
/// delete that was killed is finished only after its readers had their time.
pub fn past_grace(registration: &Registration, stat: &Stat, now_ms: i64) -> bool {
    let valid_until =
        if meant_for_deletion(registration, stat) { stat.mtime } else { registration.expiration_time };
    now_ms.saturating_sub(GRACE_MS) > valid_until
}

/// Say whether a snapshot is saved before it is deleted: all but what no reader can still take for valid, and what a delete
/// set expired that was killed, as its forerunner was saved then.
pub fn wants_backup(seen: &Observed, now_ms: i64) -> bool {
    let (Some(registration), Some(stat)) = (seen.registration(), seen.stat()) else { return true };
    !meant_for_deletion(registration, stat) && !past_grace(registration, stat, now_ms)
}

/// A snapshot's files, sorted by what a delete may do with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// In the producer's own folder: they go with the znode.
    pub owned: Vec<OwnedKey>,
    /// Anywhere else: never followed, with the path as it is spelled.
    pub left: Vec<String>,
}

/// Sort the files that a snapshot names.
pub fn files(dir: &RemoteDir, id: &ProducerId, registration: &Registration) -> Files {
    let mut files = Files::default();
    for table in &registration.tables {
        match Location::parse(&table.offsets_path).and_then(|place| dir.owned(id, &place)) {
            Some(key) if !files.owned.contains(&key) => files.owned.push(key),
            Some(_) => {}
            None => files.left.push(table.offsets_path.clone()),
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::snapshot::TableFile;

    fn znode(expiration_time: i64) -> Vec<u8> {
        Registration { expiration_time, tables: Vec::new() }.encode()
    }

    #[test]
    fn only_what_nobody_can_read_goes_at_once() {
        let now = 1_000_000;
        let made = Stat::default();
        let set = Stat { mzxid: 1, mtime: now - 10, ..made };
        assert_eq!(
            manner(&znode(0), &set, now, false),
            Manner::AfterReaders,
            "it was valid until it was set"
        );
        assert_eq!(manner(&znode(0), &set, now + 60_000, false), Manner::AtOnce);
        assert_eq!(manner(&znode(now + 1), &made, now, false), Manner::AfterReaders);
        assert_eq!(manner(&znode(now - 60_000), &made, now, false), Manner::AfterReaders, "within the grace");
        assert_eq!(manner(&znode(now - 60_001), &made, now, false), Manner::AtOnce);
        assert_eq!(manner(&znode(i64::MIN), &made, now, false), Manner::AtOnce);
        assert_eq!(manner(&znode(i64::MAX), &made, i64::MAX, false), Manner::AfterReaders);
        assert_eq!(manner(&znode(now + 1), &made, now, true), Manner::AtOnce);
        assert_eq!(manner(b"not json", &made, now, false), Manner::AtOnce);
        assert_eq!(manner(b"", &made, now, false), Manner::AtOnce);
        let lenient = br#"{"version":1,"expiration_time":"9999999999999","tables":[]}"#;
        assert_eq!(
            manner(lenient, &made, now, false),
            Manner::AfterReaders,
            "the server reads this as valid"
        );
    }

    #[test]
    fn only_what_is_surely_expired_or_saved_already_needs_no_backup() {
        let now = 1_000_000;
        let made = Stat::default();
        let set = Stat { mzxid: 1, mtime: now - 10, ..made };
        let wants =
            |expiration_time, stat| wants_backup(&Observed::of("p", znode(expiration_time), stat), now);
        assert!(wants(now + 1, made) && wants(now - 60_000, made), "another clock may call it valid");
        assert!(!wants(now - 60_001, made) && !wants(0, set));
        assert!(wants_backup(&Observed::of("p", b"junk".to_vec(), made), now));
    }

    #[test]
    fn a_reference_elsewhere_is_never_followed() {
        let dir = RemoteDir::new("/t/x", Path::new("/")).unwrap();
        let id = ProducerId::parse("p").unwrap();
        let table = |table_id, path: &str| TableFile { table_id, offsets_path: path.to_owned() };
        let registration = Registration {
            expiration_time: 0,
            tables: vec![
                table(1, "/t/x/producers/p/1/a.offsets"),
                table(1, "file:///t/x/producers/p/1//a.offsets"),
                table(2, "/t/x/producers/q/2/b.offsets"),
                table(3, "s3://t/x/producers/p/3/c.offsets"),
                table(4, ""),
            ],
        };
        let files = files(&dir, &id, &registration);
        assert_eq!(
            files.owned.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["producers/p/1/a.offsets"]
        );
        assert_eq!(files.left.len(), 3);
    }
}
