//! Text from outside, made safe to show: no character in it moves the cursor, turns the direction or hides.
//!
//! Names of znodes, paths and file contents may be anybody's. People see such characters spelled out; JSON keeps the
//! value and spells them as `\uXXXX`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::ser::{CharEscape, Formatter};

/// Say whether a character is a control, a line separator, a bidirectional control or invisible.
pub const fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{13430}'..='\u{1345f}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Find the first hidden character. Nearly all text is plain ASCII, which a look at its bytes settles.
fn first_hidden(text: &str) -> Option<usize> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) { None } else { text.find(is_hidden) }
}

/// Spell out hidden characters: `\n`, `\t`, `\r`, else `\u{…}` with the code point in hexadecimal digits.
pub fn escape(text: &str) -> Cow<'_, str> {
    let Some(start) = first_hidden(text) else { return Cow::Borrowed(text) };
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(&text[..start]);
    for c in text[start..].chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            c if is_hidden(c) => {
                // Writing to a string cannot fail.
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
            }
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Spell out hidden characters and take their meaning from Markdown's own.
pub fn escape_markdown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 8);
    for c in escape(text).chars() {
        if matches!(c, '\\' | '|' | '`' | '*' | '_' | '~' | '[' | ']' | '<' | '>' | '&' | '#') {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
}

/// Write JSON in which hidden characters are spelled `\uXXXX`, on one line or indented by two spaces.
pub struct Escaping {
    indent: Option<usize>,
    filled: bool,
}

impl Escaping {
    /// Write all on one line.
    pub const fn compact() -> Self {
        Self { indent: None, filled: false }
    }

    /// Indent by two spaces a level, as if `level` levels were open already.
    pub const fn pretty(level: usize) -> Self {
        Self { indent: Some(level), filled: false }
    }

    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.filled = false;
        self.indent = self.indent.map(|level| level + 1);
        out.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.indent = self.indent.map(|level| level.saturating_sub(1));
        if self.filled {
            self.new_line(out)?;
        }
        self.filled = true;
        out.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        self.new_line(out)
    }

    fn new_line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        match self.indent {
            Some(level) => write!(out, "\n{:1$}", "", level * 2),
            None => Ok(()),
        }
    }
}

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        write_escaped(out, fragment)
    }

    /// Raw JSON was written by somebody else: hidden characters in its strings are spelled out as anywhere, the white
    /// space between its tokens becomes blanks, so that a document stays on its line.
    fn write_raw_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        for (at, part) in fragment.split(['\n', '\r', '\t']).enumerate() {
            if at > 0 {
                out.write_all(b" ")?;
            }
            write_escaped(out, part)?;
        }
        Ok(())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, out: &mut W, escape: CharEscape) -> io::Result<()> {
        serde_json::ser::CompactFormatter.write_char_escape(out, escape)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _out: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(if self.indent.is_some() { b": " } else { b":" })
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _out: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}

fn write_escaped<W: ?Sized + Write>(out: &mut W, text: &str) -> io::Result<()> {
    let mut rest = text;
    while let Some(at) = first_hidden(rest) {
        out.write_all(&rest.as_bytes()[..at])?;
        let mut after = rest[at..].chars();
        if let Some(c) = after.next() {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        rest = after.as_str();
    }
    out.write_all(rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;
    use serde_json::{Value, json};

    use super::*;

    fn to_json(value: &impl serde::Serialize, formatter: Escaping) -> String {
        let mut out = Vec::new();
        value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, formatter)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn hidden_characters_are_spelled_out() {
        let table = [
            ("job-1", "job-1"),
            ("größe 表", "größe 表"),
            ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("\u{9b}x\u{7f}", "\\u{9b}x\\u{7f}"),
            ("\u{200b}\u{2028}\u{feff}\u{61c}", "\\u{200b}\\u{2028}\\u{feff}\\u{61c}"),
            ("\u{e0041}", "\\u{e0041}"),
        ];
        for (text, shown) in table {
            assert_eq!(escape(text), shown);
        }
        assert!(matches!(escape("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn markdown_loses_its_meaning() {
        assert_eq!(escape_markdown("a|b`c\n<i>"), "a\\|b\\`c\\\\n\\<i\\>");
    }

    #[test]
    fn pretty_json_is_what_serde_prints() {
        let value = json!({"a": [], "b": {}, "c": [1, {"d": null}], "e": {"f": "g"}});
        assert_eq!(to_json(&value, Escaping::pretty(0)), serde_json::to_string_pretty(&value).unwrap());
        assert_eq!(to_json(&value, Escaping::compact()), serde_json::to_string(&value).unwrap());
    }

    #[test]
    fn raw_json_is_escaped_and_stays_on_its_line() {
        let raw = RawValue::from_string("{\n\t\"a\": \"\u{202e}\u{7f}\"\r\n}".to_owned()).unwrap();
        let shown = to_json(&raw, Escaping::compact());
        assert_eq!(shown, "{  \"a\": \"\\u202e\\u007f\"  }");
        let back: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(back, json!({"a": "\u{202e}\u{7f}"}));
    }

    proptest! {
        #[test]
        fn no_output_hides_anything(text in any::<String>(), bad in prop::collection::vec(
            prop::sample::select(vec!['\u{202e}', '\u{1b}', '\u{85}', '\u{200d}', '\u{e0001}', '\n', '\u{2066}']), 0..4)) {
            let text: String = text.chars().chain(bad).collect();
            prop_assert!(!escape(&text).contains(is_hidden));
            prop_assert!(!escape(&text).contains(char::is_control));
            prop_assert!(!escape_markdown(&text).contains(is_hidden));
            let value = json!({ &text: [&text] });
            let shown = to_json(&value, Escaping::compact());
            prop_assert!(!shown.contains(is_hidden));
            prop_assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), value);
        }
    }
}
