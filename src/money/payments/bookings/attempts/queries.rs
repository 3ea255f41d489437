use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Result, postgres::PgBindIterExt};
use uuid::Uuid;

use crate::{
    money::payments::{
        attempts::queries::{insert_attempt, or_replace},
        state::PaymentStatus,
    },
    providers::gateway::Attempt,
};

/// An attempt that leaves its payment as it is.
#[derive(Debug)]
pub struct AttemptNote {
    pub payment_id: Uuid,
    /// The status of the payment, which stays.
    pub status: PaymentStatus,
    /// The time of the payment's last change when it was read.
    pub updated_before: DateTime<Utc>,
    pub attempt: Attempt,
    /// The gateway's events that report the attempt.
    pub events: Vec<Uuid>,
    pub at: DateTime<Utc>,
}

/// Records the attempts of different payments, and settles their events. Returns the payments whose attempts are recorded. An attempt
/// is left out if its payment is not as it was read, if one of its events is settled, or if another transaction holds one of these rows.
pub async fn record(db: &mut PgConnection, notes: &[&AttemptNote]) -> Result<Vec<Uuid>> {
    let sent = || notes.iter().flat_map(|note| note.events.iter().map(|event| (note.payment_id, *event)));
    sqlx::query_scalar(concat!(
        "with given as (
            select * from unnest((select $1::uuid[]), (select $2::text[]), (select $3::timestamptz[]), (select $4::text[]),
                    (select $5::text[]), (select $6::text[]), (select $7::text[]), (select $8::timestamptz[]), (select $9::bigint[]))
                as given (payment_id, status, updated_before, attempt_id, attempt_status, method, error, at, events)
        ), paying as (
            select p.id from given join payments p on p.id = given.payment_id
            where p.status = given.status and p.updated_at = given.updated_before
            for no key update of p skip locked
        ), taken as (
            select e.id, sent.payment_id
            from unnest((select $10::uuid[]), (select $11::uuid[])) as sent (payment_id, event_id)
                join webhook_events e on e.id = sent.event_id
            where e.status = (select 'pending')
            for no key update of e skip locked
        ), sound as (
            select given.* from given
            where given.payment_id in (select paying.id from paying)
                and given.events = (select count(*) from taken where taken.payment_id = given.payment_id)
        ), attempted as (",
        insert_attempt!(),
        " select attempt_id, payment_id, attempt_status, method, error, at, at from sound ",
        or_replace!(),
        "), settled as (
            update webhook_events e set status = 'processed', last_error = null, settled_at = sound.at, attempts = e.attempts + 1
            from taken join sound on sound.payment_id = taken.payment_id
            where e.id = taken.id
        )
        update payments p set updated_at = greatest(p.updated_at + interval '1 microsecond', sound.at)
        from sound where p.id = sound.payment_id
        returning p.id"
    ))
    .bind(notes.iter().map(|note| note.payment_id).bind_iter())
    .bind(notes.iter().map(|note| note.status).bind_iter())
    .bind(notes.iter().map(|note| note.updated_before).bind_iter())
    .bind(notes.iter().map(|note| &note.attempt.id).bind_iter())
    .bind(notes.iter().map(|note| note.attempt.status).bind_iter())
    .bind(notes.iter().map(|note| note.attempt.method.as_ref()).bind_iter())
    .bind(notes.iter().map(|note| note.attempt.error.as_ref()).bind_iter())
    .bind(notes.iter().map(|note| note.at).bind_iter())
    .bind(notes.iter().map(|note| note.events.len() as i64).bind_iter())
    .bind(sent().map(|(payment, _)| payment).bind_iter())
    .bind(sent().map(|(_, event)| event).bind_iter())
    .fetch_all(db)
    .await
}
