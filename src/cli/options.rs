//! The options of every command, as they stand on the command line.
//!
//! They are only taken apart here. [`super::settings`] looks at the environment and the files, so that `--help` and
//! `completions` work where these are broken; this is also why clap does not read the variables itself.

// The doc comments here are the help texts, which show no Markdown.
#![allow(clippy::doc_markdown)]

use std::convert::Infallible;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{ArgAction, Args, ValueEnum, ValueHint};

pub use super::terminal::ColorChoice;
use crate::error::{Error, Result};
pub use crate::render::Format;

/// How to authenticate with `ZooKeeper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ZooKeeperAuth {
    /// SASL DIGEST-MD5
    Sasl,
    /// ZooKeeper's own digest scheme
    Digest,
}

/// The text of a `-D key=value`, which may hold a secret and so never shows itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Definition(pub String);

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Nothing is refused here: clap's message would repeat the text.
impl FromStr for Definition {
    type Err = Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

/// The global options, absent where they are not on the command line.
#[derive(Args, Clone, Default)]
pub struct GlobalOptions {
    /// ZooKeeper's connect string, as in h1:2181,h2:2181/chroot [env: FLUSSCTL_ZOOKEEPER]
    #[arg(long, global = true, value_name = "CONNECT", help_heading = CLUSTER, value_hint = ValueHint::Hostname)]
    pub zookeeper: Option<String>,

    /// The cluster's root path in ZooKeeper [default: /fluss] [env: FLUSSCTL_ZOOKEEPER_ROOT]
    #[arg(long, global = true, value_name = "PATH", help_heading = CLUSTER, value_hint = ValueHint::Other)]
    pub zookeeper_root: Option<String>,

    /// The cluster's remote.data.dir [env: FLUSSCTL_REMOTE_DATA_DIR]
    #[arg(long, global = true, value_name = "URI", help_heading = CLUSTER, value_hint = ValueHint::DirPath)]
    pub remote_data_dir: Option<String>,

    /// Take addresses, paths and credentials from the cluster's own server.yaml [env: FLUSSCTL_SERVER_CONFIG]
    #[arg(long, global = true, value_name = "FILE", help_heading = CLUSTER, value_hint = ValueHint::FilePath)]
    pub server_config: Option<PathBuf>,

    /// Take them from $XDG_CONFIG_HOME/flussctl/NAME.yaml, in the form of a server.yaml [env: FLUSSCTL_CLUSTER]
    #[arg(long, global = true, value_name = "NAME", help_heading = CLUSTER, value_hint = ValueHint::Other)]
    pub cluster: Option<String>,

    /// Set one key of server.yaml; repeatable [env: FLUSSCTL_DEFINE, a line each]
    #[arg(short = 'D', long, global = true, value_name = "KEY=VALUE", help_heading = CLUSTER)]
    #[arg(action = ArgAction::Append, value_hint = ValueHint::Other)]
    pub define: Vec<Definition>,

    /// Refuse every change to the cluster [env: FLUSSCTL_READ_ONLY]
    #[arg(long, global = true, help_heading = CLUSTER)]
    pub read_only: bool,

    /// Connect to ZooKeeper with TLS [env: FLUSSCTL_ZOOKEEPER_TLS]
    #[arg(long, global = true, help_heading = SECURITY)]
    pub zookeeper_tls: bool,

    /// The certificates to trust, PEM; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CA]
    #[arg(long, global = true, value_name = "FILE", help_heading = SECURITY, value_hint = ValueHint::FilePath)]
    pub zookeeper_tls_ca: Option<PathBuf>,

    /// The client's certificate, PEM, its key too where that has no file; turns TLS on [env: FLUSSCTL_ZOOKEEPER_TLS_CERT]
    #[arg(long, global = true, value_name = "FILE", help_heading = SECURITY, value_hint = ValueHint::FilePath)]
    pub zookeeper_tls_cert: Option<PathBuf>,

    /// The client's key, PEM [env: FLUSSCTL_ZOOKEEPER_TLS_KEY]
    #[arg(long, global = true, value_name = "FILE", help_heading = SECURITY, value_hint = ValueHint::FilePath)]
    pub zookeeper_tls_key: Option<PathBuf>,

    /// How to authenticate [env: FLUSSCTL_ZOOKEEPER_AUTH]
    #[arg(long, global = true, value_name = "SCHEME", help_heading = SECURITY)]
    pub zookeeper_auth: Option<ZooKeeperAuth>,

    /// The user to authenticate as [env: FLUSSCTL_ZOOKEEPER_USER]
    #[arg(long, global = true, value_name = "NAME", help_heading = SECURITY, value_hint = ValueHint::Username)]
    pub zookeeper_user: Option<String>,

    /// The file with the user's password; the password itself only as FLUSSCTL_ZOOKEEPER_PASSWORD [env: FLUSSCTL_ZOOKEEPER_PASSWORD_FILE]
    #[arg(long, global = true, value_name = "FILE", help_heading = SECURITY, value_hint = ValueHint::FilePath)]
    pub zookeeper_password_file: Option<PathBuf>,

    /// The form of the answer [default: table] [env: FLUSSCTL_OUTPUT]
    #[arg(short, long, global = true, value_name = "FORMAT", help_heading = OUTPUT)]
    pub output: Option<Format>,

    /// When to use colour [default: auto] [env: FLUSSCTL_COLOR]
    #[arg(long, global = true, value_name = "WHEN", help_heading = OUTPUT)]
    pub color: Option<ColorChoice>,

    /// Tell errors alone, no progress and no warnings [env: FLUSSCTL_QUIET]
    #[arg(short, long, global = true, help_heading = OUTPUT)]
    pub quiet: bool,

    /// Tell where each value comes from; -vv what goes on underneath [env: FLUSSCTL_VERBOSE, 0 to 2]
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = OUTPUT)]
    pub verbose: u8,

    /// The longest that one request may take, tries included [default: 30s] [env: FLUSSCTL_REQUEST_TIMEOUT]
    #[arg(long, global = true, value_name = "DURATION", help_heading = LIMITS, value_hint = ValueHint::Other)]
    pub request_timeout: Option<String>,

    /// The longest that the whole command may take, prompts not counted [default: none] [env: FLUSSCTL_TIMEOUT]
    #[arg(long, global = true, value_name = "DURATION", help_heading = LIMITS, value_hint = ValueHint::Other)]
    pub timeout: Option<String>,

    /// How many requests run side by side, 1 to 1024 [default: 16] [env: FLUSSCTL_CONCURRENCY]
    #[arg(long, global = true, value_name = "N", help_heading = LIMITS, value_hint = ValueHint::Other)]
    pub concurrency: Option<String>,

    /// The most requests in a second, of ZooKeeper and for deletions in the store [default: no limit] [env: FLUSSCTL_MAX_OPS_PER_SECOND]
    #[arg(long, global = true, value_name = "N", help_heading = LIMITS, value_hint = ValueHint::Other)]
    pub max_ops_per_second: Option<String>,
}

/// Nothing of it: an address may hold a password.
impl fmt::Debug for GlobalOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GlobalOptions").finish_non_exhaustive()
    }
}

const CLUSTER: &str = "Cluster options";
const SECURITY: &str = "ZooKeeper security options";
const OUTPUT: &str = "Output options";
const LIMITS: &str = "Limit options";

impl GlobalOptions {
    /// Refuse definitions that clap lost: of `-D a=1 list -D b=2` it keeps those of the verb alone.
    ///
    /// # Errors
    /// `Usage` when `arguments`, the whole command line, has more of them than were kept.
    pub fn check_definitions(&self, arguments: &[OsString]) -> Result<()> {
        let given = arguments
            .iter()
            .map(|argument| argument.to_string_lossy())
            .take_while(|argument| argument != "--")
            .filter(|argument| argument.starts_with("-D") || argument.starts_with("--define"))
            .count();
        if given > self.define.len() {
            return Err(
                Error::usage("-D stands both before and after the command").hint("put all in one place")
            );
        }
        Ok(())
    }
}

/// Name the environment variable of a flag: `--zookeeper-root` is `FLUSSCTL_ZOOKEEPER_ROOT`.
pub fn variable(flag: &str) -> String {
    format!("FLUSSCTL_{}", flag.trim_start_matches('-').replace('-', "_").to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        options: GlobalOptions,
        #[command(subcommand)]
        command: Option<Sub>,
    }

    #[derive(Debug, clap::Subcommand)]
    enum Sub {
        List,
    }

    #[test]
    fn the_command_holds_together_and_every_option_names_its_variable() {
        Cli::command().debug_assert();
        let mut seen = 0;
        for arg in Cli::command().get_arguments() {
            let Some(long) = arg.get_long().filter(|long| *long != "help") else { continue };
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains(&format!("[env: {}", variable(long))), "--{long}: {help}");
            assert!(arg.is_global_set() && arg.get_help_heading().is_some(), "--{long}");
            seen += 1;
        }
        assert_eq!(seen, 22);
    }

    #[test]
    fn options_stand_before_and_after_the_verb() {
        for line in ["-o json -vv --read-only list", "list -o json -vv --read-only"] {
            let options = Cli::parse_from(["flussctl"].into_iter().chain(line.split(' '))).options;
            assert_eq!((options.output, options.verbose, options.read_only), (Some(Format::Json), 2, true));
        }
        assert!(Cli::try_parse_from(["flussctl", "-o", "xml", "list"]).is_err());
    }

    #[test]
    fn a_definition_never_shows_itself() {
        let cli = Cli::parse_from(["flussctl", "list", "-D", "s3.secret-key=hunter2", "-Dhunter3"]);
        assert_eq!(cli.options.define[0].0, "s3.secret-key=hunter2");
        assert!(!format!("{cli:?}").contains("hunter"));
    }

    #[test]
    fn definitions_on_both_sides_of_the_verb_are_refused_not_lost() {
        for (line, kept) in [
            ("-D a=1 list -D b=2", false),
            ("--define a=1 list -Db=2", false),
            ("-D a=1 list --define=b=2", false),
            ("-D a=1 -D b=2 list", true),
            ("list -qD a=1 -D b=2", true),
            ("list", true),
        ] {
            let line: Vec<_> = ["flussctl"].into_iter().chain(line.split(' ')).map(OsString::from).collect();
            let options = Cli::parse_from(&line).options;
            assert_eq!(options.check_definitions(&line).is_ok(), kept, "{line:?}");
        }
        let line = ["flussctl", "list", "--", "-D", "-Dx"].map(OsString::from);
        assert!(GlobalOptions::default().check_definitions(&line).is_ok());
    }
}
