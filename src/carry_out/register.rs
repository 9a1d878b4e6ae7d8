//! Registers a baseline: writes its files, names them in the znode, reads them back.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::stream::{self, StreamExt as _};
use tokio::time::{Instant, sleep};

use crate::cli::interrupt::Stop;
use crate::cluster::create::{self, Created};
use crate::cluster::hold::{self, Decision, End, Target};
use crate::cluster::{ZooKeeper, snapshots};
use crate::error::{Error, Kind, Result};
use crate::fault;
use crate::snapshot::znode::{Observed, Stat};
use crate::snapshot::{Location, OffsetsKey, ProducerId};
use crate::store::{ReadFailure, Store};

/// The longest from the first file to the znode: the cluster's own cleanup takes unnamed files of any age.
const FILES_TO_ZNODE: Duration = Duration::from_mins(1);

/// Says that the files got too old while their znode was waited for.
const TOO_SLOW: &str = "its files got too old";

/// How often a register begins anew, with new files.
const ATTEMPTS: usize = 3;

/// How long to wait between looks while `--settle` lasts.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// What stands where the baseline is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Nothing.
    Nothing,
    /// The snapshot in this state, expired by ZooKeeper's clock.
    Expired(i64),
    /// The snapshot in this state, whatever it says.
    State(i64),
}

/// Makes a znode's bytes from the paths of its tables' files.
pub type MakeData<'a> = dyn Fn(&BTreeMap<i64, String>) -> Result<Vec<u8>> + 'a;

/// What is to be registered.
pub struct Work<'a> {
    /// Whose.
    pub id: &'a ProducerId,
    /// Each table's file.
    pub files: &'a BTreeMap<i64, Vec<u8>>,
    /// Makes the znode's bytes from the files' paths, by table id.
    pub data: &'a MakeData<'a>,
    /// What stands there.
    pub over: Over,
    /// How long to look again for files that somebody's cleanup takes.
    pub settle: Duration,
    /// How many files are written or read side by side.
    pub at_once: usize,
}

/// How a register ended.
#[derive(Debug)]
pub enum Registered {
    /// The znode names the files, and all were read back.
    Done(Stat),
    /// Another stands there, or another state; nothing was changed.
    Meanwhile(Observed),
    /// What was to be replaced is gone; nothing was changed.
    Gone,
    /// What was to be replaced has not expired by ZooKeeper's clock.
    StillValid,
}

/// Carry a register out.
///
/// # Errors
/// `Unknown` where the znode may or may not have been written: its files then stay, and no later try names them.
pub async fn register(
    zookeeper: &ZooKeeper,
    store: &dyn Store,
    stop: &Stop,
    work: &Work<'_>,
) -> Result<Registered> {
    store.require_root().await?;
    fault::point("register.planned").await;
    stop.check()?;
    let in_hand = stop.in_hand(work.id.as_str(), "writing its offsets files");
    let mut lost: Vec<Try> = Vec::new();
    for _ in 0..ATTEMPTS {
        let first_file = Instant::now();
        let keys = write_files(store, work).await?;
        fault::point("register.files-written").await;
        if first_file.elapsed() > FILES_TO_ZNODE {
            remove(store, &keys).await;
            continue;
        }
        let paths: BTreeMap<i64, String> =
            keys.iter().map(|(&id, key)| (id, place(store, key).spelled_as_listed())).collect();
        let data = match (work.data)(&paths).and_then(|data| create::require_fits(&data).map(|()| data)) {
            Ok(data) => data,
            Err(error) => {
                remove(store, &keys).await;
                return Err(error);
            }
        };
        in_hand.stage("writing its znode");
        let written = match work.over {
            Over::Nothing => write_new(zookeeper, work.id, &data, first_file + FILES_TO_ZNODE).await,
            Over::Expired(mzxid) | Over::State(mzxid) => {
                write_over(zookeeper, work, mzxid, data.clone(), first_file).await
            }
        };
        fault::point("register.znode-written").await;
        match written {
            Ok(Written::Done(stat)) => {
                in_hand.stage("reading its files back");
                return read_back(zookeeper, store, stop, work, &keys, &stat)
                    .await
                    .map(|()| Registered::Done(stat));
            }
            Ok(Written::Lost) => lost.push(Try { keys, data }),
            Ok(Written::TooSlow) => remove(store, &keys).await,
            Ok(Written::Overtaken(seen)) => return overtaken(work, &paths, seen),
            Ok(Written::Not(end)) => {
                remove(store, &keys).await;
                let Registered::Meanwhile(seen) = &end else { return Ok(end) };
                // A request that was given up may still have arrived, against all that was said of it.
                let own = lost.iter().find(|earlier| seen.data() == Some(&earlier.data[..]));
                let (Some(own), Some(stat)) = (own, seen.stat()) else { return Ok(end) };
                return read_back(zookeeper, store, stop, work, &own.keys, stat)
                    .await
                    .map(|()| Registered::Done(*stat));
            }
            Err(error) => {
                if error.kind() != Kind::Unknown {
                    remove(store, &keys).await;
                }
                return Err(error);
            }
        }
    }
    Err(Error::new(Kind::Failed, format!("{} could not be registered in {ATTEMPTS} tries", work.id)).hint(
        "the store or ZooKeeper is too slow: a minute passed between the files and the znode, or requests were lost",
    ))
}

enum Written {
    Done(Stat),
    /// Known not to have happened, after an answer was lost: another try writes new files.
    Lost,
    /// The answer was lost, and another state stands, which may name our files.
    Overtaken(Observed),
    /// The files got too old for their znode; nothing was written.
    TooSlow,
    Not(Registered),
}

/// A try that was lost: its files stay, and no later try names them.
struct Try {
    keys: BTreeMap<i64, OffsetsKey>,
    data: Vec<u8>,
}

/// Say what stands after a lost write that is neither what was there nor what was written. Our files are left.
fn overtaken(work: &Work<'_>, paths: &BTreeMap<i64, String>, seen: Observed) -> Result<Registered> {
    let names_ours = seen.registration().is_some_and(|registration| {
        registration.tables.iter().any(|table| paths.values().any(|path| *path == table.offsets_path))
    });
    if names_ours {
        return Err(Error::new(
            Kind::Changed,
            format!("{} was registered, and was changed by somebody else since", work.id),
        )
        .hint(format!("look at it: flussctl producer-offsets get -- {}", work.id)));
    }
    Ok(Registered::Meanwhile(seen))
}

async fn write_new(
    zookeeper: &ZooKeeper,
    id: &ProducerId,
    data: &[u8],
    not_after: Instant,
) -> Result<Written> {
    Ok(match create::create(zookeeper, id, data, not_after).await? {
        Created::TooLate => Written::TooSlow,
        Created::Done(stat) => Written::Done(stat),
        Created::Exists(seen) => Written::Not(Registered::Meanwhile(seen)),
        Created::Lost => Written::Lost,
        Created::Overtaken(seen) => Written::Overtaken(seen),
    })
}

async fn write_over(
    zookeeper: &ZooKeeper,
    work: &Work<'_>,
    mzxid: i64,
    data: Vec<u8>,
    first_file: Instant,
) -> Result<Written> {
    let target = [Target { id: work.id.clone(), mzxid }];
    let only_expired = matches!(work.over, Over::Expired(_));
    let decide = |_: usize, seen: &hold::Seen<'_>| {
        let registration = crate::snapshot::Registration::decode(seen.data);
        if only_expired && !registration.is_ok_and(|r| r.expired(seen.now_ms)) {
            return Decision::Leave("it has not expired by ZooKeeper's clock".into());
        }
        // Another's child may have been waited for.
        if first_file.elapsed() > FILES_TO_ZNODE {
            return Decision::Leave(TOO_SLOW.into());
        }
        Decision::Set(data.clone())
    };
    match hold::change(zookeeper, &target, decide).await.pop() {
        Some(End::Set(stat)) => Ok(Written::Done(stat)),
        Some(End::Lost) => Ok(Written::Lost),
        Some(End::Overtaken(seen)) => Ok(Written::Overtaken(seen)),
        Some(End::Left(why)) if why == TOO_SLOW => Ok(Written::TooSlow),
        Some(End::Left(_)) => Ok(Written::Not(Registered::StillValid)),
        Some(End::Changed(seen)) => Ok(Written::Not(Registered::Meanwhile(seen))),
        Some(End::Failed(error)) => Err(error),
        Some(End::Gone | End::Deleted) | None => Ok(Written::Not(Registered::Gone)),
    }
}

fn place(store: &dyn Store, key: &OffsetsKey) -> Location {
    store.dir().location(&key.owned())
}

async fn write_files(store: &dyn Store, work: &Work<'_>) -> Result<BTreeMap<i64, OffsetsKey>> {
    let keys: BTreeMap<i64, OffsetsKey> =
        work.files.keys().map(|&table| (table, OffsetsKey::new(work.id, table))).collect();
    let writes = stream::iter(work.files.iter().zip(keys.values()))
        .map(|((_, bytes), key)| store.write(key, bytes))
        .buffer_unordered(work.at_once.max(1));
    let failed = writes.filter_map(|written| async { written.err() }).collect::<Vec<_>>().await;
    match failed.into_iter().next() {
        None => Ok(keys),
        Some(error) => {
            remove(store, &keys).await;
            Err(error.context(format!("the offsets files of {} could not be written", work.id)))
        }
    }
}

/// Remove files of ours that no znode has ever named. What stays is an orphan, and cleanup's.
async fn remove(store: &dyn Store, keys: &BTreeMap<i64, OffsetsKey>) {
    let keys: Vec<_> = keys.values().map(OffsetsKey::owned).collect();
    store.delete(&keys).await;
}

/// Read every named file back, and write again what somebody's cleanup took, as long as the znode is ours.
async fn read_back(
    zookeeper: &ZooKeeper,
    store: &dyn Store,
    stop: &Stop,
    work: &Work<'_>,
    keys: &BTreeMap<i64, OffsetsKey>,
    stat: &Stat,
) -> Result<()> {
    let end = Instant::now() + work.settle;
    loop {
        let mut again = 0;
        while missing_written_again(zookeeper, store, work, keys, stat).await.map_err(|e| {
            e.context(format!(
                "the znode of {} is written, but it is not known that its files will stay",
                work.id
            ))
        })? {
            again += 1;
            if again > ATTEMPTS {
                return Err(Error::new(
                    Kind::Failed,
                    format!("{} is registered, but its files are taken away as often as they are written", work.id),
                )
                .hint("somebody's cleanup treats them as orphans: is remote.data.dir spelled as the coordinator's is?"));
            }
        }
        fault::point("register.read-back").await;
        if Instant::now() + LOOK_AGAIN > end {
            return Ok(());
        }
        // A stop cuts the looking short: the snapshot is whole by now.
        tokio::select! {
            _ = stop.wait() => return Ok(()),
            () = sleep(LOOK_AGAIN) => {}
        }
    }
}

/// Read all files once; true where one was missing and has been written again.
async fn missing_written_again(
    zookeeper: &ZooKeeper,
    store: &dyn Store,
    work: &Work<'_>,
    keys: &BTreeMap<i64, OffsetsKey>,
    stat: &Stat,
) -> Result<bool> {
    let mut again = false;
    for (table, key) in keys {
        let Some(bytes) = work.files.get(table) else { continue };
        let place = place(store, key);
        match store.read(&place, bytes.len() as u64).await {
            Ok(read) if read == *bytes => continue,
            Err(ReadFailure::Missing) => {}
            Ok(_) => return Err(not_whole(work.id, &format!("{place} does not hold what was written"))),
            Err(failure) => return Err(not_whole(work.id, &format!("{place}: {failure}"))),
        }
        let now = snapshots::one(zookeeper, work.id.as_str()).await?;
        if now.as_ref().and_then(|seen| seen.stat()).is_none_or(|now| now.mzxid != stat.mzxid) {
            return Err(Error::new(
                Kind::Changed,
                format!("{} was registered, and was changed or deleted by somebody else since", work.id),
            ));
        }
        store.write(key, bytes).await?;
        again = true;
    }
    Ok(again)
}

fn not_whole(id: &ProducerId, why: &str) -> Error {
    Error::new(
        Kind::Failed,
        format!("the znode of {id} is written, but a file of it cannot be read back: {why}"),
    )
    .hint(format!("look at it: flussctl producer-offsets get -- {id}"))
}
