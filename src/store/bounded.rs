//! Bounds every call to a store: a hung mount or a silent server ends as an error, and never as a command that hangs.

use std::sync::atomic::{AtomicBool, Ordering};
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

/// What a call may take while the last one was left unanswered.
const IMPATIENT: Duration = Duration::from_secs(1);

/// A store of which each call ends within the request timeout.
pub struct Bounded {
    inner: Box<dyn Store>,
    limit: Duration,
    given_up: AtomicBool,
}

impl Bounded {
    /// Bound each call to a store.
    pub fn new(inner: Box<dyn Store>, limit: Duration) -> Self {
        Self { inner, limit, given_up: AtomicBool::new(false) }
    }

    async fn within<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        self.answer(work).await.unwrap_or_else(|| Err(self.silent()))
    }

    /// Wait for an answer; none where the time is over. Of thousands of calls to a dead store only the first takes it all.
    async fn answer<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let limit =
            if self.given_up.load(Ordering::Relaxed) { self.limit.min(IMPATIENT) } else { self.limit };
        let answer = timeout(limit, work).await.ok();
        self.given_up.store(answer.is_none(), Ordering::Relaxed);
        answer
    }

    fn silent(&self) -> Error {
        silent(self.inner.dir(), self.limit)
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
            let read = self.answer(self.inner.read(place, limit)).await;
            read.unwrap_or_else(|| Err(ReadFailure::Unreadable(self.silent())))
        })
    }

    fn same_file<'a>(&'a self, one: &'a Location, other: &'a Location) -> BoxFuture<'a, bool> {
        Box::pin(async move { self.answer(self.inner.same_file(one, other)).await.unwrap_or(false) })
    }

    fn write<'a>(&'a self, key: &'a OffsetsKey, bytes: &'a [u8]) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.within(self.inner.write(key, bytes)))
    }

    fn delete<'a>(&'a self, keys: &'a [OwnedKey]) -> BoxFuture<'a, Vec<Result<bool>>> {
        Box::pin(async move {
            let mut results = Vec::with_capacity(keys.len());
            // A request is a few files: the limit is for each, and not for whatever a batch has.
            for some in keys.chunks(DELETED_TOGETHER) {
                let deleted = self.answer(self.inner.delete(some)).await;
                let all_silent = || some.iter().map(|_| Err(self.silent())).collect();
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

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::path::Path;

    use super::*;

    /// A mount that hangs.
    struct Hung(RemoteDir);

    impl Store for Hung {
        fn dir(&self) -> &RemoteDir {
            &self.0
        }

        fn require_root(&self) -> BoxFuture<'_, Result<()>> {
            Box::pin(pending())
        }

        fn read<'a>(&'a self, _: &'a Location, _: u64) -> BoxFuture<'a, Result<Vec<u8>, ReadFailure>> {
            Box::pin(pending())
        }

        fn same_file<'a>(&'a self, _: &'a Location, _: &'a Location) -> BoxFuture<'a, bool> {
            Box::pin(pending())
        }

        fn write<'a>(&'a self, _: &'a OffsetsKey, _: &'a [u8]) -> BoxFuture<'a, Result<()>> {
            Box::pin(pending())
        }

        fn delete<'a>(&'a self, _: &'a [OwnedKey]) -> BoxFuture<'a, Vec<Result<bool>>> {
            Box::pin(pending())
        }

        fn list(&self, _: Wanted) -> BoxFuture<'_, Result<BoxStream<'static, Listed>>> {
            Box::pin(async { Ok(stream::pending().boxed()) })
        }

        fn list_producer<'a>(&'a self, _: &'a ProducerId, _: usize) -> BoxFuture<'a, Result<Vec<OwnedKey>>> {
            Box::pin(pending())
        }

        fn remove_folder<'a>(&'a self, _: &'a ProducerId, _: Option<i64>) -> BoxFuture<'a, Result<Removal>> {
            Box::pin(pending())
        }

        fn now_ms(&self) -> BoxFuture<'_, Result<i64>> {
            Box::pin(pending())
        }
    }

    #[tokio::test]
    async fn a_store_that_hangs_is_an_error_and_never_a_hang() {
        let dir = RemoteDir::new("/hung", Path::new("/")).unwrap();
        let place = dir.producers();
        let key = OffsetsKey::new(&ProducerId::parse("p").unwrap(), 1);
        let store = Bounded::new(Box::new(Hung(dir)), Duration::from_millis(20));
        assert_eq!(store.require_root().await.unwrap_err().kind(), Kind::Unreachable);
        assert!(matches!(store.read(&place, 1).await, Err(ReadFailure::Unreadable(_))));
        assert!(!store.same_file(&place, &place).await);
        assert!(store.write(&key, b"").await.is_err());
        let keys = vec![key.owned(); 2 * DELETED_TOGETHER + 1];
        let deleted = store.delete(&keys).await;
        assert!(deleted.len() == keys.len() && deleted.iter().all(Result::is_err));
        let wanted: Wanted = std::sync::Arc::new(|_| true);
        let mut listing = store.list(wanted).await.unwrap();
        assert!(
            matches!(listing.next().await, Some(Listed::BrokenOff(_))),
            "what is not listed is not absent"
        );
        assert!(listing.next().await.is_none());
        assert!(store.list_producer(&key.producer, 1).await.is_err() && store.now_ms().await.is_err());
        assert!(store.remove_folder(&key.producer, None).await.is_err());
    }

    #[tokio::test]
    async fn what_was_left_unanswered_makes_the_next_call_impatient_until_an_answer_comes() {
        let dir = RemoteDir::new("/hung", Path::new("/")).unwrap();
        let store = Bounded::new(Box::new(Hung(dir)), Duration::from_millis(20));
        assert!(!store.given_up.load(Ordering::Relaxed));
        assert_eq!(store.answer(pending::<()>()).await, None);
        assert!(store.given_up.load(Ordering::Relaxed));
        assert_eq!(store.answer(async { 7 }).await, Some(7));
        assert!(!store.given_up.load(Ordering::Relaxed));
    }
}
