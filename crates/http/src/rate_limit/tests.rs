use chrono::DateTime;
use roadcall_platform::settings::testing::default_of;

use super::*;

/// Makes a clock that stands still until a test sets it forward, so that nothing is refilled.
fn stopped() -> Clock {
    let clock = Clock::controlled(DateTime::UNIX_EPOCH);
    clock.stop();
    clock
}

/// Returns the limits of the documented defaults.
fn defaults() -> Rates {
    Rates {
        limits: default_of("limits"),
        socket_bytes_per_second: default_of("ws.bytes_per_second"),
        link_requests_per_minute: default_of("shares.requests_per_minute"),
        messages_per_minute: default_of("chat.messages_per_minute"),
        calls_per_minute: default_of("calls.invites_per_minute"),
        signals_per_second: default_of("calls.signals_per_second"),
        token_ttl: Duration::from_secs(default_of("auth.access_token_ttl_s")),
    }
}

fn limits(per_user_per_minute: u32) -> RateLimits {
    let mut rates = defaults();
    rates.limits.per_user_per_minute = per_user_per_minute;
    rates.limits.create_job_per_minute = 2;
    RateLimits::new(&rates, &stopped())
}

#[test]
fn one_user_at_the_limit_leaves_the_others_alone() {
    let limits = limits(3);
    let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let get = |person| limits.check_person(person, &Method::GET, "/jobs");
    let remaining: Vec<u32> = (0..3).map(|_| get(one).remaining).collect();
    assert_eq!(remaining, [2, 1, 0]);
    let refused = get(one);
    assert!(refused.refused && refused.reset_s >= 1, "{refused:?}");
    assert!(!get(other).refused);
}

const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(203, 0, 113, 1));

#[test]
fn an_address_has_requests_of_its_own_for_each_purpose() {
    let mut rates = defaults();
    rates.limits.per_address_per_minute = 2;
    (rates.limits.admin_login_per_minute, rates.link_requests_per_minute) = (2, 2);
    let limits = RateLimits::new(&rates, &stopped());
    for purpose in VisitPurpose::ALL {
        let refused = (0..3).map(|_| limits.check_other(purpose, None, ADDRESS).expect("counted").refused);
        assert_eq!(refused.collect::<Vec<_>>(), [false, false, true], "{purpose:?}");
    }
    assert!(!limits.check_person(Uuid::from_u128(1), &Method::GET, "/jobs").refused);
}

#[test]
fn a_shown_credential_is_counted_instead_of_the_address_and_not_exhausted_by_it() {
    let mut rates = defaults();
    (rates.limits.per_address_per_minute, rates.limits.per_credential_per_minute) = (1, 2);
    let limits = RateLimits::new(&rates, &stopped());
    let (one, other) = (Proof::of("one"), Proof::of("other"));
    for purpose in
        [VisitPurpose::SigningIn, VisitPurpose::Refreshing, VisitPurpose::File, VisitPurpose::Socket]
    {
        let check = |shown| limits.check_other(purpose, shown, ADDRESS).expect("counted").refused;
        assert_eq!([check(None), check(None)], [false, true], "{purpose:?}");
        assert_eq!(
            [check(Some(one)), check(Some(one)), check(Some(one))],
            [false, false, true],
            "{purpose:?}"
        );
        assert!(!check(Some(other)), "{purpose:?}");
    }
    for _ in 0..100 {
        assert!(
            limits.check_other(VisitPurpose::Webhook, Some(one), ADDRESS).is_none(),
            "signed events have no limit"
        );
    }
}

#[test]
fn each_route_has_its_purpose_under_both_prefixes() {
    let cases = [
        (Method::GET, "/service-categories", VisitPurpose::Reading),
        (Method::POST, "/jobs", VisitPurpose::Reading),
        (Method::POST, "/auth/logout", VisitPurpose::Reading),
        (Method::POST, "/auth/verify-otp", VisitPurpose::SigningIn),
        (Method::POST, "/auth/refresh", VisitPurpose::Refreshing),
        (Method::POST, "/auth/accept-invite", VisitPurpose::AdminSigningIn),
        (Method::POST, "/idp/second-factor", VisitPurpose::AdminSigningIn),
        (Method::GET, "/idp/.well-known/jwks.json", VisitPurpose::Reading),
        (Method::GET, "/shares/a", VisitPurpose::Following),
        (Method::POST, "/shares/a/calls/b/signal", VisitPurpose::Signalling),
        (Method::PUT, "/uploads/a/content", VisitPurpose::File),
        (Method::GET, "/uploads/a/b/content", VisitPurpose::Reading),
        (Method::GET, "/ws", VisitPurpose::Socket),
        (Method::GET, "/jobs/a/stream", VisitPurpose::Socket),
        (Method::POST, "/payments/webhook", VisitPurpose::Webhook),
        (Method::GET, "/partner", VisitPurpose::Partner),
        (Method::POST, "/partner/keys/a/rotate", VisitPurpose::Partner),
        (Method::GET, "/partners", VisitPurpose::Reading),
    ];
    for (method, path, purpose) in cases {
        assert_eq!(VisitPurpose::of(&method, path), purpose, "{method} {path}");
        assert_eq!(VisitPurpose::of(&method, &format!("/api/v1{path}")), purpose, "{method} {path}");
    }
    for (at, purpose) in VisitPurpose::ALL.into_iter().enumerate() {
        assert_eq!(purpose as usize, at);
    }
}

#[test]
fn a_dearer_route_has_a_tighter_limit_under_both_prefixes() {
    let limits = limits(600);
    let person = Uuid::from_u128(1);
    let paths = ["/jobs", "/api/v1/jobs", "/jobs"];
    let refused = paths.map(|path| limits.check_person(person, &Method::POST, path).refused);
    assert_eq!(refused, [false, false, true]);
    assert!(!limits.check_person(person, &Method::GET, "/jobs").refused);
}

#[test]
fn loopback_is_an_address_like_others() {
    let mut rates = defaults();
    rates.limits.per_address_per_minute = 1;
    let limits = RateLimits::new(&rates, &stopped());
    let here = IpAddr::from([127, 0, 0, 1]);
    let refused =
        [(); 2].map(|()| limits.check_other(VisitPurpose::Reading, None, here).expect("counted").refused);
    assert_eq!(refused, [false, true]);
}

#[test]
fn many_newcomers_share_a_bucket_and_earlier_clients_keep_theirs() {
    let limit = Limit::new(2, &stopped());
    let one = Key::Person(Uuid::from_u128(0));
    assert!(!limit.check(one).refused);
    for n in 1..MAX_KEYS as u128 {
        limit.check(Key::Person(Uuid::from_u128(n)));
    }
    let newcomers = (0..3).map(|n| limit.check(Key::Person(Uuid::from_u128(u128::MAX - n))).refused);
    assert_eq!(newcomers.collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(limit.check(one).remaining, 0, "it has spent two of its own");
    assert!(limit.limiter.len() <= MAX_KEYS + 1);
}

#[test]
fn messages_over_http_and_sockets_are_counted_together() {
    let mut rates = defaults();
    rates.messages_per_minute = 3;
    let limits = RateLimits::new(&rates, &stopped());
    let user = Uuid::from_u128(1);
    let post = |path| limits.check_person(user, &Method::POST, path).refused;
    assert!(!post("/jobs/a/messages") && !post("/api/v1/jobs/b/messages"));
    assert!(limits.check_message(user).is_ok());
    let refused = limits.check_message(user).expect_err("a fourth");
    assert!(refused.retry_after_s.is_some_and(|seconds| seconds >= 1), "{refused}");
    assert!(post("/jobs/a/messages"));
    assert!(!post("/jobs/a/messages/read") && !post("/jobs/a/b/messages"), "no messages");
    assert!(limits.check_message(Uuid::from_u128(2)).is_ok(), "somebody else's");
}

#[test]
fn requests_and_sockets_draw_from_one_budget_each_at_its_price() {
    let mut rates = defaults();
    rates.limits.per_user_per_minute = 12;
    (rates.limits.socket_cost, rates.limits.subscription_cost) = (3, 2);
    let limits = RateLimits::new(&rates, &stopped());
    let person = Uuid::from_u128(1);
    let left = |method, path| limits.check_person(person, &method, path).remaining;
    assert_eq!(left(Method::GET, "/vehicles"), 11);
    assert_eq!(left(Method::GET, "/api/v1/ws"), 8);
    assert_eq!(left(Method::GET, "/jobs/a/stream"), 5);
    assert_eq!(limits.cost_of(&Method::POST, "/uploads/presign"), limits.costs.upload);
    limits.check_subscription(person).expect("five are left");
    limits.check_command(person).expect("three are left");
    assert_eq!(left(Method::GET, "/vehicles"), 1);
    let refused = limits.check_subscription(person).expect_err("one is left");
    assert!(refused.retry_after_s.is_some_and(|seconds| (1..=5).contains(&seconds)), "{refused}");
    limits.check_command(person).expect("the last one");
    limits.check_command(Uuid::from_u128(2)).expect("somebody else's");
}

#[test]
fn a_cost_beyond_a_whole_budget_takes_all_of_it() {
    let limits = limits(5);
    let standing = limits.check_person(Uuid::from_u128(1), &Method::POST, "/wallet/upi");
    assert_eq!((standing.refused, standing.remaining), (false, 0));
}

#[test]
fn bytes_beyond_the_rate_wait_their_turn() {
    let mut rates = defaults();
    rates.socket_bytes_per_second = 1_000;
    let limits = RateLimits::new(&rates, &stopped());
    let person = Uuid::from_u128(1);
    assert_eq!(limits.check_bytes(person, 4_000), Ok(()));
    // A whole bucket refills in four seconds.
    let wait = limits.check_bytes(person, 4_000).expect_err("a full bucket is spent");
    assert_eq!(wait, Duration::from_secs(4));
    assert_eq!(limits.check_bytes(Uuid::from_u128(2), 9_000), Ok(()), "more than a bucket holds");
}

#[test]
fn typing_is_shown_once_a_second() {
    let (clock, user) = (stopped(), Uuid::from_u128(1));
    let limits = RateLimits::new(&defaults(), &clock);
    assert!(limits.may_type(user) && !limits.may_type(user));
    assert!(limits.may_type(Uuid::from_u128(2)));
    clock.advance(Duration::from_millis(999));
    assert!(!limits.may_type(user));
    clock.advance(Duration::from_millis(1));
    assert!(limits.may_type(user));
}

#[test]
fn idle_keys_are_forgotten() {
    let (clock, mut rates) = (stopped(), defaults());
    rates.limits.per_user_per_minute = 60;
    let limits = RateLimits::new(&rates, &clock);
    limits.check_person(Uuid::from_u128(1), &Method::GET, "/jobs");
    limits.forget_idle();
    assert_eq!(limits.every.limiter.len(), 1, "one request is missing in the bucket");
    clock.advance(Duration::from_secs(61));
    limits.forget_idle();
    assert_eq!(limits.every.limiter.len(), 0, "the bucket is full again");
}

#[test]
fn an_ipv6_household_is_one_client() {
    let a: IpAddr = "2001:db8:1:2:aaaa::1".parse().expect("an address");
    let b: IpAddr = "2001:db8:1:2:bbbb::2".parse().expect("an address");
    assert_eq!(network(a), network(b));
}

#[test]
fn repeated_events_cost_by_their_number() {
    let mut rates = defaults();
    (rates.limits.per_user_per_minute, rates.limits.replayed_events_per_request) = (60, 5);
    let limits = RateLimits::new(&rates, &stopped());
    let person = Uuid::from_u128(1);
    for _ in 0..100 {
        assert_eq!(limits.check_replay(person, 4), Ok(()), "what a phone misses in a tunnel is free");
    }
    for _ in 0..3 {
        assert_eq!(limits.check_replay(person, 100), Ok(()));
    }
    let wait = limits.check_replay(person, 100).expect_err("all sixty are spent");
    assert!((Duration::from_secs(15)..=Duration::from_secs(20)).contains(&wait), "{wait:?}");
    assert_eq!(
        limits.check_replay(Uuid::from_u128(2), 100_000),
        Ok(()),
        "more than there can be takes all there is"
    );
}

#[test]
fn each_key_of_a_partner_has_its_own_limit() {
    let limits = RateLimits::new(&defaults(), &stopped());
    let (slow, fast) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let standings = (0..4).map(|_| limits.check_partner(slow, 3));
    let standings: Vec<_> =
        standings.map(|standing| (standing.limit, standing.remaining, standing.refused)).collect();
    assert_eq!(standings, [(3, 2, false), (3, 1, false), (3, 0, false), (3, 0, true)]);
    for made in 1..=600 {
        assert_eq!(limits.check_partner(fast, 600).remaining, 600 - made);
    }
    let refused = limits.check_partner(fast, 600);
    assert!(refused.refused && refused.reset_s == 1, "{refused:?}");
}
