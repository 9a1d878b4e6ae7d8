//! TLS and authentication with `ZooKeeper`: explicit settings over the cluster's client properties.

use std::path::{Path, PathBuf};

use super::file;
use super::jaas::{self, Login};
use super::origin::{Explained, Origin, Sourced};
use super::properties::{Properties, Property};
use super::secret;
use super::tls::{self, Store};
use super::zookeeper::{Auth, AuthScheme, Explicit, TlsSettings};
use crate::error::{Error, Result};

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
