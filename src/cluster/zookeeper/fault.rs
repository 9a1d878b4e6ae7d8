//! What became of a request: answered with an error, lost, or never sent.

use zookeeper_client as zk;

use crate::error::{Error, Kind};

/// What to do where a znode's ACL keeps us out.
pub const LOGIN: &str =
    "the znode's ACL asks for a user: see --zookeeper-auth, --zookeeper-user and FLUSSCTL_ZOOKEEPER_PASSWORD";

/// Say how a request failed.
#[derive(Debug)]
pub enum Fault {
    /// The server answered: nothing changed.
    Answered(zk::Error),
    /// No answer: a read failed, a write may or may not have happened.
    Lost(Error),
    /// There was no connection to send it on: nothing changed.
    Unsent(Error),
    /// The session that it was meant for is over, with all that it held: nothing changed.
    Over(Error),
}

impl Fault {
    /// Turn it into the error of what was being done; the caller knows what a missing znode means there.
    pub fn into_error(self, what: &str) -> Error {
        match self {
            Self::Lost(error) | Self::Unsent(error) | Self::Over(error) => error,
            Self::Answered(error) => answered(error).context(cannot(what)),
        }
    }
}

/// Begin a message with what failed, given what was being done.
pub(super) fn cannot(what: &str) -> String {
    format!("cannot {what}")
}

/// Name an answer of the server.
pub fn answered(error: zk::Error) -> Error {
    match error {
        zk::Error::NoAuth => Error::new(Kind::NotPermitted, "ZooKeeper refused: not authorized").hint(LOGIN),
        zk::Error::AuthFailed => Error::new(Kind::NotPermitted, "ZooKeeper refused the authentication")
            .hint("check --zookeeper-user and the password, or the JAAS file"),
        zk::Error::NoNode => Error::new(Kind::NotFound, "there is no such znode"),
        zk::Error::Throttled => {
            Error::new(Kind::Unreachable, "ZooKeeper is overloaded and refused the request")
                .hint("lower --concurrency or set --max-ops-per-second")
        }
        other => Error::wrap(Kind::Failed, "ZooKeeper refused the request", other),
    }
}

/// Say whether an error leaves open what happened: the library's manner is to give these for whatever was in flight.
pub fn is_lost(error: &zk::Error) -> bool {
    matches!(
        error,
        zk::Error::ConnectionLoss
            | zk::Error::SessionExpired
            | zk::Error::SessionMoved
            | zk::Error::Timeout
            | zk::Error::NoHosts
            | zk::Error::ClientClosed
            | zk::Error::UnexpectedError(_)
            | zk::Error::UnmarshalError { .. }
            | zk::Error::Custom(_)
    )
}

/// Say whether an error is the server's word that a write changed nothing. All others leave it open, also those that no
/// client should ever see: a code that the library does not know, or an authentication that fails under a write in flight.
pub fn is_refusal(error: &zk::Error) -> bool {
    matches!(
        error,
        zk::Error::NoNode
            | zk::Error::NodeExists
            | zk::Error::BadVersion
            | zk::Error::NotEmpty
            | zk::Error::NoAuth
            | zk::Error::InvalidAcl
            | zk::Error::NoChildrenForEphemerals
            | zk::Error::QuotaExceeded
            | zk::Error::NotReadOnly
            | zk::Error::Throttled
            | zk::Error::MarshallingError
            | zk::Error::Unimplemented
            | zk::Error::BadArguments(_)
    )
}
