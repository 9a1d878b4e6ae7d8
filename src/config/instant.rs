//! Absolute times of the command line.

use jiff::Timestamp;
use jiff::civil::DateTime;

use crate::error::{Error, Result};

/// Parse an RFC 3339 time with its offset, such as `2026-12-01T15:00:00Z`.
///
/// # Errors
/// `Usage` for a time without an offset, which would mean another moment on another host, and for what is no time.
pub fn parse(text: &str) -> Result<Timestamp> {
    let text = text.trim();
    // A zone in brackets may contradict the offset before it, and is not RFC 3339.
    let refused = |why: &str| {
        Error::usage(format!("{text:?} {why}"))
            .hint("write date, time and offset, such as 2026-12-01T15:00:00Z or 2026-12-01T16:00:00+01:00")
    };
    if text.contains('[') {
        return Err(refused("names a time zone: write the offset alone"));
    }
    match text.parse::<Timestamp>() {
        Ok(time) => Ok(time),
        Err(_) if text.parse::<DateTime>().is_ok() => Err(refused("is a time without an offset")),
        Err(_) => Err(refused("is not a time")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_offset_is_wanted() {
        for text in [
            "2026-12-01T15:00:00Z",
            "2026-12-01T16:00:00+01:00",
            " 2026-12-01 15:00:00.000Z ",
            "2026-12-01t15:00:00z",
        ] {
            assert_eq!(parse(text).unwrap().as_second(), 1_796_137_200, "{text}");
        }
        for (text, want) in [
            ("2026-12-01T15:00:00", "without an offset"),
            ("2026-12-01 15:00", "without an offset"),
            ("2026-12-01", "without an offset"),
            ("2026-12-01T15:00:00+01:00[Europe/Berlin]", "time zone"),
            ("2026-13-01T15:00:00Z", "is not a time"),
            ("1796137200", "is not a time"),
            ("tomorrow", "is not a time"),
            ("", "is not a time"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.to_string().contains(want), "{text}: {error}");
            assert_eq!(error.hints().len(), 1);
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>(), like in "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.+Z-]{0,20}") {
            let _ = (parse(&text), parse(&like));
        }
    }
}
