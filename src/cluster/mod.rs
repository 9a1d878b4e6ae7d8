//! The cluster that flussctl talks to. Direct mode reads and changes its ZooKeeper.
//!
//! [`zookeeper`] is the session; above it stand the reads ([`snapshots`], [`metadata`]) and the only two ways of changing a
//! snapshot's znode: [`create`] and [`hold`]. The coordinator's RPC will stand beside them as a second way in.

pub mod create;
pub mod hold;
pub mod metadata;
pub mod pace;
pub mod snapshots;
pub mod time;
pub mod zookeeper;

pub use zookeeper::ZooKeeper;
