//! Three ZooKeeper servers that elect a leader.

use super::zookeeper::{Member, ZooKeeper};
use super::{PATIENCE, ports, until, until_some};

/// A ZooKeeper ensemble of three.
#[derive(Debug)]
pub struct Ensemble {
    nodes: Vec<ZooKeeper>,
}

impl Ensemble {
    /// Start three servers and wait until each leads or follows.
    pub fn start() -> Self {
        let servers: Vec<_> =
            (1..=3).map(|id| format!("server.{id}=127.0.0.1:{}:{}", ports::free(), ports::free())).collect();
        let member = |id| Member { id, servers: servers.clone() };
        let nodes = (1..=3).map(|id| ZooKeeper::options().member(member(id)).launch()).collect();
        let mut ensemble = Self { nodes };
        for node in &mut ensemble.nodes {
            node.ready();
        }
        ensemble.settle();
        ensemble
    }

    /// Give the connect string of all three.
    pub fn connect(&self) -> String {
        self.nodes.iter().map(ZooKeeper::connect).collect::<Vec<_>>().join(",")
    }

    /// Give the server that leads.
    pub fn leader(&self) -> &ZooKeeper {
        &self.nodes[self.leader_index()]
    }

    /// Give a server that follows.
    pub fn follower(&self) -> &ZooKeeper {
        self.nodes.iter().find(|node| node.mode().as_deref() == Some("follower")).expect("somebody follows")
    }

    /// Kill the leader, and give its number for [`Self::restart`]; the others elect another meanwhile.
    pub fn kill_leader(&mut self) -> usize {
        let leader = self.leader_index();
        self.nodes[leader].kill();
        leader
    }

    /// Start a killed server again and wait until it leads or follows.
    pub fn restart(&mut self, number: usize) {
        self.nodes[number].restart();
    }

    /// Wait until one server leads and another follows, those killed left out.
    pub fn settle(&self) {
        until("the ensemble has a leader and a follower", PATIENCE, || {
            let modes: Vec<_> = self.nodes.iter().filter_map(ZooKeeper::mode).collect();
            ["leader", "follower"].iter().all(|mode| modes.iter().any(|found| found == mode))
        });
    }

    fn leader_index(&self) -> usize {
        until_some("somebody leads the ensemble", PATIENCE, || {
            self.nodes.iter().position(|node| node.mode().as_deref() == Some("leader"))
        })
    }
}
