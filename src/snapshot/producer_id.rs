//! Producer ids: what names a snapshot.

use std::fmt;

use crate::error::{Error, Result};

/// Name a snapshot: 1 to 200 characters of `A-Z a-z 0-9 _ -`, not `.` or `..`.
///
/// It is a znode name and a folder name at once, so nothing else may ever become one. The rule is the server's
/// (`ProducerOffsetsManager`, error 63); `-rf` and `--json` are ordinary ids.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProducerId(String);

/// The longest id in characters.
const LONGEST: usize = 200;

impl ProducerId {
    /// Take a name from the command line; a refused one is [`crate::error::Kind::Usage`].
    pub fn parse(text: &str) -> Result<Self> {
        Self::from_name(text).ok_or_else(|| {
            let shown: String = text.chars().take(40).collect();
            let fault = if text.is_empty() {
                "it is empty".to_owned()
            } else if text.chars().count() > LONGEST {
                format!("it has {} characters", text.chars().count())
            } else {
                "it has a character outside of A-Z a-z 0-9 _ -".to_owned()
            };
            Error::usage(format!("{shown:?} is no producer id: {fault}"))
                .hint("a producer id has 1 to 200 characters, each one of A-Z a-z 0-9 _ -")
        })
    }

    /// Take a name found in ZooKeeper or in the store, if it is an id.
    pub fn from_name(name: &str) -> Option<Self> {
        let fits = (1..=LONGEST).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        fits.then(|| Self(name.to_owned()))
    }

    /// Give the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProducerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_and_underscores_make_ordinary_ids() {
        for id in ["_p", "__p", "-rf", "--json", "0", &"x".repeat(200)] {
            assert!(ProducerId::parse(id).is_ok(), "{id}");
        }
    }

    #[test]
    fn what_could_leave_its_folder_is_no_id() {
        let long = "x".repeat(201);
        for id in ["", ".", "..", "../tables", "a/b", "a b", "a\n", "a\0b", "\u{663}", "é", "a.b", &long] {
            assert!(ProducerId::parse(id).is_err(), "{id:?}");
            assert!(ProducerId::from_name(id).is_none(), "{id:?}");
        }
    }
}
