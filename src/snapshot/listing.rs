//! What a listing of `producers/` finds, whatever the store.

use super::producer_id::ProducerId;
use super::remote_dir::OffsetsKey;
use crate::error::Error;

/// A file with the place and the name of an offsets file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// Its key.
    pub key: OffsetsKey,
    /// When it was last written, in milliseconds by the store's clock; a file of unknown age is left.
    pub modified_ms: Option<i64>,
    /// Its size in bytes.
    pub size: u64,
}

/// A table's folder as it was listed.
#[derive(Clone, Debug)]
pub struct ListedTable {
    /// Whose it is.
    pub producer: ProducerId,
    /// Which table's.
    pub table_id: i64,
    /// When the folder last changed, in milliseconds; none where the store has no folders.
    pub modified_ms: Option<i64>,
    /// The offsets files that were asked for.
    pub wanted: Vec<ListedFile>,
    /// How many more offsets files there are.
    pub others: usize,
    /// Whether anything else lies in it.
    pub foreign: bool,
}

/// Something found below `producers/`, in the order of folders: a producer's tables, then the producer.
#[derive(Debug)]
pub enum Listed {
    /// A table's folder.
    Table(ListedTable),
    /// A producer's folder, after its tables.
    Producer {
        /// Whose it is.
        producer: ProducerId,
        /// When the folder last changed, in milliseconds; none where the store has no folders.
        modified_ms: Option<i64>,
        /// How many table folders it has.
        tables: usize,
        /// Whether anything else lies in it.
        foreign: bool,
    },
    /// Something that is not ours, with what it is: reported and left.
    Foreign(String),
    /// A folder that could not be listed, with whose it is: nothing below it is touched.
    Failed(ProducerId, Error),
    /// The listing broke off: nothing is known of the rest.
    BrokenOff(Error),
}

/// Say which offsets files a listing shall look at closer.
pub type Wanted = std::sync::Arc<dyn Fn(&OffsetsKey) -> bool + Send + Sync>;
