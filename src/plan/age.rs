//! When something is old enough: the cutoff of orphans, the grace of expired snapshots, clocks that disagree.

use std::time::Duration;

use crate::error::{Error, Kind, Result};

/// How far past its expiry a snapshot must be before it is deleted, in milliseconds: readers judge by their own clocks.
pub const GRACE_MS: i64 = 60_000;

/// How far two clocks may lie apart, in milliseconds, before nothing is deleted by either.
pub const CLOCKS_APART_MS: i64 = 60_000;

/// How old an orphan must be by default, and how old at the least without and with `--force`.
const DEFAULT: Duration = Duration::from_hours(72);
const UNFORCED: Duration = Duration::from_hours(24);
const FLOOR: Duration = Duration::from_mins(10);

/// What `--older-than` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OlderThan {
    /// An age.
    Age(Duration),
    /// A time in milliseconds since the epoch.
    Time(i64),
}

/// Freeze the cutoff in milliseconds: what was last written after it is too recent to be an orphan.
///
/// By default the longer of 3 days and the cluster's own TTL. Under a day needs `force`, under 10 minutes is refused.
pub fn cutoff_ms(
    older_than: Option<OlderThan>,
    cluster_ttl: Duration,
    force: bool,
    now_ms: i64,
) -> Result<i64> {
    let default = DEFAULT.max(cluster_ttl);
    let cutoff = match older_than {
        None => now_ms.saturating_sub(millis(default)),
        Some(OlderThan::Age(age)) => now_ms.saturating_sub(millis(age)),
        Some(OlderThan::Time(time)) => time,
    };
    let age = now_ms.saturating_sub(cutoff);
    if age < 0 {
        return Err(Error::usage("--older-than is a time in the future"));
    }
    if age < millis(FLOOR) {
        return Err(Error::usage(
            "--older-than is under 10 minutes: a register that is under way would lose its files",
        ));
    }
    if age < millis(UNFORCED) && !force {
        return Err(Error::usage("--older-than is under a day").hint("if that is meant, add --force"));
    }
    Ok(cutoff)
}

/// Refuse to go on where two clocks disagree by more than a minute.
pub fn require_clocks_agree(clocks: &[(&str, i64)]) -> Result<()> {
    for (at, (one, one_ms)) in clocks.iter().enumerate() {
        for (other, other_ms) in &clocks[at + 1..] {
            let apart = one_ms.saturating_sub(*other_ms);
            if apart.saturating_abs() > CLOCKS_APART_MS {
                let seconds = apart.saturating_abs() / 1000;
                let relation = if apart > 0 { "ahead of" } else { "behind" };
                return Err(Error::new(
                    Kind::Failed,
                    format!("the clock of {one} is {seconds} s {relation} that of {other}"),
                )
                .hint("nothing was deleted; set the clocks right, then run it again"));
            }
        }
    }
    Ok(())
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 24 * 3600;
    const NOW: i64 = 1_800_000_000_000;

    fn age(seconds: u64) -> OlderThan {
        OlderThan::Age(Duration::from_secs(seconds))
    }

    #[test]
    fn the_default_is_the_longer_of_three_days_and_the_ttl() {
        let day = Duration::from_secs(DAY);
        assert_eq!(cutoff_ms(None, day, false, NOW).unwrap(), NOW - 3 * 86_400_000);
        assert_eq!(cutoff_ms(None, 7 * day, false, NOW).unwrap(), NOW - 7 * 86_400_000);
    }

    #[test]
    fn what_is_short_is_forced_and_what_is_too_short_refused() {
        let ttl = Duration::from_secs(DAY);
        assert!(cutoff_ms(Some(age(DAY)), ttl, false, NOW).is_ok());
        assert!(cutoff_ms(Some(age(DAY - 1)), ttl, false, NOW).is_err());
        assert!(cutoff_ms(Some(age(600)), ttl, true, NOW).is_ok());
        for (older_than, force) in [
            (Some(age(0)), true),
            (Some(age(599)), true),
            (Some(OlderThan::Time(NOW + 1)), true),
            (Some(OlderThan::Time(NOW)), true),
        ] {
            assert!(cutoff_ms(older_than, ttl, force, NOW).is_err());
        }
    }

    #[test]
    fn clocks_a_minute_apart_agree_and_more_do_not() {
        assert!(require_clocks_agree(&[("a", 0), ("b", 60_000), ("c", 30_000)]).is_ok());
        let error = require_clocks_agree(&[("this host", 100_000), ("ZooKeeper", 100_000), ("store", 0)])
            .unwrap_err();
        assert_eq!(error.message(), "the clock of this host is 100 s ahead of that of store");
        assert!(require_clocks_agree(&[("a", i64::MIN), ("b", i64::MAX)]).is_err());
    }
}
