//! All znodes in one pass: what they name, and which of them have expired.

use futures::StreamExt as _;

use crate::cluster::{ZooKeeper, snapshots};
use crate::error::Result;
use crate::plan::deletion::past_grace;
use crate::plan::references::References;
use crate::snapshot::{ProducerId, RemoteDir};

/// A snapshot that has expired, the grace included.
#[derive(Clone, Debug)]
pub struct Expired {
    /// Whose.
    pub id: ProducerId,
    /// Its state.
    pub mzxid: i64,
    /// When it expired, in milliseconds.
    pub expiration_time: i64,
}

/// What all znodes say together.
#[derive(Debug, Default)]
pub struct Survey {
    /// Whether `producers` is there at all.
    pub has_producers: bool,
    /// What they name.
    pub references: References,
    /// Those that have expired, by id.
    pub expired: Vec<Expired>,
    /// Those that have expired under a name that is no producer id: nothing of ours, and left.
    pub odd: Vec<String>,
}

/// Read all znodes, after ZooKeeper has caught up with itself. What has expired is judged by `now_ms`.
pub async fn survey(zookeeper: &ZooKeeper, dir: &RemoteDir, now_ms: i64) -> Result<Survey> {
    zookeeper.sync().await?;
    let mut survey = Survey::default();
    let Some(names) = snapshots::names(zookeeper).await? else { return Ok(survey) };
    survey.has_producers = true;
    let mut batches = snapshots::many(zookeeper, &names);
    while let Some(batch) = batches.next().await {
        for seen in batch? {
            let expired = match (seen.registration(), seen.stat(), ProducerId::from_name(&seen.name)) {
                (Some(registration), Some(stat), Some(id)) if past_grace(registration, stat, now_ms) => {
                    Some(Expired { id, mzxid: stat.mzxid, expiration_time: registration.expiration_time })
                }
                (Some(registration), Some(stat), None) if past_grace(registration, stat, now_ms) => {
                    survey.odd.push(seen.name.clone());
                    None
                }
                _ => None,
            };
            survey.references.add(&seen, dir, expired.is_some());
            survey.expired.extend(expired);
        }
    }
    Ok(survey)
}

/// Read all that the znodes name, after ZooKeeper has caught up with itself.
pub async fn references(zookeeper: &ZooKeeper, dir: &RemoteDir) -> Result<References> {
    Ok(survey(zookeeper, dir, i64::MIN).await?.references)
}
