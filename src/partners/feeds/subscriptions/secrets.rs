//! Opens the secrets of subscriptions, and seals them anew after the server's own secret was replaced.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::queries::{self, SealedSecrets, SubscriptionRow};
use crate::{
    partners::feeds::context::FeedsContext,
    platform::error::{ApiError, ApiResult},
    providers::webhooks::WebhookSecret,
};

/// The number of subscriptions that one statement reads.
const AT_ONCE: i64 = 500;

/// The sealed secrets that a webhook is signed with.
#[derive(Debug, Clone, Copy)]
pub struct Sealed<'a> {
    pub subscription_id: Uuid,
    pub secret: &'a [u8],
    pub former: Option<(&'a [u8], DateTime<Utc>)>,
}

impl SubscriptionRow {
    pub fn sealed(&self) -> Sealed<'_> {
        let former = self.former_secret.as_deref().zip(self.former_until);
        Sealed { subscription_id: self.id, secret: &self.secret, former }
    }
}

/// Returns the secrets that sign now: the present one, and the former one until its end.
pub fn signing(context: &FeedsContext, sealed: Sealed<'_>) -> ApiResult<Vec<WebhookSecret>> {
    let now = context.clock.now();
    let former = sealed.former.filter(|(_, until)| *until > now).map(|(secret, _)| secret);
    let secrets = [Some(sealed.secret), former].into_iter().flatten();
    secrets.map(|secret| opened(context, sealed.subscription_id, secret)).collect()
}

fn opened(context: &FeedsContext, id: Uuid, sealed: &[u8]) -> ApiResult<WebhookSecret> {
    let opened = context.seals.find(|seal| seal.open(id, sealed));
    opened.ok_or_else(|| {
        ApiError::internal(format!("no secret of the server opens that of the subscription {id}"))
    })
}

/// Seals with the key in use the secrets that another accepted key has sealed; returns how many. Does nothing while only one key
/// is accepted.
pub async fn reseal(context: &FeedsContext) -> ApiResult<u64> {
    let (mut resealed, mut after) = (0, Uuid::nil());
    if context.seals.accepted().is_empty() {
        return Ok(resealed);
    }
    loop {
        let page = queries::sealed(&context.db, after, AT_ONCE).await?;
        let Some(last) = page.last() else { return Ok(resealed) };
        after = last.id;
        for row in &page {
            resealed += u64::from(reseal_one(context, row).await?);
        }
    }
}

async fn reseal_one(context: &FeedsContext, row: &SealedSecrets) -> ApiResult<bool> {
    let current = context.seals.current();
    let sealed = |secret: &[u8]| match current.open(row.id, secret) {
        Some(_) => Ok(secret.to_vec()),
        None => opened(context, row.id, secret).map(|secret| current.seal(row.id, &secret, &context.random)),
    };
    let former_secret = row.former_secret.as_deref().map(sealed).transpose()?;
    let new = SealedSecrets { id: row.id, secret: sealed(&row.secret)?, former_secret };
    if new.secret == row.secret && new.former_secret == row.former_secret {
        return Ok(false);
    }
    Ok(queries::reseal(&context.db, row, &new).await?)
}
