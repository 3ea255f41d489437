//! The extractor of partners: a program with a key, or a member who is signed in.

use std::sync::Arc;

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, web::Data};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::LocalBoxFuture;
use roadcall_http::Meter;
use roadcall_platform::error::{ApiError, ApiResult};
use tracing::{Span, field::display};
use uuid::Uuid;

use super::{
    context::OrganisationsContext,
    key,
    queries::{self, ActingFor, UsedKeyRow},
    state::OrganisationStatus,
};
use crate::auth::{
    Caller, PartnerCaller, PartnerVia, Scopes, authenticate, bearer,
    scope::{self, Scope},
};

/// The header by which an agency's key names the organisation for which it acts.
pub const ACTS_FOR: &str = "roadcall-organisation";
/// How long a key's last use may be out of date.
const USE_NOTED_EVERY: TimeDelta = TimeDelta::minutes(1);

/// A partner whose key or role has the scope that `S` names.
#[derive(Debug, Clone, Copy)]
pub struct Partner<S>(pub PartnerCaller, pub S);

impl<S: Scope> FromRequest for Partner<S> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, ApiResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let context = request.app_data::<Data<OrganisationsContext>>().cloned();
        let request = request.clone();
        Box::pin(async move {
            let context = context.ok_or_else(|| ApiError::internal("app/ gives every request this context"))?;
            let token = bearer(&request)?;
            let named = request.headers().get(ACTS_FOR);
            let named = named.map(|value| value.to_str().ok().and_then(|text| text.parse().ok()).ok_or_else(no_such));
            let (caller, holder) = if key::is_key(&token) {
                let meter = request.extensions().get::<Meter>().cloned();
                (by_key(&context, &token, meter, named).await?, "This key")
            } else {
                let person = authenticate(&context, &token).await?;
                Span::current().record("user.id", display(person.user_id));
                request.extensions_mut().insert(person);
                (by_membership(&context, person, named).await?, "Your role")
            };
            caller.scopes.check::<S>(holder)?;
            Ok(Self(caller, S::default()))
        })
    }
}

/// The organisation that a request names, unless it names none.
type Named = Option<ApiResult<Uuid>>;

async fn by_key(
    context: &OrganisationsContext,
    token: &str,
    meter: Option<Meter>,
    named: Named,
) -> ApiResult<PartnerCaller> {
    let handle = key::handle_of(token, context.environment)?;
    let found = match context.known.key_here(handle).await {
        Some(found) => Some(found),
        None => {
            // Anyone can make up keys with a good checksum, so a look-up is counted by the address.
            meter.as_ref().map_or(Ok(()), |meter| meter.count(None))?;
            context.known.key(&context.db, handle).await?
        }
    };
    let unknown = || ApiError::unauthorized("This key is unknown.");
    let found = found.ok_or_else(unknown)?;
    verify_slices_are_equal(&key::hash(token), &found.secret_sha256).map_err(|_| unknown())?;
    let now = context.clock.now();
    check_life(&found, now)?;
    meter.map_or(Ok(()), |meter| meter.count_key(found.id, found.requests_per_minute.unsigned_abs()))?;
    let own = ActingFor { id: found.organisation_id, account_id: found.account_id, status: found.status };
    let acting_for = acting_for(own, &found.others(), named)?;
    note_use(context, &found, now).await;
    Ok(PartnerCaller {
        organisation_id: acting_for.id,
        account_id: acting_for.account_id,
        made_by: own.id,
        via: PartnerVia::Key(found.id),
        scopes: Scopes::of(&found.scopes),
    })
}

fn check_life(key: &UsedKeyRow, now: DateTime<Utc>) -> ApiResult<()> {
    match (key.revoked_at, key.expires_at) {
        (Some(_), _) => Err(ApiError::unauthorized("This key was revoked.")),
        (None, end) if end <= now => Err(ApiError::unauthorized("This key has expired.")),
        (None, _) => Ok(()),
    }
}

async fn by_membership(
    context: &OrganisationsContext,
    person: Caller,
    named: Named,
) -> ApiResult<PartnerCaller> {
    let found = context.known.member(&context.db, person.user_id).await?;
    let found = found.ok_or_else(|| {
        ApiError::forbidden("Only partners can do this: show a partner's key, or sign in as a member of one.")
    })?;
    let own = ActingFor { id: found.organisation_id, account_id: found.account_id, status: found.status };
    acting_for(own, &[], named)?;
    Ok(PartnerCaller {
        organisation_id: own.id,
        account_id: own.account_id,
        made_by: own.id,
        via: PartnerVia::Member { user_id: person.user_id, role: found.role },
        scopes: found.role.scopes(),
    })
}

/// Returns the organisation for which a caller acts: their own, or the named one if it is among the others.
fn acting_for(own: ActingFor, others: &[ActingFor], named: Named) -> ApiResult<ActingFor> {
    check_active(own)?;
    let Some(named) = named.transpose()? else { return Ok(own) };
    let found = others.iter().chain([&own]).find(|other| other.id == named);
    let found = *found.ok_or_else(no_such)?;
    check_active(found)?;
    Ok(found)
}

fn check_active(organisation: ActingFor) -> ApiResult<()> {
    match organisation.status {
        OrganisationStatus::Active => Ok(()),
        OrganisationStatus::Suspended => {
            Err(ApiError::forbidden("This organisation is suspended. Contact support."))
        }
    }
}

fn no_such() -> ApiError {
    ApiError::forbidden("You may not act for the organisation that the header Roadcall-Organisation names.")
}

/// Notes that a key was used. No request fails because of it.
async fn note_use(context: &OrganisationsContext, key: &Arc<UsedKeyRow>, now: DateTime<Utc>) {
    if !key.is_use_to_note(now, USE_NOTED_EVERY) {
        return;
    }
    if let Err(error) = queries::note_use(&context.db, key.id, now).await {
        tracing::warn!(%error, key = %key.id, "the last use of a partner's key could not be noted");
    }
}

/// The caller of routes that need no certain scope.
pub type AnyPartner = Partner<scope::Any>;
