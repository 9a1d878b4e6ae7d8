//! Values that stand elsewhere: Fluss 1.0's `${env:X}`, `${file:/p:key}` and `${directory:/d:file}`.

use std::path::Path;

use super::properties::Properties;
use super::{Env, file};
use crate::error::{Error, Result};

/// The key that lists the providers a cluster allows, separated by commas.
pub const ALLOWED: &str = "config.providers";

/// Give a key's value, looked up where the whole of it is a reference.
///
/// # Errors
/// `Usage`, naming the key, for a reference that `allowed` (the value of [`ALLOWED`]) does not name, one that
/// leads nowhere, and one to an empty value.
pub fn resolve(key: &str, value: &str, allowed: Option<&str>, env: &Env<'_>) -> Result<String> {
    let Some((provider, place)) = reference(value) else { return Ok(value.to_owned()) };
    if !allowed.unwrap_or_default().split(',').any(|name| name.trim() == provider) {
        return Err(Error::usage(format!("{key} is {value:?}, and {ALLOWED} does not allow {provider:?}"))
            .hint(format!("give {key} itself, or set {ALLOWED} as the cluster does (Fluss 1.0 and later)")));
    }
    let resolved = match provider {
        "env" => env(place)
            .ok_or_else(|| Error::usage(format!("the variable {place} is not set")))
            .and_then(|text| text.into_string().map_err(|_| Error::usage(format!("{place} is not UTF-8")))),
        "file" => from_file(place),
        "directory" => from_directory(place),
        _ => Err(Error::usage(format!("flussctl has no config provider {provider:?}"))),
    };
    match resolved {
        Ok(text) if text.is_empty() => Err(Error::usage(format!("{key} is {value:?}, which is empty"))),
        other => other.map_err(|error| error.context(format!("{key} is {value:?}"))),
    }
}

/// Take `${provider:place}` apart.
fn reference(value: &str) -> Option<(&str, &str)> {
    let (provider, place) = value.strip_prefix("${")?.strip_suffix('}')?.split_once(':')?;
    provider.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_').then_some((provider, place))
}

fn from_file(place: &str) -> Result<String> {
    let (path, name) = place.split_once(':').ok_or_else(|| Error::usage("write ${file:/path:key}"))?;
    let properties = Properties::parse(&file::read(Path::new(path), "the file")?.bytes)?;
    let property = properties.get(name).ok_or_else(|| Error::usage(format!("{path} has no key {name:?}")))?;
    Ok(property.value.clone())
}

fn from_directory(place: &str) -> Result<String> {
    let (path, name) = place.split_once(':').ok_or_else(|| Error::usage("write ${directory:/dir:file}"))?;
    if name.contains('/') || name == ".." {
        return Err(Error::usage(format!("{name:?} is no file of the directory")));
    }
    let bytes = file::read(&Path::new(path).join(name), "the file")?.bytes;
    String::from_utf8(bytes).map_err(|_| Error::usage(format!("{path}/{name} is not UTF-8")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::error::Kind;

    fn env(name: &str) -> Option<std::ffi::OsString> {
        (name == "X").then(|| "seen".into()).or_else(|| (name == "EMPTY").then(Default::default))
    }

    #[test]
    fn references_are_looked_up_where_allowed() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("p"), "a=b\n").unwrap();
        let at = dir.path().display();
        for (value, want) in [
            ("plain".to_owned(), "plain"),
            ("${env:X}".into(), "seen"),
            ("a${env:X}".into(), "a${env:X}"),
            ("${X}".into(), "${X}"),
            (format!("${{file:{at}/p:a}}"), "b"),
            (format!("${{directory:{at}:p}}"), "a=b\n"),
        ] {
            assert_eq!(resolve("k", &value, Some("env, file,directory"), &env).unwrap(), want);
        }
    }

    #[test]
    fn others_are_refused_by_the_key_s_name() {
        for (value, allowed, want) in [
            ("${env:X}", None, "does not allow \"env\""),
            ("${env:X}", Some("file"), "does not allow \"env\""),
            ("${env:Y}", Some("env"), "Y is not set"),
            ("${env:EMPTY}", Some("env"), "is empty"),
            ("${vault:Y}", Some("vault"), "no config provider"),
            ("${file:/nowhere:a}", Some("file"), "cannot read"),
            ("${file:/nowhere}", Some("file"), "write ${file:/path:key}"),
            ("${directory:/etc:../passwd}", Some("directory"), "no file of the directory"),
        ] {
            let error = resolve("some.key", value, allowed, &env).unwrap_err();
            assert_eq!(error.kind(), Kind::Usage);
            let text = error.to_string();
            assert!(text.starts_with("some.key is ") && text.contains(want), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_value_panics(value in any::<String>(), like in "\\$\\{(env|file|directory):[a:/.]{0,5}\\}") {
            let _ = (resolve("k", &value, None, &env), resolve("k", &like, Some("env,file,directory"), &env));
        }
    }
}
