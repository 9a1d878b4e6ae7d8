//! TLS and authentication with `ZooKeeper`: explicit settings over the cluster's client properties.

use std::path::{Path, PathBuf};

use super::connect;
use super::file;
use super::jaas::{self, Login};
use super::origin::{Explained, Origin, Sourced};
use super::properties::{Properties, Property};
use super::secret;
use super::tls::{self, Store};
use super::zookeeper::{Auth, AuthScheme, DEFAULT_ROOT, Explicit, Resolved, TlsSettings, ZooKeeperSettings};
use crate::error::{Error, Result};

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

/// The cluster's client properties, empty where there are none.
pub(super) struct Client {
    path: PathBuf,
    properties: Properties,
}

impl Client {
    pub(super) fn read(explicit: &Explicit) -> Result<Self> {
        let Some(named) = &explicit.client_config else {
            return Ok(Self { path: PathBuf::new(), properties: Properties::default() });
        };
        let path = named.value.clone();
        let properties = file::read(&path, "ZooKeeper's client properties")
            .and_then(|contents| Properties::parse(&contents.bytes))
            .map_err(|error| error.context(format!("zookeeper.client.config-path of {}", named.origin)))?;
        Ok(Self { path, properties })
    }

    /// Give a property that is set to something.
    fn get(&self, key: &str) -> Option<Property> {
        self.properties.get(key).filter(|property| !property.value.is_empty())
    }

    fn is(&self, key: &str, value: &str) -> bool {
        self.get(key).is_some_and(|property| property.value.eq_ignore_ascii_case(value))
    }

    fn origin(&self, property: &Property) -> Origin {
        Origin::File { path: self.path.clone(), line: property.line }
    }
}

/// The merging, with what there is to tell about it.
pub(super) struct Merge<'a> {
    pub(super) explicit: &'a Explicit,
    pub(super) client: Client,
    pub(super) explained: Vec<Explained>,
    pub(super) warnings: Vec<String>,
}

/// A file that may be named.
type Named = Option<Sourced<PathBuf>>;

impl Merge<'_> {
    fn explain(&mut self, key: &str, value: impl std::fmt::Display, origin: &Origin) {
        self.explained.push(Explained::new(key, value, origin));
    }

    /// Say whether TLS is on, and who says so.
    fn tls_switch(&self) -> Result<Option<Sourced<bool>>> {
        let Explicit { tls, ca_file, cert_file, key_file, .. } = self.explicit;
        let file = [ca_file, cert_file, key_file].into_iter().flatten().next();
        match (tls, file) {
            // To connect in the clear where a certificate was meant to count would be the worse guess.
            (Some(tls), Some(file)) if !tls.value => Err(Error::usage(format!(
                "{} turns TLS off and {} names a file for it",
                tls.origin, file.origin
            ))),
            (Some(tls), _) => Ok(Some(tls.clone())),
            (None, Some(file)) => Ok(Some(Sourced::new(true, file.origin.clone()))),
            (None, None) => Ok(self.client.get("zookeeper.client.secure").map(|secure| {
                Sourced::new(secure.value.eq_ignore_ascii_case("true"), self.client.origin(&secure))
            })),
        }
    }

    /// Decide on TLS and its files.
    pub(super) fn tls(&mut self) -> Result<Option<TlsSettings>> {
        let Some(switch) = self.tls_switch()? else { return Ok(None) };
        self.explain("zookeeper.client.secure", switch.value, &switch.origin);
        if !switch.value {
            return Ok(None);
        }
        let in_client = matches!(switch.origin, Origin::File { .. });
        let socket = self.client.get("zookeeper.clientCnxnSocket").map(|found| found.value);
        if in_client && !socket.unwrap_or_default().ends_with("ClientCnxnSocketNetty") {
            self.warnings.push(format!(
                "{} asks for TLS without zookeeper.clientCnxnSocket=…ClientCnxnSocketNetty, so the cluster's own \
                 client does without; flussctl does not",
                self.client.path.display()
            ));
        }
        if self.client.is("zookeeper.ssl.hostnameVerification", "false") {
            self.warnings
                .push("zookeeper.ssl.hostnameVerification=false: flussctl verifies all the same".into());
        }
        let ca_file = match &self.explicit.ca_file {
            None => tls::pem_file(&self.client.properties, &self.client.path, Store::Trust)?,
            some => some.clone(),
        };
        let (cert_file, key_file) = self.identity()?;
        for (flag, file) in [
            ("--zookeeper-tls-ca", &ca_file),
            ("--zookeeper-tls-cert", &cert_file),
            ("--zookeeper-tls-key", &key_file),
        ] {
            if let Some(file) = file {
                self.explain(flag, file.value.display(), &file.origin);
            }
        }
        if let Some(key) = &key_file {
            tls::check_key(&key.value, &mut self.warnings).map_err(|error| error.context(&key.origin))?;
        }
        let path = |file: Named| file.map(|file| file.value);
        Ok(Some(TlsSettings { ca_file: path(ca_file), cert_file: path(cert_file), key_file: path(key_file) }))
    }

    /// Find the client's certificate and key; one PEM file may hold both.
    fn identity(&self) -> Result<(Named, Named)> {
        match (&self.explicit.cert_file, &self.explicit.key_file) {
            (Some(cert), None) => Ok((Some(cert.clone()), Some(cert.clone()))),
            (None, Some(key)) => {
                Err(Error::usage(format!("{} names a key without its certificate", key.origin))
                    .hint("name the certificate with --zookeeper-tls-cert"))
            }
            (None, None) => {
                let both = tls::pem_file(&self.client.properties, &self.client.path, Store::Key)?;
                Ok((both.clone(), both))
            }
            (cert, key) => Ok((cert.clone(), key.clone())),
        }
    }

    /// Decide who to be.
    pub(super) fn auth(&mut self) -> Result<Auth> {
        let Explicit { auth, user, password, .. } = self.explicit;
        let scheme = auth.as_ref().map(|auth| auth.value);
        // The JAAS file serves SASL alone, and is not looked at where all is said without it.
        let complete = user.is_some() && password.is_some();
        let login = if scheme == Some(AuthScheme::Digest) || complete { None } else { self.login()? };
        let login = login.filter(|login| user.as_ref().is_none_or(|user| user.value == login.value.user));
        let scheme = match (scheme, &login) {
            (Some(scheme), _) => scheme,
            (None, Some(_)) => AuthScheme::Sasl,
            (None, None) if user.is_none() && password.is_none() => return Ok(Auth::None),
            (None, None) => {
                return Err(Error::usage("a ZooKeeper user or password is given, and not what it is for")
                    .hint("give --zookeeper-auth sasl or --zookeeper-auth digest"));
            }
        };
        let user = user
            .clone()
            .or_else(|| login.as_ref().map(|l| Sourced::new(l.value.user.clone(), l.origin.clone())));
        let user = user.ok_or_else(|| {
            Error::usage("ZooKeeper authentication wants a user").hint("give --zookeeper-user NAME")
        })?;
        let password = password.clone().or_else(|| login.map(|l| Sourced::new(l.value.password, l.origin)));
        let password = password.ok_or_else(|| {
            Error::usage(format!("ZooKeeper user {:?} has no password", user.value))
                .hint("give --zookeeper-password-file FILE or set FLUSSCTL_ZOOKEEPER_PASSWORD")
        })?;
        let (name, auth_origin) = (if scheme == AuthScheme::Sasl { "sasl" } else { "digest" }, auth.as_ref());
        let auth_origin = auth_origin.map_or_else(|| user.origin.clone(), |auth| auth.origin.clone());
        self.explain("--zookeeper-auth", name, &auth_origin);
        self.explain("--zookeeper-user", &user.value, &user.origin);
        self.explain("--zookeeper-password-file", secret::HIDDEN, &password.origin);
        let (user, password) = (user.value, password.value);
        match scheme {
            AuthScheme::Sasl => Ok(Auth::Sasl { user, password }),
            // The scheme's own form is user:password, cut at the first colon.
            AuthScheme::Digest if user.contains(':') => {
                Err(Error::usage(format!("{user:?} holds a colon, which a digest user cannot")))
            }
            AuthScheme::Digest => Ok(Auth::Digest { user, password }),
        }
    }

    /// Read the login that the client properties lead to.
    fn login(&mut self) -> Result<Option<Sourced<Login>>> {
        let Some(named) = self.client.get("java.security.auth.login.config") else { return Ok(None) };
        if self.client.is("zookeeper.sasl.client", "false") {
            return Ok(None);
        }
        let section = self.client.get("zookeeper.sasl.clientconfig").map(|found| found.value);
        let path = Path::new(named.value.strip_prefix("file:").unwrap_or(&named.value));
        let origin = self.client.origin(&named);
        let contents = file::read(path, "the JAAS file").map_err(|error| error.context(&origin))?;
        if contents.open_to_others {
            self.warnings.push(file::warn_open(path));
        }
        let wanted = section.as_deref().unwrap_or(jaas::DEFAULT_SECTION);
        let login = jaas::parse(&contents.bytes, wanted).map_err(|error| error.context(path.display()))?;
        match login {
            Some(login) => Ok(Some(Sourced::new(login, origin))),
            // As the Java client: the section that was asked for must be there, the usual one need not.
            None if section.is_some() => {
                Err(Error::usage(format!("{} has no section {wanted:?}", path.display())))
            }
            None => {
                self.warnings
                    .push(format!("{} has no section {wanted:?}: going on without SASL", path.display()));
                Ok(None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::super::secret::Secret;
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
        assert!(error.to_string().starts_with("--zookeeper is refused: \"::1\" is not"), "{error}");
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
