//! Free ports on 127.0.0.1.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// Below the range from which the kernel gives ports to outgoing connections, so that none of these takes ours meanwhile.
const FIRST: u16 = 12_000;
const COUNT: u16 = 20_000;

/// Give a port that nobody listens on and that no other test of this run was given.
pub fn free() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Runs side by side start apart.
    let start = u16::try_from(std::process::id() % 200).expect("below 200") * 100;
    loop {
        let port = FIRST + (start + NEXT.fetch_add(1, Ordering::Relaxed)) % COUNT;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
