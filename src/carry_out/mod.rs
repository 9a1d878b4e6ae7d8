//! Carries plans out: in the order that loses nothing, whatever happens in between.
//!
//! Files before the znode on the way in ([`register`]), the znode before the files on the way out ([`delete`], [`sweep`]);
//! what is valid or undecodable is saved first ([`backup`]).

pub mod backup;
pub mod delete;
pub mod journal;
pub mod register;
pub mod sweep;

use crate::cli::interrupt::Stop;
use crate::cli::terminal::Terminal;
use crate::cluster::ZooKeeper;
use crate::store::Store;

use self::journal::Journal;

/// What a plan is carried out with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// The metadata.
    pub zookeeper: &'a ZooKeeper,
    /// The files.
    pub store: &'a dyn Store,
    /// Whether to begin nothing new.
    pub stop: &'a Stop,
    /// Where a bar is shown.
    pub terminal: &'a Terminal,
    /// Where each decision is written down.
    pub journal: &'a Journal,
    /// How much is done side by side.
    pub at_once: usize,
}
