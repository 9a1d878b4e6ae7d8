//! ZooKeeper's own clock.

use uuid::Uuid;
use zookeeper_client as zk;

use super::create::acl;
use super::zookeeper::ZooKeeper;
use crate::error::{Error, Kind, Result};

/// Learn the time by ZooKeeper's clock, in milliseconds: that of a znode made and deleted in one transaction, which nobody
/// ever sees and no kill leaves behind.
pub async fn now_ms(zookeeper: &ZooKeeper) -> Result<i64> {
    let acl = acl(zookeeper).await?;
    let path = zookeeper.path(&format!("flussctl-time-{}", Uuid::new_v4()));
    let path = path.replace("//", "/");
    let what = "ask ZooKeeper for its time";
    let options = zk::CreateMode::Persistent.with_acls(zk::Acls::new(&acl));
    // It leaves nothing behind however often it is asked, so it is asked again like a question.
    let asked = zookeeper
        .read(2, what, async |client| {
            let mut writer = client.new_multi_writer();
            writer.add_create(&path, b"", &options)?;
            writer.add_delete(&path, None)?;
            writer.commit().await.map_err(zk::Error::from)
        })
        .await
        .map_err(|fault| fault.into_error(what))?;
    match asked.into_iter().next() {
        Some(zk::MultiWriteResult::Create { stat, .. }) if !stat.is_invalid() => Ok(stat.ctime),
        _ => Err(Error::new(Kind::Failed, "ZooKeeper does not tell its time").hint(
            "its version does not give the times of what it makes; nothing is deleted by a clock alone",
        )),
    }
}
