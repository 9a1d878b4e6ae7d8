//! The steps at which tests pause and kill the program, and the knobs they turn. Compiled only with `fault-points`.
//!
//! Without the feature everything here is empty: a released program has no step to be stopped at and no clock to be skewed.

use std::time::Duration;

/// Pass a step; with the feature, stop there while the tests say so.
#[cfg(not(feature = "fault-points"))]
#[allow(clippy::unused_async)]
pub async fn point(_name: &str) {}

/// Give a wait as it is; with the feature, as the tests shorten it.
#[cfg(not(feature = "fault-points"))]
pub const fn shortened(wait: Duration) -> Duration {
    wait
}

/// Give the skew of the clock in milliseconds.
#[cfg(not(feature = "fault-points"))]
pub const fn clock_skew_ms() -> i64 {
    0
}

/// How often the wanted step was passed, this time included.
#[cfg(feature = "fault-points")]
static PASSED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(1);

/// Stop at the step named by `FLUSSCTL_FAULT_POINT`: say so in `FLUSSCTL_FAULT_DIR` and go on once told to there.
/// `name#2` is the second time that the step is passed.
#[cfg(feature = "fault-points")]
pub async fn point(name: &str) {
    let (Ok(wanted), Ok(folder)) =
        (std::env::var("FLUSSCTL_FAULT_POINT"), std::env::var("FLUSSCTL_FAULT_DIR"))
    else {
        return;
    };
    let (step, time) = wanted.split_once('#').unwrap_or((&wanted, "1"));
    if step != name {
        return;
    }
    if time != PASSED.fetch_add(1, std::sync::atomic::Ordering::Relaxed).to_string() {
        return;
    }
    let name = &wanted;
    let folder = std::path::Path::new(&folder);
    if tokio::fs::write(folder.join(format!("{name}.reached")), b"").await.is_err() {
        return;
    }
    let go = folder.join(format!("{name}.go"));
    while !tokio::fs::try_exists(&go).await.unwrap_or(true) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Give the wait of `FLUSSCTL_FAULT_READER_WAIT` (milliseconds) in the place of the true one.
#[cfg(feature = "fault-points")]
pub fn shortened(wait: Duration) -> Duration {
    let set = std::env::var("FLUSSCTL_FAULT_READER_WAIT").ok();
    set.and_then(|ms| ms.trim_end_matches("ms").parse().ok()).map_or(wait, Duration::from_millis)
}

/// Give the skew of `FLUSSCTL_FAULT_CLOCK_MS`, in milliseconds.
#[cfg(feature = "fault-points")]
pub fn clock_skew_ms() -> i64 {
    std::env::var("FLUSSCTL_FAULT_CLOCK_MS").ok().and_then(|ms| ms.parse().ok()).unwrap_or(0)
}
