//! Where each value of a run comes from: flag, environment, `-D`, the cluster's file, default.

mod inputs;
mod lookup;
#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use self::lookup::{Lookup, name, number};
use super::options::{ColorChoice, Format, GlobalOptions};
use crate::config::origin::{Deferred, Explained, Origin, Sourced};
use crate::config::sources::{self, Sources};
use crate::config::zookeeper::{Resolved, ZooKeeperSettings};
use crate::config::{Env, access, duration, secret};
use crate::error::{Error, Result};

pub use self::inputs::PASSWORD_VARIABLE;

/// How the answer and everything beside it look; needs no file, so that an error can be shown by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appearance {
    /// The form of the answer.
    pub output: Sourced<Format>,
    /// When to use colour.
    pub color: Sourced<ColorChoice>,
    /// Whether to tell errors alone.
    pub quiet: Sourced<bool>,
    /// How much to tell beside the answer, 0 to 2.
    pub verbosity: Sourced<u8>,
}

impl Appearance {
    /// Look at flags and environment.
    ///
    /// # Errors
    /// `Usage`, naming the variable, for one that is empty or not understood.
    pub fn resolve(options: &GlobalOptions, env: &Env<'_>) -> Result<Self> {
        let look = Lookup { env };
        let verbosity = if options.verbose > 0 {
            Sourced::new(options.verbose.min(2), Origin::Flag("--verbose"))
        } else {
            look.parsed("--verbose", None, |text| number(text, 0, 2))?
                .map_or(Sourced::default_value(0), |found| {
                    Sourced::new(u8::try_from(found.value).unwrap_or(2), found.origin)
                })
        };
        Ok(Self {
            output: look.choice("--output", options.output)?.unwrap_or(Sourced::default_value(Format::Table)),
            color: look
                .choice("--color", options.color)?
                .unwrap_or(Sourced::default_value(ColorChoice::Auto)),
            quiet: look.switch("--quiet", options.quiet)?.unwrap_or(Sourced::default_value(false)),
            verbosity,
        })
    }
}

/// All values of a run. What only some commands need is refused only when it is asked for.
#[derive(Clone)]
pub struct Settings {
    /// How the answer looks.
    pub appearance: Appearance,
    /// The longest that one request may take, tries included.
    pub request_timeout: Sourced<Duration>,
    /// The longest that the whole command may take, if there is a limit.
    pub timeout: Option<Sourced<Duration>>,
    /// How many requests run side by side, 1 to 1024.
    pub concurrency: Sourced<usize>,
    /// The most requests in a second, if there is a limit.
    pub max_ops_per_second: Option<Sourced<u32>>,
    /// Whether every change is refused.
    pub read_only: Sourced<bool>,
    /// Whether no other cluster has its snapshots in the remote data dir.
    pub dir_is_only_ours: Sourced<bool>,
    /// The `server.yaml` keys that are set, the file systems' among them.
    pub server: Sources,
    /// Sentences to tell unless `--quiet` is set; no secret is in them.
    pub warnings: Vec<String>,
    zookeeper: Deferred<Resolved>,
    remote_data_dir: Deferred<Sourced<String>>,
    producer_offsets_ttl: Deferred<Sourced<Duration>>,
}

/// As [`Settings::explain`] tells it, so that no secret shows.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.explain()).finish()
    }
}

impl Settings {
    /// Lay the sources over each other, reading the files that they name and nothing else.
    ///
    /// # Errors
    /// `Usage` for what is refused, naming where it was written; `NotPermitted` for a file without rights.
    pub fn resolve(options: &GlobalOptions, env: &Env<'_>) -> Result<Self> {
        let look = Lookup { env };
        let mut warnings = Vec::new();
        let definitions = inputs::definitions(options, &look)?;
        let connect = look.text("--zookeeper", options.zookeeper.as_ref())?;
        let names_a_cluster =
            connect.is_some() || definitions.iter().any(|(key, ..)| key == "zookeeper.address");
        let file = inputs::cluster_file(options, &look, names_a_cluster, &mut warnings)?;
        let yaml = file.as_ref().map(|file| sources::read(&file.value, &mut warnings)).transpose()?;
        let server =
            Sources::new(&definitions, file.as_ref().map(|f| f.value.clone()).zip(yaml.as_ref()), env)?;

        let remote = look.text("--remote-data-dir", options.remote_data_dir.as_ref())?;
        let root = look.text("--zookeeper-root", options.zookeeper_root.as_ref())?;
        if let Some(file) = file.filter(|file| matches!(file.origin, Origin::Flag(_))) {
            for (key, over) in [
                ("zookeeper.address", &connect),
                ("zookeeper.path.root", &root),
                ("remote.data.dir", &remote),
            ] {
                warnings.extend(over.as_ref().and_then(|over| inputs::overridden(key, over, &server, &file)));
            }
        }
        let zookeeper = inputs::explicit(options, &look, connect, root, &server, &mut warnings)
            .and_then(|explicit| access::resolve(&explicit));
        if let Ok(resolved) = &zookeeper {
            warnings.extend(resolved.warnings.iter().cloned());
        }
        let positive = |text: &str| match duration::parse(text)? {
            Duration::ZERO => Err(Error::usage("it must be longer than nothing")),
            // Any longer is a slip, and clocks need not be able to add it.
            long if long > Duration::from_hours(365 * 24) => Err(Error::usage("it must be at most 365d")),
            some => Ok(some),
        };
        let timeout = look.parsed("--timeout", options.timeout.as_ref(), positive)?;
        let request_timeout = look.parsed("--request-timeout", options.request_timeout.as_ref(), positive)?;
        let concurrency =
            look.parsed("--concurrency", options.concurrency.as_ref(), |text| number(text, 1, 1024))?;
        let max_ops = look.parsed("--max-ops-per-second", options.max_ops_per_second.as_ref(), |text| {
            number(text, 1, u32::MAX)
        })?;
        Ok(Self {
            appearance: Appearance::resolve(options, env)?,
            request_timeout: request_timeout.unwrap_or(Sourced::default_value(Duration::from_secs(30))),
            timeout,
            concurrency: concurrency
                .map_or(Sourced::default_value(16), |found| Sourced::new(found.value as usize, found.origin)),
            max_ops_per_second: max_ops,
            read_only: inputs::read_only(options, &look, &server)?,
            dir_is_only_ours: server.is_true(sources::DIR_IS_ONLY_OURS)?,
            zookeeper: zookeeper.into(),
            remote_data_dir: inputs::remote_data_dir(remote, &server).into(),
            producer_offsets_ttl: inputs::producer_offsets_ttl(&server).into(),
            server,
            warnings,
        })
    }

    /// Give what is needed to connect to `ZooKeeper`.
    ///
    /// # Errors
    /// `Usage` when no address is given, or one of its settings is refused.
    pub fn zookeeper(&self) -> Result<&ZooKeeperSettings> {
        Ok(&self.zookeeper.get()?.settings)
    }

    /// Give the remote data dir as it is written.
    ///
    /// # Errors
    /// `Usage` when there is none.
    pub fn remote_data_dir(&self) -> Result<&Sourced<String>> {
        self.remote_data_dir.get()
    }

    /// Give the cluster's `coordinator.producer-offsets.ttl`, Fluss's 24 hours where it is not set.
    ///
    /// # Errors
    /// `Usage` for what Fluss would refuse.
    pub fn producer_offsets_ttl(&self) -> Result<&Sourced<Duration>> {
        self.producer_offsets_ttl.get()
    }

    /// Tell every setting with its value, secrets as `***`, and its origin; what is refused is left out.
    pub fn explain(&self) -> Vec<Explained> {
        let Appearance { output, color, quiet, verbosity } = &self.appearance;
        let mut rows = self.zookeeper.get().map(|found| found.explained.clone()).unwrap_or_default();
        if let Ok(dir) = self.remote_data_dir() {
            rows.push(Explained::new("remote.data.dir", secret::without_password(&dir.value), &dir.origin));
        }
        if let Ok(ttl) = self.producer_offsets_ttl() {
            rows.push(Explained::new(inputs::PRODUCER_OFFSETS_TTL, duration::format(ttl.value), &ttl.origin));
        }
        let told = |rows: &[Explained], key: &str| rows.iter().any(|row| row.key == key);
        let others = FILE_SYSTEM_PREFIXES.iter().flat_map(|prefix| self.server.explain(prefix));
        rows.extend(others);
        // What was set by hand is told even where nothing makes use of it: a misspelled key shows here.
        for row in self.server.explain("") {
            let by_hand = !matches!(row.origin, Origin::File { .. });
            if by_hand && !row.key.starts_with("flussctl.") && !told(&rows, &row.key) {
                rows.push(row);
            }
        }
        let timeout = |found: &Sourced<Duration>| (duration::format(found.value), found.origin.clone());
        let none = || ("none".to_owned(), Origin::Default);
        for (key, (value, origin)) in [
            ("--request-timeout", timeout(&self.request_timeout)),
            ("--timeout", self.timeout.as_ref().map_or_else(none, timeout)),
            ("--concurrency", (self.concurrency.value.to_string(), self.concurrency.origin.clone())),
            (
                "--max-ops-per-second",
                self.max_ops_per_second
                    .as_ref()
                    .map_or_else(none, |found| (found.value.to_string(), found.origin.clone())),
            ),
            ("--read-only", (self.read_only.value.to_string(), self.read_only.origin.clone())),
            (
                sources::DIR_IS_ONLY_OURS,
                (self.dir_is_only_ours.value.to_string(), self.dir_is_only_ours.origin.clone()),
            ),
            ("--output", (name(&output.value), output.origin.clone())),
            ("--color", (name(&color.value), color.origin.clone())),
            ("--quiet", (quiet.value.to_string(), quiet.origin.clone())),
            ("--verbose", (verbosity.value.to_string(), verbosity.origin.clone())),
        ] {
            rows.push(Explained::new(key, value, &origin));
        }
        rows
    }
}

/// Begin the keys of the file systems, which matter as much as an address.
const FILE_SYSTEM_PREFIXES: [&str; 12] = [
    "s3.",
    "s3a.",
    "fs.",
    "oss.",
    "azure.",
    "gs.",
    "obs.",
    "cosn.",
    "fluss.hadoop.",
    "config.providers",
    "remote.data.dirs",
    "zookeeper.client.config-path",
];
