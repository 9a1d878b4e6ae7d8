//! Walks the cluster's databases, tables and partitions: one pass, many questions a request.

use zookeeper_client as zk;

use super::snapshots::read_data;
use super::zookeeper::{Fault, ZooKeeper};
use crate::error::{Error, Kind, Result};
use crate::snapshot::{Catalog, Table};

/// How many questions one request asks.
const BATCH: usize = 500;

/// Read all tables and partitions. What cannot be read or understood is noted in the catalog and is no error.
pub async fn catalog(zookeeper: &ZooKeeper) -> Result<Catalog> {
    let mut catalog = Catalog::default();
    let databases = zookeeper.path("metadata/databases");
    let what = "read the tables' metadata";
    let names = match zookeeper.read(1, what, async |client| client.list_children(&databases).await).await {
        Ok(names) => names,
        Err(Fault::Answered(zk::Error::NoNode)) => return Ok(catalog),
        Err(Fault::Answered(zk::Error::NoAuth)) => {
            catalog.fault(format!("{databases}: not authorized"));
            return Ok(catalog);
        }
        Err(fault) => return Err(fault.into_error(what)),
    };
    let folders: Vec<String> = names.iter().map(|db| format!("{databases}/{db}/tables")).collect();
    let mut paths = Vec::new();
    let mut owners = Vec::new();
    for ((database, folder), tables) in names.iter().zip(&folders).zip(children(zookeeper, &folders).await?) {
        let tables = tables.unwrap_or_else(|why| {
            catalog.fault(format!("{folder}: {why}"));
            Vec::new()
        });
        for table in tables {
            paths.push(format!("{databases}/{database}/tables/{table}"));
            owners.push((database.clone(), table));
        }
    }
    let mut tables = Vec::new();
    for (batch, owners) in paths.chunks(BATCH).zip(owners.chunks(BATCH)) {
        let answers = read_data(zookeeper, what, batch).await?;
        for ((path, (database, name)), answer) in batch.iter().zip(owners).zip(answers) {
            let table = match answer {
                Ok((data, _)) => Table::decode(database, name, &data),
                // It was dropped while we looked.
                Err(zk::Error::NoNode) => continue,
                Err(error) => Err(error.to_string()),
            };
            match table {
                Ok(table) => tables.push((path.clone(), table)),
                Err(why) => catalog.fault(format!("{path}: {why}")),
            }
        }
    }
    partitions(zookeeper, &mut tables).await?;
    for (_, table) in tables {
        catalog.insert(table);
    }
    Ok(catalog)
}

/// Read the tables' partitions; what cannot be read is noted with its table, which then may have more than it shows.
async fn partitions(zookeeper: &ZooKeeper, tables: &mut [(String, Table)]) -> Result<()> {
    let partitioned: Vec<usize> = (0..tables.len()).filter(|&at| tables[at].1.partitioned).collect();
    let folders: Vec<String> = partitioned.iter().map(|&at| format!("{}/partitions", tables[at].0)).collect();
    let listed = children(zookeeper, &folders).await?;
    let mut paths = Vec::new();
    let mut owners = Vec::new();
    for ((&at, folder), names) in partitioned.iter().zip(&folders).zip(listed) {
        let names = names.unwrap_or_else(|why| {
            tables[at].1.faults.push(format!("{folder}: {why}"));
            Vec::new()
        });
        for name in names {
            paths.push(format!("{folder}/{name}"));
            owners.push((at, name));
        }
    }
    for (batch, owners) in paths.chunks(BATCH).zip(owners.chunks(BATCH)) {
        let answers = read_data(zookeeper, "read the partitions' metadata", batch).await?;
        for ((path, (at, name)), answer) in batch.iter().zip(owners).zip(answers) {
            let added = match answer {
                Ok((data, stat)) => tables[*at].1.add_partition(name, &data, stat.ctime),
                Err(zk::Error::NoNode) => Ok(()),
                Err(error) => Err(error.to_string()),
            };
            if let Err(why) = added {
                tables[*at].1.faults.push(format!("{path}: {why}"));
            }
        }
    }
    Ok(())
}

/// The children of a znode, sorted, or why they could not be listed.
type Children = Result<Vec<String>, String>;

/// List the children of many znodes; a missing one has none.
async fn children(zookeeper: &ZooKeeper, paths: &[String]) -> Result<Vec<Children>> {
    let what = "list the tables' metadata";
    let mut listed = Vec::with_capacity(paths.len());
    for batch in paths.chunks(BATCH) {
        let answers = zookeeper
            .read(batch.len(), what, async |client| {
                let mut reader = client.new_multi_reader();
                for path in batch {
                    reader.add_get_children(path)?;
                }
                reader.commit().await
            })
            .await
            .map_err(|fault| fault.into_error(what))?;
        if answers.len() != batch.len() {
            return Err(Error::new(Kind::Failed, format!("{what}: ZooKeeper left questions unanswered")));
        }
        listed.extend(answers.into_iter().map(|answer| match answer {
            zk::MultiReadResult::Children { mut children } => {
                children.sort_unstable();
                Ok(children)
            }
            zk::MultiReadResult::Error { err: zk::Error::NoNode } => Ok(Vec::new()),
            zk::MultiReadResult::Error { err } => Err(err.to_string()),
            _ => Err("an answer to another question".to_owned()),
        }));
    }
    Ok(listed)
}
