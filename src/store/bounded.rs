//! Bounds every call to a store: a hung mount or a silent server ends as an error, and never as a command that hangs.

use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt as _};
use tokio::time::timeout;

use super::{ReadFailure, Removal, Store};
use crate::error::{Error, Kind, Result};
use crate::snapshot::listing::{Listed, Wanted};
use crate::snapshot::{Location, OffsetsKey, OwnedKey, ProducerId, RemoteDir};

/// How many files one request deletes.
const DELETED_TOGETHER: usize = 100;

/// A store of which each call ends within the request timeout.
pub struct Bounded {
    inner: Box<dyn Store>,
    limit: Duration,
}

impl Bounded {
    /// Bound each call to a store.
    pub fn new(inner: Box<dyn Store>, limit: Duration) -> Self {
        Self { inner, limit }
    }

    async fn within<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        timeout(self.limit, work).await.unwrap_or_else(|_| Err(silent(self.inner.dir(), self.limit)))
    }
}

fn silent(dir: &RemoteDir, limit: Duration) -> Error {
    let seconds = limit.as_secs_f32();
    Error::new(
        Kind::Unreachable,
        format!("the remote data dir {} did not answer within {seconds} s", dir.root()),
    )
    .hint("what was asked of it may still happen; look again when it answers")
}

impl Store for Bounded {
    fn dir(&self) -> &RemoteDir {
        self.inner.dir()
    }

    fn require_root(&self) -> BoxFuture<'_, Result<()>> {
        Box::pin(self.within(self.inner.require_root()))
    }

    fn read<'a>(&'a self, place: &'a Location, limit: u64) -> BoxFuture<'a, Result<Vec<u8>, ReadFailure>> {
        Box::pin(async move {
            let read = timeout(self.limit, self.inner.read(place, limit)).await;
            read.unwrap_or_else(|_| Err(ReadFailure::Unreadable(silent(self.inner.dir(), self.limit))))
        })
    }

    fn same_file<'a>(&'a self, one: &'a Location, other: &'a Location) -> BoxFuture<'a, bool> {
        Box::pin(async move { timeout(self.limit, self.inner.same_file(one, other)).await.unwrap_or(false) })
    }

    fn write<'a>(&'a self, key: &'a OffsetsKey, bytes: &'a [u8]) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.within(self.inner.write(key, bytes)))
    }

    fn delete<'a>(&'a self, keys: &'a [OwnedKey]) -> BoxFuture<'a, Vec<Result<bool>>> {
        Box::pin(async move {
            let mut results = Vec::with_capacity(keys.len());
            // A request is a few files: the limit is for each, and not for whatever a batch has.
            for some in keys.chunks(DELETED_TOGETHER) {
                let deleted = timeout(self.limit, self.inner.delete(some)).await;
                let all_silent = |_| some.iter().map(|_| Err(silent(self.inner.dir(), self.limit))).collect();
                results.extend(deleted.unwrap_or_else(all_silent));
            }
            results
        })
    }

    fn list(&self, wanted: Wanted) -> BoxFuture<'_, Result<BoxStream<'static, Listed>>> {
        Box::pin(async move {
            let listing = self.within(self.inner.list(wanted)).await?;
            let (limit, dir) = (self.limit, self.inner.dir().clone());
            let bounded = stream::unfold(Some(listing), move |listing| {
                let dir = dir.clone();
                async move {
                    let mut listing = listing?;
                    match timeout(limit, listing.next()).await {
                        Ok(next) => next.map(|listed| (listed, Some(listing))),
                        Err(_) => Some((Listed::BrokenOff(silent(&dir, limit)), None)),
                    }
                }
            });
            Ok(bounded.boxed())
        })
    }

    fn list_producer<'a>(
        &'a self,
        producer: &'a ProducerId,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<OwnedKey>>> {
        Box::pin(self.within(self.inner.list_producer(producer, limit)))
    }

    fn remove_folder<'a>(
        &'a self,
        producer: &'a ProducerId,
        table_id: Option<i64>,
    ) -> BoxFuture<'a, Result<Removal>> {
        Box::pin(self.within(self.inner.remove_folder(producer, table_id)))
    }

    fn now_ms(&self) -> BoxFuture<'_, Result<i64>> {
        Box::pin(self.within(self.inner.now_ms()))
    }
}
