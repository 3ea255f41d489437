//! The extractor of partners: a program with a key, or a member who is signed in.

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::LocalBoxFuture;
use roadcall_http::Meter;
use roadcall_platform::error::{ApiError, ApiResult};
use tracing::{Span, field::display};
use uuid::Uuid;

use super::{
    context::OrganisationsContext,
    keys::{self, UsedKeyRow},
    state::OrganisationStatus,
};
use crate::auth::{Caller, PartnerCaller, PartnerVia, Scopes, bearer, caller_of, holder_of, scope::Scope};

/// The header by which an agency's key names the organisation for which it acts.
const ACTS_FOR: &str = "roadcall-organisation";
/// How old the noted last use of a key may be.
const USE_NOTED_EVERY: TimeDelta = TimeDelta::minutes(1);

/// A partner whose key or role has the scope that `S` names.
#[derive(Debug, Clone, Copy)]
pub struct Partner<S>(pub PartnerCaller, pub S);

impl<S: Scope> FromRequest for Partner<S> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, ApiResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let (context, request) = (OrganisationsContext::of(request).clone(), request.clone());
        Box::pin(async move {
            let token = bearer(&request)?;
            let named = named(&request);
            // The edge has counted a request by a person who is signed in, and made no meter for it.
            let meter = request.extensions().get::<Meter>().cloned();
            let (caller, holder) = if keys::is_key(&token) {
                (by_key(&context, &token, meter, named).await?, "This key")
            } else {
                count_by_address(meter.as_ref())?;
                let person = caller_of(&context, holder_of(&context, &token)?).await?;
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

fn named(request: &HttpRequest) -> Named {
    let value = request.headers().get(ACTS_FOR)?;
    Some(value.to_str().ok().and_then(|text| text.parse().ok()).ok_or_else(not_allowed))
}

/// An organisation for which a caller may act.
#[derive(Debug, Clone, Copy)]
struct ActingFor {
    id: Uuid,
    account_id: Uuid,
    status: OrganisationStatus,
}

async fn by_key(
    context: &OrganisationsContext,
    token: &str,
    meter: Option<Meter>,
    named: Named,
) -> ApiResult<PartnerCaller> {
    let handle = keys::handle_of(token, context.environment)?;
    let found = match context.known.key_here(handle).await {
        Some(found) => Some(found),
        None => {
            // Anyone can make up keys with a good checksum.
            count_by_address(meter.as_ref())?;
            context.known.key(&context.db, handle).await?
        }
    };
    let unknown = || ApiError::unauthorized("This key is unknown.");
    let key = found.ok_or_else(unknown)?;
    verify_slices_are_equal(&keys::hash(token), &key.secret_sha256).map_err(|_| unknown())?;
    let now = context.clock.now();
    check_life(&key, now)?;
    if let Some(meter) = &meter {
        meter.count_key(key.id, key.requests_per_minute.unsigned_abs())?;
    }
    let own = ActingFor { id: key.organisation_id, account_id: key.account_id, status: key.status };
    let acting_for = chosen(own, &others(&key), named)?;
    note_use(context, &key, now).await;
    Ok(PartnerCaller {
        organisation_id: acting_for.id,
        account_id: acting_for.account_id,
        made_by: own.id,
        via: PartnerVia::Key(key.id),
        scopes: Scopes::of(&key.scopes),
    })
}

/// Counts a look-up for somebody who may be anyone.
fn count_by_address(meter: Option<&Meter>) -> ApiResult<()> {
    meter.map_or(Ok(()), |meter| meter.count(None))
}

fn check_life(key: &UsedKeyRow, now: DateTime<Utc>) -> ApiResult<()> {
    match key.revoked_at {
        Some(_) => Err(ApiError::unauthorized("This key was revoked.")),
        None if key.expires_at <= now => Err(ApiError::unauthorized("This key has expired.")),
        None => Ok(()),
    }
}

/// Returns the other organisations for which a key may act.
fn others(key: &UsedKeyRow) -> Vec<ActingFor> {
    let parts = key.other_ids.iter().zip(&key.other_accounts).zip(&key.other_statuses);
    parts
        .map(|((id, account_id), status)| ActingFor { id: *id, account_id: *account_id, status: *status })
        .collect()
}

async fn by_membership(
    context: &OrganisationsContext,
    person: Caller,
    named: Named,
) -> ApiResult<PartnerCaller> {
    let stranger = || {
        ApiError::forbidden("Only partners can do this: show a partner's key, or sign in as a member of one.")
    };
    // A member who became an admin acts for the service alone.
    if person.is_admin() {
        return Err(stranger());
    }
    let found = context.known.member(&context.db, person.user_id).await?;
    let member = found.ok_or_else(stranger)?;
    let own = ActingFor { id: member.organisation_id, account_id: member.account_id, status: member.status };
    chosen(own, &[], named)?;
    Ok(PartnerCaller {
        organisation_id: own.id,
        account_id: own.account_id,
        made_by: own.id,
        via: PartnerVia::Member { user_id: person.user_id, role: member.role },
        scopes: member.role.scopes(),
    })
}

/// Returns the organisation for which a caller acts: their own, or the named one if they may act for it.
fn chosen(own: ActingFor, others: &[ActingFor], named: Named) -> ApiResult<ActingFor> {
    check_active(own)?;
    let Some(named) = named.transpose()? else { return Ok(own) };
    let found = others.iter().chain([&own]).find(|other| other.id == named);
    let found = *found.ok_or_else(not_allowed)?;
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

fn not_allowed() -> ApiError {
    ApiError::forbidden("You may not act for the organisation that the header Roadcall-Organisation names.")
}

/// Notes that a key was used. No request fails because of it.
async fn note_use(context: &OrganisationsContext, key: &UsedKeyRow, now: DateTime<Utc>) {
    if !key.is_use_to_note(now, USE_NOTED_EVERY) {
        return;
    }
    if let Err(error) = keys::note_use(&context.db, key.id, now, USE_NOTED_EVERY).await {
        tracing::warn!(%error, key = %key.id, "the last use of a partner's key could not be noted");
    }
}
