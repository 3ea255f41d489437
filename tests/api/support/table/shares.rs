use serde_json::{Value, json};

use super::{
    DISPATCH, OWNER_CUSTOMER, Object, PUBLIC, Row, World,
    jobs::{ACCEPTED_JOB, OPEN_JOB, accepted_job, complete, job_at_work, line_item, open_job},
    made, nothing, number, row,
};
use crate::support::bodies::id_of;

pub const ROWS: &[Row] = &[
    row("POST /jobs/{id}/shares", OWNER_CUSTOMER)
        .of(ACCEPTED_JOB)
        .body(|| json!({"shows_start_code": true, "may_contact": true, "send_to": null})),
    row("GET /jobs/{id}/shares", OWNER_CUSTOMER).of(ACCEPTED_JOB),
    row("DELETE /jobs/{id}/shares/{share_id}", OWNER_CUSTOMER).of(SHARE),
    row("GET /shares/{token}", PUBLIC).of(SHARE_TOKEN),
    row("GET /shares/{token}/way-ahead", PUBLIC).of(SHARE_TOKEN),
    row("GET /shares/{token}/messages", PUBLIC).of(GUEST_TOKEN),
    row("POST /shares/{token}/messages", PUBLIC).of(GUEST_TOKEN).body(new_guest_message),
    row("POST /shares/{token}/calls/token", PUBLIC).of(CALL_BY_GUEST).body(nothing),
    row("POST /shares/{token}/calls", PUBLIC).of(GUEST_TOKEN).body(nothing),
    row("POST /shares/{token}/calls/{id}/accept", PUBLIC).of(CALL_TO_GUEST).body(nothing),
    row("POST /shares/{token}/calls/{id}/reject", PUBLIC).of(CALL_TO_GUEST).body(nothing),
    row("POST /shares/{token}/calls/{id}/end", PUBLIC).of(CALL_TO_GUEST).body(nothing),
    row("POST /shares/{token}/calls/{id}/signal", PUBLIC)
        .of(CALL_BY_GUEST)
        .body(|| json!({"payload": {"candidate": "c"}})),
    row("POST /shares/{token}/line-items/{id}/approve", PUBLIC)
        .of(ITEM_BY_LINK)
        .body(|| json!({"version": 1, "quoted_total": 120})),
    row("POST /shares/{token}/line-items/{id}/reject", PUBLIC)
        .of(ITEM_BY_LINK)
        .body(|| json!({"version": 1, "quoted_total": 120})),
    row("POST /shares/{token}/cash-confirm", PUBLIC).of(DECIDING_TOKEN).body(|| json!({"amount": 299})),
    row("POST /shares/{token}/rating", PUBLIC)
        .of(DECIDING_TOKEN)
        .body(|| json!({"score": 5, "tags": ["polite"], "comment": "Quick and kind"})),
    row("POST /admin/jobs/{id}/shares", DISPATCH).of(OPEN_JOB).body(|| json!({"send_to": "customer"})),
];

/// A link to the customer's job.
const SHARE: Object = Object::Ids(|world| Box::pin(share(world)));

/// The token of such a link.
const SHARE_TOKEN: Object = Object::Id(|world| Box::pin(share_token(world)));

/// The token of a link to an accepted job that lets its holder talk.
pub const GUEST_TOKEN: Object = Object::Id(|world| Box::pin(async { guest_link(world).await.1 }));

/// Such a token, and a call of the mechanic.
const CALL_TO_GUEST: Object = Object::Ids(|world| Box::pin(call_to_guest(world)));

/// Such a token, and a call of the holder.
const CALL_BY_GUEST: Object = Object::Ids(|world| Box::pin(call_by_guest(world)));

/// The token of a link to completed work that an organisation ordered for the holder.
const DECIDING_TOKEN: Object = Object::Id(|world| Box::pin(deciding_token(world)));

/// The token of a link to such work in progress, and an item that the organisation does not pay.
const ITEM_BY_LINK: Object = Object::Ids(|world| Box::pin(item_by_link(world)));

async fn deciding_token(world: &World<'_>) -> String {
    let job = job_at_work(world).await;
    let token = token_of(&shared(world, &job, nothing()).await);
    put_on_account(world, &job).await;
    complete(world, &job).await;
    token
}

async fn item_by_link(world: &World<'_>) -> [String; 2] {
    let [job, item] = line_item(world).await;
    let token = token_of(&shared(world, &job, nothing()).await);
    put_on_account(world, &job).await;
    [token, item]
}

/// Puts the job on the account of an organisation that pays next to nothing, and lets the holders of its links decide.
async fn put_on_account(world: &World<'_>, job: &str) {
    let change = "with contract as (
            insert into partner_contracts (id, organisation_id, reference, valid_from, created_at)
            values (gen_random_uuid(), $2::uuid, gen_random_uuid()::text, now(), now()) returning id
        ), opened as (
            insert into partner_cases (id, organisation_id, contract_id, made_by, partner_reference, request_sha256, status,
                texts, created_at, updated_at)
            select gen_random_uuid(), $2::uuid, id, $2::uuid, gen_random_uuid()::text, '', 'open', '{rating}', now(), now()
            from contract
            returning id
        ), deciding as (
            update share_links set may_decide = true where job_id = $1::uuid
        )
        update job_facts set case_id = opened.id, cover_paise = 1 from opened where job_facts.id = $1::uuid";
    world.app.change(change, &[job, &world.organisation_id]).await;
}

async fn share(world: &World<'_>) -> [String; 2] {
    let job = open_job(world).await;
    let link = shared(world, &job, nothing()).await;
    [job, id_of(&link)]
}

async fn share_token(world: &World<'_>) -> String {
    let job = open_job(world).await;
    token_of(&shared(world, &job, nothing()).await)
}

async fn shared(world: &World<'_>, job: &str, rights: Value) -> Value {
    world.customer().post(&format!("/jobs/{job}/shares"), rights).await.expect(201)
}

fn token_of(link: &Value) -> String {
    link["token"].as_str().expect("a token").to_owned()
}

/// Returns the job, and the token of a link to it.
async fn guest_link(world: &World<'_>) -> (String, String) {
    let job = accepted_job(world).await;
    let link = shared(world, &job, json!({"may_contact": true})).await;
    (job, token_of(&link))
}

async fn call_to_guest(world: &World<'_>) -> [String; 2] {
    let (job, token) = guest_link(world).await;
    let call = made(world.mechanic(), &format!("/jobs/{job}/calls"), nothing()).await;
    [token, call]
}

async fn call_by_guest(world: &World<'_>) -> [String; 2] {
    let (_, token) = guest_link(world).await;
    let call = world.app.anonymous().post(&format!("/shares/{token}/calls"), nothing()).await;
    [token, id_of(&call.expect(201))]
}

fn new_guest_message() -> Value {
    json!({
        "client_message_id": format!("019ceb79-1a20-7b20-9e32-{:012}", number()), "type": "text",
        "body": "Behind the barrier", "lat": null, "lng": null,
    })
}
