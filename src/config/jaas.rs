//! JAAS login files, where `ZooKeeper`'s Java client has its user and password (`javax.security.auth.login`).

use super::secret::Secret;
use crate::error::{Error, Result};

/// The section that `ZooKeeper`'s client takes unless told otherwise.
pub const DEFAULT_SECTION: &str = "Client";

/// A user with a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The user's name.
    pub user: String,
    /// The password.
    pub password: Secret,
}

/// Find the login of `section`; `None` when the file has no such section.
///
/// # Errors
/// `Usage` for a file that is not in the form, a section without a `DigestLoginModule` that names user and
/// password, and for `${…}`, which would be a property of somebody else's JVM. Messages never repeat a value.
pub fn parse(bytes: &[u8], section: &str) -> Result<Option<Login>> {
    let text = String::from_utf8_lossy(bytes);
    let mut tokens = Tokens { rest: &text, line: 1 };
    while let Some(token) = tokens.next()? {
        let name = token.word("a section's name", tokens.line)?;
        let modules = read_section(&mut tokens)?;
        if name == section {
            return login(&modules, section).map(Some);
        }
    }
    Ok(None)
}

/// A login module's class with its options.
struct Module {
    class: String,
    options: Vec<(String, String)>,
}

fn read_section(tokens: &mut Tokens<'_>) -> Result<Vec<Module>> {
    tokens.expect('{')?;
    let mut modules = Vec::new();
    loop {
        let class = match tokens.wanted()? {
            Token::Sign('}') => break,
            token => token.word("a login module", tokens.line)?,
        };
        // The flag (required, sufficient, …) says how modules combine; there is only one that counts here.
        tokens.wanted()?.word("required", tokens.line)?;
        let mut options = Vec::new();
        loop {
            let key = match tokens.wanted()? {
                Token::Sign(';') => break,
                token => token.word("an option", tokens.line)?,
            };
            tokens.expect('=')?;
            let value = tokens.wanted()?.word("a value", tokens.line)?;
            options.push((key, value));
        }
        modules.push(Module { class, options });
    }
    tokens.expect(';')?;
    Ok(modules)
}

fn login(modules: &[Module], section: &str) -> Result<Login> {
    let digest =
        modules.iter().find(|module| module.class.ends_with("DigestLoginModule")).ok_or_else(|| {
            let classes: Vec<&str> = modules.iter().map(|module| module.class.as_str()).collect();
            Error::usage(format!(
                "section {section:?} has no DigestLoginModule ({}): flussctl speaks SASL DIGEST-MD5 alone",
                classes.join(", ")
            ))
        })?;
    let option = |key: &str| {
        let (_, value) = digest
            .options
            .iter()
            .rev()
            .find(|(name, value)| name == key && !value.is_empty())
            .ok_or_else(|| Error::usage(format!("section {section:?} names no {key}")))?;
        if value.contains("${") {
            return Err(Error::usage(format!(
                "the {key} of section {section:?} is a property of the server's JVM: give it to flussctl itself"
            )));
        }
        Ok(value.clone())
    };
    Ok(Login { user: option("username")?, password: Secret::new(option("password")?) })
}

enum Token {
    Word(String),
    Sign(char),
}

impl Token {
    fn word(self, what: &str, line: usize) -> Result<String> {
        match self {
            Self::Word(word) => Ok(word),
            Self::Sign(sign) => Err(Error::usage(format!("line {line}: {what} is wanted before {sign:?}"))),
        }
    }
}

struct Tokens<'a> {
    rest: &'a str,
    line: usize,
}

impl Tokens<'_> {
    fn take(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn skip_comments(&mut self) {
        loop {
            let comment_end = if self.rest.starts_with("//") {
                self.rest.find('\n').unwrap_or(self.rest.len())
            } else if self.rest.starts_with("/*") {
                self.rest[2..].find("*/").map_or(self.rest.len(), |end| end + 4)
            } else if self.rest.starts_with(char::is_whitespace) {
                self.rest.find(|c: char| !c.is_whitespace()).unwrap_or(self.rest.len())
            } else {
                return;
            };
            let (skipped, rest) = self.rest.split_at(comment_end);
            self.line += skipped.matches('\n').count();
            self.rest = rest;
        }
    }

    fn next(&mut self) -> Result<Option<Token>> {
        self.skip_comments();
        let Some(c) = self.rest.chars().next() else { return Ok(None) };
        match c {
            '"' | '\'' => self.quoted().map(|word| Some(Token::Word(word))),
            '{' | '}' | ';' | '=' => Ok(self.take().map(Token::Sign)),
            _ => {
                let end = self
                    .rest
                    .find(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | ';' | '=' | '"' | '\''))
                    .unwrap_or(self.rest.len());
                let (word, rest) = self.rest.split_at(end);
                self.rest = rest;
                Ok(Some(Token::Word(word.to_owned())))
            }
        }
    }

    /// Read a quoted text with C's escapes, which ends on its line.
    fn quoted(&mut self) -> Result<String> {
        let quote = self.take();
        let (line, mut word) = (self.line, String::new());
        let unended = || Error::usage(format!("line {line}: a quoted text has no end"));
        loop {
            match self.take() {
                None | Some('\n' | '\r') => return Err(unended()),
                c if c == quote => return Ok(word),
                Some('\\') => word.push(match self.take().ok_or_else(unended)? {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    other => other,
                }),
                Some(c) => word.push(c),
            }
        }
    }

    fn wanted(&mut self) -> Result<Token> {
        self.next()?.ok_or_else(|| Error::usage(format!("line {}: the file ends in a section", self.line)))
    }

    fn expect(&mut self, sign: char) -> Result<()> {
        match self.wanted()? {
            Token::Sign(found) if found == sign => Ok(()),
            _ => Err(Error::usage(format!("line {}: {sign:?} is wanted", self.line))),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FILE: &str = r#"
        /* the server's own */
        Server { org.apache.zookeeper.server.auth.DigestLoginModule required user_bob="x"; };
        // ours
        Client {
            com.example.Other optional debug=true;
            org.apache.zookeeper.server.auth.DigestLoginModule required
                username="bob"
                password="b\"o;b // s}";
        };
        Empty { };
        Kerberos { com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true; };
        Expanded { x.DigestLoginModule required username=bob password="${zk.password}"; };
        Nobody { x.DigestLoginModule required username="" password="hunter2"; };
    "#;

    #[test]
    fn a_section_gives_its_login() {
        let login = parse(FILE.as_bytes(), "Client").unwrap().unwrap();
        assert_eq!((login.user.as_str(), login.password.expose()), ("bob", "b\"o;b // s}"));
        assert!(!format!("{login:?}").contains("b\"o"));
        assert_eq!(parse(FILE.as_bytes(), "Absent").unwrap(), None);
        assert_eq!(parse(b"", "Client").unwrap(), None);
    }

    #[test]
    fn other_sections_are_refused_without_their_secrets() {
        for (section, want) in [
            ("Server", "names no username"),
            ("Empty", "no DigestLoginModule"),
            ("Kerberos", "Krb5LoginModule"),
            ("Expanded", "JVM"),
            ("Nobody", "names no username"),
        ] {
            let error = parse(FILE.as_bytes(), section).unwrap_err().to_string();
            assert!(error.contains(want) && !error.contains("hunter2"), "{error}");
        }
        for (text, want) in [
            ("Client {", "ends in a section"),
            ("Client", "ends in a section"),
            ("{", "a section's name"),
            ("Client { a required\nb=\"x\n", "line 2: a quoted text has no end"),
            ("Client { a required b \"hunter2\"; };", "'=' is wanted"),
            ("Client { a required; }", "ends in a section"),
        ] {
            let error = parse(text.as_bytes(), "Client").unwrap_err().to_string();
            assert!(error.contains(want) && !error.contains("hunter2"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>(), like in "(Client|[a-z]|[{};=\"' \n/*\\\\é]){0,30}") {
            let _ = (parse(&bytes, "Client"), parse(like.as_bytes(), "Client"));
        }
    }
}
