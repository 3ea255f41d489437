//! Webhooks to partners: subscriptions, the order of events, retries, replays, and the events of a case.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use roadcall::{
    http::Timestamp,
    partners::feeds::{self, NewPartnerEvent, PartnerEventKind},
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{
    Client, TestApp,
    bodies::id_of,
    hooks::{HookReceiver, is_signed, kind_of, seq_of},
    partners::{Partner, insert_case, insert_told_case},
    peer::{Manner, PeerRequest, redirects, says},
    spawn_app_with, spawn_with_admin, until_fits, until_so,
};

const HOUR: Duration = Duration::from_secs(3_600);

/// Starts a service that sends webhooks to receivers on this machine.
pub(super) async fn spawn() -> TestApp {
    spawn_app_with(|settings| {
        settings.partners.allow_private_addresses = true;
        // Even on a slow machine, a receiver that hangs then does so until the end of a test.
        settings.partners.webhook_timeout_s = 60;
        settings.limits.per_user_per_minute = 100_000;
    })
    .await
}

/// A program of a partner with a subscription.
pub(super) struct Subscribed {
    program: Client,
    pub id: String,
    secret: String,
}

impl Subscribed {
    async fn made(program: &Client, receiver: &HookReceiver, changes: Value) -> Self {
        let mut body = json!({"url": receiver.hooks_url()});
        for (field, value) in changes.as_object().expect("fields") {
            body[field] = value.clone();
        }
        let made = program.post("/partner/subscriptions", body).await.expect(201);
        assert_eq!(made["status"], "unverified");
        let secret = made["secret"].as_str().expect("a secret").to_owned();
        Self { program: program.clone(), id: id_of(&made), secret }
    }

    /// Makes a subscription, and lets it pass the challenge.
    pub async fn verified(program: &Client, receiver: &HookReceiver) -> Self {
        let made = Self::made(program, receiver, json!({})).await;
        let verified = program.post(&made.path("/verify"), json!({})).await.expect(200);
        assert_eq!(verified["status"], "active");
        made
    }

    pub fn path(&self, below: &str) -> String {
        format!("/partner/subscriptions/{}{below}", self.id)
    }

    async fn shown(&self) -> Value {
        let all = self.program.get("/partner/subscriptions").await.expect(200);
        let own = all["data"].as_array().expect("a list").iter().find(|one| one["id"] == self.id.as_str());
        own.expect("it is listed").clone()
    }

    /// Returns its deliveries, the newest first.
    pub async fn deliveries(&self) -> Vec<Value> {
        let path = format!("/partner/deliveries?limit=100&subscription_id={}", self.id);
        self.program.get(&path).await.expect(200)["data"].as_array().expect("a list").clone()
    }

    /// Waits until its deliveries meet the condition.
    pub async fn until_deliveries(&self, what: &str, are_so: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        until_fits(what, async || self.deliveries().await, |deliveries| are_so(deliveries)).await
    }

    /// Waits until both of its deliveries have failed so often, and wait until `next`: a delivery counts its try already when it
    /// is being sent.
    async fn until_failed(&self, tries: i64, next: DateTime<Utc>) {
        let next = json!(Timestamp(next));
        let is_failed = |delivery: &Value| delivery["tries"] == tries && delivery["next_try_at"] == next;
        let are_failed = |all: &[Value]| all.len() == 2 && all.iter().all(is_failed);
        self.until_deliveries(&format!("try {tries}"), are_failed).await;
    }
}

fn has_answer(deliveries: &[Value], status: u16) -> bool {
    deliveries.iter().any(|delivery| delivery["answer_status"] == status)
}

pub(super) fn all_are(deliveries: &[Value], status: &str) -> bool {
    !deliveries.is_empty() && deliveries.iter().all(|delivery| delivery["status"] == status)
}

pub(super) async fn program(partner: &Partner<'_>) -> Client {
    let often = json!({"requests_per_minute": 100_000});
    (*partner.app.program(&partner.key_with(&["read", "webhooks"], often).await)).clone()
}

/// Appends events of this kind to a case.
pub(super) async fn append(app: &TestApp, case: &str, kind: PartnerEventKind, count: usize) {
    let context = &app.service.feeds;
    let events = (0..count).map(|_| NewPartnerEvent::of_case(kind, app.service.clock.now()));
    let id: Uuid = case.parse().expect("an id");
    let mut tx = context.db.begin().await.expect("a transaction");
    feeds::append(&mut tx, context, id, events.collect()).await.expect("the case");
    tx.commit().await.expect("a commit");
    context.wake();
}

#[actix_web::test]
async fn a_subscription_gets_nothing_before_its_receiver_passed_the_challenge() {
    let app = spawn().await;
    let partner = app.partner(&app.admin().await).await;
    let (program, receiver) = (program(&partner).await, HookReceiver::start().await);
    let subscribed = Subscribed::made(&program, &receiver, json!({"events": ["case.closed"]})).await;
    let case = insert_told_case(&app, &partner.id).await;
    receiver.ignore_challenges(true);
    let refused =
        program.post(&subscribed.path("/verify"), json!({})).await.refused(409, "INVALID_TRANSITION");
    let message = "The receiver did not pass the challenge: it answered without the challenge.";
    assert_eq!(refused["error"]["message"], message);
    append(&app, &case, PartnerEventKind::CaseClosed, 1).await;
    receiver.ignore_challenges(false);
    program.post(&subscribed.path("/verify"), json!({})).await.expect(200);
    append(&app, &case, PartnerEventKind::CaseCreated, 1).await;
    append(&app, &case, PartnerEventKind::CaseClosed, 1).await;
    let events = receiver.until_events(1).await;
    assert_eq!((kind_of(&events[0]).as_str(), seq_of(&events[0])), ("case.closed", 4));
    assert!(is_signed(&events[0], &subscribed.secret) && !is_signed(&events[0], "whsec_AAAA"));
    let body = events[0].json();
    assert_eq!(body["data"]["case"]["beneficiary"], json!({"name": "Asha Rao"}));
    assert_eq!((&body["data"]["case"]["id"], &body["data"]["job"]), (&json!(case), &Value::Null));
    let delivered = subscribed.until_deliveries("it is delivered", |all| all_are(all, "delivered")).await;
    assert_eq!(delivered.len(), 1, "nothing of before the challenge, and no other kind");
    assert_eq!((&delivered[0]["tries"], &delivered[0]["answer_status"]), (&json!(1), &json!(204)));
    assert_eq!(delivered[0]["event_id"], events[0].header("webhook-id").unwrap_or_default());
    let listed = app.admin().await.get("/admin/partner-deliveries").await.expect(200);
    assert_eq!(listed["data"][0]["organisation_id"], partner.id.as_str());
}

/// Returns the numbers of the first tries of each case, in the order in which they came.
fn first_tries(events: &[PeerRequest]) -> BTreeMap<String, Vec<i64>> {
    let (mut seen, mut order) = (BTreeSet::new(), BTreeMap::new());
    for event in events {
        if seen.insert(event.header("webhook-id").unwrap_or_default().to_owned()) {
            let case = event.json()["data"]["case"]["id"].as_str().expect("a case").to_owned();
            order.entry(case).or_insert_with(Vec::new).push(seq_of(event));
        }
    }
    order
}

#[actix_web::test]
async fn a_third_of_the_tries_fails_none_is_lost_and_first_tries_keep_the_order_of_their_case() {
    const EACH: usize = 20;
    let app = spawn().await;
    let partner = app.partner(&app.admin().await).await;
    let (program, receiver) = (program(&partner).await, HookReceiver::start().await);
    let subscribed = Subscribed::verified(&program, &receiver).await;
    receiver.be_flaky();
    let mut cases = Vec::new();
    for _ in 0..3 {
        cases.push(insert_told_case(&app, &partner.id).await);
    }
    for _ in 0..EACH {
        for case in &cases {
            append(&app, case, PartnerEventKind::JobCorrected, 1).await;
        }
    }
    let all_tried = || (first_tries(&receiver.events()).values().flatten().count() == 3 * EACH).then_some(());
    receiver.until("each event is tried", all_tried).await;
    let refused = receiver.refused();
    assert_eq!(refused.len(), EACH, "every third");
    app.service.clock.advance(Duration::from_secs(6));
    let events = receiver.until_events(3 * EACH + refused.len()).await;
    let order = first_tries(&events);
    for case in &cases {
        assert_eq!(order[case], (2..=EACH as i64 + 1).collect::<Vec<_>>(), "the first tries of a case");
    }
    assert!(events.iter().all(|event| is_signed(event, &subscribed.secret)));
    let delivered = subscribed.until_deliveries("all are delivered", |all| all_are(all, "delivered")).await;
    assert_eq!(delivered.len(), 3 * EACH);
    let tries = delivered.iter().filter(|delivery| delivery["tries"] == 2).count();
    assert_eq!(tries, refused.len());
}

#[actix_web::test]
async fn a_receiver_that_is_down_for_an_hour_gets_everything_afterwards() {
    let app = spawn().await;
    let partner = app.partner(&app.admin().await).await;
    let (program, receiver) = (program(&partner).await, HookReceiver::start().await);
    let subscribed = Subscribed::verified(&program, &receiver).await;
    let case = insert_told_case(&app, &partner.id).await;
    receiver.answer_as(says(503, ""));
    let clock = &app.service.clock;
    clock.stop();
    append(&app, &case, PartnerEventKind::CaseClosed, 2).await;
    for (number, wait_s) in (1..).zip([5, 300, 1_800]) {
        subscribed.until_failed(number, clock.now() + TimeDelta::seconds(wait_s)).await;
        clock.advance(Duration::from_secs(wait_s.unsigned_abs()));
    }
    subscribed.until_failed(4, clock.now() + TimeDelta::hours(2)).await;
    receiver.answer_as(Manner::Documented);
    clock.advance(2 * HOUR);
    subscribed.until_deliveries("both are delivered", |all| all_are(all, "delivered")).await;
    let order: Vec<i64> = receiver.events().iter().map(seq_of).collect();
    assert_eq!(order[..2], [2, 3], "the second was tried although the first had failed");
}

#[actix_web::test]
async fn a_receiver_that_hangs_slows_no_other() {
    let app = spawn().await;
    let partner = app.partner(&app.admin().await).await;
    let program = program(&partner).await;
    let (hanging, quick) = (HookReceiver::start().await, HookReceiver::start().await);
    let stuck = Subscribed::verified(&program, &hanging).await;
    Subscribed::verified(&program, &quick).await;
    hanging.answer_as(Manner::Silent);
    for _ in 0..6 {
        let case = insert_told_case(&app, &partner.id).await;
        append(&app, &case, PartnerEventKind::CaseClosed, 3).await;
    }
    assert_eq!(quick.until_events(18).await.len(), 18);
    let waiting = stuck.deliveries().await;
    assert!(waiting.len() == 18 && all_are(&waiting, "pending"));
    assert!(hanging.events().len() <= 4, "it has a few at once");
}

#[actix_web::test]
async fn a_redirect_is_a_failure_and_leads_nowhere() {
    let app = spawn().await;
    let partner = app.partner(&app.admin().await).await;
    let program = program(&partner).await;
    let (receiver, elsewhere) = (HookReceiver::start().await, HookReceiver::start().await);
    let subscribed = Subscribed::verified(&program, &receiver).await;
    receiver.answer_as(redirects(elsewhere.hooks_url()));
    let case = insert_case(&app, &partner.id).await;
    append(&app, &case, PartnerEventKind::CaseClosed, 1).await;
    let tried = subscribed.until_deliveries("it was tried", |all| has_answer(all, 302)).await;
    assert_eq!((&tried[0]["status"], &tried[0]["tries"]), (&json!("pending"), &json!(1)));
    let trial = program.post(&subscribed.path("/test"), json!({})).await.expect(200);
    assert_eq!(trial, json!({"is_taken": false, "answer_status": 302, "failure": null}));
    assert_eq!(elsewhere.count(), 0);
}

#[actix_web::test]
async fn a_receiver_that_is_gone_pauses_its_subscription_and_a_replay_brings_what_it_missed() {
    let app = spawn().await;
    let partner = app.partner(&app.admin().await).await;
    let (program, receiver) = (program(&partner).await, HookReceiver::start().await);
    let subscribed = Subscribed::verified(&program, &receiver).await;
    let (case, began_at) = (insert_told_case(&app, &partner.id).await, app.service.clock.now());
    receiver.answer_next([says(410, "")]);
    append(&app, &case, PartnerEventKind::CaseClosed, 1).await;
    subscribed.until_deliveries("it is given up", |all| all_are(all, "dead")).await;
    until_so("it is paused", async || subscribed.shown().await["status"] == "paused").await;
    assert_eq!(subscribed.shown().await["pause_reason"], "the receiver answered 410");
    append(&app, &case, PartnerEventKind::CaseClosed, 1).await;
    assert_eq!(subscribed.deliveries().await.len(), 1, "a paused subscription gets nothing");
    let on = program.patch(&subscribed.path(""), json!({"is_paused": false})).await.expect(200);
    assert_eq!((&on["status"], &on["pause_reason"]), (&json!("active"), &Value::Null));
    let body = json!({"since": began_at.to_rfc3339(), "case_id": case});
    let replayed = program.post("/partner/deliveries/replay", body).await.expect(200);
    assert_eq!(replayed, json!({"deliveries": 2, "next_since": null}));
    let events = receiver.until_events(3).await;
    assert_eq!(events.iter().map(seq_of).collect::<Vec<_>>(), [2, 2, 3]);
    assert_eq!(events[0].header("webhook-id"), events[1].header("webhook-id"), "it is the same event");
}

#[actix_web::test]
async fn a_new_secret_signs_beside_the_former_one_until_its_end() {
    let app = spawn().await;
    let partner = app.partner(&app.admin().await).await;
    let (program, receiver) = (program(&partner).await, HookReceiver::start().await);
    let subscribed = Subscribed::verified(&program, &receiver).await;
    let case = insert_case(&app, &partner.id).await;
    let rotated =
        program.post(&subscribed.path("/rotate-secret"), json!({"overlap_hours": 1})).await.expect(200);
    let new = rotated["secret"].as_str().expect("a secret");
    assert_ne!(new, subscribed.secret);
    append(&app, &case, PartnerEventKind::CaseCreated, 1).await;
    let first = receiver.until_events(1).await.remove(0);
    assert!(is_signed(&first, new) && is_signed(&first, &subscribed.secret));
    app.service.clock.advance(2 * HOUR);
    append(&app, &case, PartnerEventKind::CaseClosed, 1).await;
    let second = receiver.until_events(2).await.remove(1);
    assert!(is_signed(&second, new) && !is_signed(&second, &subscribed.secret));
}

#[actix_web::test]
async fn no_webhook_goes_to_an_address_that_is_not_of_a_public_host() {
    let (app, admin) = spawn_with_admin().await;
    let partner = app.partner(&admin).await;
    let program = program(&partner).await;
    for url in [
        "",
        "hooks",
        "ftp://hooks.example/a",
        "http://hooks.example/a",
        "https://user:secret@hooks.example/a",
        "https://hooks.example/a#b",
        "https://hooks.example:8443/a",
        "https://localhost/a",
        "https://hooks/a",
        "https://127.0.0.1/a",
        "https://127.1/a",
        "https://0x7f.0.0.1/a",
        "https://2130706433/a",
        "https://10.0.0.1/a",
        "https://169.254.169.254/latest/meta-data",
        "https://8.8.8.8/a",
        "https://[::1]/a",
        "https://[::ffff:127.0.0.1]/a",
    ] {
        program.post("/partner/subscriptions", json!({"url": url})).await.refused_field("url");
    }
    // A name may lead into a private network, now or later: it is looked up when a webhook is sent.
    let made =
        program.post("/partner/subscriptions", json!({"url": "https://localhost.localdomain/a"})).await;
    let path = format!("/partner/subscriptions/{}/verify", id_of(&made.expect(201)));
    program.post(&path, json!({})).await.refused(409, "INVALID_TRANSITION");
}

#[actix_web::test]
async fn the_log_of_a_job_becomes_the_events_of_its_case() {
    let app = spawn().await;
    let (partner, scene) = (app.partner(&app.admin().await).await, app.accepted().await);
    let (program, receiver) = (program(&partner).await, HookReceiver::start().await);
    Subscribed::verified(&program, &receiver).await;
    let case = insert_case(&app, &partner.id).await;
    sqlx::query(
        "insert into partner_jobs (job_id, case_id, account_id, created_at) values ($1::uuid, $2::uuid, $3::uuid, $4)",
    )
    .bind(&scene.job)
    .bind(&case)
    .bind(&partner.account_id)
    .bind(app.service.clock.now())
    .execute(&app.database.db)
    .await
    .expect("the partner's side of the job");
    let told = ["case.created", "job.created", "job.searching", "job.accepted", "job.promise_accepted"];
    let events = receiver.until_events(told.len()).await;
    assert_eq!(events.iter().map(kind_of).collect::<Vec<_>>(), told);
    let accepted = events[3].json();
    assert_eq!(accepted["data"]["job"]["id"], scene.job.as_str());
    assert_eq!(accepted["data"]["job"]["status"], "accepted");
    assert_eq!(events[1].json()["data"]["job"]["status"], "pending", "as it was then");
    let path = format!("/partner/cases/{case}/events");
    let listed = program.get(&format!("{path}?since_seq=1&limit=2")).await.expect(200);
    let seqs: Vec<&Value> =
        listed["data"].as_array().expect("a list").iter().map(|event| &event["data"]["seq"]).collect();
    assert_eq!((seqs, &listed["last_seq"]), (vec![&json!(2), &json!(3)], &json!(5)));
    assert_eq!(listed["data"][1]["id"], events[2].header("webhook-id").unwrap_or_default());
    let stranger = app.partner(&app.admin().await).await;
    self::program(&stranger).await.get(&path).await.refused(404, "NOT_FOUND");
}

/// Compares the page with the catalogue, whose occasions the AsyncAPI document has, too.
#[test]
fn the_page_for_partners_has_the_catalogue_of_events() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/PARTNERS.md");
    let page = fs::read_to_string(path).expect("the page");
    let rows =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "));
    let kinds: BTreeMap<&str, &str> =
        PartnerEventKind::ALL.iter().map(|kind| (kind.as_str(), kind.occasion())).collect();
    let shown: BTreeMap<&str, &str> = rows.filter(|(kind, _)| kind.contains('.')).collect();
    assert_eq!(shown, kinds);
}
