//! How many requests a user or an address may make in a minute.
//!
//! Guards against one client taking the service from the others. Limits of accounts and one-time passwords are a
//! different thing: those live in Postgres and survive a restart.

use std::{net::IpAddr, num::NonZeroU32, time::Duration};

use actix_web::http::Method;
use governor::{
    NotUntil, Quota,
    clock::{Clock, DefaultClock, QuantaInstant},
    middleware::{NoOpMiddleware, StateInformationMiddleware, StateSnapshot},
    nanos::Nanos,
    state::{
        StateStore,
        keyed::{DashMapStateStore, ShrinkableKeyedStateStore},
    },
};
use moka::future::Cache;
use uuid::Uuid;

use crate::platform::{
    error::{ApiError, ApiResult},
    settings::Settings,
};

/// Keys remembered per limit, and ended sessions. Beyond it, newcomers share one bucket until idle keys are forgotten, so that
/// many addresses cost no memory.
const MAX_KEYS: usize = 100_000;

/// Who is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    User(Uuid),
    /// A sign-in.
    Device(Uuid),
    /// IPv6 cut to its /64, which one household or server has whole.
    Address(IpAddr),
    Overflow,
}

type Limiter = governor::RateLimiter<Key, Buckets, DefaultClock, StateInformationMiddleware>;

/// A bucket for each key, as long as there is room.
#[derive(Debug, Default)]
struct Buckets(DashMapStateStore<Key>);

impl StateStore for Buckets {
    type Key = Key;

    fn measure_and_replace<T, F, E>(&self, key: &Key, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let has_bucket = self.0.len() < MAX_KEYS || self.0.contains_key(key);
        self.0.measure_and_replace(if has_bucket { key } else { &Key::Overflow }, f)
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
    per_minute: u32,
}

/// The limits of the service: one for everything, dearer routes have one more.
#[derive(Debug)]
pub struct RateLimits {
    every: Limit,
    /// The same for those without a genuine token.
    every_address: Limit,
    create_job: Limit,
    register_mechanic: Limit,
    admin_login: Limit,
    track: Limit,
    export: Limit,
    message: Limit,
    typing: Limit,
    /// Calls, over HTTP and sockets alike: counted by whoever makes one, not here.
    call: Limit,
    /// Signals of calls, by the device that sends them, in a second.
    signal: Limit,
    /// Sessions whose tokens were answered 401: whoever holds one spends their address's quota, not that of the user it was.
    ended: Cache<Uuid, ()>,
    /// Whether an address counts: loopback does not in development, where simulators run.
    spare_loopback: bool,
}

/// Where a caller stands after this request.
#[derive(Debug, Clone, Copy)]
pub struct LimitStatus {
    pub limit: u32,
    pub remaining: u32,
    /// Until the bucket is full again, or until the next request fits when there is none left.
    pub reset_s: u64,
    pub refused: bool,
}

impl RateLimits {
    pub fn new(settings: &Settings) -> Self {
        let limits = &settings.limits;
        Self {
            every: Limit::new(limits.per_user_per_minute),
            every_address: Limit::new(limits.per_address_per_minute),
            create_job: Limit::new(limits.create_job_per_minute),
            register_mechanic: Limit::new(limits.register_mechanic_per_minute),
            admin_login: Limit::new(limits.admin_login_per_minute),
            track: Limit::new(settings.shares.looks_per_minute),
            export: Limit::new(limits.export_per_minute),
            message: Limit::new(settings.chat.messages_per_minute),
            typing: Limit::per_second(1),
            call: Limit::new(settings.calls.invites_per_minute),
            signal: Limit::per_second(settings.calls.signals_per_second),
            ended: Cache::builder()
                .max_capacity(MAX_KEYS as u64)
                .time_to_live(Duration::from_secs(settings.auth.access_token_ttl_s.unsigned_abs()))
                .build(),
            spare_loopback: !settings.is_production(),
        }
    }

    /// Forgets whom a full bucket belongs to.
    pub fn forget_idle(&self) {
        let Self {
            create_job,
            register_mechanic,
            admin_login,
            track,
            export,
            message,
            typing,
            call,
            signal,
            ..
        } = self;
        let own = [create_job, register_mechanic, admin_login, track, export, message, typing, call, signal];
        for limit in own.into_iter().chain([&self.every, &self.every_address]) {
            limit.limiter.retain_recent();
            limit.limiter.shrink_to_fit();
        }
    }

    /// Counts a message that came over a socket with those that came over HTTP; 429 beyond what one may write in a minute.
    pub fn check_message(&self, user_id: Uuid) -> ApiResult<()> {
        let standing = self.message.check(Key::User(user_id));
        if standing.refused { Err(ApiError::rate_limited(standing.reset_s.max(1))) } else { Ok(()) }
    }

    /// Whether it is a second since the user was last told of as typing.
    pub fn may_type(&self, user_id: Uuid) -> bool {
        !self.typing.check(Key::User(user_id)).refused
    }

    /// Counts a call that this person begins; 429 beyond `calls.invites_per_minute`.
    pub fn check_call(&self, user_id: Uuid) -> ApiResult<()> {
        let standing = self.call.check(Key::User(user_id));
        if standing.refused { Err(ApiError::rate_limited(standing.reset_s.max(1))) } else { Ok(()) }
    }

    /// Counts a signal that this device sends; 429 beyond `calls.signals_per_second`.
    pub fn check_signal(&self, session_id: Uuid) -> ApiResult<()> {
        let is_refused = self.signal.check(Key::Device(session_id)).refused;
        if is_refused { Err(ApiError::rate_limited(1)) } else { Ok(()) }
    }

    /// The session's tokens were answered 401: whoever holds one spends their address's quota from now on.
    pub async fn session_ended(&self, session_id: Uuid) {
        self.ended.insert(session_id, ()).await;
    }

    /// Whether [`RateLimits::session_ended`] was called for the session lately.
    pub fn has_ended(&self, session_id: Uuid) -> bool {
        self.ended.contains_key(&session_id)
    }

    /// The tighter of the general limit and the route's own.
    pub fn check(&self, key: Key, method: &Method, path: &str) -> Option<LimitStatus> {
        let own = self.of_route(method, path).map(|limit| limit.check(key));
        let is_spared = matches!(key, Key::Address(address) if self.spare_loopback && address.is_loopback());
        let general = if matches!(key, Key::Address(_)) { &self.every_address } else { &self.every };
        let every = (!is_spared).then(|| general.check(key));
        own.into_iter().chain(every).max_by_key(|standing| (standing.refused, u32::MAX - standing.remaining))
    }

    fn of_route(&self, method: &Method, path: &str) -> Option<&Limit> {
        match (method.as_str(), path.strip_prefix("/api/v1").unwrap_or(path)) {
            ("POST", "/jobs") => Some(&self.create_job),
            ("POST", "/mechanics/register") => Some(&self.register_mechanic),
            ("POST", "/auth/admin-login" | "/auth/accept-invite") => Some(&self.admin_login),
            ("POST", path) if path.starts_with("/idp/") => Some(&self.admin_login),
            ("GET", "/users/me/export") => Some(&self.export),
            ("GET", path) if path.starts_with("/track/") => Some(&self.track),
            ("POST", path) if is_chat(path) => Some(&self.message),
            _ => None,
        }
    }

    /// Whether this is where people guess: at passwords, or at the tokens of links.
    pub fn is_guessable(&self, method: &Method, path: &str) -> bool {
        let own = self.of_route(method, path);
        own.is_some_and(|limit| std::ptr::eq(limit, &self.admin_login) || std::ptr::eq(limit, &self.track))
    }
}

impl Limit {
    fn new(per_minute: u32) -> Self {
        let burst = NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN);
        Self { limiter: limiter(Quota::per_minute(burst)), per_minute: burst.get() }
    }

    fn per_second(per_second: u32) -> Self {
        let burst = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        let limiter = limiter(Quota::per_second(burst));
        Self { limiter, per_minute: burst.get().saturating_mul(60) }
    }

    fn check(&self, key: Key) -> LimitStatus {
        match self.limiter.check_key(&key) {
            Ok(snapshot) => self.passed(&snapshot),
            Err(refusal) => self.refused(&refusal),
        }
    }

    fn passed(&self, snapshot: &StateSnapshot) -> LimitStatus {
        let remaining = snapshot.remaining_burst_capacity();
        let used = u64::from(self.per_minute.saturating_sub(remaining));
        let reset_s = (used * 60).div_ceil(u64::from(self.per_minute));
        LimitStatus { limit: self.per_minute, remaining, reset_s, refused: false }
    }

    fn refused(&self, refusal: &NotUntil<QuantaInstant>) -> LimitStatus {
        let wait = refusal.wait_time_from(self.limiter.clock().now());
        LimitStatus { limit: self.per_minute, remaining: 0, reset_s: whole_seconds(wait), refused: true }
    }
}

fn limiter(quota: Quota) -> Limiter {
    let (buckets, clock) = (Buckets::default(), DefaultClock::default());
    let limiter = governor::RateLimiter::<_, _, _, NoOpMiddleware<_>>::new(quota, buckets, clock);
    limiter.with_middleware()
}

/// `/jobs/{id}/messages`
fn is_chat(path: &str) -> bool {
    let job = path.strip_prefix("/jobs/").and_then(|rest| rest.strip_suffix("/messages"));
    job.is_some_and(|id| !id.contains('/'))
}

/// Rounded up, so that who waits this long is let in.
fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// What of an address counts as one client: all of an IPv4 address, the first 64 bits of an IPv6 one.
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) if v6.is_loopback() => address,
        IpAddr::V6(v6) => IpAddr::V6((u128::from(v6) >> 64 << 64).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(per_user_per_minute: u32) -> RateLimits {
        let mut settings = Settings::defaults();
        settings.limits.per_user_per_minute = per_user_per_minute;
        settings.limits.create_job_per_minute = 2;
        RateLimits::new(&settings)
    }

    #[test]
    fn one_user_at_the_limit_leaves_the_others_alone() {
        let limits = limits(3);
        let (one, other) = (Key::User(Uuid::from_u128(1)), Key::User(Uuid::from_u128(2)));
        let get = |key| limits.check(key, &Method::GET, "/jobs").expect("counted");
        let remaining: Vec<u32> = (0..3).map(|_| get(one).remaining).collect();
        assert_eq!(remaining, [2, 1, 0]);
        let refused = get(one);
        assert!(refused.refused && refused.reset_s >= 1, "{refused:?}");
        assert!(!get(other).refused);
    }

    #[test]
    fn an_address_has_a_limit_of_its_own() {
        let mut settings = Settings::defaults();
        (settings.limits.per_user_per_minute, settings.limits.per_address_per_minute) = (3, 1);
        let limits = RateLimits::new(&settings);
        let (address, user) = (Key::Address(IpAddr::from([203, 0, 113, 1])), Key::User(Uuid::from_u128(1)));
        let refused = |key| limits.check(key, &Method::GET, "/health").expect("counted").refused;
        assert_eq!(
            [refused(address), refused(address), refused(user), refused(user)],
            [false, true, false, false]
        );
    }

    #[test]
    fn a_dearer_route_has_a_tighter_limit_under_both_prefixes() {
        let limits = limits(600);
        let key = Key::User(Uuid::from_u128(1));
        let paths = ["/jobs", "/api/v1/jobs", "/jobs"];
        let refused = paths.map(|path| limits.check(key, &Method::POST, path).expect("counted").refused);
        assert_eq!(refused, [false, false, true]);
        assert!(!limits.check(key, &Method::GET, "/jobs").expect("counted").refused);
    }

    #[test]
    fn development_spares_loopback_but_not_from_guessing_passwords() {
        let limits = limits(1);
        let key = Key::Address(IpAddr::from([127, 0, 0, 1]));
        assert!(limits.check(key, &Method::GET, "/jobs").is_none());
        assert!(limits.check(key, &Method::POST, "/idp/token").is_some());
    }

    #[test]
    fn looks_by_links_are_counted_by_address_under_both_prefixes() {
        let mut settings = Settings::defaults();
        settings.shares.looks_per_minute = 2;
        let limits = RateLimits::new(&settings);
        let key = Key::Address(IpAddr::from([127, 0, 0, 1]));
        let looks = ["/track/a", "/api/v1/track/b", "/track/c"];
        let refused = looks.map(|path| limits.check(key, &Method::GET, path).expect("counted").refused);
        assert_eq!(refused, [false, false, true]);
        assert!(limits.is_guessable(&Method::GET, "/track/a"), "whatever token the client has of its own");
        assert!(!limits.is_guessable(&Method::GET, "/jobs"));
    }

    #[test]
    fn many_newcomers_share_a_bucket_and_those_who_were_there_keep_theirs() {
        let limit = Limit::new(2);
        let one = Key::User(Uuid::from_u128(0));
        assert!(!limit.check(one).refused);
        for n in 1..MAX_KEYS as u128 {
            limit.check(Key::User(Uuid::from_u128(n)));
        }
        let newcomers = (0..3).map(|n| limit.check(Key::User(Uuid::from_u128(u128::MAX - n))).refused);
        assert_eq!(newcomers.collect::<Vec<_>>(), [false, false, true]);
        assert_eq!(limit.check(one).remaining, 0, "it has spent two of its own");
        assert!(limit.limiter.len() <= MAX_KEYS + 1);
    }

    #[test]
    fn messages_over_http_and_sockets_are_counted_together() {
        let mut settings = Settings::defaults();
        settings.chat.messages_per_minute = 3;
        let limits = RateLimits::new(&settings);
        let user = Uuid::from_u128(1);
        let post = |path| limits.check(Key::User(user), &Method::POST, path).expect("counted").refused;
        assert!(!post("/jobs/a/messages") && !post("/api/v1/jobs/b/messages"));
        assert!(limits.check_message(user).is_ok());
        let refused = limits.check_message(user).expect_err("a fourth");
        assert!(refused.retry_after_s.is_some_and(|seconds| seconds >= 1), "{refused}");
        assert!(post("/jobs/a/messages"));
        assert!(!post("/jobs/a/messages/read") && !post("/jobs/a/b/messages"), "no messages");
        assert!(limits.check_message(Uuid::from_u128(2)).is_ok(), "somebody else's");
    }

    #[test]
    fn who_types_is_told_of_once_a_second() {
        let limits = limits(600);
        let user = Uuid::from_u128(1);
        assert!(limits.may_type(user) && !limits.may_type(user));
        assert!(limits.may_type(Uuid::from_u128(2)));
    }

    #[test]
    fn idle_keys_are_forgotten() {
        let limits = limits(u32::MAX);
        limits.check(Key::User(Uuid::from_u128(1)), &Method::GET, "/jobs").expect("counted");
        assert_eq!(limits.every.limiter.len(), 1);
        limits.forget_idle();
        assert_eq!(limits.every.limiter.len(), 0, "at this rate the bucket is full again at once");
    }

    #[test]
    fn an_ipv6_household_is_one_client() {
        let a: IpAddr = "2001:db8:1:2:aaaa::1".parse().expect("an address");
        let b: IpAddr = "2001:db8:1:2:bbbb::2".parse().expect("an address");
        assert_eq!(network(a), network(b));
    }
}
