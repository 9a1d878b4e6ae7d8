//! Java `.properties` files (`java.util.Properties.load`, as `ZooKeeper`'s client reads its configuration).

use std::fmt;

use super::secret;
use crate::error::{Error, Result};

/// One key with its value.
#[derive(Clone, PartialEq, Eq)]
pub struct Property {
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
    /// The line on which it begins, counted from 1.
    pub line: usize,
}

/// Secrets stay hidden.
impl fmt::Debug for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {:?} (line {})", self.key, secret::shown(&self.key, &self.value), self.line)
    }
}

/// The properties of a file, in its order, duplicates too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties(Vec<Property>);

impl Properties {
    /// Parse the bytes of a file; as for Java they are Latin-1, other characters stand as `\uXXXX`.
    ///
    /// # Errors
    /// `Usage`, naming the line, for a `\u` without four hexadecimal digits.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let text: String = bytes.iter().copied().map(char::from).collect();
        let text = text.replace("\r\n", "\n");
        let mut lines = text.split(['\n', '\r']).enumerate();
        let mut properties = Vec::new();
        while let Some((index, first)) = lines.next() {
            let mut logical = first.trim_start_matches(space).to_owned();
            // A lone backslash has nothing to go on with: the next line is a new one to Java, maybe a comment.
            if logical.is_empty() || logical == "\\" || logical.starts_with(['#', '!']) {
                continue;
            }
            while continues(&logical) {
                logical.pop();
                let Some((_, next)) = lines.next() else { break };
                logical.push_str(next.trim_start_matches(space));
            }
            let (key, value) = split(&logical);
            let unescape = |part| {
                unescape(part)
                    .ok_or_else(|| Error::usage(format!("line {}: \\u takes four hex digits", index + 1)))
            };
            properties.push(Property { key: unescape(key)?, value: unescape(value)?, line: index + 1 });
        }
        Ok(Self(properties))
    }

    /// Give the property that counts for a key, the last one, without the spaces around its value.
    pub fn get(&self, key: &str) -> Option<Property> {
        let found = self.0.iter().rev().find(|property| property.key.trim() == key)?;
        Some(Property { value: found.value.trim().to_owned(), ..found.clone() })
    }
}

fn space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{c}')
}

/// An odd number of backslashes at its end makes a line go on.
fn continues(line: &str) -> bool {
    line.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Split at the first unescaped `=`, `:` or white space, with white space around it.
fn split(line: &str) -> (&str, &str) {
    let mut escaped = false;
    let end = line.find(|c: char| {
        let ends = !escaped && (space(c) || c == '=' || c == ':');
        escaped = c == '\\' && !escaped;
        ends
    });
    let (key, rest) = line.split_at(end.unwrap_or(line.len()));
    let rest = rest.trim_start_matches(space);
    let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest);
    (key, rest.trim_start_matches(space))
}

/// Replace the escapes; `None` for a broken `\u`.
fn unescape(text: &str) -> Option<String> {
    // UTF-16, as a character beyond 0xFFFF is written as two escapes.
    let mut units = Vec::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let plain = match c {
            '\\' => match chars.next() {
                Some('u') => {
                    let digits: String = chars.by_ref().take(4).collect();
                    if digits.len() != 4 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                        return None;
                    }
                    units.push(u16::from_str_radix(&digits, 16).ok()?);
                    continue;
                }
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('f') => '\u{c}',
                Some(other) => other,
                None => continue,
            },
            other => other,
        };
        units.extend_from_slice(plain.encode_utf16(&mut [0; 2]));
    }
    Some(String::from_utf16_lossy(&units))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_read_as_java_reads_them() {
        for (text, key, want) in [
            ("a=b", "a", "b"),
            ("a = b ", "a", "b"),
            ("a:b", "a", "b"),
            ("a b", "a", "b"),
            ("  a\tb", "a", "b"),
            ("a == b", "a", "= b"),
            ("a=b=c", "a", "b=c"),
            ("a", "a", ""),
            ("a=", "a", ""),
            ("a\\=b=c", "a=b", "c"),
            ("a\\ b c", "a b", "c"),
            ("a\\:b:c", "a:b", "c"),
            ("a=b\\\n   c", "a", "bc"),
            ("a=b\\\r\n\tc\n", "a", "bc"),
            ("a=b\\\\\nc=d", "a", "b\\"),
            ("a=b\\", "a", "b"),
            ("a=1\na=2", "a", "2"),
            ("a=x\\ty\\nz\\q", "a", "x\ty\nzq"),
            ("a=\\u00e9\\uD83D\\uDE00", "a", "é😀"),
            ("a=b # c", "a", "b # c"),
        ] {
            assert_eq!(Properties::parse(text.as_bytes()).unwrap().get(key).unwrap().value, want, "{text:?}");
        }
        assert_eq!(Properties::parse(b"a=\xe9").unwrap().get("a").unwrap().value, "é");
        assert!(Properties::parse(b"# a=b\n!a=b\n\n  #a=b\\\n").unwrap().get("a").is_none());
        assert_eq!(Properties::parse(b"\\\n  \n\\\n!a\n\\").unwrap(), Properties::default());
    }

    #[test]
    fn lines_are_counted_and_a_broken_escape_names_its_own() {
        assert_eq!(Properties::parse(b"#\na=b\\\nc\nd=e").unwrap().get("d").unwrap().line, 4);
        for text in ["x=y\na=\\u12", "x=y\na=\\u12g4", "x=y\na\\u=1", "x=y\na=\\u+123"] {
            let error = Properties::parse(text.as_bytes()).unwrap_err();
            assert!(error.to_string().starts_with("line 2: "), "{error}");
        }
    }

    #[test]
    fn debug_hides_secrets() {
        let parsed = Properties::parse(b"zookeeper.ssl.keyStore.password=hunter2").unwrap();
        assert!(!format!("{parsed:?}").contains("hunter2"));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>(), like in "[ab=: \\\\u0\r\n#]{0,30}") {
            let _ = (Properties::parse(&bytes), Properties::parse(like.as_bytes()));
        }
    }
}
