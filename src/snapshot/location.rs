//! What a path means: `offsets_path` and `remote.data.dir`, compared by meaning and not as text.
//!
//! Parsing follows the server's `FsPath` (Fluss 0.9.1): a scheme is what stands before a colon that precedes the first
//! slash, nothing is percent-decoded, backslashes are slashes, runs of slashes are one, `.` and `..` are resolved.

use std::fmt;

/// Say where a file or folder lies, whatever way it was spelled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file system: `file` for a local path in any spelling, `s3` for `s3`, `s3a` and `s3n`, else the scheme.
    pub file_system: String,
    /// Bucket, container or name node; empty where none is named.
    pub authority: String,
    /// The folders and the name.
    pub segments: Vec<String>,
    /// Starts at the root, and not at somebody's working folder.
    pub absolute: bool,
}

/// Say how two locations relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They mean one file.
    Same,
    /// They may mean one file: alike but for percent escapes, or for an authority that one leaves to the default.
    Perhaps,
    /// The same key in another bucket, authority or file system.
    SameKeyElsewhere,
    /// Two files.
    Different,
}

impl Location {
    /// Read a path or URI as the server's `FsPath` does; an empty text is none.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() || text.contains('\0') {
            return None;
        }
        let (scheme, rest) = split_scheme(text);
        let (authority, path) = split_authority(rest);
        let path = path.replace('\\', "/");
        let absolute = path.starts_with('/') || !authority.is_empty();
        let mut segments: Vec<String> = Vec::new();
        for segment in path.split('/').filter(|s| !s.is_empty() && *s != ".") {
            if segment == ".." && segments.last().is_some_and(|last| last != "..") {
                segments.pop();
            } else {
                segments.push(segment.to_owned());
            }
        }
        Some(Self { file_system: family(scheme), authority: authority.to_owned(), segments, absolute })
    }

    /// Say whether this is on the local file system of whoever reads it.
    pub fn is_local(&self) -> bool {
        self.file_system == "file" && self.authority.is_empty()
    }

    /// Give the location of `names` below this one.
    #[must_use]
    pub fn join<S: AsRef<str>>(&self, names: impl IntoIterator<Item = S>) -> Self {
        let mut below = self.clone();
        below.segments.extend(names.into_iter().map(|name| name.as_ref().to_owned()));
        below
    }

    /// Give the names that lead from this folder to `other`, if it means a place below it.
    pub fn below<'a>(&self, other: &'a Self) -> Option<&'a [String]> {
        let same_tree = self.file_system == other.file_system
            && self.authority == other.authority
            && self.absolute == other.absolute;
        let tail = other.segments.strip_prefix(self.segments.as_slice())?;
        (same_tree && !tail.is_empty() && !tail.iter().any(|s| s == "..")).then_some(tail)
    }

    /// Compare by meaning. Anything but [`Relation::Different`] may only keep a file.
    pub fn relation(&self, other: &Self) -> Relation {
        let key = self.segments == other.segments && self.absolute == other.absolute;
        let decoded = key || (self.absolute == other.absolute && self.decoded() == other.decoded());
        if !decoded {
            return Relation::Different;
        }
        let default_authority = self.authority.is_empty() || other.authority.is_empty();
        if self.file_system != other.file_system {
            Relation::SameKeyElsewhere
        } else if self.authority == other.authority {
            if key { Relation::Same } else { Relation::Perhaps }
        } else if default_authority && self.file_system == "hdfs" {
            Relation::Perhaps
        } else {
            Relation::SameKeyElsewhere
        }
    }

    /// Give the last name with percent escapes read, as a careless client may have written it.
    pub fn decoded_name(&self) -> Option<String> {
        self.segments.last().map(|name| percent_decoded(name))
    }

    fn decoded(&self) -> Vec<String> {
        self.segments.iter().map(|s| percent_decoded(s)).collect()
    }

    /// Spell it as the server's own listing does: `file:/x/y` for a local path, `s3://bucket/x` elsewhere.
    pub fn spelled_as_listed(&self) -> String {
        let path = self.segments.join("/");
        let slash = if self.absolute { "/" } else { "" };
        if self.authority.is_empty() {
            format!("{}:{slash}{path}", self.file_system)
        } else {
            format!("{}://{}/{path}", self.file_system, self.authority)
        }
    }

    /// Give the path for the local file system, without a scheme.
    pub fn local_path(&self) -> std::path::PathBuf {
        let slash = if self.absolute { "/" } else { "" };
        format!("{slash}{}", self.segments.join("/")).into()
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelled_as_listed())
    }
}

/// Read a scheme as `FsPath` does; a single letter is a Windows drive there and no scheme.
fn split_scheme(text: &str) -> (&str, &str) {
    match (text.find(':'), text.find('/')) {
        (Some(colon), slash) if slash.is_none_or(|slash| colon < slash) => {
            let drive = colon == 1 && text.as_bytes()[0].is_ascii_alphabetic();
            if drive { ("", text) } else { (&text[..colon], &text[colon + 1..]) }
        }
        _ => ("", text),
    }
}

fn split_authority(rest: &str) -> (&str, &str) {
    match rest.strip_prefix("//") {
        Some(after) if !after.is_empty() => after.split_at(after.find('/').unwrap_or(after.len())),
        _ => ("", rest),
    }
}

fn family(scheme: &str) -> String {
    match scheme.to_ascii_lowercase().as_str() {
        "" => "file".to_owned(),
        "s3a" | "s3n" => "s3".to_owned(),
        other => other.to_owned(),
    }
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|h| std::str::from_utf8(h).ok());
        match (bytes[at], hex.and_then(|h| u8::from_str_radix(h, 16).ok())) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Location {
        Location::parse(text).unwrap()
    }

    #[test]
    fn spellings_of_one_local_path_mean_the_same() {
        for spelling in
            ["/t/x", "file:/t/x", "file:///t/x", "file:/t//x/", "/t/./x", "/t/y/../x", "FILE:/t/x"]
        {
            assert_eq!(at("/t/x").relation(&at(spelling)), Relation::Same, "{spelling}");
            assert_eq!(at(spelling).spelled_as_listed(), "file:/t/x");
        }
    }

    #[test]
    fn aliases_authorities_and_percents() {
        let cases = [
            ("s3://b/x", "s3a://b/x", Relation::Same),
            ("s3://b/x", "s3://c/x", Relation::SameKeyElsewhere),
            ("s3://b/x", "oss://b/x", Relation::SameKeyElsewhere),
            ("/x/a b", "/x/a%20b", Relation::Perhaps),
            ("hdfs:///x", "hdfs://nn:8020/x", Relation::Perhaps),
            ("hdfs://a/x", "hdfs://b/x", Relation::SameKeyElsewhere),
            ("file://host/x", "/x", Relation::SameKeyElsewhere),
            ("/x", "x", Relation::Different),
            ("/x/y", "/x/z", Relation::Different),
        ];
        for (a, b, relation) in cases {
            assert_eq!(at(a).relation(&at(b)), relation, "{a} {b}");
            assert_eq!(at(b).relation(&at(a)), relation, "{b} {a}");
        }
    }

    #[test]
    fn below_stays_inside_and_never_decodes() {
        let root = at("/r/producers");
        assert_eq!(root.below(&at("file:/r/producers/p/7/u.offsets")).map(<[String]>::len), Some(3));
        assert_eq!(root.below(&at("/r/producers/../x")), None);
        assert_eq!(root.below(&at("/r/producersx/p")), None);
        assert_eq!(root.below(&at("s3://b/r/producers/p")), None);
        assert_eq!(root.below(&at("/r/%70roducers/p")), None);
    }

    proptest! {
        #[test]
        fn relation_is_symmetric_and_reflexive(a in "[a-z0-9:/%.\\\\ ]{1,20}", b in "[a-z0-9:/%.\\\\ ]{1,20}") {
            let (Some(a), Some(b)) = (Location::parse(&a), Location::parse(&b)) else { return Ok(()) };
            prop_assert_eq!(a.relation(&a), Relation::Same);
            prop_assert_eq!(a.relation(&b), b.relation(&a));
        }

        #[test]
        fn equal_meaning_is_an_equivalence(parts in proptest::collection::vec("[a-c]{1,2}", 1..3), k in 0..4_usize, l in 0..4_usize) {
            let path = parts.join("/");
            let spell = |i: usize| ["/", "file:/", "file:///", "FILE:/./"][i].to_owned() + &path;
            prop_assert_eq!(at(&spell(k)).relation(&at(&spell(l))), Relation::Same);
        }

        #[test]
        fn listed_spelling_reads_back(text in "\\PC{1,40}") {
            if let Some(location) = Location::parse(&text)
                && (location.absolute && !location.file_system.contains(':'))
                && !location.file_system.is_empty() && !location.segments.is_empty()
            {
                let again = Location::parse(&location.spelled_as_listed());
                prop_assert_eq!(again.map(|l| l.relation(&location)), Some(Relation::Same));
            }
        }
    }
}
