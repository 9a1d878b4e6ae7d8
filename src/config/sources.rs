//! The `server.yaml` keys of a run: `-D` over the one file that names the cluster.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::origin::{Deferred, Explained, Origin, Sourced};
use super::server_yaml::ServerYaml;
use super::{Env, file, providers, secret};
use crate::error::{Error, Kind, Result};

/// Begins the keys that are this program's own, in a file that otherwise has the cluster's.
const OWN: &str = "flussctl.";

/// Refuses every change to the cluster where it is `true`.
pub const READ_ONLY: &str = "flussctl.read-only";

/// Says, where it is `true`, that no other cluster has its snapshots in the remote data dir.
pub const DIR_IS_ONLY_OURS: &str = "flussctl.dir-is-only-ours";

/// Every `server.yaml` key that is set, with its origin; a value that stands elsewhere is refused only when asked for.
#[derive(Clone, Default)]
pub struct Sources {
    values: BTreeMap<String, Sourced<Deferred<String>>>,
    file: Option<PathBuf>,
}

/// Keys and values, secrets hidden.
impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.explain("").iter().map(|row| (&row.key, &row.value))).finish()
    }
}

impl Sources {
    /// Lay definitions (`-D`, the last of a key counts) over a file's lines, and look up what stands elsewhere.
    ///
    /// # Errors
    /// `Usage` for a `flussctl.` key that is unknown or on a line that is passed over: a guard must not be lost
    /// to a slip of the pen.
    pub fn new(
        definitions: &[(String, String, Origin)],
        file: Option<(PathBuf, &ServerYaml)>,
        env: &Env<'_>,
    ) -> Result<Self> {
        let mut raw: BTreeMap<&str, (&str, Origin)> = BTreeMap::new();
        if let Some((path, yaml)) = &file {
            if let Some(line) = yaml.lost_guards.first() {
                return Err(Error::usage(format!(
                    "line {line} of {} sets nothing: write key, colon, space and value",
                    path.display()
                )));
            }
            for entry in &yaml.values {
                let origin = Origin::File { path: path.clone(), line: entry.line };
                raw.insert(&entry.key, (&entry.value, origin));
            }
        }
        for (key, value, origin) in definitions {
            raw.insert(key, (value, origin.clone()));
        }
        for (key, (_, origin)) in &raw {
            if key.starts_with(OWN) && ![READ_ONLY, DIR_IS_ONLY_OURS].contains(key) {
                return Err(Error::usage(format!("{origin}: there is no key {key:?}"))
                    .hint(format!("the keys are {READ_ONLY} and {DIR_IS_ONLY_OURS}")));
            }
        }
        let allowed = raw.get(providers::ALLOWED).map(|(value, _)| *value);
        let values = raw
            .iter()
            .map(|(key, (value, origin))| {
                let resolved = providers::resolve(key, value, allowed, env)
                    .map_err(|error| error.context(format!("{origin} cannot be used")));
                ((*key).to_owned(), Sourced::new(resolved.into(), origin.clone()))
            })
            .collect();
        Ok(Self { values, file: file.map(|(path, _)| path) })
    }

    /// Give a key's value, absent when it is not set.
    ///
    /// # Errors
    /// `Usage` for a value that stands elsewhere and could not be looked up.
    pub fn get(&self, key: &str) -> Result<Option<Sourced<String>>> {
        let Some(found) = self.values.get(key) else { return Ok(None) };
        Ok(Some(Sourced::new(found.value.get()?.clone(), found.origin.clone())))
    }

    /// Give a key's value as it parses; errors name key and origin.
    pub fn parsed<T>(&self, key: &str, parse: impl FnOnce(&str) -> Result<T>) -> Result<Option<Sourced<T>>> {
        let parse = |text: String| parse(&text).map_err(|error| error.context(format!("{key} is refused")));
        self.get(key)?.map(|found| found.try_map(parse)).transpose()
    }

    /// Say whether a key is `true`, as Java reads it, in any case; absent is `false`.
    ///
    /// # Errors
    /// `Usage` for anything but `true` and `false`.
    pub fn is_true(&self, key: &str) -> Result<Sourced<bool>> {
        let parse = |text: &str| match text.to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(Error::usage(format!("{text:?} is neither true nor false"))),
        };
        Ok(self.parsed(key, parse)?.unwrap_or(Sourced::default_value(false)))
    }

    /// Give the keys that begin with `prefix`, sorted.
    pub fn keys<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.values.keys().map(String::as_str).filter(move |key| key.starts_with(prefix))
    }

    /// Name the file that was read, if one was.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Describe the keys that begin with `prefix`, secrets hidden.
    pub fn explain(&self, prefix: &str) -> Vec<Explained> {
        let rows = self.values.iter().filter(|(key, _)| key.starts_with(prefix));
        rows.map(|(key, found)| {
            let value = match found.value.get() {
                Ok(value) => secret::shown(key, value),
                Err(_) => "(cannot be looked up)".to_owned(),
            };
            Explained::new(key, value, &found.origin)
        })
        .collect()
    }
}

/// Read the file of a cluster, with the warnings that go with it, each naming the file.
///
/// # Errors
/// As [`ServerYaml::read`].
pub fn read(path: &Path, warnings: &mut Vec<String>) -> Result<ServerYaml> {
    let yaml = ServerYaml::read(path)?;
    warnings.extend(yaml.warnings.iter().map(|warning| format!("{}: {warning}", path.display())));
    if yaml.open_to_others && yaml.values.iter().any(|entry| secret::is_secret_key(&entry.key)) {
        warnings.push(file::warn_open(path));
    }
    Ok(yaml)
}

/// Find the file of a cluster that is called by name: `$XDG_CONFIG_HOME/flussctl/NAME.yaml`, else under `~/.config`.
///
/// # Errors
/// `Usage` for a name that is no plain file name, and where neither variable says where to look.
pub fn cluster_file(name: &str, env: &Env<'_>) -> Result<PathBuf> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
        return Err(Error::usage(format!("{name:?} is not a cluster's name")).hint(
            "a name has letters, digits, - _ and . and begins with no dot; a path goes to --server-config",
        ));
    }
    // The XDG specification has relative paths ignored.
    let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = absolute("XDG_CONFIG_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".config")))
        .ok_or_else(|| {
            Error::new(Kind::Usage, format!("cannot find the file of cluster {name:?}: HOME is not set"))
        })?;
    Ok(config.join("flussctl").join(format!("{name}.yaml")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_env(_: &str) -> Option<std::ffi::OsString> {
        None
    }

    fn sources(definitions: &[(&str, &str)], file: &str) -> Result<Sources> {
        let definitions: Vec<_> =
            definitions.iter().map(|(k, v)| ((*k).into(), (*v).into(), Origin::Define)).collect();
        let yaml = ServerYaml::parse(file.as_bytes());
        Sources::new(&definitions, Some(("/c/server.yaml".into(), &yaml)), &no_env)
    }

    #[test]
    fn definitions_lie_over_the_file_s_last_line() {
        let found = sources(&[("a", "1"), ("a", "2")], "a: 3\nb: 4\nb: 5").unwrap();
        let get = |key| found.get(key).unwrap().map(|v| (v.value, v.origin.to_string()));
        assert_eq!(get("a"), Some(("2".into(), "-D".into())));
        assert_eq!(get("b"), Some(("5".into(), "server.yaml line 3 (/c/server.yaml)".into())));
        assert_eq!(get("c"), None);
        assert_eq!(found.keys("").collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn what_stands_elsewhere_is_refused_only_when_needed() {
        let found = sources(&[], "zookeeper.address: ${env:ZK}\nremote.data.dir: /x").unwrap();
        assert!(found.get("remote.data.dir").unwrap().is_some());
        let error = found.get("zookeeper.address").unwrap_err();
        assert_eq!(error.kind(), Kind::Usage);
        assert!(error.to_string().contains("zookeeper.address is \"${env:ZK}\""), "{error}");
        assert!(error.to_string().contains("server.yaml line 1"), "{error}");
    }

    #[test]
    fn a_guard_is_not_lost_to_a_slip() {
        for text in ["flussctl.read-only:true", "flussctl.readonly: true", "flussctl.read-only: "] {
            assert_eq!(sources(&[], text).unwrap_err().kind(), Kind::Usage, "{text}");
        }
        let found = sources(&[], "flussctl.read-only: yes").unwrap();
        assert!(found.is_true(READ_ONLY).unwrap_err().to_string().contains("flussctl.read-only is refused"));
        let found = sources(&[], "flussctl.read-only: TRUE").unwrap();
        assert!(found.is_true(READ_ONLY).unwrap().value);
        assert!(!found.is_true(DIR_IS_ONLY_OURS).unwrap().value);
    }

    #[test]
    fn debug_and_explain_hide_secrets() {
        let found =
            sources(&[("s3.secret-key", "hunter2")], "s3.access-key: hunter3\nx: s3://a:hunter4@b").unwrap();
        let shown = format!("{found:?} {:?}", found.explain(""));
        assert!(!shown.contains("hunter") && shown.contains("s3.secret-key"), "{shown}");
    }

    #[test]
    fn a_cluster_s_name_is_a_file_s_name() {
        let env = |name: &str| (name == "HOME").then(|| "/home/u".into());
        assert_eq!(
            cluster_file("prod-1.eu", &env).unwrap(),
            Path::new("/home/u/.config/flussctl/prod-1.eu.yaml")
        );
        let env = |name: &str| Some(if name == "HOME" { "/home/u".into() } else { "/xdg".into() });
        assert_eq!(cluster_file("prod", &env).unwrap(), Path::new("/xdg/flussctl/prod.yaml"));
        for name in ["", ".", "..", "a/b", "../a", "/a", "a b", "a\n", ".hidden"] {
            assert!(cluster_file(name, &env).is_err(), "{name:?}");
        }
        assert!(cluster_file("prod", &no_env).is_err());
    }
}
