//! What a producer offset snapshot is: ids, buckets, the znode's and the files' formats, what a path means.
//!
//! Nothing here does I/O or looks at a clock; every parser takes outside bytes and gives a value or a reason.

pub mod backup;
pub mod bucket;
pub mod catalog;
pub mod document;
pub mod input;
pub mod listing;
pub mod location;
pub mod offsets_file;
pub mod producer_id;
pub mod remote_dir;
pub mod znode;

pub use bucket::{Offsets, TableBucket};
pub use catalog::{Catalog, Partition, Table};
pub use location::Location;
pub use producer_id::ProducerId;
pub use remote_dir::{OffsetsKey, OwnedKey, RemoteDir};
pub use znode::{Observed, Registration, Stat, State, TableFile};
