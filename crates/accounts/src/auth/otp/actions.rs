//! Sends a one-time password, signs a person in with it, and checks the codes of people who are signed in.

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_platform::error::{ApiError, ApiResult, Code, commit_error};
use roadcall_providers::sms::TextNumber;
use sqlx::PgConnection;

use super::{
    limits::{Counted, Limit, OtpAttempt, refused, resend_after_s},
    queries::{self, NewCode},
    source::Source,
    text_messages::{TextRecipient, admit_text_message, give_back_text_message},
};
use crate::auth::{
    AuthContext, callers,
    dto::{OtpSent, Verified},
    principal::{Role, UserStatus, suspended},
    queries::{SignInRow, person_of_phone},
    sessions::{self, SessionOwner},
    settings::AuthSettings,
};

/// The requests that a successful sign-in gives back: the request for the code, and the request with it.
const REQUESTS_OF_A_SIGN_IN: i64 = 2;

/// Sends a code to a phone; while a code is valid, it is sent again.
pub async fn send(context: &AuthContext, phone: &str, source: &Source) -> ApiResult<OtpSent> {
    let to = context.auth.0.sms.number("phone", phone)?;
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let sends = admit_send(context, &mut tx, phone, source, now).await?;
    let code = code_to_send(context, &mut tx, phone, now).await?;
    let recipient = match source.known_device() {
        Some(_) => TextRecipient::KnownDevice,
        None if queries::has_account(&mut tx, phone).await? => TextRecipient::KnownPhone,
        None => TextRecipient::Stranger,
    };
    // This comes last, since everybody's sends wait for its row.
    admit_text_message(context.auth.text_limits(), &mut tx, &to, recipient, now).await?;
    tx.commit().await.map_err(commit_error)?;
    hand_over(context, &to, &code, now).await?;
    let settings = context.auth.settings();
    Ok(OtpSent {
        expires_in: settings.otp_ttl_s,
        resend_after: resend_after_s(settings, sends, now),
        otp: settings.dev_otp.then_some(code),
    })
}

/// Counts a send, or refuses it; returns the sends counted so far.
async fn admit_send(
    context: &AuthContext,
    tx: &mut PgConnection,
    phone: &str,
    source: &Source,
    now: DateTime<Utc>,
) -> ApiResult<Counted> {
    let settings = context.auth.settings();
    admit_request(context, tx, phone, source, now).await?;
    if let Some(at) = queries::resend_at(tx, phone, now).await? {
        let seconds = u64::try_from((at - now).num_seconds() + 1).unwrap_or(1);
        return Err(ApiError::wait(seconds, |wait| {
            format!(
                "We have just sent a code to this number. If it does not arrive, request it again in {wait}."
            )
        }));
    }
    // A locked-out person gets no code: they could not use it.
    admit_guesses(context, tx, phone, source, now).await?;
    let limit = Limit::sends(settings);
    let sends = queries::attempts(tx, OtpAttempt::Send, phone, source.own(), limit, now).await?;
    limit
        .check(sends, now, |wait| format!("Too many codes were sent to this number. Try again in {wait}."))?;
    queries::count_attempt(tx, Some(phone), source.name(), OtpAttempt::Send, now).await?;
    Ok(queries::attempts(tx, OtpAttempt::Send, phone, source.own(), limit, now).await?)
}

/// Takes the locks that make the limits hold, and counts the request by its device or address. A refused request is
/// not counted, so that the rows are as bounded as the limits.
async fn admit_request(
    context: &AuthContext,
    tx: &mut PgConnection,
    phone: &str,
    source: &Source,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    queries::lock_limits(tx, source.network().unwrap_or(source.name()), phone).await?;
    let settings = context.auth.settings();
    for (counted_by, limit) in counted_by(source, settings) {
        let requests = queries::requests(tx, counted_by, limit, now).await?;
        let whose = if source.own().is_some() { "this device" } else { "your network" };
        limit.check(requests, now, |wait| format!("Too many requests from {whose}. Try again in {wait}."))?;
        queries::count_attempt(tx, None, counted_by, OtpAttempt::Request, now).await?;
    }
    Ok(())
}

/// Returns the names by which a source's requests are counted, with their limits.
fn counted_by<'a>(source: &'a Source, settings: &'a AuthSettings) -> impl Iterator<Item = (&'a str, Limit)> {
    let own = std::iter::once((source.name(), Limit::requests(settings)));
    own.chain(source.network().map(|network| (network, Limit::wide_requests(settings))))
}

/// Takes the request for a code and the one with it out of the count: a person who signs in has done no harm, and
/// many people share an address.
async fn give_requests_back(context: &AuthContext, tx: &mut PgConnection, source: &Source) -> ApiResult<()> {
    for (counted_by, _) in counted_by(source, context.auth.settings()) {
        queries::forget_requests(tx, counted_by, REQUESTS_OF_A_SIGN_IN).await?;
    }
    Ok(())
}

/// Refuses the try when none are left, even if the code is right.
async fn admit_guesses(
    context: &AuthContext,
    tx: &mut PgConnection,
    phone: &str,
    source: &Source,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    let settings = context.auth.settings();
    let (here, today) = (Limit::wrong_here(settings), Limit::wrong_today(settings));
    let tried = queries::attempts(tx, OtpAttempt::Wrong, phone, source.own(), today, now).await?;
    today.check(tried, now, |wait| {
        format!(
            "Too many wrong codes for this number. Try again in {wait}, or sign in on a device you have used before."
        )
    })?;
    let tried = queries::attempts(tx, OtpAttempt::Wrong, phone, Some(source.name()), here, now).await?;
    here.check(tried, now, |wait| format!("Too many wrong codes. Request a new code in {wait}."))
}

/// Returns the live code again, so that whichever message arrives has the right code; otherwise a new code.
async fn code_to_send(
    context: &AuthContext,
    tx: &mut PgConnection,
    phone: &str,
    now: DateTime<Utc>,
) -> ApiResult<String> {
    let (keys, settings) = (&context.auth.0.otp_keys, context.auth.settings());
    let live = queries::live_code(tx, phone, now).await?;
    let kept = live.and_then(|live| keys.find(|key| Some((key, key.nonce_of(phone, &live)?))));
    let (key, nonce) = kept.unwrap_or_else(|| (keys.current(), context.random.bytes::<16>().to_vec()));
    let code = key.code(phone, &nonce);
    let new = NewCode {
        seal: &key.seal(phone, &code),
        nonce: &nonce,
        resend_at: now + TimeDelta::seconds(settings.otp_resend_after_s),
        expires_at: now + TimeDelta::seconds(settings.otp_ttl_s),
    };
    queries::store_code(tx, phone, new, now).await?;
    Ok(code)
}

/// Hands the message over to the provider. If it can't be sent, the next request may come at once; if it costs
/// nothing, it does not count.
async fn hand_over(
    context: &AuthContext,
    to: &TextNumber,
    code: &str,
    counted_at: DateTime<Utc>,
) -> ApiResult<()> {
    let id = context.random.id(counted_at);
    let Err(why) = context.auth.0.sms.send_otp(id, to, code).await else { return Ok(()) };
    queries::allow_resend(&context.db, to.e164()).await?;
    if why.is_free() {
        give_back_text_message(context.auth.text_limits(), &context.db, to, counted_at).await?;
    }
    Err(ApiError::new(Code::ProviderError, "We could not send the code. Try again.").caused_by(why))
}

/// Signs in the person of a phone with a code, and creates an account for a new phone.
pub async fn verify(
    context: &AuthContext,
    phone: &str,
    code: &str,
    name: Option<&str>,
    source: &Source,
    user_agent: Option<&str>,
) -> ApiResult<Verified> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    admit_request(context, &mut tx, phone, source, now).await?;
    admit_guesses(context, &mut tx, phone, source, now).await?;
    if !matches(context, &mut tx, phone, code, now).await? {
        let refused = count_wrong(context, &mut tx, phone, source, now).await?;
        tx.commit().await.map_err(commit_error)?;
        return Err(refused);
    }
    queries::spend_code(&mut tx, phone).await?;
    let person = person_of_phone(&mut tx, context.random.id(now), phone, name, now).await?;
    if let Err(refused) = may_sign_in(&person) {
        tx.commit().await.map_err(commit_error)?;
        return Err(refused);
    }
    let budget = context.auth.budget_of(person.id, Some(phone));
    let owner = SessionOwner { user_id: person.id, role: person.role, budget };
    let device = source.device_id().unwrap_or_else(|| context.random.id(now));
    let signed_in =
        sessions::open_on_device(context, &mut tx, owner, (user_agent, Some(device)), now).await?;
    give_requests_back(context, &mut tx, source).await?;
    tx.commit().await.map_err(commit_error)?;
    callers::forget(context, person.id).await;
    let known_until = now + TimeDelta::seconds(context.auth.settings().device_token_ttl_s);
    Ok(Verified {
        signed_in,
        is_new_user: person.is_new,
        mechanic_profile_id: person.mechanic_profile_id,
        device_token: context.auth.0.device_keys.current().issue(phone, device, known_until),
    })
}

async fn matches(
    context: &AuthContext,
    tx: &mut PgConnection,
    phone: &str,
    code: &str,
    now: DateTime<Utc>,
) -> ApiResult<bool> {
    let live = queries::live_code(tx, phone, now).await?;
    let keys = &context.auth.0.otp_keys;
    Ok(live.is_some_and(|live| keys.any(|key| key.matches(phone, code, &live.code_hmac))))
}

/// Takes the locks that make the limits of two numbers hold, in an order in which no two requests can wait for each
/// other, and counts one request.
pub async fn lock_both(
    context: &AuthContext,
    tx: &mut PgConnection,
    mut phones: [&str; 2],
    source: &Source,
    now: DateTime<Utc>,
) -> ApiResult<()> {
    phones.sort_unstable();
    let [first, second] = phones;
    admit_request(context, tx, first, source, now).await?;
    Ok(queries::lock_limits(tx, source.network().unwrap_or(source.name()), second).await?)
}

/// Returns whether the code is the number's, within the limits of wrong tries. A wrong code counts once the
/// transaction is committed; a right code stays valid until it is spent.
pub async fn is_right(
    context: &AuthContext,
    tx: &mut PgConnection,
    phone: &str,
    code: &str,
    source: &Source,
    now: DateTime<Utc>,
) -> ApiResult<bool> {
    admit_guesses(context, tx, phone, source, now).await?;
    let is_right = matches(context, tx, phone, code, now).await?;
    if !is_right {
        count_wrong(context, tx, phone, source, now).await?;
    }
    Ok(is_right)
}

/// Counts a wrong try. A code is not sent again once someone has used up all their tries on it.
async fn count_wrong(
    context: &AuthContext,
    tx: &mut PgConnection,
    phone: &str,
    source: &Source,
    now: DateTime<Utc>,
) -> ApiResult<ApiError> {
    queries::count_attempt(tx, Some(phone), source.name(), OtpAttempt::Wrong, now).await?;
    let here = Limit::wrong_here(context.auth.settings());
    let tried = queries::attempts(tx, OtpAttempt::Wrong, phone, Some(source.name()), here, now).await?;
    let locked_s = here.wait_s(tried, now);
    if locked_s.is_some() {
        queries::end_repeats(tx, phone).await?;
    }
    Ok(refused(locked_s))
}

/// Checks that the person of a phone number may have a session by it.
pub fn may_sign_in(person: &SignInRow) -> ApiResult<()> {
    if person.status != UserStatus::Active {
        Err(suspended())
    } else if person.role != Role::Customer {
        Err(ApiError::forbidden("Admins sign in with their email, not with a phone number."))
    } else {
        Ok(())
    }
}
