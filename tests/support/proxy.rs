//! A network that fails when it is told to: a proxy between a client and ZooKeeper, or a Fluss server.
//!
//! It knows the frames of both protocols, so a fault hits a request, not a moment.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{PATIENCE, until};

/// Name the protocols whose frames the proxy understands: both begin with a length of 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Requests `xid | op | …`, replies `xid | zxid | …`, after one frame each way that opens the session.
    ZooKeeper,
    /// Requests `api key (2) | version (2) | id | …`, replies `type (1) | id | …`.
    Fluss,
}

/// ZooKeeper's numbers of operations.
pub mod op {
    pub const CREATE: i32 = 1;
    pub const DELETE: i32 = 2;
    pub const EXISTS: i32 = 3;
    pub const GET_DATA: i32 = 4;
    pub const SET_DATA: i32 = 5;
    pub const SYNC: i32 = 9;
    pub const PING: i32 = 11;
    pub const GET_CHILDREN2: i32 = 12;
    pub const MULTI: i32 = 14;
    pub const CREATE2: i32 = 15;
    pub const MULTI_READ: i32 = 22;
}

/// A request on its way, shown to the test's condition.
#[derive(Debug)]
pub struct Request<'a> {
    /// The operation: of [`op`], or Fluss's api key.
    pub op: i32,
    /// All after the length.
    pub frame: &'a [u8],
    id: i32,
}

impl Request<'_> {
    /// Say whether the bytes of a text are in the request: a path, an id.
    pub fn contains(&self, text: &str) -> bool {
        self.frame.windows(text.len()).any(|window| window == text.as_bytes())
    }
}

/// What happens to the request that meets the condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The connection is cut, and the request never arrives.
    LoseRequest,
    /// The request arrives, its reply does not, and the connection is cut: the outcome is unknown.
    LoseReply,
    /// The request arrives, its reply does not, and nobody can connect any more.
    LoseServer,
    /// The network falls silent: the request does not arrive until [`Proxy::pass`].
    Silence,
}

/// What the proxy does with all that comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Pass,
    /// Connections are taken and stay open; nothing goes through.
    Silent,
    /// Connections are closed as they come.
    Refuse,
}

type Condition = Box<dyn FnMut(&Request) -> bool + Send>;

#[derive(Default)]
struct State {
    closed: bool,
    mode: Mode,
    armed: Option<(Condition, Fault)>,
    hits: usize,
    request_delay: Duration,
    reply_delay: Duration,
    connections: Vec<TcpStream>,
    accepted: usize,
}

struct Shared {
    protocol: Protocol,
    server: String,
    state: Mutex<State>,
    changed: Condvar,
}

/// A proxy on a port of its own.
pub struct Proxy {
    port: u16,
    shared: Arc<Shared>,
}

impl Proxy {
    /// Stand before a ZooKeeper server.
    pub fn zookeeper(server: &str) -> Self {
        Self::start(Protocol::ZooKeeper, server)
    }

    /// Stand before a Fluss server.
    pub fn fluss(server: &str) -> Self {
        Self::start(Protocol::Fluss, server)
    }

    fn start(protocol: Protocol, server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("bind the proxy");
        let port = listener.local_addr().expect("the proxy's address").port();
        let shared = Arc::new(Shared {
            protocol,
            server: server.to_owned(),
            state: Mutex::new(State::default()),
            changed: Condvar::new(),
        });
        let taken = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if taken.lock().closed {
                    return;
                }
                taken.connect(client);
            }
        });
        Self { port, shared }
    }

    /// Give the address to connect to.
    pub fn connect(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Let everything through from now on, what was held by a silence too.
    pub fn pass(&self) {
        self.shared.set_mode(Mode::Pass);
    }

    /// Take connections and let nothing through, in either direction.
    pub fn silence(&self) {
        self.shared.set_mode(Mode::Silent);
    }

    /// Cut all connections and close new ones as they come.
    pub fn refuse(&self) {
        self.shared.set_mode(Mode::Refuse);
        self.cut();
    }

    /// Cut all connections now; new ones go through.
    pub fn cut(&self) {
        self.shared.lock().cut();
    }

    /// Hold back each request and each reply for a while.
    pub fn delay(&self, request: Duration, reply: Duration) {
        let mut state = self.shared.lock();
        (state.request_delay, state.reply_delay) = (request, reply);
    }

    /// Let a fault happen, once, at the next request that meets the condition. Pings and the opening of a session are not shown.
    pub fn arm(&self, fault: Fault, condition: impl FnMut(&Request) -> bool + Send + 'static) {
        self.shared.lock().armed = Some((Box::new(condition), fault));
    }

    /// Let a fault happen, once, at the nth request from now, from 1.
    pub fn arm_nth(&self, fault: Fault, n: usize) {
        let mut seen = 0;
        self.arm(fault, move |_| {
            seen += 1;
            seen == n
        });
    }

    /// Count the faults that happened.
    pub fn hits(&self) -> usize {
        self.shared.lock().hits
    }

    /// Wait until the armed fault has happened.
    #[track_caller]
    pub fn until_hit(&self) {
        until("the armed fault has happened", PATIENCE, || self.hits() > 0);
    }

    /// Count the connections that were taken.
    pub fn accepted(&self) -> usize {
        self.shared.lock().accepted
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.refuse();
        // Wake the listener, which then ends; where this fails it ends with the test process.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

impl State {
    fn cut(&mut self) {
        for connection in self.connections.drain(..) {
            shut(&connection);
        }
    }

    /// Say what is to happen to a request.
    fn judge(&mut self, request: &Request) -> Option<Fault> {
        let met = self.armed.as_mut().is_some_and(|(condition, _)| condition(request));
        let (_, fault) = self.armed.take_if(|_| met)?;
        // The other faults have happened when their connection is cut.
        if fault == Fault::Silence {
            self.mode = Mode::Silent;
            self.hits += 1;
        }
        Some(fault)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_mode(&self, mode: Mode) {
        self.lock().mode = mode;
        self.changed.notify_all();
    }

    fn connect(self: &Arc<Self>, client: TcpStream) {
        let mut state = self.lock();
        state.accepted += 1;
        // Dropped, the connection is closed.
        if state.mode == Mode::Refuse {
            return;
        }
        let Ok(server) = TcpStream::connect(&self.server) else { return };
        let Ok(link) = Link::new(Arc::clone(self), client, server, &mut state) else { return };
        let link = Arc::new(link);
        let replies = Arc::clone(&link);
        thread::spawn(move || link.pump(Link::forward_requests));
        thread::spawn(move || replies.pump(Link::forward_replies));
    }

    /// Wait out a silence and a delay.
    fn hold(&self, delay: Duration) {
        let state = self.lock();
        let silent = |state: &mut State| state.mode == Mode::Silent && !state.closed;
        drop(self.changed.wait_while(state, silent).unwrap_or_else(PoisonError::into_inner));
        if delay > Duration::ZERO {
            let due = Instant::now() + delay;
            until("the delay is over", delay + PATIENCE, || Instant::now() >= due);
        }
    }
}

/// One connection through the proxy.
struct Link {
    shared: Arc<Shared>,
    client: TcpStream,
    server: TcpStream,
    /// The request whose reply is to be lost.
    doomed: Mutex<Option<(i32, Fault)>>,
}

impl Link {
    fn new(shared: Arc<Shared>, client: TcpStream, server: TcpStream, state: &mut State) -> io::Result<Self> {
        for stream in [&client, &server] {
            stream.set_nodelay(true)?;
            state.connections.push(stream.try_clone()?);
        }
        Ok(Self { shared, client, server, doomed: Mutex::new(None) })
    }

    fn pump(&self, forward: fn(&Self) -> io::Result<()>) {
        // An error is an end like any other: one side has closed, or was cut.
        let _ = forward(self);
        self.cut();
    }

    fn forward_requests(&self) -> io::Result<()> {
        let mut opening = self.shared.protocol == Protocol::ZooKeeper;
        loop {
            let frame = read_frame(&self.client)?;
            let delay = self.shared.lock().request_delay;
            self.shared.hold(delay);
            let request = (!opening).then(|| Request::parse(self.shared.protocol, &frame)).flatten();
            opening = false;
            let fault =
                request.as_ref().and_then(|request| Some((request.id, self.shared.lock().judge(request)?)));
            match fault {
                Some((_, fault @ Fault::LoseRequest)) => {
                    self.lose(fault);
                    return Ok(());
                }
                Some((_, Fault::Silence)) => self.shared.hold(Duration::ZERO),
                Some(doomed @ (_, Fault::LoseReply | Fault::LoseServer)) => {
                    *self.doomed.lock().unwrap_or_else(PoisonError::into_inner) = Some(doomed);
                }
                None => {}
            }
            write_frame(&self.server, &frame)?;
        }
    }

    fn forward_replies(&self) -> io::Result<()> {
        loop {
            let frame = read_frame(&self.server)?;
            let delay = self.shared.lock().reply_delay;
            self.shared.hold(delay);
            let doomed = *self.doomed.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((id, fault)) = doomed
                && reply_id(self.shared.protocol, &frame) == Some(id)
            {
                self.lose(fault);
                return Ok(());
            }
            write_frame(&self.client, &frame)?;
        }
    }

    /// Cut the connection, and count the fault as happened.
    fn lose(&self, fault: Fault) {
        let mut state = self.shared.lock();
        if fault == Fault::LoseServer {
            state.mode = Mode::Refuse;
            state.cut();
        }
        self.cut();
        state.hits += 1;
    }

    fn cut(&self) {
        shut(&self.client);
        shut(&self.server);
    }
}

impl<'a> Request<'a> {
    fn parse(protocol: Protocol, frame: &'a [u8]) -> Option<Self> {
        let request = match protocol {
            Protocol::ZooKeeper => Self { op: int(frame, 4)?, frame, id: int(frame, 0)? },
            // The api key and the version share four bytes.
            Protocol::Fluss => Self { op: int(frame, 0)? >> 16, frame, id: int(frame, 4)? },
        };
        let ping = protocol == Protocol::ZooKeeper && request.op == op::PING;
        (!ping).then_some(request)
    }
}

fn reply_id(protocol: Protocol, frame: &[u8]) -> Option<i32> {
    match protocol {
        Protocol::ZooKeeper => int(frame, 0),
        Protocol::Fluss => int(frame, 1),
    }
}

fn int(frame: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_be_bytes(*frame.get(at..)?.first_chunk()?))
}

fn read_frame(mut stream: &TcpStream) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut frame = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut frame)?;
    Ok(frame)
}

fn write_frame(mut stream: &TcpStream, frame: &[u8]) -> io::Result<()> {
    let length = u32::try_from(frame.len()).map_err(io::Error::other)?;
    stream.write_all(&[&length.to_be_bytes(), frame].concat())
}

fn shut(stream: &TcpStream) {
    // It may have ended by itself.
    let _ = stream.shutdown(Shutdown::Both);
}
