//! Saves a snapshot's bytes before they are changed: synced, for its owner's eyes alone, never over anything.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::error::{Context as _, Error, Kind, Result};
use crate::read::{self, Whole};
use crate::snapshot::backup::{self, Backup, Bytes, Cluster, KIND};
use crate::snapshot::document::SCHEMA_VERSION;
use crate::snapshot::offsets_file::LARGEST;
use crate::snapshot::{Catalog, ProducerId};
use crate::store::Store;
use crate::time::rfc3339;

/// How many files of an undecodable snapshot are saved.
const FILES_OF_UNDECODABLE: usize = 1000;

/// How many backups of one state are kept before it is refused.
const BACKUPS_OF_ONE: usize = 100;

/// Where a backup was put.
#[derive(Debug)]
pub struct Saved {
    /// The file.
    pub path: PathBuf,
    /// Whether every file's bytes are in it.
    pub complete: bool,
}

/// Put a backup of a snapshot together. What could not be read is in it as a fault, and marks it incomplete.
pub async fn take(
    whole: &Whole,
    catalog: &Catalog,
    store: &dyn Store,
    cluster: Cluster,
    now_ms: i64,
) -> Backup {
    let mut files: Vec<backup::File> = whole
        .files
        .iter()
        .map(|file| backup::File {
            offsets_path: file.offsets_path.clone(),
            content: file.bytes.as_deref().map(Bytes::of),
            fault: file.offsets.as_ref().err().map(ToString::to_string),
        })
        .collect();
    let mut complete = whole.is_complete();
    if whole.seen.registration().is_none() {
        // The znode does not say which files are its own: all that lie in its folder are saved.
        // A name that is no id has no folder either.
        if let Some(id) = ProducerId::from_name(&whole.seen.name) {
            complete &= save_folder(store, &id, &mut files).await;
        }
    }
    Backup {
        schema_version: SCHEMA_VERSION,
        kind: KIND.to_owned(),
        taken_at: rfc3339(now_ms).unwrap_or_default(),
        complete,
        cluster,
        snapshot: read::document(whole, catalog, now_ms),
        znode: Bytes::of(whole.seen.data().unwrap_or_default()),
        files,
    }
}

async fn save_folder(store: &dyn Store, id: &ProducerId, files: &mut Vec<backup::File>) -> bool {
    let Ok(keys) = store.list_producer(id, FILES_OF_UNDECODABLE).await else { return false };
    let mut complete = keys.len() < FILES_OF_UNDECODABLE;
    for key in keys {
        let place = store.dir().location(&key);
        let read = store.read(&place, LARGEST).await;
        complete &= read.is_ok();
        files.push(backup::File {
            offsets_path: place.spelled_as_listed(),
            fault: read.as_ref().err().map(ToString::to_string),
            content: read.ok().as_deref().map(Bytes::of),
        });
    }
    complete
}

/// Write a backup into a folder, which is made where it is missing. One of the same state that is there already serves.
pub async fn save(backup: Backup, folder: PathBuf) -> Result<Saved> {
    let work = move || save_blocking(&backup, &folder);
    let done = tokio::task::spawn_blocking(work).await;
    done.or_fail(Kind::Failed, || "the backup broke off".to_owned())?
}

fn save_blocking(backup: &Backup, folder: &Path) -> Result<Saved> {
    let failed = |error: io::Error| {
        let kind =
            if error.kind() == io::ErrorKind::PermissionDenied { Kind::NotPermitted } else { Kind::Failed };
        Error::wrap(kind, format!("cannot write the backup into {}", folder.display()), error)
            .hint("nothing was changed: is the folder writable, and is there room?")
    };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    let bytes = backup.encode();
    if bytes.len() as u64 > backup::LARGEST {
        return Err(Error::new(
            Kind::Failed,
            format!("the backup would have {} bytes, more than can be read again", bytes.len()),
        )
        .hint("nothing was changed; to go on without a backup, say --no-backup"));
    }
    let mzxid = backup.snapshot.znode.map_or(0, |stat| stat.mzxid);
    let first = backup::file_name(&backup.snapshot.producer_id, mzxid);
    for number in 1..=BACKUPS_OF_ONE {
        let name =
            if number == 1 { first.clone() } else { first.replace(".json", &format!(".{number}.json")) };
        let path = folder.join(name);
        match write_new(folder, &path, &bytes) {
            Ok(()) => return Ok(Saved { path, complete: backup.complete }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if serves(&path, backup) {
                    return Ok(Saved { path, complete: backup.complete });
                }
            }
            Err(error) => return Err(failed(error)),
        }
    }
    Err(Error::new(
        Kind::Failed,
        format!("{} holds {BACKUPS_OF_ONE} backups of this state", folder.display()),
    ))
}

/// Write under a name that only becomes visible whole, and never over another file.
fn write_new(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let mut file = tempfile::Builder::new().prefix(".flussctl-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

/// Say whether a backup that is there holds all that this one does.
fn serves(path: &Path, backup: &Backup) -> bool {
    read_file(path).and_then(|bytes| Backup::decode(&bytes)).is_ok_and(|there| {
        there.znode == backup.znode
            && there.snapshot.producer_id == backup.snapshot.producer_id
            && names(&there) == names(backup)
            && (there.complete || !backup.complete)
            && there.files.len() == backup.files.len()
            && there.files.iter().zip(&backup.files).all(|(a, b)| a.content == b.content)
    })
}

/// What a backup says its tables are: without it a restore refuses it.
fn names(backup: &Backup) -> Vec<(i64, Option<&str>, Option<i64>)> {
    let tables = backup.snapshot.tables.iter().flatten();
    tables.map(|table| (table.table_id, table.table.as_deref(), table.created_time)).collect()
}

/// Read a backup's bytes, through no link.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    let what = || format!("cannot read the backup {}", path.display());
    // A pipe in its place must not keep us waiting for a writer.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).or_fail(Kind::Usage, what)?;
    let found = file.metadata().or_fail(Kind::Usage, what)?;
    if !found.is_file() || found.len() > backup::LARGEST {
        return Err(Error::usage(format!("{} is no backup", path.display())));
    }
    let mut bytes = Vec::new();
    file.take(backup::LARGEST).read_to_end(&mut bytes).or_fail(Kind::Usage, what)?;
    Ok(bytes)
}
