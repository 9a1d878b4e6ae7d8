//! Reads the znodes of snapshots, in bulk and in order.

use std::cell::Cell;
use std::rc::Rc;

use futures::stream::{self, Stream, StreamExt};
use zookeeper_client as zk;

use super::zookeeper::{Fault, ZooKeeper};
use crate::error::{Error, Kind, Result};
use crate::snapshot::znode::{Found, Observed, Stat};

/// The most znodes that one request reads: with four requests in flight the server is what limits.
const BATCH: usize = 500;

/// How many the first requests read, until it is seen how large the znodes are.
const FIRST_BATCH: usize = 64;

/// How many bytes a reply should have: the server makes it whole in its memory, and so do we.
const REPLY_BYTES: usize = 2 << 20;

/// How many requests are in flight.
const IN_FLIGHT: usize = 4;

/// The folder of the snapshots' znodes below the root.
pub const PRODUCERS: &str = "producers";

impl From<zk::Stat> for Stat {
    fn from(stat: zk::Stat) -> Self {
        Self {
            czxid: stat.czxid,
            mzxid: stat.mzxid,
            ctime: stat.ctime,
            mtime: stat.mtime,
            version: stat.version,
        }
    }
}

/// Give the path of a snapshot's znode.
pub fn path_of(zookeeper: &ZooKeeper, name: &str) -> String {
    zookeeper.path(&format!("{PRODUCERS}/{name}"))
}

/// Say whether the cluster's root is there; without it this is no Fluss cluster.
pub async fn require_root(zookeeper: &ZooKeeper) -> Result<()> {
    let root = zookeeper.path("");
    let what = "look for the cluster's root znode";
    let stat = zookeeper.read(1, what, async |client| client.check_stat(&root).await).await;
    match stat {
        Ok(Some(_)) => Ok(()),
        Ok(None) | Err(Fault::Answered(zk::Error::NoNode)) => Err(no_root(zookeeper)),
        Err(fault) => Err(fault.into_error(what)),
    }
}

fn no_root(zookeeper: &ZooKeeper) -> Error {
    Error::new(
        Kind::NotFound,
        format!("there is no Fluss cluster: the root znode {} is missing", zookeeper.address()),
    )
    .hint("check --zookeeper-root (zookeeper.path.root) and the chroot in --zookeeper")
}

/// List the names below `producers`, as text in order; none where `producers` itself is missing.
///
/// A missing root is an error: from the wrong root every snapshot would look gone.
pub async fn names(zookeeper: &ZooKeeper) -> Result<Option<Vec<String>>> {
    let path = zookeeper.path(PRODUCERS);
    let what = "list the snapshots";
    match zookeeper.read(1, what, async |client| client.list_children(&path).await).await {
        Ok(mut names) => {
            names.sort_unstable();
            Ok(Some(names))
        }
        Err(Fault::Answered(zk::Error::NoNode)) => {
            require_root(zookeeper).await?;
            Ok(None)
        }
        Err(fault) => Err(fault.into_error(what)),
    }
}

/// Read one snapshot's znode; none where it does not exist.
pub async fn one(zookeeper: &ZooKeeper, name: &str) -> Result<Option<Observed>> {
    let path = path_of(zookeeper, name);
    let what = format!("read the znode of {name}");
    match zookeeper.read(1, &what, async |client| client.get_data(&path).await).await {
        Ok((data, stat)) => Ok(Some(Observed::of(name, data, stat.into()))),
        Err(Fault::Answered(zk::Error::NoNode)) => Ok(None),
        Err(Fault::Answered(error)) => Ok(Some(unreadable(name, &error))),
        Err(fault) => Err(fault.into_error(&what)),
    }
}

/// Read the znodes of `names` in their order, a batch at a time; those that went meanwhile are left out.
pub fn many<'a>(
    zookeeper: &'a ZooKeeper,
    names: &'a [String],
) -> impl Stream<Item = Result<Vec<Observed>>> + Unpin + use<'a> {
    let size = Rc::new(Cell::new(FIRST_BATCH));
    let next = Rc::clone(&size);
    let batches = stream::unfold(names, move |left| {
        let batch = left.split_at(next.get().min(left.len()));
        async move { (!batch.0.is_empty()).then_some(batch) }
    });
    let reads = batches.map(move |batch| {
        let size = Rc::clone(&size);
        async move {
            let seen = read_batch(zookeeper, batch).await?;
            let bytes: usize = seen.iter().filter_map(Observed::data).map(<[u8]>::len).sum();
            size.set(batch_size(seen.len(), bytes));
            Ok(seen)
        }
    });
    Box::pin(reads.buffered(IN_FLIGHT))
}

/// Say how many znodes the next request reads, given what the last one brought.
fn batch_size(znodes: usize, bytes: usize) -> usize {
    let each = bytes.checked_div(znodes).unwrap_or(0).max(1);
    (REPLY_BYTES / each).clamp(1, BATCH)
}

/// Read all znodes into one list.
pub async fn all(zookeeper: &ZooKeeper, names: &[String]) -> Result<Vec<Observed>> {
    let mut seen = Vec::with_capacity(names.len());
    let mut batches = many(zookeeper, names);
    while let Some(batch) = batches.next().await {
        seen.append(&mut batch?);
    }
    Ok(seen)
}

async fn read_batch(zookeeper: &ZooKeeper, names: &[String]) -> Result<Vec<Observed>> {
    let what = "read the snapshots' znodes";
    let paths: Vec<String> = names.iter().map(|name| path_of(zookeeper, name)).collect();
    let results = read_data(zookeeper, what, &paths).await?;
    let seen = names.iter().zip(results).filter_map(|(name, result)| match result {
        Ok((data, stat)) => Some(Observed::of(name.as_str(), data, stat.into())),
        Err(zk::Error::NoNode) => None,
        Err(error) => Some(unreadable(name, &error)),
    });
    Ok(seen.collect())
}

/// Read many znodes in one request; each has its own answer, in the order asked.
pub(super) async fn read_data(
    zookeeper: &ZooKeeper,
    what: &str,
    paths: &[String],
) -> Result<Vec<Result<(Vec<u8>, zk::Stat), zk::Error>>> {
    let answers = zookeeper
        .read(paths.len(), what, async |client| {
            let mut reader = client.new_multi_reader();
            for path in paths {
                reader.add_get_data(path)?;
            }
            reader.commit().await
        })
        .await
        .map_err(|fault| fault.into_error(what))?;
    if answers.len() != paths.len() {
        let (got, asked) = (answers.len(), paths.len());
        return Err(Error::new(
            Kind::Failed,
            format!("{what}: ZooKeeper gave {got} answers to {asked} questions"),
        ));
    }
    let data = answers.into_iter().map(|answer| match answer {
        zk::MultiReadResult::Data { data, stat } => Ok((data, stat)),
        zk::MultiReadResult::Error { err } => Err(err),
        _ => Err(zk::Error::RuntimeInconsistent),
    });
    Ok(data.collect())
}

fn unreadable(name: &str, error: &zk::Error) -> Observed {
    Observed { name: name.to_owned(), found: Found::Unreadable(error.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_stays_small_whatever_the_znodes_hold() {
        assert_eq!(batch_size(64, 64 * 200), BATCH);
        assert_eq!(batch_size(64, 64 << 20), 2);
        assert_eq!(batch_size(1, usize::MAX), 1);
        assert_eq!(batch_size(0, 0), BATCH);
    }
}
