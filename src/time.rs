//! Times and durations for people and for machines. Milliseconds since 1970, UTC, as Fluss keeps them.

use jiff::Timestamp;

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Show a time as `2026-12-01 15:04:05Z`; one that no calendar holds as its number.
pub fn absolute(ms: i64) -> String {
    calendar(ms).map_or_else(
        || format!("{ms} ms (no calendar date)"),
        |time| time.strftime("%Y-%m-%d %H:%M:%SZ").to_string(),
    )
}

/// Show a time as RFC 3339 with milliseconds, `2026-12-01T15:04:05.678Z`; `None` outside of the years 0 to 9999.
pub fn rfc3339(ms: i64) -> Option<String> {
    calendar(ms).map(|time| format!("{time:.3}"))
}

/// Show how far a time is from now: `in 3h 12m`, `5m ago`, `now` within a second.
pub fn left(ms: i64, now_ms: i64) -> String {
    let distance = ms.abs_diff(now_ms);
    if distance < SECOND {
        "now".to_owned()
    } else if ms > now_ms {
        format!("in {}", duration(distance))
    } else {
        format!("{} ago", duration(distance))
    }
}

/// Show a duration in milliseconds by its two largest units, cut, not rounded: `3h 12m`, `45s`, `350ms`.
pub fn duration(ms: u64) -> String {
    let (large, small, unit) = match ms {
        DAY.. => ((ms / DAY, "d"), ms % DAY / HOUR, "h"),
        HOUR.. => ((ms / HOUR, "h"), ms % HOUR / MINUTE, "m"),
        MINUTE.. => ((ms / MINUTE, "m"), ms % MINUTE / SECOND, "s"),
        SECOND.. => ((ms / SECOND, "s"), 0, ""),
        _ => ((ms, "ms"), 0, ""),
    };
    let (count, name) = large;
    if small == 0 { format!("{count}{name}") } else { format!("{count}{name} {small}{unit}") }
}

/// Years below 0 have no RFC 3339 form, and nobody means them.
fn calendar(ms: i64) -> Option<Timestamp> {
    const YEAR_0: i64 = -62_167_219_200_000;
    if ms < YEAR_0 { None } else { Timestamp::from_millisecond(ms).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_utc_and_survive_nonsense() {
        assert_eq!(absolute(1_796_137_445_678), "2026-12-01 15:04:05Z");
        assert_eq!(absolute(0), "1970-01-01 00:00:00Z");
        assert_eq!(absolute(i64::MAX), "9223372036854775807 ms (no calendar date)");
        assert_eq!(absolute(i64::MIN), "-9223372036854775808 ms (no calendar date)");
        assert_eq!(absolute(-62_167_219_200_000), "0000-01-01 00:00:00Z");
        assert_eq!(absolute(-62_167_219_200_001), "-62167219200001 ms (no calendar date)");
    }

    #[test]
    fn machine_times_have_milliseconds() {
        assert_eq!(rfc3339(1_796_137_445_678).as_deref(), Some("2026-12-01T15:04:05.678Z"));
        assert_eq!(rfc3339(1_796_137_445_000).as_deref(), Some("2026-12-01T15:04:05.000Z"));
        assert_eq!(rfc3339(-62_167_219_200_000).as_deref(), Some("0000-01-01T00:00:00.000Z"));
        for ms in [i64::MAX, i64::MIN, -62_167_219_200_001] {
            assert_eq!(rfc3339(ms), None);
        }
    }

    #[test]
    fn distances_show_their_two_largest_units() {
        let now = 1_000_000_000_000;
        let table: [(i64, &str); 9] = [
            (0, "now"),
            (-999, "now"),
            (1_000, "in 1s"),
            (-300_000, "5m ago"),
            (-301_500, "5m 1s ago"),
            (11_520_000, "in 3h 12m"),
            (86_400_000, "in 1d"),
            (90_060_000, "in 1d 1h"),
            (86_460_000, "in 1d"),
        ];
        for (offset, shown) in table {
            assert_eq!(left(now + offset, now), shown);
        }
        assert_eq!(left(i64::MAX, i64::MIN), "in 213503982334d 14h");
        assert_eq!(left(i64::MIN, i64::MAX), "213503982334d 14h ago");
        assert_eq!(duration(350), "350ms");
        assert_eq!(duration(0), "0ms");
    }
}
