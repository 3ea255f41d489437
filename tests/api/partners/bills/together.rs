//! Jobs on account that end together are settled together.

use serde_json::{Value, json};

use super::{Insurer, Ordered, assert_sound, audited_bills, decided, quoted, share, spawn, terms};
use crate::support::{TestApp, until_so};

/// Returns jobs that have ended with these outcomes. Nobody settles them before [`release`].
async fn ended(insurer: &Insurer<'_>, outcomes: &[&str]) -> Vec<Ordered> {
    let mut jobs = Vec::new();
    for (north, outcome) in (0..).zip(outcomes) {
        let ordered = insurer.ordered(north).await;
        let kept = "update partner_jobs set settled_at = now(), promised_at = promised_at + interval '1 hour'
            where job_id = $1::uuid";
        assert_eq!(insurer.app.change(kept, &[&ordered.job]).await, 1);
        ordered.complete(outcome).await;
        jobs.push(ordered);
    }
    jobs
}

/// Lets all jobs be settled at once, when their cases have been told everything: telling a case locks its jobs.
async fn release(app: &TestApp) {
    let untold = "select count(*) from partner_jobs p join job_states job on job.id = p.job_id
        where p.fed_seq < job.seq or not p.is_outcome_told";
    until_so("the cases are told", async || app.value::<i64>(untold, &[]).await == 0).await;
    app.sql("update partner_jobs set settled_at = null").await;
}

/// Waits until so many jobs are settled.
async fn until_settled(app: &TestApp, jobs: i64) {
    let settled = "select count(*) from partner_jobs where settled_at is not null";
    until_so("the jobs are settled", async || app.value::<i64>(settled, &[]).await == jobs).await;
}

/// Returns everything that is written when a job is settled, without ids and times.
async fn written(app: &TestApp, job: &str) -> Value {
    let written = "with job as (
            select id, status, version from job_states where id = $1::uuid
        ), entry as (
            select e.* from job_events e join job on job.id = e.job_id
            where e.version > (
                select max(done.version) from job_events done where done.job_id = job.id and done.kind = 'completed')
        )
        select jsonb_build_object(
            'status', job.status,
            'log', (select jsonb_agg(jsonb_build_array(e.kind, e.seq is null, e.actor_kind, e.data - 'payment_id',
                array(select jsonb_object_keys(e.replaced) as key order by key)) order by e.version) from entry e),
            'payment', (select to_jsonb(p) - array['id', 'job_id', 'created_at', 'updated_at', 'captured_at']
                from payments p where p.job_id = job.id),
            'due', (select to_jsonb(d) - array['job_id', 'mechanic_profile_id', 'created_at', 'settled_at']
                || jsonb_build_object('is_settled', d.settled_at is not null) from job_dues d where d.job_id = job.id),
            'earning', (select to_jsonb(e) - array['id', 'payment_id', 'job_id', 'mechanic_profile_id', 'clears_at', 'created_at']
                from earnings e where e.job_id = job.id),
            'bill', (select to_jsonb(b) - array['job_id', 'case_id', 'evidence', 'decided_at']
                || jsonb_build_object('figures', b.evidence - array['accepted_at', 'promised_at', 'arrived_at', 'ended_at'])
                from partner_bills b where b.job_id = job.id),
            'ledger', (select jsonb_agg(jsonb_build_array(t.kind, a.kind, p.amount_paise) order by t.kind, a.kind)
                from ledger_transactions t
                    join ledger_postings p on p.transaction_id = t.id
                    join ledger_accounts a on a.id = p.account_id
                where t.job_id = job.id),
            'notifications', (select jsonb_agg(n.type order by n.type) from notifications n
                where n.data->>'job_id' = job.id::text and n.type in ('job_paid', 'payment_captured')))
        from job";
    app.value(written, &[job]).await
}

#[actix_web::test]
async fn jobs_that_end_together_are_settled_by_one_statement_as_each_alone() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let outcomes = ["fixed", "not_fixable"].repeat(4);
    let jobs = ended(&insurer, &outcomes).await;
    release(&app).await;
    until_settled(&app, 8).await;
    // A statement decides all of its jobs at one time.
    let times: i64 = app.value("select count(distinct decided_at) from partner_bills", &[]).await;
    assert!(times < 8, "{times} writes for 8 jobs");
    for (ordered, outcome) in jobs.iter().zip(outcomes) {
        let price = quoted(&app, &ordered.job).await;
        let expected = match outcome {
            "fixed" => ("completed".to_owned(), price),
            _ => ("unsuccessful".to_owned(), share(price, 25)),
        };
        assert_eq!(decided(&app, &ordered.job).await, expected);
    }
    let paid = "select count(*) from jobs j join payments p on p.job_id = j.id and p.channel = 'account'
        where j.status = 'paid' and p.status = 'captured' and p.applied_paise = j.final_price_paise";
    assert_eq!(app.value::<i64>(paid, &[]).await, 8);
    assert_sound(&app).await;
    assert_eq!(audited_bills(&app).await, (8, 0, 0));
}

#[actix_web::test]
async fn a_job_that_somebody_holds_does_not_delay_the_others_and_is_settled_like_them() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let jobs = ended(&insurer, &["not_fixable"; 3]).await;
    let held = &jobs[1].job;
    let mut tx = app.database.db.begin().await.expect("a transaction");
    let hold = sqlx::query("select from job_dues where job_id = $1::uuid for update").bind(held.clone());
    hold.execute(&mut *tx).await.expect("a lock");
    release(&app).await;
    until_settled(&app, 2).await;
    let billed = "select count(*) from partner_bills where job_id = $1::uuid";
    assert_eq!(app.value::<i64>(billed, &[held]).await, 0);
    tx.commit().await.expect("the lock ends");
    until_settled(&app, 3).await;
    let alone = written(&app, held).await;
    assert_eq!(written(&app, &jobs[0].job).await, alone);
    assert_eq!(written(&app, &jobs[2].job).await, alone);
    assert_sound(&app).await;
}

#[actix_web::test]
async fn a_job_that_can_not_be_settled_does_not_hold_up_the_others() {
    let app = spawn().await;
    let insurer = Insurer::new(&app, terms(), json!({})).await;
    let jobs = ended(&insurer, &["fixed"; 3]).await;
    let broken = &jobs[0].job;
    let billed = "insert into partner_bills (job_id, case_id, organisation_id, contract_id, outcome, price_paise, payable_paise,
            evidence, decided_at)
        select p.job_id, k.id, k.organisation_id, k.contract_id, 'completed', 0, 0, '{}', now()
        from partner_jobs p join partner_cases k on k.id = p.case_id
        where p.job_id = $1::uuid";
    assert_eq!(app.change(billed, &[broken]).await, 1);
    release(&app).await;
    until_settled(&app, 2).await;
    let captured = "select count(*) from payments where channel = 'account' and job_id = $1::uuid";
    assert_eq!(app.value::<i64>(captured, &[broken]).await, 0);
    app.change("delete from partner_bills where job_id = $1::uuid", &[broken]).await;
    until_settled(&app, 3).await;
    assert_sound(&app).await;
    assert_eq!(audited_bills(&app).await, (3, 0, 0));
}
