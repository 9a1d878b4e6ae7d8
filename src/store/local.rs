//! The remote data dir on a local file system: `file:` or a plain path.
//!
//! Changes go through folders opened one below the other without following links, so that a linked folder leads nowhere.

use std::fs::{self, DirEntry, File};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt as _};
use rustix::fs::{AtFlags, Mode, OFlags};
use tokio::sync::mpsc;

use super::{ReadFailure, Store};
use crate::error::{Context, Error, Kind, Result};
use crate::snapshot::listing::{Listed, ListedFile, ListedTable, Wanted};
use crate::snapshot::remote_dir::{PRODUCERS, table_folder};
use crate::snapshot::{Location, OffsetsKey, OwnedKey, ProducerId, RemoteDir};

/// How many listed folders may wait for whoever reads them: what bounds a listing's memory.
const AHEAD: usize = 64;

/// A local remote data dir.
#[derive(Debug)]
pub struct Local {
    dir: RemoteDir,
}

impl Local {
    /// Take a dir whose root is local.
    pub const fn new(dir: RemoteDir) -> Self {
        Self { dir }
    }

    fn root(&self) -> PathBuf {
        self.dir.root().local_path()
    }
}

impl Store for Local {
    fn dir(&self) -> &RemoteDir {
        &self.dir
    }

    fn require_root(&self) -> BoxFuture<'_, Result<()>> {
        let root = self.root();
        blocking(move || match fs::metadata(&root) {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(_) => {
                Err(Error::new(Kind::Failed, format!("the remote data dir {} is no folder", root.display())))
            }
            Err(error) => Err(no_root(&root, error)),
        })
    }

    fn read<'a>(&'a self, place: &'a Location, limit: u64) -> BoxFuture<'a, Result<Vec<u8>, ReadFailure>> {
        let (place, local) = (place.clone(), place.is_local());
        Box::pin(async move {
            if !local {
                let why = format!("{place} is on a file system that this build does not have");
                return Err(ReadFailure::Unreadable(Error::new(Kind::Failed, why)));
            }
            blocking(move || Ok(read(&place.local_path(), limit)))
                .await
                .unwrap_or_else(|e| Err(ReadFailure::Unreadable(e)))
        })
    }

    fn same_file<'a>(&'a self, one: &'a Location, other: &'a Location) -> BoxFuture<'a, bool> {
        let paths = (one.is_local() && other.is_local()).then(|| (one.local_path(), other.local_path()));
        Box::pin(async move {
            let Some((one, other)) = paths else { return false };
            let same = blocking(move || {
                let real = (fs::canonicalize(one), fs::canonicalize(other));
                Ok(matches!(real, (Ok(one), Ok(other)) if one == other))
            });
            same.await.unwrap_or(false)
        })
    }

    fn write<'a>(&'a self, key: &'a OffsetsKey, bytes: &'a [u8]) -> BoxFuture<'a, Result<()>> {
        let (root, key, bytes) = (self.root(), key.clone(), bytes.to_vec());
        blocking(move || {
            write(&root, &key, &bytes)
                .map_err(|error| failed(&format!("cannot write {key} below {}", root.display()), error))
        })
    }

    fn delete<'a>(&'a self, keys: &'a [OwnedKey]) -> BoxFuture<'a, Vec<Result<bool>>> {
        let (root, keys) = (self.root(), keys.to_vec());
        Box::pin(async move {
            let count = keys.len();
            let done =
                blocking(move || Ok(keys.iter().map(|key| delete(&root, key)).collect::<Vec<_>>())).await;
            done.unwrap_or_else(|error| {
                let message = error.to_string();
                (0..count).map(|_| Err(Error::new(error.kind(), &message))).collect()
            })
        })
    }

    fn list(&self, wanted: Wanted) -> BoxFuture<'_, Result<BoxStream<'static, Listed>>> {
        let producers = self.root().join(PRODUCERS);
        Box::pin(async move {
            let what = format!("cannot list {}", producers.display());
            let folder = producers.clone();
            let entries = blocking(move || {
                // What is listed through a link could not be deleted through it, and may be anybody's.
                if fs::symlink_metadata(&folder).is_ok_and(|found| found.is_symlink()) {
                    return Err(Error::new(Kind::Failed, format!("{what}: it is a link")));
                }
                fs::read_dir(&folder).map_err(|error| failed(&what, error))
            })
            .await?;
            let (send, receive) = mpsc::channel(AHEAD);
            tokio::task::spawn_blocking(move || walk(entries, &producers, &wanted, &send));
            let listed =
                stream::unfold(receive, |mut receive| async { receive.recv().await.map(|l| (l, receive)) });
            Ok(listed.boxed())
        })
    }

    fn list_producer<'a>(
        &'a self,
        producer: &'a ProducerId,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<OwnedKey>>> {
        let (dir, producer) = (self.dir.clone(), producer.clone());
        blocking(move || {
            let folder = dir.producers().join([producer.as_str()]);
            let what = format!("cannot list {folder}");
            let mut places = Vec::new();
            collect_files(&folder, 3, limit, &mut places).map_err(|error| failed(&what, error))?;
            let mut keys: Vec<OwnedKey> =
                places.iter().filter_map(|place| dir.owned(&producer, place)).collect();
            keys.sort();
            Ok(keys)
        })
    }

    fn remove_folder<'a>(
        &'a self,
        producer: &'a ProducerId,
        table_id: Option<i64>,
    ) -> BoxFuture<'a, Result<bool>> {
        let (root, producer) = (self.root(), producer.clone());
        blocking(move || remove_folder(&root, &producer, table_id))
    }

    fn now_ms(&self) -> BoxFuture<'_, Result<i64>> {
        let producers = self.root().join(PRODUCERS);
        blocking(move || {
            let what =
                || format!("cannot learn the time of the store: {} is not writable", producers.display());
            // The file has no name where the system can do that, and loses it at once elsewhere: a kill leaves nothing.
            let probe = tempfile::tempfile_in(&producers).map_err(|error| failed(&what(), error))?;
            let found = probe.metadata().or_fail(Kind::Failed, what)?;
            modified_ms(&found).ok_or_else(|| Error::new(Kind::Failed, what()))
        })
    }
}

/// Run blocking work off the async threads.
fn blocking<'a, T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> BoxFuture<'a, Result<T>> {
    Box::pin(async move {
        let done = tokio::task::spawn_blocking(work).await;
        done.or_fail(Kind::Failed, || "the work on the remote data dir broke off".to_owned())?
    })
}

fn failed(what: &str, error: io::Error) -> Error {
    let kind = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Kind::NotPermitted,
        _ => Kind::Failed,
    };
    Error::wrap(kind, what, error)
}

fn no_root(root: &Path, error: io::Error) -> Error {
    let what = format!("there is no remote data dir at {}", root.display());
    failed(&what, error).hint("check --remote-data-dir (remote.data.dir); it is never made for you")
}

fn modified_ms(found: &fs::Metadata) -> Option<i64> {
    let modified = found.modified().ok()?;
    match modified.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).ok(),
        Err(before) => i64::try_from(before.duration().as_millis()).ok().map(|ms| -ms),
    }
}

fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadFailure> {
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadFailure::Missing,
        io::ErrorKind::IsADirectory => ReadFailure::NotAFile,
        _ => ReadFailure::Unreadable(failed(&format!("cannot read {}", path.display()), error)),
    };
    // A pipe in the file's place would keep an open waiting for ever.
    let found = fs::metadata(path).map_err(unreadable)?;
    if !found.is_file() {
        return Err(ReadFailure::NotAFile);
    }
    if found.len() > limit {
        return Err(ReadFailure::TooLarge(found.len()));
    }
    let file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::with_capacity(usize::try_from(found.len()).unwrap_or(0));
    file.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    let size = bytes.len() as u64;
    if size > limit { Err(ReadFailure::TooLarge(size)) } else { Ok(bytes) }
}

fn open_folder(parent: &impl std::os::fd::AsFd, name: &str) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(parent, name, flags, Mode::empty())?)
}

/// Open folders one below the other, following no link; the root itself may be one.
fn descend(root: &Path, names: &[&str]) -> io::Result<OwnedFd> {
    let mut folder = OwnedFd::from(File::open(root)?);
    for name in names {
        folder = open_folder(&folder, name)?;
    }
    Ok(folder)
}

fn write(root: &Path, key: &OffsetsKey, bytes: &[u8]) -> io::Result<()> {
    let table = key.table_id.to_string();
    let names = [PRODUCERS, key.producer.as_str(), table.as_str()];
    // Another's cleanup may remove a folder between its making and the file's: then all of it again.
    let mut tries = 3;
    loop {
        match write_once(root, &names, &key.file_name(), bytes) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && tries > 1 => tries -= 1,
            done => return done,
        }
    }
}

/// Give what was made to whoever owns the folder of all snapshots, where we may: the coordinator must be able to delete it.
fn hand_over(made: &impl std::os::fd::AsFd, owner: Option<&rustix::fs::Stat>) {
    let Some(owner) = owner else { return };
    let theirs =
        rustix::fs::fstat(made).is_ok_and(|own| own.st_uid != owner.st_uid || own.st_gid != owner.st_gid);
    if theirs {
        let (user, group) =
            (rustix::fs::Uid::from_raw(owner.st_uid), rustix::fs::Gid::from_raw(owner.st_gid));
        // Only root may; for anybody else the file stays theirs, as everything that they make.
        let _ = rustix::fs::fchown(made, Some(user), Some(group));
    }
}

fn write_once(root: &Path, names: &[&str], file_name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut folder = OwnedFd::from(File::open(root)?);
    let mut owner = None;
    for name in names {
        let made = match rustix::fs::mkdirat(&folder, *name, Mode::from_raw_mode(0o777)) {
            Ok(()) => true,
            Err(rustix::io::Errno::EXIST) => false,
            Err(error) => return Err(error.into()),
        };
        if made {
            rustix::fs::fsync(&folder)?;
            owner = owner.or_else(|| rustix::fs::fstat(&folder).ok());
        }
        folder = open_folder(&folder, name)?;
        if made {
            hand_over(&folder, owner.as_ref());
        } else {
            owner = rustix::fs::fstat(&folder).ok();
        }
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::openat(&folder, file_name, flags, Mode::from_raw_mode(0o666))?;
    hand_over(&file, owner.as_ref());
    let mut file = File::from(file);
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if written.is_err() {
        // A half-written file of ours is an orphan; without its bytes it is worth nothing to anybody.
        let _ = rustix::fs::unlinkat(&folder, file_name, AtFlags::empty());
    }
    written?;
    Ok(rustix::fs::fsync(&folder)?)
}

fn delete(root: &Path, key: &OwnedKey) -> Result<bool> {
    let refuse = |error: io::Error| failed(&format!("cannot delete {key} below {}", root.display()), error);
    let Some((name, folders)) = key.tail().split_last() else { return Ok(false) };
    let mut names = vec![PRODUCERS, key.producer().as_str()];
    names.extend(folders.iter().map(String::as_str));
    let folder = match descend(root, &names) {
        Ok(folder) => folder,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(refuse(error)),
    };
    match rustix::fs::unlinkat(&folder, name.as_str(), AtFlags::empty()) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::NOENT) => Ok(false),
        Err(error) => Err(refuse(error.into())),
    }
}

fn folder_path(root: &Path, producer: &ProducerId, table_id: Option<i64>) -> PathBuf {
    let folder = root.join(PRODUCERS).join(producer.as_str());
    table_id.map_or_else(|| folder.clone(), |id| folder.join(id.to_string()))
}

fn remove_folder(root: &Path, producer: &ProducerId, table_id: Option<i64>) -> Result<bool> {
    let table = table_id.map(|id| id.to_string());
    let (names, name) = match &table {
        Some(table) => (vec![PRODUCERS, producer.as_str()], table.as_str()),
        None => (vec![PRODUCERS], producer.as_str()),
    };
    let refuse = |error: io::Error| {
        failed(
            &format!("cannot remove the folder {}", folder_path(root, producer, table_id).display()),
            error,
        )
    };
    let parent = match descend(root, &names) {
        Ok(parent) => parent,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(refuse(error)),
    };
    match rustix::fs::unlinkat(&parent, name, AtFlags::REMOVEDIR) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::NOTEMPTY | rustix::io::Errno::EXIST | rustix::io::Errno::NOENT) => Ok(false),
        Err(error) => Err(refuse(error.into())),
    }
}

/// Gather the files below a folder, `depth` folders deep and `limit` at the most, following no link.
fn collect_files(
    folder: &Location,
    depth: usize,
    limit: usize,
    places: &mut Vec<Location>,
) -> io::Result<()> {
    let entries = match fs::read_dir(folder.local_path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        if places.len() >= limit {
            return Ok(());
        }
        let entry = entry?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let kind = entry.file_type()?;
        let place = folder.join([name]);
        if kind.is_file() {
            places.push(place);
        } else if kind.is_dir() && depth > 1 {
            collect_files(&place, depth - 1, limit, places)?;
        }
    }
    Ok(())
}

/// The listing has been dropped: nobody wants the rest.
struct Dropped;

type Sender = mpsc::Sender<Listed>;

fn walk(entries: fs::ReadDir, producers: &Path, wanted: &Wanted, send: &Sender) {
    for entry in entries {
        let done = match entry {
            Ok(entry) => producer_folder(&entry, wanted, send),
            Err(error) => {
                let error = failed(&format!("cannot list {}", producers.display()), error);
                let _ = send.blocking_send(Listed::BrokenOff(error));
                return;
            }
        };
        if done.is_err() {
            return;
        }
    }
}

/// Report a folder that could not be listed. One that is gone by now, as another cleanup leaves it, has nothing to list.
fn send_failed(producer: &ProducerId, folder: &Path, error: io::Error, send: &Sender) -> Result<(), Dropped> {
    if error.kind() == io::ErrorKind::NotFound {
        return Ok(());
    }
    let error = failed(&format!("cannot list {}", folder.display()), error);
    send.blocking_send(Listed::Failed(producer.clone(), error)).map_err(|_| Dropped)
}

fn send_foreign(path: &Path, what: &str, send: &Sender) -> Result<(), Dropped> {
    send.blocking_send(Listed::Foreign(format!("{}: {what}", path.display()))).map_err(|_| Dropped)
}

/// Say what an entry is, if it is no folder.
fn no_folder(entry: &DirEntry) -> Option<&'static str> {
    match entry.file_type() {
        Ok(kind) if kind.is_dir() => None,
        Ok(kind) if kind.is_symlink() => Some("a link"),
        Ok(kind) if kind.is_file() => Some("a file"),
        _ => Some("neither file nor folder"),
    }
}

fn producer_folder(entry: &DirEntry, wanted: &Wanted, send: &Sender) -> Result<(), Dropped> {
    let path = entry.path();
    if let Some(what) = no_folder(entry) {
        return send_foreign(&path, what, send);
    }
    let Some(producer) = entry.file_name().to_str().and_then(ProducerId::from_name) else {
        return send_foreign(&path, "a folder whose name is no producer id", send);
    };
    let modified_ms = entry.metadata().ok().as_ref().and_then(modified_ms);
    let entries = match fs::read_dir(&path) {
        Ok(entries) => entries,
        Err(error) => return send_failed(&producer, &path, error, send),
    };
    let (mut tables, mut foreign) = (0, false);
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return send_failed(&producer, &path, error, send),
        };
        let table_id = entry.file_name().to_str().and_then(table_folder);
        match (no_folder(&entry), table_id) {
            (None, Some(table_id)) => {
                tables += 1;
                table(&entry, &producer, table_id, wanted, send)?;
            }
            (what, _) => {
                foreign = true;
                send_foreign(&entry.path(), what.unwrap_or("a folder whose name is no table id"), send)?;
            }
        }
    }
    send.blocking_send(Listed::Producer { producer, modified_ms, tables, foreign }).map_err(|_| Dropped)
}

fn table(
    folder: &DirEntry,
    producer: &ProducerId,
    table_id: i64,
    wanted: &Wanted,
    send: &Sender,
) -> Result<(), Dropped> {
    let path = folder.path();
    let mut listed = ListedTable {
        producer: producer.clone(),
        table_id,
        modified_ms: folder.metadata().ok().as_ref().and_then(modified_ms),
        wanted: Vec::new(),
        others: 0,
        foreign: false,
    };
    let entries = match fs::read_dir(&path) {
        Ok(entries) => entries,
        Err(error) => return send_failed(producer, &path, error, send),
    };
    let table_name = table_id.to_string();
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return send_failed(producer, &path, error, send),
        };
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let name = entry.file_name();
        let key = name.to_str().and_then(|name| OffsetsKey::from_names(producer.as_str(), &table_name, name));
        match key.filter(|_| is_file) {
            Some(key) if wanted(&key) => {
                let found = entry.metadata().ok();
                let size = found.as_ref().map_or(0, fs::Metadata::len);
                let modified_ms = found.as_ref().and_then(modified_ms);
                listed.wanted.push(ListedFile { key, modified_ms, size });
            }
            Some(_) => listed.others += 1,
            None => {
                listed.foreign = true;
                let what = match no_folder(&entry) {
                    None => "a folder among offsets files",
                    Some("a file") => "a file that is no offsets file",
                    Some(what) => what,
                };
                send_foreign(&entry.path(), what, send)?;
            }
        }
    }
    send.blocking_send(Listed::Table(listed)).map_err(|_| Dropped)
}
