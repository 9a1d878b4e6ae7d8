//! What goes into the settings: definitions, the cluster's file, the parts of a connection, the guards.

use std::path::PathBuf;
use std::time::Duration;

use super::lookup::Lookup;
use crate::cli::options::{GlobalOptions, ZooKeeperAuth};
use crate::config::origin::{Origin, Sourced};
use crate::config::secret::Secret;
use crate::config::sources::{self, Sources};
use crate::config::zookeeper::{AuthScheme, Explicit};
use crate::config::{duration, file};
use crate::error::{Error, Result};

/// Holds the `ZooKeeper` user's password; there is no flag, as a process list would show it.
pub const PASSWORD_VARIABLE: &str = "FLUSSCTL_ZOOKEEPER_PASSWORD";

/// The key of how long the cluster keeps a snapshot.
pub(super) const PRODUCER_OFFSETS_TTL: &str = "coordinator.producer-offsets.ttl";

/// Take the definitions apart, the environment's first, so that the command line's count. Messages hide them.
pub(super) fn definitions(
    options: &GlobalOptions,
    look: &Lookup<'_>,
) -> Result<Vec<(String, String, Origin)>> {
    let from_env = look.text("--define", None)?;
    let lines = from_env.iter().flat_map(|found| {
        found.value.lines().filter(|line| !line.trim().is_empty()).map(|line| (line, found.origin.clone()))
    });
    let flags = options.define.iter().map(|definition| (definition.0.as_str(), Origin::Define));
    lines
        .chain(flags)
        .map(|(text, origin)| match text.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() && !value.trim().is_empty() => {
                Ok((key.trim().to_owned(), value.trim().to_owned(), origin))
            }
            Some((key, _)) if !key.trim().is_empty() => {
                Err(Error::usage(format!("{origin} gives {:?} an empty value", key.trim())))
            }
            _ => Err(Error::usage(format!("{origin} takes key=value, such as zookeeper.address=h:2181"))),
        })
        .collect()
}

/// Find the one file that names the cluster.
pub(super) fn cluster_file(
    options: &GlobalOptions,
    look: &Lookup<'_>,
    named_otherwise: bool,
    warnings: &mut Vec<String>,
) -> Result<Option<Sourced<PathBuf>>> {
    let both = |one: &Origin, other: &Origin| {
        Error::usage(format!("{one} and {other} name a file each")).hint("name one of them")
    };
    let from_flags = options.server_config.is_some() || options.cluster.is_some();
    // A flag lies over both variables: these two are one setting in two spellings.
    let server_config = match &options.server_config {
        None if from_flags => None,
        given => look.path("--server-config", given.as_ref())?,
    };
    let cluster = match &options.cluster {
        None if from_flags => None,
        given => look.text("--cluster", given.as_ref())?,
    };
    match (server_config, cluster) {
        (Some(file), Some(cluster)) => Err(both(&file.origin, &cluster.origin)),
        (Some(file), None) => Ok(Some(file)),
        (None, Some(cluster)) => cluster.try_map(|name| sources::cluster_file(&name, look.env)).map(Some),
        (None, None) if named_otherwise => Ok(None),
        (None, None) => {
            let Some(dir) = (look.env)("FLUSS_CONF_DIR") else { return Ok(None) };
            if dir.is_empty() {
                return Err(Error::usage("FLUSS_CONF_DIR is empty").hint("unset it, or name the cluster"));
            }
            let path = PathBuf::from(dir).join("server.yaml");
            if matches!(path.try_exists(), Ok(false)) {
                warnings.push(format!("FLUSS_CONF_DIR has no server.yaml: {} is not there", path.display()));
                return Ok(None);
            }
            Ok(Some(Sourced::new(path, Origin::Environment("FLUSS_CONF_DIR".into()))))
        }
    }
}

/// Warn of a variable that lies over the file which the command line itself named.
pub(super) fn overridden(
    key: &str,
    over: &Sourced<String>,
    server: &Sources,
    file: &Sourced<PathBuf>,
) -> Option<String> {
    let of_file = server.get(key).ok()??;
    let differs = matches!(over.origin, Origin::Environment(_)) && over.value != of_file.value;
    differs.then(|| format!("{} lies over {key} of {} ({})", over.origin, file.origin, of_file.origin))
}

/// Gather what is set for `ZooKeeper` outside of its client properties.
pub(super) fn explicit(
    options: &GlobalOptions,
    look: &Lookup<'_>,
    connect: Option<Sourced<String>>,
    root: Option<Sourced<String>>,
    server: &Sources,
    warnings: &mut Vec<String>,
) -> Result<Explicit> {
    let or_server =
        |given: Option<Sourced<String>>, key| given.map_or_else(|| server.get(key), |v| Ok(Some(v)));
    let client_config = server.get("zookeeper.client.config-path")?;
    let auth = look.choice("--zookeeper-auth", options.zookeeper_auth)?;
    Ok(Explicit {
        connect: or_server(connect, "zookeeper.address")?,
        root: or_server(root, "zookeeper.path.root")?,
        tls: look.switch("--zookeeper-tls", options.zookeeper_tls)?,
        ca_file: look.path("--zookeeper-tls-ca", options.zookeeper_tls_ca.as_ref())?,
        cert_file: look.path("--zookeeper-tls-cert", options.zookeeper_tls_cert.as_ref())?,
        key_file: look.path("--zookeeper-tls-key", options.zookeeper_tls_key.as_ref())?,
        auth: auth.map(|auth| {
            let scheme = match auth.value {
                ZooKeeperAuth::Sasl => AuthScheme::Sasl,
                ZooKeeperAuth::Digest => AuthScheme::Digest,
            };
            Sourced::new(scheme, auth.origin)
        }),
        user: look.text("--zookeeper-user", options.zookeeper_user.as_ref())?,
        password: password(options, look, warnings)?,
        client_config: client_config.map(|found| Sourced::new(found.value.into(), found.origin)),
    })
}

/// Find the password: the flag's file, else one of the two variables.
fn password(
    options: &GlobalOptions,
    look: &Lookup<'_>,
    warnings: &mut Vec<String>,
) -> Result<Option<Sourced<Secret>>> {
    let path = look.path("--zookeeper-password-file", options.zookeeper_password_file.as_ref())?;
    let direct = if options.zookeeper_password_file.is_some() { None } else { (look.env)(PASSWORD_VARIABLE) };
    let empty = |origin: &Origin| Error::usage(format!("the password of {origin} is empty"));
    let (text, origin) = match (path, direct) {
        (Some(path), Some(_)) => {
            return Err(Error::usage(format!(
                "{} and {PASSWORD_VARIABLE} give a password each",
                path.origin
            ))
            .hint("set one of them"));
        }
        (Some(path), None) => {
            let contents =
                file::read(&path.value, "the password file").map_err(|e| e.context(&path.origin))?;
            if contents.open_to_others {
                warnings.push(file::warn_open(&path.value));
            }
            (String::from_utf8(contents.bytes).map_err(|_| ()), path.origin)
        }
        (None, Some(text)) => {
            (text.into_string().map_err(|_| ()), Origin::Environment(PASSWORD_VARIABLE.into()))
        }
        (None, None) => return Ok(None),
    };
    // The conversion's own error would carry the bytes along.
    let text = text.map_err(|()| Error::usage(format!("the password of {origin} is not UTF-8")))?;
    // One line end, as editors and `echo` leave it; other spaces may be meant.
    let password = text.strip_suffix('\n').unwrap_or(&text);
    let password = password.strip_suffix('\r').unwrap_or(password);
    if password.is_empty() {
        return Err(empty(&origin));
    }
    Ok(Some(Sourced::new(Secret::new(password), origin)))
}

/// Decide on read-only: whoever says yes is heard, so that no variable lifts the guard of a file.
pub(super) fn read_only(
    options: &GlobalOptions,
    look: &Lookup<'_>,
    server: &Sources,
) -> Result<Sourced<bool>> {
    let guard = server.is_true(sources::READ_ONLY)?;
    let asked = look.switch("--read-only", options.read_only)?;
    Ok(match asked {
        Some(asked) if asked.value || !guard.value => asked,
        _ => guard,
    })
}

/// Find the remote data dir.
pub(super) fn remote_data_dir(given: Option<Sourced<String>>, server: &Sources) -> Result<Sourced<String>> {
    if let Some(dir) = given.map_or_else(|| server.get("remote.data.dir"), |dir| Ok(Some(dir)))? {
        return Ok(dir);
    }
    let missing = Error::usage("no remote data dir is given")
        .hint("give --remote-data-dir URI, or the cluster's server.yaml with --server-config FILE");
    Err(match server.keys("remote.data.dirs").next() {
        Some("remote.data.dirs") => {
            missing.hint("remote.data.dirs is set, but snapshots are kept under remote.data.dir alone")
        }
        _ => missing,
    })
}

/// Find how long the cluster keeps a snapshot.
pub(super) fn producer_offsets_ttl(server: &Sources) -> Result<Sourced<Duration>> {
    let found = server.parsed(PRODUCER_OFFSETS_TTL, duration::parse_fluss)?;
    Ok(found.unwrap_or(Sourced::default_value(Duration::from_hours(24))))
}
