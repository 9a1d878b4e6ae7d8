//! Changes snapshots' znodes while holding each by a child of ours. Nothing else in the program sets or deletes one.
//!
//! Every znode that Fluss makes has version 0, a re-made one too, so a version names no state. A change is therefore meant
//! for an `mzxid`: an ephemeral child called `flussctl` is made under the znode (nobody can remove the znode now), the znode
//! is read again, and only if it is in the state that was meant does one transaction remove the child and change the znode.

use std::time::Duration;

use futures::stream::{self, StreamExt};
use tokio::time::{Instant, sleep};
use zookeeper_client as zk;

use super::create::{acl, add_sets, unknown, unseen};
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

/// How often a change that is known not to have happened is tried.
const ROUNDS: usize = 3;

/// How long to wait before another's child is looked at again.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// How long after its time the server may end a session.
const TICK: Duration = Duration::from_secs(2);

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
    /// The set was lost, and another state stands by now: it may have grown out of ours, and name what ours named.
    Overtaken(Observed),
    /// It failed; `Unknown` where it may have happened.
    Failed(Error),
}

/// A child of ours, which stands as long as the session that made it.
struct Held {
    at: usize,
    now_ms: i64,
    session: i64,
}

struct Committing {
    at: usize,
    version: i32,
    decision: Decision,
    session: i64,
}

/// Hold each target, look at it again, and do what `decide` says; the ends are in the targets' order.
///
/// `decide` is asked for each target that is in the state that was meant, once a try. Up to a hundred targets make good batches.
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
    let mut rounds = 0;
    let mut patience = None;
    while !open.is_empty() {
        let (held, busy) = work.hold(&open).await;
        fault::point("hold.taken").await;
        let committing = work.look_again(held, &decide).await;
        fault::point("hold.read").await;
        let again = work.commit(committing).await;
        fault::point("hold.committed").await;
        rounds += usize::from(!again.is_empty());
        open.clear();
        if rounds < ROUNDS {
            open.extend(again);
        } else {
            work.end_all(again, lost_again);
        }
        if busy.is_empty() {
            continue;
        }
        let end = match patience {
            Some(end) => end,
            None => *patience.insert(Instant::now() + 2 * zookeeper.session_timeout().await + TICK),
        };
        if Instant::now() < end {
            open.extend(busy);
        } else {
            work.end_all(busy, still_busy);
        }
        open.sort_unstable();
        if !open.is_empty() {
            sleep(LOOK_AGAIN).await;
        }
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

    fn end_all(&mut self, items: Vec<usize>, error: impl Fn(&ProducerId) -> Error) {
        for at in items {
            let error = error(&self.targets[at].id);
            self.end(at, End::Failed(error));
        }
    }

    /// Make the child under each: in one transaction where it goes, else one by one; gives beside them those under which
    /// another's child stands.
    ///
    /// Nobody waits for another while holding something: two that did would wait for each other.
    async fn hold(&mut self, open: &[usize]) -> (Vec<Held>, Vec<usize>) {
        if open.len() > 1 {
            match self.hold_together(open).await {
                Ok(Some(held)) => return (held, Vec::new()),
                Ok(None) => {}
                Err(error) => {
                    self.end_all(open.to_vec(), |_| Error::new(error.kind(), &error));
                    return Default::default();
                }
            }
        }
        let takes: Vec<_> = stream::iter(open.iter().copied())
            .map(|at| {
                let this = &*self;
                async move { (at, this.hold_one(at).await) }
            })
            .buffer_unordered(IN_FLIGHT)
            .collect()
            .await;
        let (mut held, mut busy) = (Vec::with_capacity(takes.len()), Vec::new());
        for (at, take) in takes {
            match take {
                Ok(Some(take)) => held.push(take),
                Ok(None) => busy.push(at),
                Err(end) => self.end(at, end),
            }
        }
        (held, busy)
    }

    /// Make all children at once; none where one of them cannot be made, or where the answer was lost.
    async fn hold_together(&self, open: &[usize]) -> Result<Option<Vec<Held>>> {
        let options = zk::CreateMode::Ephemeral.with_acls(zk::Acls::new(&self.acl));
        let what = "hold the znodes";
        let made = self
            .zookeeper
            .write(open.len(), what, async |client| {
                let mut writer = client.new_multi_writer();
                for &at in open {
                    writer.add_create(&self.child(at), b"", &options)?;
                }
                Ok((writer.commit().await.map_err(zk::Error::from)?, client.session_id().0))
            })
            .await;
        let (results, session) = match made {
            Ok(made) => made,
            Err(Fault::Answered(_)) => return Ok(None),
            // One by one it will show which of them stand.
            Err(Fault::Lost(_)) => return self.zookeeper.settle().await.map(|()| None),
            Err(fault) => return Err(fault.into_error(what)),
        };
        let held = open.iter().zip(results).map(|(&at, result)| match result {
            // Old servers leave the stat out; then each is looked at by itself.
            zk::MultiWriteResult::Create { stat, .. } if !stat.is_invalid() => {
                Some(Held { at, now_ms: stat.ctime, session })
            }
            _ => None,
        });
        Ok(held.collect())
    }

    /// Make one child; none where another's stands.
    async fn hold_one(&self, at: usize) -> Result<Option<Held>, End> {
        let what = format!("hold the znode of {}", self.targets[at].id);
        let child = self.child(at);
        let options = zk::CreateMode::Ephemeral.with_acls(zk::Acls::new(&self.acl));
        let made = self
            .zookeeper
            .write(1, &what, async |client| {
                let (stat, _) = client.create(&child, b"", &options).await?;
                Ok((stat, client.session_id().0))
            })
            .await;
        match made {
            Ok((stat, session)) if !stat.is_invalid() => {
                return Ok(Some(Held { at, now_ms: stat.ctime, session }));
            }
            Err(Fault::Answered(zk::Error::NoNode)) => return Err(End::Gone),
            Ok(_) | Err(Fault::Answered(zk::Error::NodeExists) | Fault::Lost(_)) => {}
            Err(fault) => return Err(End::Failed(fault.into_error(&what))),
        }
        match self.own_child(at).await {
            Ok(own) => Ok(own),
            Err(fault) => {
                self.release(&[at]).await;
                Err(End::Failed(fault.into_error(&what)))
            }
        }
    }

    /// Look whether the child that stands is this session's.
    async fn own_child(&self, at: usize) -> Result<Option<Held>, Fault> {
        let child = self.child(at);
        let what = "look whose child holds the znode";
        let look = async |client: &zk::Client| Ok((client.check_stat(&child).await?, client.session_id().0));
        let (stat, session) = self.zookeeper.read(1, what, look).await?;
        Ok(stat.filter(|stat| stat.ephemeral_owner == session).map(|stat| Held {
            at,
            now_ms: stat.ctime,
            session,
        }))
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
        for (Held { at, now_ms, session }, answer) in held.into_iter().zip(answers) {
            let end = match answer {
                Err(zk::Error::NoNode) => End::Gone,
                Err(error) => End::Failed(Fault::Answered(error).into_error(what)),
                Ok((data, stat)) => {
                    let stat = Stat::from(stat);
                    if stat.mzxid == self.targets[at].mzxid {
                        match decide(at, &Seen { data: &data, stat: &stat, now_ms }) {
                            Decision::Leave(why) => End::Left(why),
                            decision => {
                                let version = stat.version;
                                committing.push(Committing { at, version, decision, session });
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
        for batch in batches(committing) {
            match self.commit_together(&batch).await {
                Err(Fault::Answered(_)) if batch.len() > 1 => {
                    for item in batch {
                        let single = [item];
                        let ended = self.commit_together(&single).await;
                        self.ended(&single, ended, &mut again).await;
                    }
                }
                ended => self.ended(&batch, ended, &mut again).await,
            }
        }
        again
    }

    async fn ended(
        &mut self,
        batch: &[Committing],
        ended: Result<Vec<(usize, End)>, Fault>,
        again: &mut Vec<usize>,
    ) {
        let all = batch.iter().map(|item| item.at);
        match ended {
            Ok(ends) => ends.into_iter().for_each(|(at, end)| self.end(at, end)),
            Err(Fault::Lost(lost)) => self.settle(batch, &lost, again).await,
            Err(Fault::Over(_)) => again.extend(all),
            Err(Fault::Unsent(error)) => {
                let all: Vec<usize> = all.collect();
                self.release(&all).await;
                self.end_all(all, |id| Error::new(error.kind(), format!("{id} was not changed: {error}")));
            }
            Err(Fault::Answered(error)) => {
                for at in all {
                    self.refused(at, error.clone()).await;
                }
            }
        }
    }

    /// Change a batch in one transaction, in the session whose children hold it: in another one the child could be somebody
    /// else's, and the state not the one that was read.
    async fn commit_together(&self, batch: &[Committing]) -> Result<Vec<(usize, End)>, Fault> {
        let Some(session) = batch.first().map(|item| item.session) else { return Ok(Vec::new()) };
        let results = self
            .zookeeper
            .write_in(session, 2 * batch.len(), "change the znodes", async |client| {
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
                Ok(Some(seen)) if seen.stat().is_none() => {
                    End::Failed(unknown(id, "changed", lost, &unseen(&seen)))
                }
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
                    (_, _, Decision::Set(_)) => End::Overtaken(seen),
                    _ => End::Changed(seen),
                },
            };
            self.end(item.at, end);
        }
    }

    /// The server refused one item's transaction: let it go and say how it stands now.
    async fn refused(&mut self, at: usize, error: zk::Error) {
        self.release(&[at]).await;
        let id = self.targets[at].id.clone();
        let end = match snapshots::one(self.zookeeper, id.as_str()).await {
            Ok(None) => End::Gone,
            Ok(Some(seen)) if seen.stat().is_some_and(|s| s.mzxid != self.targets[at].mzxid) => {
                End::Changed(seen)
            }
            _ if error == zk::Error::NoNode => End::Failed(
                Error::new(Kind::Changed, format!("the child that held {id} was removed by somebody"))
                    .hint("nothing was changed; try again"),
            ),
            Ok(Some(_)) | Err(_) => {
                End::Failed(Fault::Answered(error).into_error(&format!("change the znode of {id}")))
            }
        };
        self.end(at, end);
    }

    /// Remove children of ours, and of nobody else. One that stays goes with the session.
    async fn release(&self, items: &[usize]) {
        if items.is_empty() || self.zookeeper.require_answers().await.is_err() {
            return;
        }
        stream::iter(items.iter().copied())
            .for_each_concurrent(IN_FLIGHT, |at| async move {
                let child = self.child(at);
                for _ in 0..ROUNDS {
                    let Ok(Some(own)) = self.own_child(at).await else { return };
                    let remove = async |client: &zk::Client| client.delete(&child, None).await;
                    let gone = self.zookeeper.write_in(own.session, 1, "let a held znode go", remove).await;
                    if !matches!(gone, Err(Fault::Lost(_))) {
                        return;
                    }
                }
            })
            .await;
    }
}

fn lost_again(id: &ProducerId) -> Error {
    Error::new(Kind::Unreachable, format!("the change of {id} was lost on its way, {ROUNDS} times"))
        .hint("nothing was changed; try again when ZooKeeper answers steadily")
}

fn still_busy(id: &ProducerId) -> Error {
    Error::new(Kind::Changed, format!("another flussctl is changing {id}"))
        .hint("let it finish, then try again")
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

/// Cut the work into transactions that a server takes, each in one session.
fn batches(items: Vec<Committing>) -> Vec<Vec<Committing>> {
    let mut batches: Vec<Vec<Committing>> = Vec::new();
    let mut bytes = 0;
    for item in items {
        // A run of sets carries its path up to a hundred times.
        let size = match &item.decision {
            Decision::Set(data) => data.len() + 100 * 300,
            _ => 600,
        };
        let other = batches.last().and_then(|batch| batch.first()).is_none_or(|f| f.session != item.session);
        if other || bytes + size > BYTES_IN_ONE {
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
