//! Tests the news of several jobs that one transaction tells.

use serde_json::json;

use super::feeds::{Subscribed, program, spawn};
use crate::support::{
    bodies::id_of,
    cases::{Contracted, new_case},
    hooks::HookReceiver,
    partners::Agent,
    until_so,
};

/// The events of a case while a mechanic is sought for its job.
const TOLD: [&str; 3] = ["case.created", "job.created", "job.searching"];

async fn until_told(cases: &[(&Contracted<'_>, &String)]) {
    for (club, case) in cases {
        until_so("the case is told", async || club.told(case).await == TOLD).await;
    }
}

#[actix_web::test]
async fn jobs_that_are_told_together_are_heard_only_by_those_who_may_see_their_cases() {
    let app = spawn().await;
    let (club, other) = (Contracted::new(&app).await, Contracted::new(&app).await);
    let agency = app.partner(&club.admin).await;
    let agent = Agent::new(&agency, &club.partner, &["read", "cases", "webhooks"]).await;
    let receivers = [HookReceiver::start().await, HookReceiver::start().await, HookReceiver::start().await];
    let new = json!({"url": receivers[0].hooks_url()});
    let of_agency = id_of(&agent.post("/partner/subscriptions", &new).await.expect(201));
    let verify = format!("/partner/subscriptions/{of_agency}/verify");
    agent.post(&verify, &json!({})).await.expect(200);
    let of_club = Subscribed::verified(&program(&club.partner).await, &receivers[1]).await.id;
    let of_other = Subscribed::verified(&program(&other.partner).await, &receivers[2]).await.id;
    let made = agent.post("/partner/cases", &new_case("roadside", club.place())).await.expect(201);
    let (agents, own, others) = (id_of(&made), id_of(&club.case().await), id_of(&other.case().await));
    let cases = [(&club, &agents), (&club, &own), (&other, &others)];
    until_told(&cases).await;
    // Everything is forgotten at once, so the next round finds the news of all three.
    let forget = "with delivery as (delete from partner_deliveries), event as (delete from partner_events),
            told as (update partner_cases set last_seq = 0)
        update partner_jobs set fed_seq = 0";
    assert_eq!(app.change(forget, &[]).await, 3);
    until_told(&cases).await;
    let heard =
        "select count(*) from partner_deliveries where subscription_id = $1::uuid and case_id = $2::uuid";
    for (subscription, counts) in [(&of_agency, [3, 0, 0]), (&of_club, [3, 3, 0]), (&of_other, [0, 0, 3])] {
        for ((_, case), count) in cases.into_iter().zip(counts) {
            let events: i64 = app.value(heard, &[subscription, case]).await;
            assert_eq!(events, count, "subscription {subscription}, case {case}");
        }
    }
}

#[actix_web::test]
async fn the_news_of_a_locked_case_waits_and_keeps_no_other_back() {
    let app = spawn().await;
    let club = Contracted::new(&app).await;
    let (locked, free) = (id_of(&club.case().await), id_of(&club.case().await));
    until_told(&[(&club, &locked), (&club, &free)]).await;
    let mut holder = app.database.db.begin().await.expect("a transaction");
    sqlx::query("select from partner_cases where id = $1::uuid for no key update")
        .bind(&locked)
        .execute(&mut *holder)
        .await
        .expect("the lock");
    assert_eq!(app.change("update partner_jobs set fed_seq = 0", &[]).await, 2);
    until_so("the other case is told again", async || club.told(&free).await.len() == 5).await;
    assert_eq!(club.told(&locked).await, TOLD);
    holder.rollback().await.expect("the end of the lock");
    until_so("the locked case is told again", async || club.told(&locked).await.len() == 5).await;
}
