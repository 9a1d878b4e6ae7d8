//! Where the servers come from: the class paths that `tests/servers/prepare.sh` resolved.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::thread;

use super::process::mortal;

/// Name one of the pom's profiles: what shares a class path.
#[derive(Clone, Copy, Debug)]
pub enum ClassPath {
    /// A ZooKeeper server.
    ZooKeeper,
    /// A Fluss coordinator or tablet server.
    Fluss,
    /// Fluss's Java client with our `Peer` class.
    Peer,
}

impl ClassPath {
    const fn profile(self) -> &'static str {
        match self {
            Self::ZooKeeper => "zookeeper",
            Self::Fluss => "fluss",
            Self::Peer => "peer",
        }
    }

    fn read(self) -> String {
        if let Err(why) = &*PREPARED {
            panic!("no servers: {why}");
        }
        let file = folder().join(format!("{}.cp", self.profile()));
        let jars = fs::read_to_string(&file).unwrap_or_else(|e| panic!("read {}: {e}", file.display()));
        match self {
            Self::Peer => format!("{}:{}", folder().join("peer").display(), jars.trim()),
            Self::ZooKeeper | Self::Fluss => jars.trim().to_owned(),
        }
    }
}

/// Begin the command line of a JVM; the options of the JVM, the main class and its arguments follow.
pub fn java(class_path: ClassPath) -> Command {
    let mut java = mortal("java");
    // One serial collector and no second compiler: many JVMs start side by side on few cores.
    java.args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"]);
    java.args(["-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", &class_path.read()]);
    java
}

/// Say whether the servers can be had; where not, say loudly that the test is skipped, or fail it where it must run.
pub fn available() -> bool {
    let Err(why) = &*PREPARED else { return true };
    let demanded = ["CI", "FLUSSCTL_REQUIRE_SERVERS"]
        .iter()
        .any(|name| std::env::var(name).is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false")));
    assert!(!demanded, "the servers are demanded and missing: {why}");
    // Not through `eprintln!`, which the test runner keeps to itself while a test passes.
    let test = thread::current();
    let _ = writeln!(io::stderr(), "SKIPPED: {} wants servers: {why}", test.name().unwrap_or("a test"));
    false
}

/// What came of preparing the servers: nothing, or why there are none.
static PREPARED: LazyLock<Result<(), String>> = LazyLock::new(|| {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/prepare.sh");
    let output = Command::new(&script).output().map_err(|e| format!("run {}: {e}", script.display()))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
});

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/servers")
}
