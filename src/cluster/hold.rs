//! Changes snapshots' znodes while holding each by a child of ours. Nothing else in the program sets or deletes one.
//!
//! Every znode that Fluss makes has version 0, a re-made one too, so a version names no state. A change is therefore meant
//! for an `mzxid`: an ephemeral child called `flussctl` is made under the znode (nobody can remove the znode now), the znode
//! is read again, and only if it is in the state that was meant does one transaction remove the child and change the znode.

use std::time::Duration;

use futures::stream::{self, StreamExt};
use tokio::time::{Instant, sleep};
use zookeeper_client as zk;

use super::create::{acl, add_sets, unknown};
use super::snapshots::{self, path_of, read_data};
use super::zookeeper::{Fault, ZooKeeper};
use crate::error::{Error, Kind, Result};
use crate::fault;
use crate::snapshot::ProducerId;
use crate::snapshot::znode::{Observed, Stat};

/// The child's name, the same for everybody: whoever finds it waits.
pub const CHILD: &str = "flussctl";

/// How many bytes of new data one transaction carries at most.
const BYTES_IN_ONE: usize = 800 * 1024;

/// How many requests are in flight where items go one by one.
const IN_FLIGHT: usize = 16;

/// How often a change that is known not to have happened is tried again.
const ROUNDS: usize = 3;

/// Name the state that a change is meant for.
#[derive(Clone, Debug)]
pub struct Target {
    /// Whose znode.
    pub id: ProducerId,
    /// The state that was shown.
    pub mzxid: i64,
}

/// A znode in the state that was meant, while it is held.
#[derive(Debug)]
pub struct Seen<'a> {
    /// Its bytes.
    pub data: &'a [u8],
    /// Its identity.
    pub stat: &'a Stat,
    /// The time by ZooKeeper's clock, in milliseconds: when the child was made.
    pub now_ms: i64,
}

/// Say what to do with a held znode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Delete it.
    Delete,
    /// Set its bytes.
    Set(Vec<u8>),
    /// Leave it, for a reason.
    Leave(String),
}

/// Say how a change ended.
#[derive(Debug)]
pub enum End {
    /// The znode is gone, by us.
    Deleted,
    /// It has the new bytes.
    Set(Stat),
    /// It was left, for the decision's reason.
    Left(String),
    /// It was gone before.
    Gone,
    /// The set was lost, and is known not to have happened; what its bytes name must not be named again.
    Lost,
    /// It is no longer in the state that was meant; nothing was done to it.
    Changed(Observed),
    /// It failed; `Unknown` where it may have happened.
    Failed(Error),
}

struct Held {
    at: usize,
    now_ms: i64,
}

struct Committing {
    at: usize,
    version: i32,
    decision: Decision,
}

/// Hold each target, look at it again, and do what `decide` says; the ends are in the targets' order.
///
/// `decide` is asked once for each target that is in the state that was meant. Up to a hundred targets make good batches.
pub async fn change(
    zookeeper: &ZooKeeper,
    targets: &[Target],
    decide: impl Fn(usize, &Seen<'_>) -> Decision,
) -> Vec<End> {
    let mut work = Work { zookeeper, targets, acl: Vec::new(), ends: targets.iter().map(|_| None).collect() };
    let mut open: Vec<usize> = (0..targets.len()).collect();
    match acl(zookeeper).await {
        Ok(acl) => work.acl = acl,
        Err(error) => {
            let message = error.to_string();
            let kind = error.kind();
            let ends = targets.iter().map(|_| End::Failed(Error::new(kind, &message)));
            return ends.collect();
        }
    }
    for round in 1..=ROUNDS {
        let held = work.hold(&open).await;
        fault::point("hold.taken").await;
        let committing = work.look_again(held, &decide).await;
        fault::point("hold.read").await;
        open = work.commit(committing).await;
        fault::point("hold.committed").await;
        if open.is_empty() || round == ROUNDS {
            break;
        }
    }
    for at in open {
        let id = &targets[at].id;
        let error =
            Error::new(Kind::Unreachable, format!("the change of {id} was lost on its way, {ROUNDS} times"));
        work.end(
            at,
            End::Failed(error.hint("nothing was changed; try again when ZooKeeper answers steadily")),
        );
    }
    let ends = work.ends.into_iter().map(|end| end.unwrap_or_else(|| End::Failed(no_end())));
    ends.collect()
}

struct Work<'a> {
    zookeeper: &'a ZooKeeper,
    targets: &'a [Target],
    acl: Vec<zk::Acl>,
    ends: Vec<Option<End>>,
}

impl Work<'_> {
    fn end(&mut self, at: usize, end: End) {
        self.ends[at] = Some(end);
    }

    fn path(&self, at: usize) -> String {
        path_of(self.zookeeper, self.targets[at].id.as_str())
    }

    fn child(&self, at: usize) -> String {
        format!("{}/{CHILD}", self.path(at))
    }

    /// Make the child under each: in one transaction where it goes, else one by one.
    async fn hold(&mut self, open: &[usize]) -> Vec<Held> {
        if open.len() > 1
            && let Some(held) = self.hold_together(open).await
        {
            return held;
        }
        let takes: Vec<_> = stream::iter(open.iter().copied())
            .map(|at| {
                let this = &*self;
                async move { (at, this.hold_one(at).await) }
            })
            .buffer_unordered(IN_FLIGHT)
            .collect()
            .await;
        let mut held = Vec::with_capacity(takes.len());
        for (at, take) in takes {
            match take {
                Ok(now_ms) => held.push(Held { at, now_ms }),
                Err(end) => self.end(at, end),
            }
        }
        held
    }

    /// Make all children at once; none where one of them cannot be made, or where the answer was lost.
    async fn hold_together(&self, open: &[usize]) -> Option<Vec<Held>> {
        let options = zk::CreateMode::Ephemeral.with_acls(zk::Acls::new(&self.acl));
        let made = self
            .zookeeper
            .write(open.len(), "hold the znodes", async |client| {
                let mut writer = client.new_multi_writer();
                for &at in open {
                    writer.add_create(&self.child(at), b"", &options)?;
                }
                writer.commit().await.map_err(zk::Error::from)
            })
            .await;
        let Ok(results) = made else { return None };
        let held = open.iter().zip(results).map(|(&at, result)| match result {
            // Old servers leave the stat out; then each is looked at by itself.
            zk::MultiWriteResult::Create { stat, .. } if !stat.is_invalid() => {
                Some(Held { at, now_ms: stat.ctime })
            }
            _ => None,
        });
        held.collect()
    }

    /// Make one child; another's is waited for as long as two sessions last.
    async fn hold_one(&self, at: usize) -> Result<i64, End> {
        let id = &self.targets[at].id;
        let child = self.child(at);
        let what = format!("hold the znode of {id}");
        let options = zk::CreateMode::Ephemeral.with_acls(zk::Acls::new(&self.acl));
        let patience = Instant::now() + 2 * self.zookeeper.session_timeout().await + Duration::from_secs(2);
        loop {
            let made = self
                .zookeeper
                .write(1, &what, async |client| client.create(&child, b"", &options).await)
                .await;
            match made {
                Ok((stat, _)) if !stat.is_invalid() => return Ok(stat.ctime),
                Err(Fault::Answered(zk::Error::NoNode)) => return Err(End::Gone),
                Ok(_) | Err(Fault::Answered(zk::Error::NodeExists) | Fault::Lost(_)) => {}
                Err(fault) => return Err(End::Failed(fault.into_error(&what))),
            }
            match self.zookeeper.read(1, &what, async |client| client.check_stat(&child).await).await {
                Ok(Some(stat)) if stat.ephemeral_owner == self.zookeeper.session_id().await => {
                    return Ok(stat.ctime);
                }
                Ok(_) => {}
                Err(fault) => return Err(End::Failed(fault.into_error(&what))),
            }
            if Instant::now() >= patience {
                return Err(End::Failed(
                    Error::new(Kind::Changed, format!("another flussctl is changing {id}"))
                        .hint("let it finish, then try again"),
                ));
            }
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Read each held znode again, and decide; what is not to be changed is let go.
    async fn look_again(
        &mut self,
        held: Vec<Held>,
        decide: &impl Fn(usize, &Seen<'_>) -> Decision,
    ) -> Vec<Committing> {
        let what = "read the held znodes again";
        let paths: Vec<String> = held.iter().map(|h| self.path(h.at)).collect();
        let answers = match read_data(self.zookeeper, what, &paths).await {
            Ok(answers) => answers,
            Err(error) => {
                let message = error.to_string();
                for h in &held {
                    self.end(h.at, End::Failed(Error::new(error.kind(), &message)));
                }
                self.release(&held.iter().map(|h| h.at).collect::<Vec<_>>()).await;
                return Vec::new();
            }
        };
        let mut committing = Vec::with_capacity(held.len());
        let mut release = Vec::new();
        for (Held { at, now_ms }, answer) in held.into_iter().zip(answers) {
            let end = match answer {
                Err(zk::Error::NoNode) => End::Gone,
                Err(error) => End::Failed(Fault::Answered(error).into_error(what)),
                Ok((data, stat)) => {
                    let stat = Stat::from(stat);
                    if stat.mzxid == self.targets[at].mzxid {
                        match decide(at, &Seen { data: &data, stat: &stat, now_ms }) {
                            Decision::Leave(why) => End::Left(why),
                            decision => {
                                committing.push(Committing { at, version: stat.version, decision });
                                continue;
                            }
                        }
                    } else {
                        End::Changed(Observed::of(self.targets[at].id.as_str(), data, stat))
                    }
                }
            };
            self.end(at, end);
            release.push(at);
        }
        self.release(&release).await;
        committing
    }

    /// Carry the decisions out; gives the items that are known not to have been changed and may be tried again.
    async fn commit(&mut self, committing: Vec<Committing>) -> Vec<usize> {
        let mut again = Vec::new();
        for batch in by_size(committing) {
            match self.commit_together(&batch).await {
                Ok(ends) => {
                    for (at, end) in ends {
                        self.end(at, end);
                    }
                }
                Err(Fault::Lost(lost)) => self.settle(&batch, &lost, &mut again).await,
                Err(_) if batch.len() > 1 => {
                    for item in batch {
                        let single = [item];
                        match self.commit_together(&single).await {
                            Ok(ends) => {
                                for (at, end) in ends {
                                    self.end(at, end);
                                }
                            }
                            Err(Fault::Lost(lost)) => self.settle(&single, &lost, &mut again).await,
                            Err(fault) => self.refused(single[0].at, fault).await,
                        }
                    }
                }
                Err(fault) => self.refused(batch[0].at, fault).await,
            }
        }
        again
    }

    async fn commit_together(&self, batch: &[Committing]) -> Result<Vec<(usize, End)>, Fault> {
        let results = self
            .zookeeper
            .write(2 * batch.len(), "change the znodes", async |client| {
                let mut writer = client.new_multi_writer();
                for item in batch {
                    let path = self.path(item.at);
                    writer.add_delete(&self.child(item.at), None)?;
                    match &item.decision {
                        Decision::Set(data) => add_sets(&mut writer, &path, data, Some(item.version))?,
                        Decision::Delete => writer.add_delete(&path, Some(item.version))?,
                        Decision::Leave(_) => {}
                    }
                }
                writer.commit().await.map_err(zk::Error::from)
            })
            .await?;
        Ok(ends_of(batch, results))
    }

    /// Find out what became of a lost transaction. Reads tell: they are on the session that wrote, or it is over.
    async fn settle(&mut self, batch: &[Committing], lost: &Error, again: &mut Vec<usize>) {
        let settled = self.zookeeper.settle().await;
        for item in batch {
            let id = &self.targets[item.at].id;
            let seen = match &settled {
                Ok(()) => snapshots::one(self.zookeeper, id.as_str()).await,
                Err(error) => Err(Error::new(error.kind(), error)),
            };
            let meant = self.targets[item.at].mzxid;
            let end = match seen {
                Err(error) => End::Failed(unknown(id, "changed", lost, &error)),
                Ok(None) if item.decision == Decision::Delete => End::Deleted,
                Ok(None) => End::Gone,
                Ok(Some(seen)) => match (seen.stat(), seen.data(), &item.decision) {
                    (Some(stat), _, Decision::Set(_)) if stat.mzxid == meant => {
                        self.release(&[item.at]).await;
                        End::Lost
                    }
                    (Some(stat), _, _) if stat.mzxid == meant => {
                        again.push(item.at);
                        continue;
                    }
                    (Some(stat), Some(data), Decision::Set(wanted)) if data == wanted => End::Set(*stat),
                    _ => End::Changed(seen),
                },
            };
            self.end(item.at, end);
        }
    }

    /// The server refused one item's transaction: let it go and say how it stands now.
    async fn refused(&mut self, at: usize, fault: Fault) {
        self.release(&[at]).await;
        let id = self.targets[at].id.clone();
        let end = match snapshots::one(self.zookeeper, id.as_str()).await {
            Ok(None) => End::Gone,
            Ok(Some(seen)) if seen.stat().is_some_and(|s| s.mzxid != self.targets[at].mzxid) => {
                End::Changed(seen)
            }
            Ok(Some(_)) | Err(_) => End::Failed(fault.into_error(&format!("change the znode of {id}"))),
        };
        self.end(at, end);
    }

    /// Remove children of ours. One that stays goes with the session.
    async fn release(&self, items: &[usize]) {
        stream::iter(items.iter().copied())
            .for_each_concurrent(IN_FLIGHT, |at| async move {
                let child = self.child(at);
                let owner = self.zookeeper.session_id().await;
                let what = "let a held znode go";
                for _ in 0..2 {
                    let gone =
                        self.zookeeper.write(1, what, async |client| client.delete(&child, None).await).await;
                    if !matches!(gone, Err(Fault::Lost(_))) {
                        return;
                    }
                    // A child of the same name may be another's by now.
                    match self.zookeeper.read(1, what, async |client| client.check_stat(&child).await).await {
                        Ok(Some(stat)) if stat.ephemeral_owner == owner => {}
                        _ => return,
                    }
                }
            })
            .await;
    }
}

fn no_end() -> Error {
    Error::new(Kind::Unknown, "ZooKeeper's answer does not say how the change ended")
        .hint("look at the snapshot again: flussctl producer-offsets get")
}

/// Match a transaction's results with its items: the child's delete begins each item's run.
fn ends_of(batch: &[Committing], results: Vec<zk::MultiWriteResult>) -> Vec<(usize, End)> {
    let mut results = results.into_iter().peekable();
    let mut ends = Vec::with_capacity(batch.len());
    for item in batch {
        results.next();
        let end = if let Decision::Set(_) = item.decision {
            let mut last = None;
            while let Some(zk::MultiWriteResult::SetData { stat }) = results.peek() {
                last = Some(Stat::from(*stat));
                results.next();
            }
            last.map_or_else(|| End::Failed(no_end()), End::Set)
        } else {
            results.next();
            End::Deleted
        };
        ends.push((item.at, end));
    }
    ends
}

/// Cut the work into transactions that a server takes.
fn by_size(items: Vec<Committing>) -> Vec<Vec<Committing>> {
    let mut batches: Vec<Vec<Committing>> = Vec::new();
    let mut bytes = 0;
    for item in items {
        // A run of sets carries its path up to a hundred times.
        let size = match &item.decision {
            Decision::Set(data) => data.len() + 100 * 300,
            _ => 600,
        };
        if batches.is_empty() || bytes + size > BYTES_IN_ONE {
            batches.push(Vec::new());
            bytes = 0;
        }
        bytes += size;
        if let Some(last) = batches.last_mut() {
            last.push(item);
        }
    }
    batches
}
