//! Durations, as Fluss writes them in `server.yaml` and as the command line takes them.

use std::time::Duration;

use crate::error::{Error, Result};

const NANOS_PER_SECOND: u128 = 1_000_000_000;

/// The labels of each unit and its nanoseconds, longest first (Fluss's `TimeUtils`).
const UNITS: [(&[&str], u128); 7] = [
    (&["d", "day", "days"], 86_400 * NANOS_PER_SECOND),
    (&["h", "hour", "hours"], 3_600 * NANOS_PER_SECOND),
    (&["m", "min", "minute", "minutes"], 60 * NANOS_PER_SECOND),
    (&["s", "sec", "secs", "second", "seconds"], NANOS_PER_SECOND),
    (&["ms", "milli", "millis", "millisecond", "milliseconds"], 1_000_000),
    (&["µs", "micro", "micros", "microsecond", "microseconds"], 1_000),
    (&["ns", "nano", "nanos", "nanosecond", "nanoseconds"], 1),
];

const HOW: &str = "write a number with its unit: d, h, m, s or ms, such as 24h or 1h30m";

fn unit(label: &str) -> Option<u128> {
    let label = label.to_lowercase();
    UNITS.iter().find(|(labels, _)| labels.contains(&label.as_str())).map(|(_, nanos)| *nanos)
}

fn duration(nanos: u128) -> Option<Duration> {
    let seconds = u64::try_from(nanos / NANOS_PER_SECOND).ok()?;
    let rest = u32::try_from(nanos % NANOS_PER_SECOND).ok()?;
    Some(Duration::new(seconds, rest))
}

/// Parse a duration exactly as a Fluss server does: digits, optional space, one unit in any case.
///
/// # Errors
/// `Usage` for what Fluss refuses: no unit, a sign, a fraction, several units, more than 64 bits of seconds.
pub fn parse_fluss(text: &str) -> Result<Duration> {
    let refused = |why: &str| Error::usage(format!("{text:?} is not a duration to Fluss: {why}"));
    let trimmed = text.trim_matches(|c| c <= ' ');
    let digits = trimmed.find(|c: char| !c.is_ascii_digit()).unwrap_or(trimmed.len());
    let (number, label) = trimmed.split_at(digits);
    if number.is_empty() {
        return Err(refused("it does not start with a digit"));
    }
    let number = number.parse::<i64>().map_err(|_| refused("the number does not fit 64 bits"))?;
    let label = label.trim_matches(|c| c <= ' ');
    if label.is_empty() {
        return Err(refused("it has no unit"));
    }
    let nanos = unit(label).ok_or_else(|| refused("it takes one of the units d, h, min, s, ms, µs, ns"))?;
    let nanos = u128::from(number.unsigned_abs()) * nanos;
    // Java's Duration counts seconds in a signed long.
    if nanos / NANOS_PER_SECOND > u128::from(i64::MAX.unsigned_abs()) {
        return Err(refused("it is too long"));
    }
    duration(nanos).ok_or_else(|| refused("it is too long"))
}

/// Parse a duration of the command line: Fluss's units, alone or from longer to shorter as in `1h30m`.
///
/// # Errors
/// `Usage`, with what to write instead, for a bare number, `0`, a sign, a fraction, a unit without a fixed length,
/// a capital `M`, units twice or out of order, and what does not fit 64 bits of milliseconds.
pub fn parse(text: &str) -> Result<Duration> {
    let refused = |why: String| Error::usage(format!("{text:?} is not a duration: {why}"));
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(refused(HOW.into()));
    }
    let (mut total, mut last) = (0_u128, u128::MAX);
    while !rest.is_empty() {
        if rest.starts_with(['-', '+']) {
            return Err(refused("it takes no sign".into()).hint(HOW));
        }
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        if number.is_empty() {
            return Err(refused(HOW.into()));
        }
        if after.starts_with(['.', ',']) {
            return Err(refused("it takes no fraction, write 1h30m for 1.5h".into()));
        }
        let after = after.trim_start();
        let letters = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let (label, after) = after.split_at(letters);
        let nanos = known_unit(number, label).map_err(refused)?;
        if nanos >= last {
            return Err(refused("write each unit once, the longer before the shorter".into()));
        }
        let number = number.parse::<u64>().map_err(|_| refused("it is too long".into()))?;
        // Seven units at most, each under 2^64 days: far from the end of 128 bits.
        total += u128::from(number) * nanos;
        last = nanos;
        rest = after.trim_start();
    }
    if total / 1_000_000 > u128::from(i64::MAX.unsigned_abs()) {
        return Err(refused("it is too long".into()));
    }
    duration(total).ok_or_else(|| refused("it is too long".into()))
}

/// Give a unit's nanoseconds, or what to write in its place.
fn known_unit(number: &str, label: &str) -> Result<u128, String> {
    match label {
        "" if number.bytes().all(|digit| digit == b'0') => Err("it has no unit, write 0s".into()),
        "" => Err(format!("it has no unit, write {number}s for seconds or {number}h for hours")),
        "M" => Err(format!("M may be minutes or months, write {number}m for minutes or days for months")),
        _ => unit(label).ok_or_else(|| match label.to_lowercase().as_str() {
            "w" | "week" | "weeks" => match number.parse::<u64>().ok().and_then(|n| n.checked_mul(7)) {
                Some(days) => format!("weeks are no unit here, write {days}d"),
                None => "it is too long".into(),
            },
            "mo" | "mon" | "month" | "months" | "y" | "yr" | "year" | "years" => {
                "months and years differ in length, write days, such as 30d".into()
            }
            "us" | "\u{3bc}s" => format!("write {number}micros for microseconds"),
            _ => format!("{label:?} is no unit, {HOW}"),
        }),
    }
}

/// Show a duration by its two largest neighbouring units, cut off below: `2d 3h`, `59s`, `250ms`.
///
/// What has no more than these two reads back equal with [`parse`].
pub fn format(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let names = ["d", "h", "m", "s", "ms", "µs", "ns"];
    let Some(first) = UNITS.iter().position(|(_, unit)| nanos >= *unit) else { return "0s".into() };
    let (large, rest) = (nanos / UNITS[first].1, nanos % UNITS[first].1);
    // Below a minute one unit says enough.
    let second = if first < 3 { rest / UNITS[first + 1].1 } else { 0 };
    if second == 0 {
        format!("{large}{}", names[first])
    } else {
        format!("{large}{} {second}{}", names[first], names[first + 1])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::error::Kind;

    #[test]
    fn fluss_takes_these() {
        for (text, seconds) in [
            ("24h", 86_400),
            (" 24 h ", 86_400),
            ("24HOURS", 86_400),
            ("1M", 60),
            ("1 min", 60),
            ("7 days", 604_800),
            ("0s", 0),
            ("9223372036854775807s", i64::MAX.unsigned_abs()),
        ] {
            assert_eq!(parse_fluss(text).unwrap(), Duration::from_secs(seconds), "{text}");
        }
        assert_eq!(parse_fluss("5 µs").unwrap(), Duration::from_micros(5));
        assert_eq!(parse_fluss("5Nanos").unwrap(), Duration::from_nanos(5));
        for (labels, nanos) in UNITS {
            for label in labels {
                let want = duration(nanos * 3);
                assert_eq!(parse_fluss(&format!("3{label}")).ok(), want, "{label}");
                assert_eq!(parse(&format!("3 {label}")).ok(), want, "{label}");
            }
        }
    }

    #[test]
    fn fluss_refuses_these() {
        for text in [
            "24",
            "0",
            "PT24H",
            "1.5h",
            "1h30m",
            "-1h",
            "1w",
            "",
            " ",
            "h",
            "+1h",
            "1us",
            "\"24h\"",
            "9223372036854775808ns",
            "9223372036854775807m",
        ] {
            assert_eq!(parse_fluss(text).unwrap_err().kind(), Kind::Usage, "{text}");
        }
    }

    #[test]
    fn the_command_line_takes_these() {
        for (text, seconds) in [
            ("1h30m", 5_400),
            ("1h 30m", 5_400),
            ("1 h 30 min", 5_400),
            ("2d3h4m5s", 183_845),
            ("1m", 60),
            ("0s", 0),
            ("24H", 86_400),
            ("007s", 7),
        ] {
            assert_eq!(parse(text).unwrap(), Duration::from_secs(seconds), "{text}");
        }
        assert_eq!(parse("9223372036854775807ms").unwrap(), Duration::from_millis(i64::MAX.unsigned_abs()));
    }

    #[test]
    fn the_command_line_refuses_these_and_says_what_to_write() {
        for (text, want) in [
            ("", "such as 24h"),
            ("86400", "write 86400s"),
            ("0", "write 0s"),
            ("-1h", "no sign"),
            ("1h-30m", "no sign"),
            ("1.5h", "write 1h30m"),
            ("1w", "write 7d"),
            ("18446744073709551615w", "too long"),
            ("1mo", "write days"),
            ("1y", "write days"),
            ("1M", "write 1m for minutes"),
            ("1h30M", "write 30m for minutes"),
            ("1h30", "no unit"),
            ("1h1h", "each unit once"),
            ("1m1h", "longer before the shorter"),
            ("1us", "write 1micros"),
            ("PT24H", "such as 24h"),
            ("1 fortnight", "no unit"),
            ("9223372036854775808ms", "too long"),
            ("99999999999999999999d", "too long"),
            ("1h\u{202e}", "such as 24h"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.kind(), Kind::Usage);
            assert!(error.to_string().contains(want), "{text}: {error}");
            assert!(!error.to_string().contains('\u{202e}'));
        }
    }

    #[test]
    fn the_display_is_compact() {
        for (duration, want) in [
            (Duration::ZERO, "0s"),
            (Duration::from_secs(59), "59s"),
            (Duration::from_millis(59_999), "59s"),
            (Duration::from_millis(250), "250ms"),
            (Duration::from_secs(183_845), "2d 3h"),
            (Duration::from_secs(86_400 + 59), "1d"),
            (Duration::from_secs(90), "1m 30s"),
            (Duration::from_nanos(1_500), "1µs"),
        ] {
            assert_eq!(format(duration), want);
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>(), like in "[0-9]{0,22} ?[a-zA-Zµ.-]{0,4}[0-9]{0,3}[hmsd]?") {
            let _ = (parse(&text), parse_fluss(&text), parse(&like), parse_fluss(&like));
        }

        #[test]
        fn two_units_read_back(first in 0..4_usize, large in 1..10_000_u64, small in 0..24_u64) {
            let second = if first < 3 { u128::from(small) * UNITS[first + 1].1 } else { 0 };
            let given = duration(u128::from(large) * UNITS[first].1 + second).unwrap();
            // Only what has no third unit is shown whole.
            prop_assume!(first == 0 || u128::from(large) * UNITS[first].1 + second < UNITS[first - 1].1);
            prop_assert_eq!(parse(&format(given)).unwrap(), given);
        }
    }
}
