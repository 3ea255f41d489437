//! Identifies callers: one-time passwords, admin sign-in, sessions and tokens, and the extractors that other areas
//! put into their handlers' signatures.
//!
//! `otp` and `sessions` hold the rules, `oidc` signs in at an identity provider of the operator's own, `tokens.rs`
//! has the access tokens, `cookie.rs` the sessions of web pages, `principal.rs` the look-up of the caller on every
//! request, `callers.rs` the person behind a token, `extract.rs` the extractors, `desk.rs` the desks of admins,
//! `secrets.rs` the secrets behind it all, `keys` the remaining needs for each of them, `counted_messages` the limits
//! on messages to one recipient, `renumbering` the change of a phone number.

mod acting;
mod actions;
mod budget;
mod callers;
mod claims;
mod context;
mod cookie;
mod counted_messages;
pub mod desk;
mod device;
mod dto;
mod extract;
mod handlers;
pub mod idp;
pub mod keys;
mod locking;
mod made;
pub mod oidc;
mod otp;
mod owned;
mod principal;
mod queries;
mod renumbering;
pub mod scope;
mod secrets;
pub mod sessions;
mod settings;
mod tokens;

use chrono::{DateTime, TimeDelta, Utc};
use roadcall_http::Routes;
use roadcall_platform::{db::Db, error::ApiResult};
use sqlx::PgConnection;

pub use callers::{
    TokenHolder, caller_of, forget, forget_here, holder_of, holder_of_token, principal_of_session,
    recheck_session,
};
pub use claims::AdminClaims;
pub use context::{AuthContext, AuthStartError, AuthState, OpenSockets, SignInSetup};
pub use cookie::TokenPlace;
pub use counted_messages::{CountedMessage, DailyLimits, MessageKind, count_message, uncount_message};
pub use dto::{AcceptInvite, AdminLogin, Session, SignedIn, Success};
pub use extract::{Admin, AnyMechanic, Customer, Mechanic, OwnProfile, SuperAdmin, bearer};
pub use owned::{AnyId, OwnId};
pub use principal::{Caller, MechanicIdentity, MechanicStatus, Role, UserStatus, suspended};

pub use acting::{MemberRole, PartnerCaller, PartnerVia, Principal};
pub use actions::{may_sign_in_as, open_admin_session};
pub use handlers::{user_agent, verified_identity, with_verified_email};
pub use locking::{lock_account, lock_customer};
pub use made::{RANDOM_BYTES, TokenKind, TokenMaker};
pub use otp::{
    OtpKey, TextBudget, TextLimits, TextRecipient, admit_text_message, give_back_text_message, may_sign_in,
};
pub use queries::{
    AdminAccountRow, account_of_identity, admin_of_identity, insert_admin, is_admins_email,
    keep_account_of_organisation, keep_admin, keep_former_account, make_admin_again, person_of_phone,
    set_claimed_role,
};
pub use renumbering::{forget_numbers, notify_old_numbers};
pub use scope::{KeyScope, Scopes};
pub use secrets::{
    KeyId, NamedSecrets, SECRET_FILE, SecretError, ServerSecret, ServerSecrets, generated_secret,
    keep_generated_secret,
};
pub use sessions::queries::revoke_sessions;
pub use settings::{AdminSettings, AuthSettings, IdentitySettings};
pub use tokens::AccessTokens;

pub fn routes(config: &mut Routes) {
    config
        .service(otp::handlers::send_otp)
        .service(otp::handlers::verify_otp)
        .service(otp::handlers::test_sms)
        .service(handlers::refresh_tokens)
        .service(handlers::logout)
        .service(handlers::list_sessions)
        .service(handlers::end_session)
        .service(renumbering::handlers::change_phone);
}

/// Returns the caller's live sessions, the last used first; 50 at most.
pub async fn sessions_of(
    db: &mut PgConnection,
    caller: &Caller,
    now: DateTime<Utc>,
) -> ApiResult<Vec<Session>> {
    let rows = sessions::queries::live_sessions(db, caller.user_id, now).await?;
    Ok(rows.into_iter().map(|row| Session::of(row, caller.session_id)).collect())
}

/// Deletes rows that no rule of sign-in needs any longer, at most `limit` of each kind; returns how many. Run it
/// regularly, after expired socket tickets are gone: a session stays while it has a ticket.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    // The longest window that counts attempts is a day.
    let swept = queries::sweep(db, now, now - TimeDelta::days(1), limit).await?;
    let numbers = renumbering::sweep(db, now, limit).await?;
    let messages = counted_messages::sweep(db, now, limit).await?;
    Ok(swept + numbers + messages + idp::sweep(db, now, limit).await?)
}
