//! Where a cluster's settings come from, and the formats they are written in: Fluss's `server.yaml`, Java
//! properties and JAAS files, durations, times and `ZooKeeper` connect strings.
//!
//! Nothing here knows the command line; `cli::settings` lays the sources over each other.

pub mod access;
pub mod connect;
pub mod duration;
pub mod file;
pub mod instant;
pub mod jaas;
pub mod origin;
pub mod properties;
pub mod providers;
pub mod secret;
pub mod server_yaml;
pub mod sources;
mod tls;
pub mod zookeeper;

use std::ffi::OsString;

/// Look up an environment variable; tests give their own.
pub type Env<'a> = dyn Fn(&str) -> Option<OsString> + 'a;
