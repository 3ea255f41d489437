//! Tests the rights of subscriptions, replays that are refused, and audit entries about subscriptions.

use std::time::Duration;

use roadcall::partners::feeds::{self, PartnerEventKind};
use serde_json::json;

use super::feeds::{Subscribed, all_are, append, program, spawn};
use crate::support::{
    TestApp,
    bodies::id_of,
    cases::{Contracted, new_case},
    hooks::{HookReceiver, kind_of},
    partners::{Agent, Partner, insert_told_case},
    peer::{Manner, says},
    until,
};

const DAY: Duration = Duration::from_secs(24 * 3_600);

/// An agency with a case that it made for an organisation, and with a subscription.
struct Hearing<'a> {
    club: Contracted<'a>,
    agency: Partner<'a>,
    agent: Agent,
    receiver: HookReceiver,
    case: String,
    subscription: String,
}

impl<'a> Hearing<'a> {
    /// Waits until the agency has heard of its case.
    async fn new(app: &'a TestApp) -> Self {
        let club = Contracted::new(app).await;
        let agency = app.partner(&club.admin).await;
        let agent = Agent::new(&agency, &club.partner, &["read", "cases", "webhooks"]).await;
        let receiver = HookReceiver::start().await;
        let new = json!({"url": receiver.hooks_url(), "events": ["case.created", "case.closed"]});
        let subscription = id_of(&agent.post("/partner/subscriptions", &new).await.expect(201));
        let verify = format!("/partner/subscriptions/{subscription}/verify");
        agent.post(&verify, &json!({})).await.expect(200);
        let case = agent.post("/partner/cases", &new_case("roadside", club.place())).await.expect(201);
        receiver.until_events(1).await;
        Self { club, agency, agent, receiver, case: id_of(&case), subscription }
    }

    fn app(&self) -> &'a TestApp {
        self.club.app
    }

    async fn revoke(&self) {
        self.club.admin.delete(&format!("/admin/partner-keys/{}", self.agent.key.id)).await.expect(204);
    }

    /// Appends an event, and lets its first try fail. The next one waits for the stopped clock.
    async fn fail(&self) {
        self.app().service.clock.stop();
        self.receiver.answer_as(says(503, ""));
        append(self.app(), &self.case, PartnerEventKind::CaseClosed, 1).await;
        let failed = "select count(*) from partner_deliveries where subscription_id = $1::uuid and answer_status = 503";
        until("it failed", async || {
            let count: i64 = self.app().value(failed, &[&self.subscription]).await;
            (count == 1).then_some(())
        })
        .await;
    }

    /// Returns the number of deliveries, and the tries of those that wait.
    async fn deliveries(&self) -> (i64, Option<i64>) {
        let counted = "select count(*), sum(tries) filter (where status = 'pending')
            from partner_deliveries where subscription_id = $1::uuid";
        self.app().row(counted, &[&self.subscription]).await
    }
}

#[actix_web::test]
async fn an_agency_without_a_key_for_the_organisation_hears_nothing_until_it_has_one_again() {
    let app = spawn().await;
    let hearing = Hearing::new(&app).await;
    let own = HookReceiver::start().await;
    Subscribed::verified(&program(&hearing.club.partner).await, &own).await;
    hearing.fail().await;
    hearing.revoke().await;
    assert_eq!(hearing.deliveries().await, (2, Some(1)));
    app.service.clock.advance(Duration::from_secs(10));
    append(&app, &hearing.case, PartnerEventKind::CaseAccepted, 1).await;
    append(&app, &hearing.case, PartnerEventKind::CaseClosed, 1).await;
    own.until("the organisation hears it", || {
        own.events().iter().any(|event| kind_of(event) == "case.accepted").then_some(())
    })
    .await;
    assert_eq!(hearing.deliveries().await, (2, Some(1)), "nothing is added, nor sent");
    hearing.receiver.answer_as(Manner::Documented);
    Agent::new(&hearing.agency, &hearing.club.partner, &["read"]).await;
    app.service.feeds.wake();
    hearing.receiver.until_events(3).await;
}

#[actix_web::test]
async fn deliveries_to_an_agency_without_a_key_are_deleted_with_their_events() {
    let app = spawn().await;
    let hearing = Hearing::new(&app).await;
    hearing.fail().await;
    hearing.revoke().await;
    feeds::sweep(&app.service.feeds, 1_000).await.expect("a sweep");
    assert_eq!(hearing.deliveries().await, (2, Some(1)), "it is kept as long as the events");
    app.service.clock.advance(31 * DAY);
    feeds::sweep(&app.service.feeds, 1_000).await.expect("a sweep");
    assert_eq!(hearing.deliveries().await, (0, None));
}

#[actix_web::test]
async fn a_suspended_organisation_hears_nothing() {
    let app = spawn().await;
    let hearing = Hearing::new(&app).await;
    let suspend = async |partner: &Partner<'_>, status: &str| {
        hearing.club.admin.patch(&partner.path(""), json!({"status": status})).await.expect(200)
    };
    for suspended in [&hearing.club.partner, &hearing.agency] {
        suspend(suspended, "suspended").await;
        append(&app, &hearing.case, PartnerEventKind::CaseClosed, 1).await;
        assert_eq!(hearing.deliveries().await.0, 1, "that of before");
        suspend(suspended, "active").await;
    }
    append(&app, &hearing.case, PartnerEventKind::CaseClosed, 1).await;
    assert_eq!(hearing.deliveries().await.0, 2);
}

#[actix_web::test]
async fn a_subscription_with_a_long_queue_gets_no_replay() {
    let app = spawn().await;
    let partner = app.partner(&app.admin().await).await;
    let (program, receiver) = (program(&partner).await, HookReceiver::start().await);
    let subscribed = Subscribed::verified(&program, &receiver).await;
    let (case, began_at) = (insert_told_case(&app, &partner.id).await, app.service.clock.now());
    append(&app, &case, PartnerEventKind::CaseClosed, 1).await;
    subscribed.until_deliveries("it is delivered", |all| all_are(all, "delivered")).await;
    let waiting = "insert into partner_deliveries (id, subscription_id, organisation_id, event_id, case_id, seq, status, next_try_at,
            created_at)
        select gen_random_uuid(), subscription_id, organisation_id, event_id, case_id, seq, 'pending',
            created_at + interval '1 year', created_at
        from partner_deliveries, generate_series(1, 10000) where subscription_id = $1::uuid";
    assert_eq!(app.change(waiting, &[&subscribed.id]).await, 10_000);
    let body = json!({"since": began_at.to_rfc3339()});
    let replay = async || program.post("/partner/deliveries/replay", body.clone()).await;
    let refused = replay().await.refused(429, "RATE_LIMITED");
    let message = refused["error"]["message"].as_str().expect("a message");
    assert!(message.contains("10,000"), "{message}");
    let fewer = "delete from partner_deliveries where id = (
        select id from partner_deliveries where subscription_id = $1::uuid and status = 'pending' limit 1)";
    assert_eq!(app.change(fewer, &[&subscribed.id]).await, 1);
    assert_eq!(replay().await.expect(200)["deliveries"], 1);
}

#[actix_web::test]
async fn replays_that_follow_each_other_send_each_event_once_though_many_came_at_the_same_time() {
    let app = spawn().await;
    let partner = app.partner(&app.admin().await).await;
    let (program, receiver) = (program(&partner).await, HookReceiver::start().await);
    let subscribed = Subscribed::verified(&program, &receiver).await;
    let (case, began_at) = (insert_told_case(&app, &partner.id).await, app.service.clock.now());
    // The time of each event, in milliseconds from the beginning.
    let came: Vec<i64> = (0..20).chain([20; 1_500]).chain([21; 20]).collect();
    let events = "insert into partner_events (id, case_id, organisation_id, seq, kind, body, created_at)
        select gen_random_uuid(), $1::uuid, $2::uuid, came.seq + 1, 'case.closed', '{}',
            $3::timestamptz + make_interval(secs => came.ms / 1000.0)
        from unnest($4::bigint[]) with ordinality as came (ms, seq)";
    sqlx::query(events)
        .bind(&case)
        .bind(&partner.id)
        .bind(began_at)
        .bind(&came)
        .execute(&app.database.db)
        .await
        .expect("the events");
    let (mut since, mut pages) = (json!(began_at.to_rfc3339()), Vec::new());
    while !since.is_null() && pages.len() < 5 {
        let mut replayed =
            program.post("/partner/deliveries/replay", json!({ "since": since })).await.expect(200);
        pages.push(replayed["deliveries"].as_u64().expect("a number"));
        since = replayed["next_since"].take();
    }
    assert_eq!(pages, [20, 1_500, 20]);
    let sent =
        "select count(*), count(distinct event_id) from partner_deliveries where subscription_id = $1::uuid";
    let sent: Vec<(i64, i64)> = app.rows(sent, &[&subscribed.id]).await;
    assert_eq!(sent, [(1_540, 1_540)]);
}

#[actix_web::test]
async fn changes_of_a_subscription_and_replays_are_in_the_audit_log_without_secrets() {
    let app = spawn().await;
    let partner = app.partner(&app.admin().await).await;
    let (program, receiver) = (program(&partner).await, HookReceiver::start().await);
    let subscribed = Subscribed::verified(&program, &receiver).await;
    program.patch(&subscribed.path(""), json!({"within_m": 500})).await.expect(200);
    let rotated = program.post(&subscribed.path("/rotate-secret"), json!({})).await.expect(200);
    let since = json!({"since": app.service.clock.now().to_rfc3339()});
    program.post("/partner/deliveries/replay", since).await.expect(200);
    program.delete(&subscribed.path("")).await.expect(204);
    let entries = "select action, via ->> 'organisation', concat(before, after) from audit_log
        where action like 'partner_subscription.%' or action = 'partner_deliveries.replay' order by at, id";
    let entries: Vec<(String, String, String)> = app.rows(entries, &[]).await;
    let actions: Vec<&str> = entries.iter().map(|(action, ..)| action.as_str()).collect();
    let expected = [
        "partner_subscription.create",
        "partner_subscription.update",
        "partner_subscription.update",
        "partner_subscription.rotate_secret",
        "partner_deliveries.replay",
        "partner_subscription.delete",
    ];
    assert_eq!(actions, expected, "the first update is the verification");
    let secret = rotated["secret"].as_str().expect("a secret");
    for (action, organisation, values) in &entries {
        assert_eq!(*organisation, partner.id, "{action}");
        assert!(!values.contains(secret), "{action}");
    }
    assert!(entries[2].2.contains("500"), "{}", entries[2].2);
}
