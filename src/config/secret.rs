//! Secrets, and the rule by which a key's value is taken for one.

use std::fmt;

/// What stands in the place of a secret in everything that is shown.
pub const HIDDEN: &str = "***";

/// Hold a password so that no output shows it by accident; it is not serializable on purpose.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Take over a secret.
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    /// Give the secret itself, for handing it to a server and nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// Say whether the values of a `server.yaml`, Hadoop or properties key are secret.
///
/// In doubt they are: an access key's id is hidden too, and so is a JAAS text, which carries passwords.
pub fn is_secret_key(key: &str) -> bool {
    const WORDS: [&str; 9] =
        ["password", "passwd", "secret", "token", "accesskey", "accountkey", "credential", "jaas", "sas"];
    const NAMES_A_PLACE: [&str; 6] = ["provider", "type", "path", "file", "location", "endpoint"];
    let plain: String =
        key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    // `sas` alone would catch `sasl`, whose switches are no secrets.
    let words = plain.replace("sasl", "");
    WORDS.iter().any(|word| words.contains(word)) && !NAMES_A_PLACE.iter().any(|end| plain.ends_with(end))
}

/// Give a key's value as it may be shown: hidden when secret, without a URL's password else.
pub fn shown(key: &str, value: &str) -> String {
    if is_secret_key(key) { HIDDEN.to_owned() } else { without_password(value) }
}

/// Hide the password in `scheme://user:password@host/…`.
pub fn without_password(value: &str) -> String {
    let Some((scheme, rest)) = value.split_once("://") else { return value.to_owned() };
    let authority = &rest[..rest.find('/').unwrap_or(rest.len())];
    // The last `@`, as a password may hold one.
    let Some((user_info, _)) = authority.rsplit_once('@') else { return value.to_owned() };
    match user_info.split_once(':') {
        Some((user, _)) => format!("{scheme}://{user}:{HIDDEN}{}", &rest[user_info.len()..]),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_shows_itself_nowhere() {
        let secret = Secret::new("hunter2");
        assert_eq!(format!("{secret} {secret:?} {:?}", Some(&secret)), "*** *** Some(***)");
        assert_eq!(secret.expose(), "hunter2");
    }

    #[test]
    fn keys_are_told_apart() {
        for key in [
            "s3.secret-key",
            "s3.access-key",
            "s3.secret.key",
            "fs.oss.accessKeySecret",
            "fs.azure.account.key.acc.blob.core.windows.net",
            "fs.azure.account.oauth2.client.secret",
            "fs.azure.sas.fixed.token",
            "fs.cosn.userinfo.secretId",
            "client.security.sasl.password",
            "security.sasl.plain.jaas.config",
            "zookeeper.ssl.keyStore.password",
        ] {
            assert!(is_secret_key(key), "{key}");
        }
        for key in [
            "zookeeper.address",
            "remote.data.dir",
            "s3.aws.credentials.provider",
            "gs.auth.service.account.json.keyfile",
            "zookeeper.ssl.keyStore.passwordPath",
            "zookeeper.sasl.client",
            "coordinator.producer-offsets.ttl",
        ] {
            assert!(!is_secret_key(key), "{key}");
        }
    }

    #[test]
    fn a_password_in_a_url_is_hidden() {
        for (value, want) in [
            ("s3://id:se/cret", "s3://id:se/cret"),
            ("s3://id:secret@bucket/x", "s3://id:***@bucket/x"),
            ("s3://id:a@b@bucket", "s3://id:***@bucket"),
            ("abfs://container@account/x", "abfs://container@account/x"),
            ("/tmp/a:b@c", "/tmp/a:b@c"),
        ] {
            assert_eq!(without_password(value), want);
        }
    }
}
