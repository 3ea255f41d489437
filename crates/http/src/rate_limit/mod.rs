//! The number of requests that a person, a credential or an address may make in a minute.
//!
//! A person has one budget, from which requests, commands and subscriptions on sockets, streams, uploads and look-ups
//! that cost money are drawn, each at its price. A client without an access token may show another credential that
//! the service knows as its own, and is counted by that. Everybody else is counted by their address, for each
//! [`VisitPurpose`] on its own: thousands may share an address, and none of them can use up another's purpose. These
//! limits keep one client from taking the service from the others. Limits of accounts and one-time passwords are
//! different: they are in Postgres and survive a restart.

use std::{net::IpAddr, num::NonZeroU32, time::Duration};

use actix_web::http::Method;
use governor::{
    NotUntil, Quota,
    middleware::{NoOpMiddleware, StateInformationMiddleware, StateSnapshot},
    nanos::Nanos,
    state::{
        NotKeyed, StateStore,
        keyed::{DashMapStateStore, ShrinkableKeyedStateStore},
    },
};
use ipnet::Ipv6Net;
use moka::future::Cache;
use roadcall_base::clock::Clock;
use roadcall_platform::{
    error::{ApiError, ApiResult},
    settings::LimitSettings,
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The number of keys per limit, and of ended sessions, that are remembered. Beyond it, newcomers share one bucket
/// until idle keys are forgotten, so that many addresses cost no memory.
const MAX_KEYS: usize = 100_000;

/// The bucket of a partner's key: a request takes the part that the key's own limit leaves it. A divisor of the
/// nanoseconds of a minute, and far above the highest limit, so that the parts are exact.
const PARTNER_UNITS: u32 = 100_000_000;

/// The subject of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// The budget of a caller or of a token's holder, the same for every account of a person.
    Person(Uuid),
    /// A sign-in.
    Device(Uuid),
    /// A key of a partner's program.
    Partner(Uuid),
    /// A credential that was shown instead of an access token.
    Proof(Proof),
    /// An IP address, with IPv6 cut to its /64, which one household or server has as a whole.
    Address(IpAddr),
    Overflow,
}

/// A credential other than an access token that is known as genuine without a look-up: a signature, a device that
/// signed in before, a token that the service has made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Proof(pub Uuid);

impl Proof {
    /// Derives the proof from a credential's text, which it does not reveal.
    pub fn of(credential: &str) -> Self {
        let digest = Sha256::digest(credential.as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        Self(Uuid::from_bytes(bytes))
    }
}

/// The purpose of a request without an access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisitPurpose {
    /// Public content, and any request that is refused for lack of a token.
    Reading,
    /// One-time passwords.
    SigningIn,
    Refreshing,
    /// Passwords, second factors, ID tokens and invitations.
    AdminSigningIn,
    /// A job, by a link.
    Following,
    /// A signal of a call, by a link: there are many, and they are counted by the link elsewhere.
    Signalling,
    /// A file, by a signed link.
    File,
    /// A socket or stream, by a ticket.
    Socket,
    /// An event of the gateway.
    Webhook,
    /// Positions from an app with a token of its own.
    Tracking,
    /// A request of a partner's program, which shows a key.
    Partner,
}

impl VisitPurpose {
    const ALL: [Self; 11] = [
        Self::Reading,
        Self::SigningIn,
        Self::Refreshing,
        Self::AdminSigningIn,
        Self::Following,
        Self::Signalling,
        Self::File,
        Self::Socket,
        Self::Webhook,
        Self::Tracking,
        Self::Partner,
    ];

    pub fn of(method: &Method, path: &str) -> Self {
        match (method.as_str(), path.strip_prefix("/api/v1").unwrap_or(path)) {
            ("POST", "/auth/send-otp" | "/auth/verify-otp") => Self::SigningIn,
            ("POST", "/auth/refresh") => Self::Refreshing,
            ("POST", "/auth/admin-login" | "/auth/accept-invite") => Self::AdminSigningIn,
            ("POST", "/auth/admin-sign-in" | "/auth/admin-sign-in/complete") => Self::AdminSigningIn,
            ("POST", path) if path.starts_with("/idp/") => Self::AdminSigningIn,
            ("POST", path) if is_by_link(path) && path.ends_with("/signal") => Self::Signalling,
            (_, path) if is_by_link(path) => Self::Following,
            (_, path) if of_one(path, "/uploads/", "/content") => Self::File,
            ("GET", "/ws") => Self::Socket,
            ("GET", path) if of_one(path, "/jobs/", "/stream") => Self::Socket,
            ("POST", "/payments/webhook") => Self::Webhook,
            (_, path) if path.starts_with("/trackers/") => Self::Tracking,
            (_, path) if path == "/partner" || path.starts_with("/partner/") => Self::Partner,
            _ => Self::Reading,
        }
    }

    /// Returns whether only the handler finds the credential, in the body or elsewhere, and so counts the request:
    /// see [`super::Meter`].
    pub fn is_shown_in_body(self) -> bool {
        match self {
            Self::SigningIn
            | Self::Refreshing
            | Self::AdminSigningIn
            | Self::Webhook
            | Self::Tracking
            | Self::Partner => true,
            Self::Reading | Self::Following | Self::Signalling | Self::File | Self::Socket => false,
        }
    }

    /// Returns whether an access token identifies such requests. It does not count where secrets can be guessed: an
    /// attacker can get any number of customers' tokens.
    pub fn takes_access_token(self) -> bool {
        matches!(self, Self::Reading | Self::Socket | Self::Partner)
    }
}

type Limiter = governor::RateLimiter<Key, Buckets, RefillClock, StateInformationMiddleware>;

/// Refills buckets by the service's clock, whose elapsed time never decreases.
#[derive(Debug, Clone)]
struct RefillClock(Clock);

impl governor::clock::Clock for RefillClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The buckets, one for each key as long as there is room.
#[derive(Debug, Default)]
struct Buckets(DashMapStateStore<Key>);

impl StateStore for Buckets {
    type Key = Key;

    fn measure_and_replace<T, F, E>(&self, key: &Key, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        if let Some(bucket) = self.0.get(key) {
            return bucket.measure_and_replace(&NotKeyed::NonKey, f);
        }
        // The length is counted over all shards, so it is asked only for a key without a bucket.
        let has_room = self.0.len() < MAX_KEYS;
        self.0.measure_and_replace(if has_room { key } else { &Key::Overflow }, f)
    }
}

impl ShrinkableKeyedStateStore<Key> for Buckets {
    fn retain_recent(&self, drop_below: Nanos) {
        ShrinkableKeyedStateStore::retain_recent(&self.0, drop_below);
    }

    fn shrink_to_fit(&self) {
        self.0.shrink_to_fit();
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A minute's quota, full at the start and refilled evenly.
#[derive(Debug)]
struct Limit {
    limiter: Limiter,
    /// The most that a full bucket allows at once.
    burst: NonZeroU32,
    per_minute: u32,
}

/// The limits of the service: one for everything, and another one for each expensive route.
#[derive(Debug)]
pub struct RateLimits {
    every: Limit,
    /// The costs of requests that are dearer than one.
    costs: Costs,
    /// The bytes that sockets of a person may send.
    bytes: Limit,
    /// The limits of requests without a genuine access token, in the order of [`VisitPurpose::ALL`].
    others: [OthersLimit; VisitPurpose::ALL.len()],
    create_job: Limit,
    register_mechanic: Limit,
    export: Limit,
    places: Limit,
    message: Limit,
    hand_over: Limit,
    typing: Limit,
    /// Calls over HTTP and sockets alike; counted where they are made, not here.
    call: Limit,
    /// Partners' keys, each with a limit of its own in the common one.
    partner: Limit,
    /// The signals of calls in a second, by the device that sends them.
    signal: Limit,
    /// Sessions whose tokens were answered 401: their requests are drawn from the address's quota, not the user's.
    ended: Cache<Uuid, ()>,
}

/// The limits of people, credentials and addresses, by action.
#[derive(Debug, Clone)]
pub struct Rates {
    pub limits: LimitSettings,
    pub socket_bytes_per_second: u32,
    /// The requests by one link to a job.
    pub link_requests_per_minute: u32,
    pub messages_per_minute: u32,
    pub calls_per_minute: u32,
    pub signals_per_second: u32,
    /// How long an access token can be shown after its session has ended.
    pub token_ttl: Duration,
}

/// The limits of requests without an access token for one purpose.
#[derive(Debug)]
struct OthersLimit {
    /// The limit by the shown credential; `None` if that is the gateway's signature, or counted elsewhere.
    shown: Option<Limit>,
    /// The limit by address, if no credential is shown. It is apart from the others, so that addresses take no room
    /// from them.
    unshown: Limit,
}

impl OthersLimit {
    fn of(purpose: VisitPurpose, rates: &Rates, clock: &Clock) -> Self {
        let limits = &rates.limits;
        let (by_link, by_admin) = (rates.link_requests_per_minute, limits.admin_login_per_minute);
        let (shown, unshown) = match purpose {
            VisitPurpose::Reading | VisitPurpose::Webhook | VisitPurpose::Partner => {
                (None, limits.per_address_per_minute)
            }
            VisitPurpose::SigningIn
            | VisitPurpose::Refreshing
            | VisitPurpose::File
            | VisitPurpose::Socket => (Some(limits.per_credential_per_minute), limits.per_address_per_minute),
            // After a tunnel, an app sends each position that it could not send, the oldest first: the newest must
            // not wait for long.
            VisitPurpose::Tracking => (Some(limits.per_user_per_minute), limits.per_address_per_minute),
            VisitPurpose::AdminSigningIn => (Some(by_admin), by_admin),
            VisitPurpose::Following => (Some(by_link), by_link),
            VisitPurpose::Signalling => (None, by_link),
        };
        let limit = |per_minute| Limit::new(per_minute, clock);
        Self { shown: shown.map(limit), unshown: limit(unshown) }
    }
}

/// The costs of requests that are dearer than one.
#[derive(Debug)]
struct Costs {
    subscription: u32,
    replayed_events: u32,
    socket: u32,
    upload: u32,
    lookup: u32,
}

impl Costs {
    fn of(limits: &LimitSettings) -> Self {
        Self {
            subscription: limits.subscription_cost,
            replayed_events: limits.replayed_events_per_request.max(1),
            socket: limits.socket_cost,
            upload: limits.upload_cost,
            lookup: limits.lookup_cost,
        }
    }
}

/// The caller's remaining quota after this request.
#[derive(Debug, Clone, Copy)]
pub struct LimitStatus {
    pub limit: u32,
    pub remaining: u32,
    /// Seconds until the bucket is full again, or until the next request fits if it is empty.
    pub reset_s: u64,
    pub refused: bool,
}

impl LimitStatus {
    fn is_tighter_than(self, other: Self) -> bool {
        (self.refused, u32::MAX - self.remaining) > (other.refused, u32::MAX - other.remaining)
    }

    pub fn require(self) -> ApiResult<()> {
        if self.refused { Err(ApiError::rate_limited(self.reset_s.max(1))) } else { Ok(()) }
    }
}

impl RateLimits {
    pub fn new(rates: &Rates, clock: &Clock) -> Self {
        let limits = &rates.limits;
        let limit = |per_minute| Limit::new(per_minute, clock);
        Self {
            every: limit(limits.per_user_per_minute),
            costs: Costs::of(limits),
            bytes: Limit::bytes(rates.socket_bytes_per_second, clock),
            others: VisitPurpose::ALL.map(|purpose| OthersLimit::of(purpose, rates, clock)),
            create_job: limit(limits.create_job_per_minute),
            register_mechanic: limit(limits.register_mechanic_per_minute),
            export: limit(limits.export_per_minute),
            places: limit(limits.places_per_minute),
            message: limit(rates.messages_per_minute),
            hand_over: limit(limits.hand_overs_per_minute),
            typing: Limit::per_second(1, clock),
            call: limit(rates.calls_per_minute),
            partner: limit(PARTNER_UNITS),
            signal: Limit::per_second(rates.signals_per_second, clock),
            ended: Cache::builder().max_capacity(MAX_KEYS as u64).time_to_live(rates.token_ttl).build(),
        }
    }

    /// Forgets the keys whose bucket is full.
    pub fn forget_idle(&self) {
        let Self {
            every,
            bytes,
            create_job,
            register_mechanic,
            export,
            places,
            message,
            hand_over,
            typing,
            call,
            partner,
            signal,
            ..
        } = self;
        let own = [
            every,
            bytes,
            create_job,
            register_mechanic,
            export,
            places,
            message,
            hand_over,
            typing,
            call,
            partner,
            signal,
        ];
        let others = self.others.iter().flat_map(|other| other.shown.iter().chain([&other.unshown]));
        for limit in own.into_iter().chain(others) {
            limit.limiter.retain_recent();
            limit.limiter.shrink_to_fit();
        }
    }

    /// Draws one command on a socket from the person's budget; 429 if too little of it is left.
    pub fn check_command(&self, budget: Uuid) -> ApiResult<()> {
        self.draw(budget, 1)
    }

    /// Draws a subscription on a socket from the person's budget; 429 if too little of it is left.
    pub fn check_subscription(&self, budget: Uuid) -> ApiResult<()> {
        self.draw(budget, self.costs.subscription)
    }

    /// Draws repeated events of a job's log from the budget; if they are not covered yet, returns the time until they
    /// are.
    pub fn check_replay(&self, budget: Uuid, events: u32) -> Result<(), Duration> {
        let cost = events / self.costs.replayed_events;
        if cost == 0 { Ok(()) } else { self.every.wait_for(Key::Person(budget), cost) }
    }

    /// Draws a socket or stream that a ticket opens from the person's budget. A client with a token has paid by their
    /// request.
    pub fn check_socket(&self, budget: Uuid) -> ApiResult<()> {
        self.draw(budget, self.costs.socket)
    }

    fn draw(&self, budget: Uuid, cost: u32) -> ApiResult<()> {
        self.every.check_cost(Key::Person(budget), cost).require()
    }

    /// Counts bytes that a person's socket sent; if it is not their turn yet, returns the time until it is.
    pub fn check_bytes(&self, budget: Uuid, bytes: usize) -> Result<(), Duration> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.bytes.wait_for(Key::Person(budget), bytes)
    }

    /// Counts a message over a socket together with those over HTTP; 429 beyond the limit of a minute.
    pub fn check_message(&self, budget: Uuid) -> ApiResult<()> {
        self.message.check(Key::Person(budget)).require()
    }

    /// Counts a mechanic's note over a socket that another app shows the way, or that they are back, together with
    /// those over HTTP: each is an event of the job's log.
    pub fn check_hand_over(&self, budget: Uuid) -> ApiResult<()> {
        self.hand_over.check(Key::Person(budget)).require()
    }

    /// Returns whether the other side was last shown a second ago or more that this person is typing.
    pub fn may_type(&self, budget: Uuid) -> bool {
        !self.typing.check(Key::Person(budget)).refused
    }

    /// Counts a call that this person begins; 429 beyond `calls.invites_per_minute`.
    pub fn check_call(&self, budget: Uuid) -> ApiResult<()> {
        self.call.check(Key::Person(budget)).require()
    }

    /// Counts a request that shows a partner's key, which allows so many in a minute.
    pub fn check_partner(&self, key_id: Uuid, per_minute: u32) -> LimitStatus {
        let cost = (PARTNER_UNITS / per_minute.max(1)).max(1);
        let standing = self.partner.check_cost(Key::Partner(key_id), cost);
        LimitStatus { limit: per_minute, remaining: standing.remaining / cost, ..standing }
    }

    /// Counts a signal that this device sends; 429 beyond `calls.signals_per_second`.
    pub fn check_signal(&self, session_id: Uuid) -> ApiResult<()> {
        self.signal.check(Key::Device(session_id)).require()
    }

    /// Notes that the session's tokens were answered 401: its requests are drawn from the address's quota from now
    /// on.
    pub async fn session_ended(&self, session_id: Uuid) {
        self.ended.insert(session_id, ()).await;
    }

    /// Returns whether [`RateLimits::session_ended`] was called for the session lately.
    pub fn has_ended(&self, session_id: Uuid) -> bool {
        self.ended.contains_key(&session_id)
    }

    /// Counts a request of a person; returns the tighter of the general limit and the route's own.
    pub fn check_person(&self, budget: Uuid, method: &Method, path: &str) -> LimitStatus {
        let key = Key::Person(budget);
        let every = self.every.check_cost(key, self.cost_of(method, path));
        let own = self.of_route(method, path).map(|limit| limit.check(key));
        own.filter(|own| own.is_tighter_than(every)).unwrap_or(every)
    }

    /// Counts a request without an access token by its credential, else by its address. `None` if the credential is
    /// not limited here.
    pub fn check_other(
        &self,
        purpose: VisitPurpose,
        shown: Option<Proof>,
        address: IpAddr,
    ) -> Option<LimitStatus> {
        let limit = &self.others[purpose as usize];
        match shown {
            Some(proof) => limit.shown.as_ref().map(|limit| limit.check(Key::Proof(proof))),
            None => Some(limit.unshown.check(Key::Address(network(address)))),
        }
    }

    /// Returns the cost of a request in the person's budget.
    fn cost_of(&self, method: &Method, path: &str) -> u32 {
        match (method.as_str(), path.strip_prefix("/api/v1").unwrap_or(path)) {
            ("GET", "/ws") => self.costs.socket,
            ("GET", path) if of_one(path, "/jobs/", "/stream") => self.costs.socket,
            ("POST", "/uploads/presign") => self.costs.upload,
            ("POST", "/wallet/upi") => self.costs.lookup,
            ("POST", path) if of_one(path, "/wallet/upi/", "/verify") => self.costs.lookup,
            _ => 1,
        }
    }

    fn of_route(&self, method: &Method, path: &str) -> Option<&Limit> {
        match (method.as_str(), path.strip_prefix("/api/v1").unwrap_or(path)) {
            ("POST", "/jobs") => Some(&self.create_job),
            ("POST", "/mechanics/register") => Some(&self.register_mechanic),
            ("GET", "/users/me/export") => Some(&self.export),
            ("GET", "/places" | "/places/reverse") => Some(&self.places),
            ("POST", path) if of_one(path, "/jobs/", "/messages") => Some(&self.message),
            ("POST", path) if of_one(path, "/jobs/", "/navigating") => Some(&self.hand_over),
            _ => None,
        }
    }
}

impl Limit {
    fn new(per_minute: u32, clock: &Clock) -> Self {
        let burst = NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN);
        Self { limiter: limiter(Quota::per_minute(burst), clock), burst, per_minute: burst.get() }
    }

    fn per_second(per_second: u32, clock: &Clock) -> Self {
        let burst = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        let limiter = limiter(Quota::per_second(burst), clock);
        Self { limiter, burst, per_minute: burst.get().saturating_mul(60) }
    }

    /// Allows so many bytes a second, and four seconds' worth at once.
    fn bytes(per_second: u32, clock: &Clock) -> Self {
        let rate = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        let burst = rate.saturating_mul(NonZeroU32::MIN.saturating_add(3));
        let limiter = limiter(Quota::per_second(rate).allow_burst(burst), clock);
        Self { limiter, burst, per_minute: rate.get().saturating_mul(60) }
    }

    fn check(&self, key: Key) -> LimitStatus {
        self.check_cost(key, 1)
    }

    /// Draws a cost; one that exceeds the whole bucket takes all of it.
    fn check_cost(&self, key: Key, cost: u32) -> LimitStatus {
        match self.take(key, cost) {
            Ok(snapshot) => self.passed(&snapshot),
            Err(refusal) => self.refused(&refusal),
        }
    }

    fn wait_for(&self, key: Key, cost: u32) -> Result<(), Duration> {
        let taken = self.take(key, cost).map(drop);
        taken.map_err(|refusal| refusal.wait_time_from(self.limiter.clock().0.elapsed()))
    }

    fn take(&self, key: Key, cost: u32) -> Result<StateSnapshot, NotUntil<Duration>> {
        let cost = NonZeroU32::new(cost).unwrap_or(NonZeroU32::MIN).min(self.burst);
        self.limiter.check_key_n(&key, cost).expect("no more than a burst")
    }

    fn passed(&self, snapshot: &StateSnapshot) -> LimitStatus {
        let remaining = snapshot.remaining_burst_capacity();
        let used = u64::from(self.per_minute.saturating_sub(remaining));
        let reset_s = (used * 60).div_ceil(u64::from(self.per_minute));
        LimitStatus { limit: self.per_minute, remaining, reset_s, refused: false }
    }

    fn refused(&self, refusal: &NotUntil<Duration>) -> LimitStatus {
        let wait = refusal.wait_time_from(self.limiter.clock().0.elapsed());
        LimitStatus { limit: self.per_minute, remaining: 0, reset_s: whole_seconds(wait), refused: true }
    }
}

fn limiter(quota: Quota, clock: &Clock) -> Limiter {
    let (buckets, clock) = (Buckets::default(), RefillClock(clock.clone()));
    let limiter = governor::RateLimiter::<_, _, _, NoOpMiddleware<_>>::new(quota, buckets, clock);
    limiter.with_middleware()
}

/// Returns whether a path is `{before}{id}{after}`.
fn of_one(path: &str, before: &str, after: &str) -> bool {
    let id = path.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    id.is_some_and(|id| !id.contains('/'))
}

/// Returns whether a path begins with a link's token: `/shares/{token}`.
fn is_by_link(path: &str) -> bool {
    path.starts_with("/shares/")
}

/// Returns the wait rounded up, so that a client who waits this long is admitted.
fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// Returns the part of an address that counts as one client: all of an IPv4 address, the first 64 bits of an IPv6
/// one.
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) if v6.is_loopback() => address,
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Net::new_assert(v6, 64).network()),
    }
}

#[cfg(test)]
mod tests;
