//! Creates a snapshot's znode, in the cluster's own ACL and at a version that no delete meant for a forerunner fits.

use rand::Rng as _;
use tokio::time::Instant;
use zookeeper_client as zk;

use super::snapshots::{self, PRODUCERS, path_of};
use super::zookeeper::{Fault, ZooKeeper};
use crate::error::{Error, Kind, Result};
use crate::snapshot::ProducerId;
use crate::snapshot::znode::{Observed, Stat};

/// A stock server drops a connection over a request of 1 MiB; what surrounds the data takes some of it.
const LARGEST: usize = 960 * 1024;

/// What of a request's 1 MiB may be sets: the rest is for what else is in the transaction.
const REQUEST: usize = 1_048_575 - 8 * 1024;

/// What surrounds the path in a set without data, a chroot included.
const SET_AROUND: usize = 128;

/// How often the snapshots' folder is tried to be made.
const TRIES: usize = 3;

/// Say how a create ended.
#[derive(Debug)]
pub enum Created {
    /// Our znode stands.
    Done(Stat),
    /// Another's stands, as it was read.
    Exists(Observed),
    /// The time was over before it was asked for.
    TooLate,
    /// The create was lost and is known not to have happened. Its files must not be named again.
    Lost,
    /// The create was lost, and another state stands there: it may have grown out of ours, so our files are left.
    Overtaken(Observed),
}

/// Create the znode of `id`, but not after a time: its files may then be somebody's orphans.
///
/// # Errors
/// `Unknown` where it was lost and what became of it could not be found out: the znode may or may not exist, or come to
/// exist. All other errors: it was not created.
pub async fn create(
    zookeeper: &ZooKeeper,
    id: &ProducerId,
    data: &[u8],
    not_after: Instant,
) -> Result<Created> {
    let acl = acl(zookeeper).await?;
    ensure_producers(zookeeper, &acl).await?;
    if Instant::now() > not_after {
        return Ok(Created::TooLate);
    }
    let path = path_of(zookeeper, id.as_str());
    let what = format!("create the znode of {id}");
    let written = zookeeper
        .write(2, &what, async |client| {
            let mut writer = client.new_multi_writer();
            let options = zk::CreateMode::Persistent.with_acls(zk::Acls::new(&acl));
            writer.add_create(&path, b"", &options)?;
            add_sets(&mut writer, &path, data, None)?;
            last_set(writer.commit().await.map_err(zk::Error::from)?)
        })
        .await;
    match written {
        Ok(stat) => Ok(Created::Done(stat)),
        Err(Fault::Answered(zk::Error::NodeExists)) => look(zookeeper, id, data).await,
        Err(Fault::Lost(lost)) => {
            let unknown = |error: Error| unknown(id, "created", &lost, &error);
            zookeeper.settle().await.map_err(unknown)?;
            Ok(match look(zookeeper, id, data).await.map_err(unknown)? {
                Created::Exists(seen) if seen.stat().is_none() => return Err(unknown(unseen(&seen))),
                Created::Exists(seen) => Created::Overtaken(seen),
                created => created,
            })
        }
        Err(fault) => Err(fault.into_error(&what)),
    }
}

/// Say what stands at `id` now; a znode of our own content is our own.
async fn look(zookeeper: &ZooKeeper, id: &ProducerId, data: &[u8]) -> Result<Created> {
    Ok(match snapshots::one(zookeeper, id.as_str()).await? {
        None => Created::Lost,
        Some(seen) => match (seen.data(), seen.stat()) {
            (Some(found), Some(stat)) if found == data => Created::Done(*stat),
            _ => Created::Exists(seen),
        },
    })
}

/// Add 2 to 100 sets, the last of which writes the data: the version they end at cannot be guessed. Beside data that fills
/// a request nearly by itself they are fewer.
pub(super) fn add_sets(
    writer: &mut zk::MultiWriter<'_>,
    path: &str,
    data: &[u8],
    first_version: Option<i32>,
) -> Result<(), zk::Error> {
    let left = REQUEST.saturating_sub(data.len());
    let most = (left / (path.len() + SET_AROUND)).clamp(2, 100);
    let sets = rand::rng().random_range(2..=most);
    let mut version = first_version;
    for _ in 1..sets {
        writer.add_set_data(path, b"", version)?;
        version = None;
    }
    writer.add_set_data(path, data, version)
}

/// Give the state that a multi left behind: that of its last set.
fn last_set(results: Vec<zk::MultiWriteResult>) -> Result<Stat, zk::Error> {
    match results.into_iter().next_back() {
        Some(zk::MultiWriteResult::SetData { stat }) => Ok(stat.into()),
        _ => Err(zk::Error::UnexpectedError("the transaction's answer has no last set".into())),
    }
}

/// Say that a znode is there and could not be looked at.
pub(super) fn unseen(seen: &Observed) -> Error {
    Error::new(Kind::NotPermitted, format!("it cannot be read: {}", seen.fault().unwrap_or_default()))
}

/// Say that a write's outcome is not known, and how to find out.
pub(super) fn unknown(id: &ProducerId, done: &str, lost: &Error, since: &Error) -> Error {
    Error::new(
        Kind::Unknown,
        format!("it is not known whether the znode of {id} was {done}: {lost}; then: {since}"),
    )
    .hint(format!("look again when ZooKeeper answers: flussctl producer-offsets get -- {id}"))
}

/// Refuse bytes that no server would take.
pub fn require_fits(data: &[u8]) -> Result<()> {
    let bytes = data.len();
    if bytes <= LARGEST {
        return Ok(());
    }
    Err(Error::usage(format!("the znode would have {bytes} bytes; ZooKeeper takes {LARGEST}"))
        .hint("register fewer tables under one producer id"))
}

/// Make `producers` where this is the cluster's first snapshot. The root itself is never made.
async fn ensure_producers(zookeeper: &ZooKeeper, acl: &[zk::Acl]) -> Result<()> {
    let path = zookeeper.path(PRODUCERS);
    let options = zk::CreateMode::Persistent.with_acls(zk::Acls::new(acl));
    for _ in 0..TRIES {
        let what = "look for the snapshots' folder";
        let found = zookeeper.read(1, what, async |client| client.check_stat(&path).await).await;
        if found.map_err(|fault| fault.into_error(what))?.is_some() {
            return Ok(());
        }
        snapshots::require_root(zookeeper).await?;
        let what = "make the snapshots' folder";
        let made = zookeeper.write(1, what, async |client| client.create(&path, b"", &options).await).await;
        match made {
            Ok(_) | Err(Fault::Answered(zk::Error::NodeExists)) => return Ok(()),
            // Whether a lost one made it, the next look shows: on the same session, or after its end.
            Err(Fault::Lost(_)) => {}
            Err(fault) => return Err(fault.into_error(what)),
        }
    }
    Err(Error::new(
        Kind::Unreachable,
        "the snapshots' folder could not be made: ZooKeeper loses the requests",
    ))
}

/// Give the ACL that the cluster's own znodes have: that of `producers`, else of its `metadata`, else of its root.
pub(super) async fn acl(zookeeper: &ZooKeeper) -> Result<Vec<zk::Acl>> {
    let what = "read the ACL of the cluster's znodes";
    for below in [PRODUCERS, "metadata", ""] {
        let path = zookeeper.path(below);
        match zookeeper.read(1, what, async |client| client.get_acl(&path).await).await {
            Ok((acl, _)) if acl.iter().any(hidden) => {
                return Err(Error::new(
                    Kind::NotPermitted,
                    format!("the ACL of {path} names users whose digests ZooKeeper does not show us"),
                )
                .hint("log in as a user with ADMIN on it, as the cluster's servers are"));
            }
            Ok((acl, _)) => return Ok(acl),
            Err(Fault::Answered(zk::Error::NoNode)) => {}
            Err(fault) => return Err(fault.into_error(what)),
        }
    }
    snapshots::require_root(zookeeper).await?;
    Err(Error::new(Kind::Changed, "the cluster's znodes went while we looked"))
}

/// ZooKeeper blanks a digest for whoever has no ADMIN right; written back it would lock everybody out.
fn hidden(acl: &zk::Acl) -> bool {
    acl.scheme() == "digest" && acl.id().ends_with(":x")
}
