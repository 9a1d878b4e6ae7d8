//! How to reach and enter a cluster's `ZooKeeper`: explicit settings over the cluster's own client properties.

use std::path::PathBuf;

use super::access::{Client, Merge};
use super::connect::{self, Host};
use super::origin::{Explained, Sourced};
use super::secret::Secret;
use crate::error::{Error, Result};

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

/// Lay explicit settings over the client properties, reading those, the JAAS file they name and the TLS key.
///
/// # Errors
/// `Usage` without an address and for what is refused in any of these, `NotPermitted` for a file without rights.
pub fn resolve(explicit: &Explicit) -> Result<Resolved> {
    let connect = explicit.connect.clone().ok_or_else(|| {
        Error::usage("no ZooKeeper address is given").hint(
            "give --zookeeper HOST:PORT, --server-config FILE (the cluster's server.yaml) or --cluster NAME",
        )
    })?;
    let connect = connect.try_map(|text| connect::parse(&text))?;
    let root = explicit.root.clone().unwrap_or(Sourced::default_value(DEFAULT_ROOT.into()));
    let root = root.try_map(|text| connect::parse_root(&text))?;
    let mut merge =
        Merge { explicit, client: Client::read(explicit)?, explained: Vec::new(), warnings: Vec::new() };
    let tls = merge.tls()?;
    let auth = merge.auth()?;
    let (hosts, chroot) = connect.value;
    let settings = ZooKeeperSettings { hosts, chroot, root: root.value, tls, auth };
    let mut explained = vec![
        Explained::new("zookeeper.address", settings.connect_string(), &connect.origin),
        Explained::new("zookeeper.path.root", &settings.root, &root.origin),
    ];
    explained.append(&mut merge.explained);
    Ok(Resolved { settings, explained, warnings: merge.warnings })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::*;
    use crate::config::origin::Origin;

    const KEY: &str = "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n";

    #[allow(clippy::unnecessary_wraps)] // every field it is for is optional
    fn flag<T>(name: &'static str, value: T) -> Option<Sourced<T>> {
        Some(Sourced::new(value, Origin::Flag(name)))
    }

    /// Settings with an address and the client properties given.
    fn explicit(dir: &Path, properties: &str) -> Explicit {
        let path = dir.join("client.properties");
        write(&path, properties, 0o600);
        Explicit {
            connect: flag("--zookeeper", "h".into()),
            client_config: flag("-D", path),
            ..Explicit::default()
        }
    }

    fn write(path: &Path, text: &str, mode: u32) {
        std::fs::write(path, text).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    fn sasl(user: &str, password: &str) -> Auth {
        Auth::Sasl { user: user.into(), password: Secret::new(password) }
    }

    #[test]
    fn an_address_is_enough_and_needed() {
        let given = Explicit { connect: flag("--zookeeper", "h/c".into()), ..Explicit::default() };
        let settings = resolve(&given).unwrap().settings;
        assert_eq!((settings.connect_string().as_str(), settings.root.as_str()), ("h:2181/c", "/fluss"));
        assert_eq!((settings.tls.clone(), settings.auth.clone()), (None, Auth::None));
        assert_eq!(settings.path("producers/p"), "/fluss/producers/p");
        assert_eq!(ZooKeeperSettings { root: "/".into(), ..settings }.path("/producers"), "/producers");
        let error = resolve(&Explicit::default()).unwrap_err();
        assert!(error.to_string().contains("no ZooKeeper address") && !error.hints().is_empty());
        let given = Explicit { connect: flag("--zookeeper", "::1".into()), ..Explicit::default() };
        let error = resolve(&given).unwrap_err();
        assert!(error.to_string().starts_with("--zookeeper: \"::1\" is not"), "{error}");
        assert_eq!(error.hints().len(), 1);
    }

    #[test]
    fn tls_comes_from_the_client_properties_and_flags_lie_over_it() {
        let dir = tempfile::tempdir().unwrap();
        let pem = dir.path().join("k.pem");
        write(&pem, KEY, 0o600);
        let properties = format!(
            "zookeeper.client.secure=true\n\
             zookeeper.clientCnxnSocket=org.apache.zookeeper.ClientCnxnSocketNetty\n\
             zookeeper.ssl.trustStore.location=/ca.pem\nzookeeper.ssl.keyStore.location={}\n",
            pem.display()
        );
        let mut given = explicit(dir.path(), &properties);
        let found = resolve(&given).unwrap();
        let tls = found.settings.tls.unwrap();
        assert_eq!(
            (tls.ca_file.as_deref(), tls.cert_file.as_ref()),
            (Some(Path::new("/ca.pem")), Some(&pem))
        );
        assert_eq!((tls.key_file, found.warnings), (Some(pem.clone()), vec![]));

        given.ca_file = flag("--zookeeper-tls-ca", "/other.pem".into());
        let tls = resolve(&given).unwrap().settings.tls.unwrap();
        assert_eq!(tls.ca_file.unwrap(), Path::new("/other.pem"));
        given.tls = flag("FLUSSCTL_ZOOKEEPER_TLS", false);
        assert!(resolve(&given).unwrap_err().to_string().contains("turns TLS off"));
        given.ca_file = None;
        assert_eq!(resolve(&given).unwrap().settings.tls, None);

        write(&pem, KEY, 0o644);
        let warnings = resolve(&Explicit { tls: None, ..given }).unwrap().warnings;
        assert!(warnings[0].contains("chmod 600"), "{warnings:?}");
    }

    #[test]
    fn java_s_keystores_are_refused_with_the_command_that_converts() {
        let dir = tempfile::tempdir().unwrap();
        for (lines, want) in [
            ("zookeeper.ssl.trustStore.location=/t.jks", "keytool -list -rfc -keystore \"/t.jks\""),
            ("zookeeper.ssl.trustStore.location=/t.P12", "keytool -list -rfc"),
            ("zookeeper.ssl.keyStore.location=/k.p12", "openssl pkcs12 -in \"/k.p12\" -nodes"),
            (
                "zookeeper.ssl.keyStore.location=/k.pem\nzookeeper.ssl.keyStore.type=JKS",
                "keytool -importkeystore",
            ),
            ("zookeeper.ssl.keyStore.location=/k", "convert it to PEM"),
        ] {
            let lines =
                format!("zookeeper.client.secure=true\nzookeeper.ssl.keyStore.password=hunter2\n{lines}");
            let error = resolve(&explicit(dir.path(), &lines)).unwrap_err();
            assert!(error.hints()[0].contains(want), "{error:?}");
            assert!(!format!("{error:?}").contains("hunter2"));
            // Without TLS they do not matter.
            assert!(resolve(&explicit(dir.path(), &lines.replace("=true", "=false"))).is_ok());
        }
    }

    #[test]
    fn a_key_is_looked_at_before_it_is_needed() {
        let dir = tempfile::tempdir().unwrap();
        let pem = dir.path().join("k.pem");
        let given =
            Explicit { cert_file: flag("--zookeeper-tls-cert", pem.clone()), ..explicit(dir.path(), "") };
        for (text, want) in [
            ("-----BEGIN ENCRYPTED PRIVATE KEY-----", "under a password"),
            ("-----BEGIN CERTIFICATE-----", "no private key"),
        ] {
            write(&pem, text, 0o600);
            let error = resolve(&given).unwrap_err().to_string();
            assert!(error.contains(want) && error.starts_with("--zookeeper-tls-cert: "), "{error}");
        }
        write(&pem, KEY, 0o600);
        assert_eq!(resolve(&given).unwrap().settings.tls.unwrap().key_file, Some(pem.clone()));
        let lone = Explicit { cert_file: None, key_file: flag("--zookeeper-tls-key", pem), ..given };
        assert!(resolve(&lone).unwrap_err().to_string().contains("without its certificate"));
    }

    #[test]
    fn sasl_comes_from_the_jaas_file() {
        let dir = tempfile::tempdir().unwrap();
        let jaas = dir.path().join("jaas.conf");
        write(
            &jaas,
            "Client { x.DigestLoginModule required username=\"bob\" password=\"hunter2\"; };\n\
             Own { x.DigestLoginModule required username=\"eve\" password=\"hunter3\"; };",
            0o640,
        );
        let line = format!("java.security.auth.login.config={}\n", jaas.display());
        let auth =
            |more: &str| resolve(&explicit(dir.path(), &format!("{line}{more}"))).map(|r| r.settings.auth);
        assert_eq!(auth("").unwrap(), sasl("bob", "hunter2"));
        assert_eq!(auth("zookeeper.sasl.clientconfig=Own").unwrap(), sasl("eve", "hunter3"));
        assert_eq!(auth("zookeeper.sasl.client=false").unwrap(), Auth::None);
        assert!(
            auth("zookeeper.sasl.clientconfig=No").unwrap_err().to_string().contains("no section \"No\"")
        );

        let mut given = explicit(dir.path(), &line);
        let found = resolve(&given).unwrap();
        assert!(found.warnings[0].contains("chmod 600") && !format!("{found:?}").contains("hunter"));
        given.password = flag("FLUSSCTL_ZOOKEEPER_PASSWORD", Secret::new("new"));
        assert_eq!(resolve(&given).unwrap().settings.auth, sasl("bob", "new"));
        // Another user's password is not taken for this one's.
        let given = Explicit { user: flag("--zookeeper-user", "ann".into()), ..explicit(dir.path(), &line) };
        assert!(resolve(&given).unwrap_err().to_string().contains("not what it is for"));
        let given = Explicit { auth: flag("--zookeeper-auth", AuthScheme::Sasl), ..given };
        assert!(resolve(&given).unwrap_err().to_string().contains("\"ann\" has no password"));
    }

    #[test]
    fn digest_is_said_outright() {
        let given = Explicit {
            connect: flag("--zookeeper", "h".into()),
            auth: flag("--zookeeper-auth", AuthScheme::Digest),
            user: flag("--zookeeper-user", "bob".into()),
            password: flag("FLUSSCTL_ZOOKEEPER_PASSWORD", Secret::new("hunter2")),
            ..Explicit::default()
        };
        let found = resolve(&given).unwrap();
        assert_eq!(
            found.settings.auth,
            Auth::Digest { user: "bob".into(), password: Secret::new("hunter2") }
        );
        assert!(!format!("{given:?} {found:?}").contains("hunter"));
        for (given, want) in [
            (Explicit { user: None, ..given.clone() }, "wants a user"),
            (Explicit { password: None, ..given.clone() }, "has no password"),
            (Explicit { auth: None, ..given.clone() }, "not what it is for"),
            (Explicit { user: flag("--zookeeper-user", "a:b".into()), ..given.clone() }, "holds a colon"),
        ] {
            assert!(resolve(&given).unwrap_err().to_string().contains(want), "{want}");
        }
    }
}
