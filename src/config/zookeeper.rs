//! How to reach and enter a cluster's `ZooKeeper`: explicit settings over the cluster's own client properties.

use std::path::PathBuf;

use super::connect::Host;
use super::origin::{Explained, Sourced};
use super::secret::Secret;

/// Fluss's own root path.
pub const DEFAULT_ROOT: &str = "/fluss";

/// Where and how to connect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZooKeeperSettings {
    /// The servers of the ensemble, at least one.
    pub hosts: Vec<Host>,
    /// The path under which the ensemble keeps this cluster, with its slash.
    pub chroot: Option<String>,
    /// The cluster's root under the chroot: begins with `/`, ends with none but for `/` itself.
    pub root: String,
    /// TLS, where it is on.
    pub tls: Option<TlsSettings>,
    /// Who to be.
    pub auth: Auth,
}

impl ZooKeeperSettings {
    /// Give the absolute path, below the chroot, of `relative` under the cluster's root.
    pub fn path(&self, relative: &str) -> String {
        format!("{}/{}", self.root.trim_end_matches('/'), relative.trim_start_matches('/'))
    }

    /// Give the connect string: hosts with their ports, and the chroot.
    pub fn connect_string(&self) -> String {
        let hosts: Vec<String> = self.hosts.iter().map(ToString::to_string).collect();
        hosts.join(",") + self.chroot.as_deref().unwrap_or_default()
    }
}

/// The PEM files of a TLS connection; the server's name is always verified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TlsSettings {
    /// The certificates that are trusted.
    pub ca_file: Option<PathBuf>,
    /// The client's certificate.
    pub cert_file: Option<PathBuf>,
    /// The client's key, which may stand in the certificate's file.
    pub key_file: Option<PathBuf>,
}

/// How to say who we are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Auth {
    /// Not at all.
    None,
    /// SASL DIGEST-MD5.
    Sasl {
        /// The user's name.
        user: String,
        /// The password.
        password: Secret,
    },
    /// `ZooKeeper`'s `digest` scheme.
    Digest {
        /// The user's name, without a colon.
        user: String,
        /// The password.
        password: Secret,
    },
}

/// The ways to say who we are that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthScheme {
    /// SASL DIGEST-MD5.
    Sasl,
    /// `ZooKeeper`'s `digest` scheme.
    Digest,
}

/// What is set outside of the client properties, and where these are.
#[derive(Clone, Debug, Default)]
pub struct Explicit {
    /// The connect string.
    pub connect: Option<Sourced<String>>,
    /// The root path.
    pub root: Option<Sourced<String>>,
    /// TLS on or off.
    pub tls: Option<Sourced<bool>>,
    /// The trusted certificates, which turn TLS on.
    pub ca_file: Option<Sourced<PathBuf>>,
    /// The client's certificate, which turns TLS on.
    pub cert_file: Option<Sourced<PathBuf>>,
    /// The client's key.
    pub key_file: Option<Sourced<PathBuf>>,
    /// The way to authenticate.
    pub auth: Option<Sourced<AuthScheme>>,
    /// The user.
    pub user: Option<Sourced<String>>,
    /// The password.
    pub password: Option<Sourced<Secret>>,
    /// The `zookeeper.client.config-path`.
    pub client_config: Option<Sourced<PathBuf>>,
}

/// The settings with what there is to tell about them.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The settings.
    pub settings: ZooKeeperSettings,
    /// Each setting with its origin.
    pub explained: Vec<Explained>,
    /// Sentences of warning.
    pub warnings: Vec<String>,
}
