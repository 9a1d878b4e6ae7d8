//! A plain ZooKeeper client for what a test puts in place and looks at, without the program's own code.

use std::future::Future;
use std::sync::LazyLock;
use std::time::Duration;

use tokio::runtime::Runtime;
use zookeeper_client::{Acl, Acls, Client, Connector, CreateMode, Error, Stat};

use super::{PATIENCE, until};

/// A synchronous client; what it is asked for has to succeed, or the test panics.
#[derive(Debug)]
pub struct Zk {
    client: Client,
}

impl Zk {
    /// Connect in plain text.
    pub fn connect(servers: &str) -> Self {
        Self::connect_with(servers, |connector| connector)
    }

    /// Connect with options: a session timeout, a user.
    pub fn connect_with(servers: &str, options: impl FnOnce(Connector) -> Connector) -> Self {
        Self::try_connect_with(servers, options).unwrap_or_else(|e| panic!("connect to {servers}: {e}"))
    }

    /// Connect with options, and give the error where it fails.
    pub fn try_connect_with(
        servers: &str,
        options: impl FnOnce(Connector) -> Connector,
    ) -> Result<Self, Error> {
        let connector = options(Client::connector().with_session_timeout(Duration::from_secs(40)));
        wait(connector.connect(servers)).map(|client| Self { client })
    }

    /// Give the client itself, for [`wait`] with what this does not have.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Create a persistent znode that everybody may do anything with, and its parents.
    pub fn create(&self, path: &str, data: impl AsRef<[u8]>) -> Stat {
        let options = CreateMode::Persistent.with_acls(Acls::anyone_all());
        if let Some((parent, _)) = path.rsplit_once('/').filter(|(parent, _)| !parent.is_empty()) {
            ok("make", parent, wait(self.client.mkdir(parent, &options)));
        }
        ok("create", path, wait(self.client.create(path, data.as_ref(), &options))).0
    }

    /// Create a persistent znode with an ACL.
    pub fn create_with_acl(&self, path: &str, data: impl AsRef<[u8]>, acl: &[Acl]) -> Stat {
        let options = CreateMode::Persistent.with_acls(Acls::new(acl));
        ok("create", path, wait(self.client.create(path, data.as_ref(), &options))).0
    }

    /// Create a znode that goes with this client's session.
    pub fn create_ephemeral(&self, path: &str) -> Stat {
        let options = CreateMode::Ephemeral.with_acls(Acls::anyone_all());
        ok("create", path, wait(self.client.create(path, b"", &options))).0
    }

    /// Set the data of a znode, whatever its version.
    pub fn set(&self, path: &str, data: impl AsRef<[u8]>) -> Stat {
        ok("set", path, wait(self.client.set_data(path, data.as_ref(), None)))
    }

    /// Give the data of a znode.
    pub fn get(&self, path: &str) -> Vec<u8> {
        ok("get", path, wait(self.client.get_data(path))).0
    }

    /// Give the data of a znode as text.
    pub fn text(&self, path: &str) -> String {
        String::from_utf8(self.get(path)).unwrap_or_else(|e| panic!("{path} is no text: {e}"))
    }

    /// Give the data of a znode as JSON.
    pub fn json(&self, path: &str) -> serde_json::Value {
        let text = self.text(path);
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path} is no JSON: {e}: {text}"))
    }

    /// Give the stat of a znode, if it is there.
    pub fn stat(&self, path: &str) -> Option<Stat> {
        ok("stat", path, wait(self.client.check_stat(path)))
    }

    /// Say whether a znode is there.
    pub fn exists(&self, path: &str) -> bool {
        self.stat(path).is_some()
    }

    /// Wait until a znode is there, or is not.
    #[track_caller]
    pub fn until_exists(&self, path: &str, there: bool) {
        let what = format!("{path} {}", if there { "is there" } else { "is gone" });
        until(&what, PATIENCE, || self.exists(path) == there);
    }

    /// Give the names of a znode's children, sorted; none where it is missing.
    pub fn children(&self, path: &str) -> Vec<String> {
        let mut children = match wait(self.client.list_children(path)) {
            Err(Error::NoNode) => Vec::new(),
            result => ok("list", path, result),
        };
        children.sort();
        children
    }

    /// Delete a znode without children.
    pub fn delete(&self, path: &str) {
        ok("delete", path, wait(self.client.delete(path, None)));
    }

    /// Delete a znode and all below it; one that is missing is fine.
    pub fn delete_all(&self, path: &str) {
        for child in self.children(path) {
            self.delete_all(&format!("{path}/{child}"));
        }
        match wait(self.client.delete(path, None)) {
            Err(Error::NoNode) => {}
            result => ok("delete", path, result),
        }
    }

    /// Give the ACL of a znode.
    pub fn acl(&self, path: &str) -> Vec<Acl> {
        ok("get the ACL of", path, wait(self.client.get_acl(path))).0
    }

    /// Set the ACL of a znode.
    pub fn set_acl(&self, path: &str, acl: &[Acl]) {
        ok("set the ACL of", path, wait(self.client.set_acl(path, acl, None)));
    }

    /// Give the paths of this session's ephemeral znodes below a path.
    pub fn ephemerals(&self, path: &str) -> Vec<String> {
        ok("list the ephemerals of", path, wait(self.client.list_ephemerals(path)))
    }
}

/// Run a future of the client to its end.
pub fn wait<F: Future>(future: F) -> F::Output {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("start the tests' runtime")
    });
    RUNTIME.block_on(future)
}

#[track_caller]
fn ok<T>(what: &str, path: &str, result: Result<T, Error>) -> T {
    result.unwrap_or_else(|e| panic!("{what} {path}: {e}"))
}
