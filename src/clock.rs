//! This host's clock, the one place that reads it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Give the time in milliseconds since the epoch.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX).saturating_add(crate::fault::clock_skew_ms())
}
