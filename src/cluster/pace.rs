//! Keeps to `--max-ops-per-second`: what we ask of ZooKeeper and of the store, together.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

/// Let operations through at a bounded rate, or all at once where none is set.
#[derive(Debug)]
pub struct Pace {
    interval: Option<Duration>,
    next: Mutex<Instant>,
}

impl Pace {
    /// Allow so many operations a second.
    pub fn new(per_second: Option<u32>) -> Self {
        let interval = per_second.filter(|&n| n > 0).map(|n| Duration::from_secs(1) / n);
        Self { interval, next: Mutex::new(Instant::now()) }
    }

    /// Wait until `operations` more may be asked.
    pub async fn take(&self, operations: usize) {
        let Some(interval) = self.interval else { return };
        let start = {
            let mut next = self.next.lock().await;
            let start = (*next).max(Instant::now());
            *next = start + interval * u32::try_from(operations).unwrap_or(u32::MAX);
            start
        };
        sleep_until(start).await;
    }
}
