//! `ZooKeeper` connect strings and paths: `h1:2181,[::1]:2182/chroot`.

use std::fmt;
use std::net::Ipv6Addr;

use crate::error::{Error, Result};

/// `ZooKeeper`'s port where the connect string gives none.
pub const DEFAULT_PORT: u16 = 2181;

/// A server of the ensemble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its name or address, an IPv6 address without brackets.
    pub host: String,
    /// Its port.
    pub port: u16,
}

/// As in a connect string, an IPv6 address in brackets.
impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

/// Parse a connect string into its hosts and its chroot, if it has one.
///
/// # Errors
/// `Usage`, with how to write it, for an empty host, a bad port, a bare IPv6 address, a chroot that is not the end.
pub fn parse(text: &str) -> Result<(Vec<Host>, Option<String>)> {
    let refused = |error: Error| {
        error
            .context(format!("{text:?} is not a ZooKeeper connect string"))
            .hint("write host:port, several with commas between, and a chroot once at the end: h1:2181,h2:2181/fluss")
    };
    let trimmed = text.trim();
    // As in a URL: what stands before it may be a password, and is not repeated.
    if trimmed.contains('@') {
        return Err(Error::usage("a ZooKeeper connect string holds no user and no password")
            .hint("write host:port alone, and see --zookeeper-auth and --zookeeper-user"));
    }
    if trimmed.contains("://") {
        return Err(refused(Error::usage("it takes no scheme")));
    }
    let (hosts, chroot) = trimmed.split_at(trimmed.find('/').unwrap_or(trimmed.len()));
    let chroot = parse_chroot(chroot).map_err(refused)?;
    let hosts = hosts.split(',').map(parse_host).collect::<Result<Vec<_>>>().map_err(refused)?;
    Ok((hosts, chroot))
}

fn parse_chroot(text: &str) -> Result<Option<String>> {
    // Java's client takes all after the first slash: of `h1/a,h2/a` just h1 would be asked, under a strange path.
    if text.contains(',') {
        return Err(Error::usage("the chroot stands once, after the last host"));
    }
    let path = text.trim_end_matches('/');
    if path.is_empty() { Ok(None) } else { check_path(path).map(|()| Some(path.to_owned())) }
}

/// Parse a root path as Fluss does, with its slashes at both ends trimmed: `fluss/` is `/fluss`.
///
/// # Errors
/// `Usage` for what `ZooKeeper` would not take as a path.
pub fn parse_root(text: &str) -> Result<String> {
    let path = format!("/{}", text.trim().trim_matches('/'));
    if path != "/" {
        check_path(&path)?;
    }
    Ok(path)
}

/// Check an absolute path by the rules of `ZooKeeper`'s `PathUtils.validatePath`.
fn check_path(path: &str) -> Result<()> {
    let refused = |why: &str| Err(Error::usage(format!("{path:?} is not a znode path: {why}")));
    for name in path.split('/').skip(1) {
        match name {
            "" => return refused("two slashes in a row"),
            "." | ".." => return refused("relative names are not allowed"),
            _ => {}
        }
    }
    let quoted = path.starts_with("/\"") || path.ends_with(['"', '\'']);
    if quoted {
        return refused("quotes are taken as a part of it, write it without");
    }
    let special = |c: char| c.is_control() || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{ffff}');
    if path.contains(special) { refused("it holds a control or special character") } else { Ok(()) }
}

fn parse_host(text: &str) -> Result<Host> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::usage("a host is empty"));
    }
    if text.starts_with(['"', '\'']) || text.ends_with(['"', '\'']) {
        return Err(Error::usage(format!(
            "{text:?} is quoted: quotes are taken as a part of it, write it without"
        )));
    }
    let (host, port) = if let Some(rest) = text.strip_prefix('[') {
        let (host, port) =
            rest.split_once(']').ok_or_else(|| Error::usage(format!("{text:?} has no closing bracket")))?;
        if host.parse::<Ipv6Addr>().is_err() {
            return Err(Error::usage(format!("{host:?} is not an IPv6 address")));
        }
        let port = match port.strip_prefix(':') {
            None if port.is_empty() => None,
            None => {
                return Err(Error::usage(format!("{text:?} goes on after its bracket: write [{host}]:port")));
            }
            some => some,
        };
        (host, port)
    } else if text.parse::<Ipv6Addr>().is_ok() {
        return Err(Error::usage(format!(
            "{text:?} is an IPv6 address without brackets: write [{text}]:2181"
        )));
    } else {
        match text.split_once(':') {
            Some((_, port)) if port.contains(':') => {
                return Err(Error::usage(format!("{text:?} has two ports: write host:port")));
            }
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        }
    };
    if host.is_empty() {
        return Err(Error::usage("a host is empty"));
    }
    if let Some(bad) = host.chars().find(|c| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':'))) {
        return Err(Error::usage(format!("{host:?} is not a host: it holds {bad:?}")));
    }
    let port = port.map_or(Ok(DEFAULT_PORT), |port| parse_port(port, text))?;
    Ok(Host { host: host.to_owned(), port })
}

fn parse_port(port: &str, text: &str) -> Result<u16> {
    let digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    match port.parse::<u16>() {
        Ok(port) if digits && port > 0 => Ok(port),
        _ => Err(Error::usage(format!("the port of {text:?} is not a number from 1 to 65535"))),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::error::Kind;

    fn shown(text: &str) -> String {
        let (hosts, chroot) = parse(text).unwrap();
        let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
        hosts.join(",") + &chroot.unwrap_or_default()
    }

    #[test]
    fn these_are_connect_strings() {
        for (text, want) in [
            ("h", "h:2181"),
            ("h:2182", "h:2182"),
            ("h1:1,h2,h3:3", "h1:1,h2:2181,h3:3"),
            (" h1:1 , h2 ", "h1:1,h2:2181"),
            ("h/chroot", "h:2181/chroot"),
            ("h1:1,h2:2/a/b", "h1:1,h2:2/a/b"),
            ("h/", "h:2181"),
            ("h/a/", "h:2181/a"),
            ("[::1]:2182", "[::1]:2182"),
            ("[2001:db8::1],127.0.0.1:1/x", "[2001:db8::1]:2181,127.0.0.1:1/x"),
            ("bad.invalid:2181,127.0.0.1:5", "bad.invalid:2181,127.0.0.1:5"),
            ("zoo_keeper-0.ns.svc:2181", "zoo_keeper-0.ns.svc:2181"),
        ] {
            assert_eq!(shown(text), want, "{text}");
        }
    }

    #[test]
    fn these_are_refused_with_how_to_write_them() {
        for (text, want) in [
            ("", "a host is empty"),
            (" ", "a host is empty"),
            (",", "a host is empty"),
            ("h1,,h2", "a host is empty"),
            ("h1,", "a host is empty"),
            (":2181", "a host is empty"),
            ("/chroot", "a host is empty"),
            ("::1", "write [::1]:2181"),
            ("2001:db8::1", "write [2001:db8::1]:2181"),
            ("h:2181:2182", "two ports"),
            ("h:", "not a number from 1 to 65535"),
            ("h:0", "not a number from 1 to 65535"),
            ("h:65536", "not a number from 1 to 65535"),
            ("h:+1", "not a number from 1 to 65535"),
            ("h:http", "not a number from 1 to 65535"),
            ("[::1", "closing bracket"),
            ("[::1]2181", "write [::1]:port"),
            ("[h]:1", "not an IPv6 address"),
            ("\"h:2181\"", "quotes"),
            ("'h'", "quotes"),
            ("h h:1", "is not a host"),
            ("zk://h:2181", "no scheme"),
            ("h1/a,h2/a", "once, after the last host"),
            ("h/a//b", "two slashes"),
            ("h/../a", "relative"),
            ("h/a\u{7}", "control"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.kind(), Kind::Usage);
            assert!(error.to_string().contains(want), "{text}: {error}");
            assert!(error.hints()[0].contains("h1:2181,h2:2181/fluss"));
        }
    }

    #[test]
    fn roots_are_trimmed_as_fluss_trims_them() {
        for (text, want) in
            [("/fluss", "/fluss"), ("fluss", "/fluss"), ("//a/b//", "/a/b"), ("/", "/"), (" x ", "/x")]
        {
            assert_eq!(parse_root(text).unwrap(), want);
        }
        for text in ["/a//b", "/a/./b", "/\"fluss\"", "\"/fluss\"", "/a\n/b"] {
            assert!(parse_root(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics_and_what_is_taken_reads_back(
            text in any::<String>(), like in "[h:,/\\[\\]1 \"]{0,12}", good in "[a-z]{1,5}(:[1-9]{1,4})?(,\\[::[1-9]\\])?(/[a-z]{1,3}){0,2}",
        ) {
            let _ = (parse_root(&text), parse_root(&like));
            prop_assert!(parse(&good).is_ok());
            for text in [text, like, good] {
                if parse(&text).is_ok() {
                    prop_assert_eq!(parse(&shown(&text)).unwrap(), parse(&text).unwrap());
                }
            }
        }
    }
}
