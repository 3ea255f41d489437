//! Everything that the model knows at one moment.

/// A server's position in [`World::servers`].
pub type ServerId = u8;

/// A set of servers, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerSet(u8);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct World {
    pub db: Db,
    pub servers: Vec<Server>,
    pub gateway: Gateway,
    pub network: Network,
    /// The number of faults that may still happen.
    pub faults_left: u8,
    /// The number of changes that the leader may still make by itself.
    pub ticks_left: u8,
}

/// The state of Postgres. It goes on working whatever happens to its clients.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Db {
    pub lock: Option<Lock>,
    /// From the table `leadership`: the server that leads, or led last.
    pub leader: Option<ServerId>,
    /// From the same table: the former leaders that may still have sessions.
    pub to_end: ServerSet,
    /// Sorted.
    pub sessions: Vec<Session>,
    pub job: Job,
    pub log: Vec<Entry>,
    /// The server that began to load last, for the properties only.
    pub loader: Option<ServerId>,
}

/// The leader's advisory lock, and the session that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lock {
    pub by: ServerId,
    /// Whether the server still uses that session. If not, Postgres has yet to notice.
    pub is_attached: bool,
}

/// A session of a server's pool. A server uses one at a time; earlier ones may still have a commit to carry out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Session {
    pub server: ServerId,
    pub is_attached: bool,
    /// Whether the server has checked that it may use the session.
    pub is_checked: bool,
    pub work: Work,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Work {
    Idle,
    Open(Change),
    /// The commit is on its way or waits for its turn.
    Sent(Change),
    /// The answer is on its way back.
    Answered(Verdict),
}

/// A change of the job within a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Change {
    pub command: Command,
    /// The version on which the change was decided.
    pub based_on: u8,
    pub has_mechanic: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    Committed(Change),
    /// The job has another version by now.
    Stale,
    /// The log already contains the command.
    Repeated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Job {
    pub version: u8,
    pub has_mechanic: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    pub command: Command,
    pub version: u8,
    /// Whether another server had begun to load before this was committed.
    pub is_late: bool,
}

/// A command that changes the job. The number is its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Command {
    /// The gateway's caller asks that a mechanic take the job, which succeeds if no mechanic has it.
    Take,
    /// A leader, by itself, gives the job to a mechanic or takes it back.
    Tick(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Server {
    pub life: Life,
    pub role: Role,
    /// Whether the server believes that it may use the database.
    pub has_lease: bool,
    /// The job as its actor remembers it.
    pub copy: Option<Job>,
    /// Whether a commit of this server may still appear.
    pub is_in_question: bool,
    pub doing: Option<Doing>,
    /// The outcome of [`Command::Take`] as the job's actor remembers it.
    pub fate: Option<Fate>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Life {
    Up,
    /// The server or its network does not respond for a while.
    Frozen,
    Dead,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Standby,
    /// The server holds the lock.
    Locked,
    /// The server wrote its name and has to end the sessions of these servers.
    Named(ServerSet),
    /// The server saw that no session of those servers is left.
    Cleared,
    /// The server leads and has loaded nothing yet.
    Leading,
    Serving,
    /// The server knows that another has led since.
    Replaced,
}

/// The work that the job's actor is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Doing {
    pub question: Question,
    pub command: Command,
    /// Whether the gateway still waits for the answer.
    pub is_awaited: bool,
    pub stage: Stage,
    /// Whether the command is being decided for the second and last time.
    pub is_second: bool,
    pub is_reloaded: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Reads the job to decide on it.
    Loading,
    Decided(Change),
    Begun,
    Sent,
    /// Looks for the command in the log.
    Finding,
    /// Reads the job to answer a command that is in the log.
    Looking,
}

/// The outcome of the command as a server remembers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    Committed,
    Refused,
    /// Its commit got no answer.
    Unknown,
}

/// The gateway, which passes one command on to the engine and answers its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gateway {
    /// The gateway's current question.
    pub question: Question,
    /// Whether a try is under way.
    pub is_waiting: bool,
    pub may_have_begun: bool,
    /// The refusal that the log has to confirm.
    pub refusal: Option<Answer>,
    pub tries_left: u8,
    pub answer: Option<Answer>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Question {
    Order,
    /// Asks for the outcome of the order.
    Inquiry,
}

/// The answer to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    Done,
    Refused,
    Unknown,
}

/// The messages under way. A lost message is one that never arrives.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Network {
    /// Sorted; the messages arrive in any order.
    pub messages: Vec<Message>,
    /// Sorted; replies to the try that is under way. The gateway ignores other replies.
    pub replies: Vec<Reply>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    pub to: ServerId,
    pub question: Question,
    /// Whether the message belongs to the try that is under way.
    pub is_awaited: bool,
    /// Whether the network made copies of the message.
    pub is_doubled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    NobodyServes,
    Answer(Answer),
    Found,
    NotFound,
}

impl World {
    /// Creates a world in which no server leads yet.
    pub fn new(servers: u8, faults: u8, ticks: u8, tries: u8) -> Self {
        let server = Server {
            life: Life::Up,
            role: Role::Standby,
            has_lease: false,
            copy: None,
            is_in_question: false,
            doing: None,
            fate: None,
        };
        let db = Db {
            lock: None,
            leader: None,
            to_end: ServerSet::default(),
            sessions: Vec::new(),
            job: Job { version: 0, has_mechanic: false },
            log: Vec::new(),
            loader: None,
        };
        let gateway = Gateway {
            question: Question::Order,
            is_waiting: false,
            may_have_begun: false,
            refusal: None,
            tries_left: tries,
            answer: None,
        };
        let network = Network { messages: Vec::new(), replies: Vec::new() };
        let servers = vec![server; servers.into()];
        Self { db, servers, gateway, network, faults_left: faults, ticks_left: ticks }
    }

    pub fn server(&self, id: ServerId) -> &Server {
        &self.servers[usize::from(id)]
    }

    pub fn server_mut(&mut self, id: ServerId) -> &mut Server {
        &mut self.servers[usize::from(id)]
    }

    pub fn ids(&self) -> impl Iterator<Item = ServerId> + use<> {
        0..self.servers.len() as ServerId
    }

    /// Counts one fault, if one may still happen.
    pub fn fault(&mut self) -> Option<()> {
        self.faults_left = self.faults_left.checked_sub(1)?;
        Some(())
    }

    /// Returns the world with its servers in another order: `id` becomes `to[id]`.
    fn renamed(&self, to: &[ServerId]) -> Self {
        let name = |id: ServerId| to[usize::from(id)];
        let mut world = self.clone();
        for (id, server) in self.ids().zip(&self.servers) {
            world.servers[usize::from(name(id))] = *server;
        }
        for server in &mut world.servers {
            if let Role::Named(to_end) = &mut server.role {
                *to_end = to_end.renamed(to);
            }
        }
        let db = &mut world.db;
        db.lock = db.lock.map(|lock| Lock { by: name(lock.by), ..lock });
        db.leader = db.leader.map(name);
        db.loader = db.loader.map(name);
        db.to_end = db.to_end.renamed(to);
        db.sessions.iter_mut().for_each(|session| session.server = name(session.server));
        db.sessions.sort_unstable();
        world.network.messages.iter_mut().for_each(|message| message.to = name(message.to));
        world.network.messages.sort_unstable();
        world
    }

    /// Returns one world for all worlds that differ only in the names of their servers.
    pub fn representative(&self) -> Self {
        let orders: &[&[ServerId]] = match self.servers.len() {
            2 => &[&[1, 0]],
            3 => &[&[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]],
            _ => &[],
        };
        let others = orders.iter().map(|to| self.renamed(to));
        others.fold(self.clone(), Ord::min)
    }
}

impl ServerSet {
    pub fn has(self, id: ServerId) -> bool {
        self.0 & (1 << id) != 0
    }

    pub fn with(self, id: ServerId) -> Self {
        Self(self.0 | (1 << id))
    }

    pub fn without(self, id: ServerId) -> Self {
        Self(self.0 & !(1 << id))
    }

    fn renamed(self, to: &[ServerId]) -> Self {
        let ids = (0..).zip(to).filter(|(id, _)| self.has(*id));
        ids.fold(Self::default(), |set, (_, name)| set.with(*name))
    }
}

impl Db {
    /// Returns the session that a server uses.
    pub fn session(&self, of: ServerId) -> Option<&Session> {
        self.sessions.iter().find(|session| session.server == of && session.is_attached)
    }

    pub fn position(&self, of: ServerId) -> Option<usize> {
        self.sessions.iter().position(|session| session.server == of && session.is_attached)
    }

    pub fn set_work(&mut self, of: ServerId, work: Work) -> Option<()> {
        let position = self.position(of)?;
        self.sessions[position].work = work;
        self.sessions.sort_unstable();
        Some(())
    }

    /// Detaches the session that a server uses. Only a commit that was sent goes on.
    pub fn detach_session(&mut self, of: ServerId) {
        let Some(position) = self.position(of) else { return };
        match self.sessions[position].work {
            Work::Sent(_) => self.sessions[position].is_attached = false,
            Work::Idle | Work::Open(_) | Work::Answered(_) => drop(self.sessions.remove(position)),
        }
        self.sessions.sort_unstable();
    }

    /// Detaches the session of a lock from the server that holds it.
    pub fn detach_lock(&mut self, of: ServerId) {
        self.lock = self.lock.map(|lock| Lock { is_attached: lock.is_attached && lock.by != of, ..lock });
    }

    pub fn holds_lock(&self, server: ServerId) -> bool {
        self.lock == Some(Lock { by: server, is_attached: true })
    }

    pub fn has_logged(&self, command: Command) -> bool {
        self.log.iter().any(|entry| entry.command == command)
    }
}
