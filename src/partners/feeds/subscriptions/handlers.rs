use actix_web::{
    HttpResponse, delete, get, patch, post,
    web::{Data, Json},
};

use super::{
    actions,
    dto::{
        NewSubscription, RotateWebhookSecret, SubscriptionPatch, SubscriptionSecret, WebhookSubscription,
        WebhookTrial,
    },
    queries::{self, SubscriptionRow},
};
use crate::{
    accounts::{
        auth::scope::{self, Scope},
        organisations::Partner,
    },
    http::{Body, List, NoFields, NoIdempotencyKey, Owned, OwnedBy, PathIds},
    partners::feeds::context::FeedsContext,
    platform::{
        core::Core,
        error::{ApiResult, ErrorBody},
    },
};

impl<S: Scope> OwnedBy<Partner<S>> for SubscriptionRow {
    const NAME: &'static str = "subscription";

    async fn find(core: &Core, Partner(caller, _): &Partner<S>, path: &PathIds) -> ApiResult<Option<Self>> {
        let found = queries::find(&core.db, path.id("id")?).await?;
        Ok(found.filter(|row| row.organisation_id == caller.organisation_id && caller.may_see(row.made_by)))
    }
}

/// Lists the addresses that get the events of the caller's cases, newest first.
#[utoipa::path(
    tag = "partner-webhooks",
    extensions(("x-scopes" = json!(scope::Webhooks))),
    responses((status = 200, body = List<WebhookSubscription>)),
)]
#[get("/partner/subscriptions")]
pub async fn list_subscriptions(
    context: Data<FeedsContext>,
    Partner(caller, _): Partner<scope::Webhooks>,
) -> ApiResult<Json<List<WebhookSubscription>>> {
    let rows = queries::list(&context.db, caller.organisation_id, caller.made_by).await?;
    Ok(Json(List { data: rows.into_iter().map(WebhookSubscription::from).collect() }))
}

/// Makes a subscription: an address that gets events as Standard Webhooks describes them, signed with the secret that only this
/// answer shows. It gets nothing until it is verified.
#[utoipa::path(
    tag = "partner-webhooks",
    extensions(("x-scopes" = json!(scope::Webhooks))),
    request_body = NewSubscription,
    responses(
        (status = 201, body = SubscriptionSecret),
        (status = 409, body = ErrorBody, description = "CONFLICT: the organisation has 20 subscriptions already"),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: the secret is shown only once"),
    ),
)]
#[post("/partner/subscriptions")]
pub async fn make_subscription(
    context: Data<FeedsContext>,
    Partner(caller, _): Partner<scope::Webhooks>,
    key: NoIdempotencyKey,
    body: Body<NewSubscription>,
) -> ApiResult<HttpResponse> {
    key.check()?;
    let (row, secret) = actions::subscribe(&context, &caller, body.read()?).await?;
    Ok(HttpResponse::Created().json(SubscriptionSecret { subscription: row.into(), secret: secret.text() }))
}

/// Changes a subscription, pauses it or lets it go on. Another address has to be verified anew. What waits for a subscription that
/// gets nothing any more is given up; `POST /partner/deliveries/replay` brings it back.
#[utoipa::path(
    tag = "partner-webhooks",
    extensions(("x-scopes" = json!(scope::Webhooks))),
    params(("id" = Uuid, Path)),
    request_body = SubscriptionPatch,
    responses((status = 200, body = WebhookSubscription)),
)]
#[patch("/partner/subscriptions/{id}")]
pub async fn change_subscription(
    context: Data<FeedsContext>,
    row: Owned<SubscriptionRow, Partner<scope::Webhooks>>,
    body: Body<SubscriptionPatch>,
) -> ApiResult<Json<WebhookSubscription>> {
    let (row, Partner(caller, _)) = row.into_parts();
    Ok(Json(actions::change(&context, &caller, row.id, body.read()?).await?.into()))
}

/// Ends a subscription. Its delivery log stays.
#[utoipa::path(
    tag = "partner-webhooks",
    extensions(("x-scopes" = json!(scope::Webhooks))),
    params(("id" = Uuid, Path)),
    responses((status = 204)),
)]
#[delete("/partner/subscriptions/{id}")]
pub async fn end_subscription(
    context: Data<FeedsContext>,
    row: Owned<SubscriptionRow, Partner<scope::Webhooks>>,
) -> ApiResult<HttpResponse> {
    let (row, Partner(caller, _)) = row.into_parts();
    actions::unsubscribe(&context, &caller, row.id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Sends a `webhook.verify` to the subscription's address. If the receiver answers 2xx with the challenge in the body, the
/// subscription gets events from now on.
#[utoipa::path(
    tag = "partner-webhooks",
    extensions(("x-scopes" = json!(scope::Webhooks))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = WebhookSubscription),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: the receiver did not answer with the challenge"),
    ),
)]
#[post("/partner/subscriptions/{id}/verify")]
pub async fn verify_subscription(
    context: Data<FeedsContext>,
    row: Owned<SubscriptionRow, Partner<scope::Webhooks>>,
    body: Body<NoFields>,
) -> ApiResult<Json<WebhookSubscription>> {
    let (row, Partner(caller, _)) = row.into_parts();
    body.read()?;
    Ok(Json(actions::verify(&context, &caller, &row).await?.into()))
}

/// Sends a `webhook.test` to the subscription's address, once, and answers the outcome.
#[utoipa::path(
    tag = "partner-webhooks",
    extensions(("x-scopes" = json!(scope::Webhooks))),
    params(("id" = Uuid, Path)),
    responses((status = 200, body = WebhookTrial)),
)]
#[post("/partner/subscriptions/{id}/test")]
pub async fn test_subscription(
    context: Data<FeedsContext>,
    row: Owned<SubscriptionRow, Partner<scope::Webhooks>>,
    body: Body<NoFields>,
) -> ApiResult<Json<WebhookTrial>> {
    body.read()?;
    Ok(Json(actions::try_out(&context, &row).await?))
}

/// Replaces the secret of a subscription. The former one also signs for `overlap_hours`, so each webhook has two signatures.
#[utoipa::path(
    tag = "partner-webhooks",
    extensions(("x-scopes" = json!(scope::Webhooks))),
    params(("id" = Uuid, Path)),
    request_body = RotateWebhookSecret,
    responses(
        (status = 200, body = SubscriptionSecret),
        (status = 422, body = ErrorBody, description = "VALIDATION_FAILED, also for an Idempotency-Key: the secret is shown only once"),
    ),
)]
#[post("/partner/subscriptions/{id}/rotate-secret")]
pub async fn rotate_subscription_secret(
    context: Data<FeedsContext>,
    row: Owned<SubscriptionRow, Partner<scope::Webhooks>>,
    key: NoIdempotencyKey,
    body: Body<RotateWebhookSecret>,
) -> ApiResult<Json<SubscriptionSecret>> {
    key.check()?;
    let (row, Partner(caller, _)) = row.into_parts();
    let overlap_hours = body.read()?.overlap_hours;
    let (row, secret) = actions::rotate(&context, &caller, row.id, overlap_hours).await?;
    Ok(Json(SubscriptionSecret { subscription: row.into(), secret: secret.text() }))
}
