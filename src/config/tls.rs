//! The PEM files of a TLS connection to `ZooKeeper`, and what to do about Java's keystores.

use std::path::{Path, PathBuf};

use super::file;
use super::origin::{Origin, Sourced};
use super::properties::Properties;
use crate::error::{Error, Result};

/// What a keystore file is for.
#[derive(Clone, Copy)]
pub(super) enum Store {
    /// The certificates that are trusted.
    Trust,
    /// The client's own certificate and key.
    Key,
}

/// Find the PEM file that `ZooKeeper`'s client properties name, if they name one.
///
/// # Errors
/// `Usage`, with the command that converts it, for a keystore in another form.
pub(super) fn pem_file(
    properties: &Properties,
    path: &Path,
    store: Store,
) -> Result<Option<Sourced<PathBuf>>> {
    let (name, flags) = match store {
        Store::Trust => ("zookeeper.ssl.trustStore", "--zookeeper-tls-ca"),
        Store::Key => ("zookeeper.ssl.keyStore", "--zookeeper-tls-cert and --zookeeper-tls-key"),
    };
    let Some(location) = properties.get(&format!("{name}.location")).filter(|found| !found.value.is_empty())
    else {
        return Ok(None);
    };
    let stated = properties.get(&format!("{name}.type")).map(|found| found.value).unwrap_or_default();
    // As ZooKeeper does: the type where it is given, else the end of the name.
    let form = if stated.is_empty() {
        let end = Path::new(&location.value).extension().unwrap_or_default().to_string_lossy().into_owned();
        if end.eq_ignore_ascii_case("p12") || end.eq_ignore_ascii_case("pfx") { "PKCS12".into() } else { end }
    } else {
        stated
    };
    if form.eq_ignore_ascii_case("PEM") {
        let origin = Origin::File { path: path.to_owned(), line: location.line };
        return Ok(Some(Sourced::new(location.value.into(), origin)));
    }
    let from = &location.value;
    let convert = match (store, form.to_ascii_uppercase().as_str()) {
        (Store::Trust, "JKS" | "PKCS12") => {
            format!("convert it with: keytool -list -rfc -keystore {from:?} > ca.pem")
        }
        (Store::Key, "PKCS12") => {
            format!("convert it with: openssl pkcs12 -in {from:?} -nodes -out client.pem")
        }
        (Store::Key, "JKS") => format!(
            "convert it with: keytool -importkeystore -srckeystore {from:?} -destkeystore client.p12 \
             -deststoretype PKCS12, then openssl pkcs12 -in client.p12 -nodes -out client.pem"
        ),
        _ => "convert it to PEM".into(),
    };
    Err(Error::usage(format!("{name}.location in {} is not a PEM file: {from:?}", path.display()))
        .hint(format!("{convert}, and name the result with {flags}")))
}

/// Check a private key's file before a connection needs it, and warn when others can read it.
///
/// # Errors
/// `Usage` when it is missing, holds no key, or one under a password.
pub(super) fn check_key(path: &Path, warnings: &mut Vec<String>) -> Result<()> {
    let contents = file::read(path, "the TLS key")?;
    let text = String::from_utf8_lossy(&contents.bytes);
    // PKCS#8 says it in the title, the older form in a header.
    if text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") {
        return Err(Error::usage(format!("the key in {} is under a password", path.display()))
            .hint(format!("take it off with: openssl pkey -in {} -out client.key", path.display())));
    }
    if !text.contains("PRIVATE KEY-----") {
        return Err(Error::usage(format!("{} holds no private key in PEM form", path.display()))
            .hint("name the key's own file with --zookeeper-tls-key"));
    }
    if contents.open_to_others {
        warnings.push(file::warn_open(path));
    }
    Ok(())
}
