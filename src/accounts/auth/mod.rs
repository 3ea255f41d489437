//! Who is calling: one-time passwords, admin sign-in, sessions and tokens, and the extractors that other areas
//! put into their handlers' signatures.
//!
//! `otp` and `sessions` hold the rules, `tokens.rs` the access tokens, `cookie.rs` the sessions of web pages, `principal.rs` what is looked up of a
//! caller on every request, `extract.rs` who may call, `secrets.rs` the one secret behind it all, `renumbering`
//! changes a person's number.

mod actions;
mod budget;
mod cookie;
mod device;
mod dto;
mod extract;
mod handlers;
pub mod idp;
mod made;
mod otp;
mod owned;
mod principal;
mod queries;
mod renumbering;
mod secrets;
pub mod sessions;
mod tokens;

use std::{ops::Deref, sync::Arc, time::Duration};

use actix_web::{HttpRequest, web::Data};
use chrono::{DateTime, TimeDelta, Utc};
use roadcall_actors::{clock::Clock, random::Random};
use sqlx::PgConnection;
use tokio::sync::Semaphore;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

pub use cookie::TokenPlace;
pub use dto::{AcceptInvite, Session, SignedIn, Success};
pub use extract::{Admin, AnyMechanic, Customer, Mechanic, OwnProfile, SuperAdmin, bearer};
pub use owned::{AnyId, OwnId};
pub use principal::{Caller, MechanicIdentity, MechanicStatus, Role, UserStatus, suspended};

pub use handlers::{user_agent, verified_identity};
pub use made::{RANDOM_BYTES, TokenKind, TokenMaker};
pub use otp::{TextRecipient, admit_text_message, give_back_text_message, may_sign_in};
pub use queries::{
    AdminAccountRow, account_of_identity, admin_of_identity, insert_admin, keep_admin, make_admin_again,
    person_of_phone,
};
pub use renumbering::{forget_numbers, notify_old_numbers};
pub use secrets::{SecretError, ServerSecret};

use crate::{
    platform::{
        core::Core,
        db::{Db, Loaded},
        error::{ApiError, ApiResult, Code},
        settings::Settings,
    },
    providers::{
        identity::{Expected, IdentityVerifier, JwksVerifier, LocalProvider},
        sms::{self, SmsError, SmsSender},
    },
};

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(otp::handlers::send_otp)
        .service(otp::handlers::verify_otp)
        .service(handlers::admin_login)
        .service(handlers::refresh_tokens)
        .service(handlers::logout)
        .service(handlers::list_sessions)
        .service(handlers::end_session)
        .service(renumbering::handlers::change_phone);
}

/// What the accounts' handlers and the extractors of callers need.
#[derive(Debug, Clone)]
pub struct AuthContext {
    pub core: Core,
    pub auth: AuthState,
}

impl AuthContext {
    /// The context behind a request.
    pub fn of(request: &HttpRequest) -> &Data<Self> {
        request.app_data::<Data<Self>>().expect("app.rs gives every request this context")
    }
}

impl Deref for AuthContext {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

/// Passwords that are hashed at once; each takes 19 MiB for the time.
const PASSWORD_SLOTS: usize = 4;

/// What sign-in needs at hand. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AuthState(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    secret: ServerSecret,
    tokens: tokens::AccessTokens,
    budgets: Arc<budget::BudgetKey>,
    otp_key: otp::OtpKey,
    device_key: device::DeviceKey,
    successor_key: cookie::SuccessorKey,
    made: made::TokenMaker,
    principals: principal::Principals,
    sockets: Arc<dyn OpenSockets>,
    sms: Arc<dyn SmsSender>,
    identity: Arc<dyn IdentityVerifier>,
    local_provider: Option<Arc<LocalProvider>>,
    password_slots: Semaphore,
    factor_key: idp::FactorKey,
}

/// The sockets and streams that people have open.
pub trait OpenSockets: std::fmt::Debug + Send + Sync {
    /// A person's role, status, sessions or profile have changed: whether each of their sockets may stay open is checked at once.
    fn changed(&self, user_id: Uuid);
}

/// Why sign-in can't start.
#[derive(Debug, thiserror::Error)]
pub enum AuthStartError {
    #[error(transparent)]
    ServerSecret(#[from] SecretError),
    #[error("sms: {0}")]
    Sms(#[from] SmsError),
    #[error("identity.jwks_url: {0}")]
    JwksUrl(String),
    #[error("the local identity provider's key: {0}")]
    LocalKey(#[from] jsonwebtoken::errors::Error),
}

impl AuthState {
    /// Loads or makes the secret and sets up the providers that the settings name. Goes to the database at most
    /// for the secret, and to no provider.
    pub async fn start(
        settings: &Settings,
        db: &Db,
        clock: &Clock,
        random: &Random,
        sockets: Arc<dyn OpenSockets>,
    ) -> Result<Self, AuthStartError> {
        let secret = ServerSecret::load(settings, db, clock.now(), random).await?;
        let local = Arc::new(local_provider(settings, &secret)?);
        let remember_for = Duration::from_secs(settings.auth.principal_cache_s);
        let gather = settings.ws.recheck_gather();
        let budgets = Arc::new(budget::BudgetKey::new(secret.key("budgets")));
        Ok(Self(Arc::new(Parts {
            tokens: tokens::AccessTokens::new(&secret, settings.auth.access_token_ttl_s),
            otp_key: otp::OtpKey::new(secret.key("one-time passwords")),
            device_key: device::DeviceKey::new(secret.key("known devices")),
            successor_key: cookie::SuccessorKey::new(secret.key("successors of cookies")),
            made: made::TokenMaker::new(secret.key("tokens of ours")),
            principals: principal::Principals::new(db, clock, remember_for, gather, budgets.clone()),
            budgets,
            sockets,
            sms: sms::start(settings)?,
            identity: verifier(settings, &local)?,
            local_provider: settings.identity.is_local().then_some(local),
            password_slots: Semaphore::new(PASSWORD_SLOTS),
            factor_key: idp::FactorKey::new(secret.key("second factors")),
            secret,
        })))
    }

    /// A key for one purpose, the same after a restart.
    pub fn key(&self, purpose: &str) -> [u8; 32] {
        self.0.secret.key(purpose)
    }

    /// The same in hex, as settings are text.
    pub fn hex_key(&self, purpose: &str) -> String {
        self.key(purpose).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Who sends text messages.
    pub fn sms(&self) -> Arc<dyn SmsSender> {
        self.0.sms.clone()
    }

    /// What random tokens are made with, and known by.
    pub fn tokens_made(&self) -> &TokenMaker {
        &self.0.made
    }

    /// How many reads of the database it took to identify callers, of how many people.
    pub fn looked(&self) -> Loaded {
        self.0.principals.looked()
    }

    /// The same for the sessions of open sockets, which are checked again together.
    pub fn rechecked(&self) -> Loaded {
        self.0.principals.rechecked()
    }

    fn tokens(&self) -> &tokens::AccessTokens {
        &self.0.tokens
    }

    /// Whose requests a person's are counted with.
    pub fn budget_of(&self, user_id: Uuid, phone: Option<&str>) -> Uuid {
        self.0.budgets.budget_of(user_id, phone)
    }

    /// The embedded identity provider, unless the settings switch it off.
    pub fn local_provider(&self) -> Option<&LocalProvider> {
        self.0.local_provider.as_deref()
    }

    /// What the secrets of second factors are kept under.
    pub fn factor_key(&self) -> &idp::FactorKey {
        &self.0.factor_key
    }

    /// Bounds the passwords that are hashed at once.
    pub fn password_slots(&self) -> &Semaphore {
        &self.0.password_slots
    }
}

fn local_provider(settings: &Settings, secret: &ServerSecret) -> jsonwebtoken::errors::Result<LocalProvider> {
    let seed = secret.key("local identity provider");
    LocalProvider::new(seed, expected(settings), settings.identity.id_token_ttl_s)
}

fn expected(settings: &Settings) -> Expected {
    let identity = &settings.identity;
    Expected { issuer: identity.issuer.clone(), audience: identity.audience.clone() }
}

/// Keys at `identity.jwks_url` where one is set, else the embedded provider's own.
fn verifier(
    settings: &Settings,
    local: &Arc<LocalProvider>,
) -> Result<Arc<dyn IdentityVerifier>, AuthStartError> {
    let identity = &settings.identity;
    if identity.jwks_url.is_empty() {
        return Ok(local.clone());
    }
    let url = identity.jwks_url.parse().map_err(|why| AuthStartError::JwksUrl(format!("{why}")))?;
    let timeout = Duration::from_millis(identity.jwks_timeout_ms);
    let made = JwksVerifier::new(url, expected(settings), timeout, identity.jwks_max_age_s);
    Ok(Arc::new(made.map_err(|why| AuthStartError::JwksUrl(why.to_string()))?))
}

/// The caller behind an access token: 401 UNAUTHORIZED or TOKEN_EXPIRED, 403 ACCOUNT_SUSPENDED.
pub async fn authenticate(context: &AuthContext, bearer: &str) -> ApiResult<Caller> {
    caller_of(context, holder_of(context, bearer)?).await
}

/// Whose an access token is, by its signature alone: 401 UNAUTHORIZED or TOKEN_EXPIRED. For what must be known before anything
/// is spent on who calls.
pub fn holder_of(context: &AuthContext, bearer: &str) -> ApiResult<TokenHolder> {
    let claims = context.auth.tokens().read(bearer, context.clock.now())?;
    let budget = claims.budget.unwrap_or(claims.sub);
    Ok(TokenHolder { user_id: claims.sub, session_id: claims.sid, budget })
}

/// The caller who holds a token: 401 UNAUTHORIZED, 403 ACCOUNT_SUSPENDED.
pub async fn caller_of(context: &AuthContext, holder: TokenHolder) -> ApiResult<Caller> {
    context.auth.0.principals.of_session(holder.user_id, holder.session_id, context.clock.now()).await
}

/// Whose a token is, by its signature alone: for counting requests, not for letting them in.
#[derive(Debug, Clone, Copy)]
pub struct TokenHolder {
    pub user_id: Uuid,
    pub session_id: Uuid,
    /// Whose requests are counted together.
    pub budget: Uuid,
}

/// `None` for a token that is not genuine, or has expired.
pub fn holder_of_token(context: &AuthContext, bearer: &str) -> Option<TokenHolder> {
    holder_of(context, bearer).ok()
}

/// The caller behind a session, from the database, for connections that outlive their access token.
pub async fn principal_of_session(
    context: &AuthContext,
    user_id: Uuid,
    session_id: Uuid,
) -> ApiResult<Caller> {
    let now = context.clock.now();
    context.auth.0.principals.of_session_afresh(user_id, session_id, now).await
}

/// The caller behind the session of an open socket, from the database. Waits until the sessions of other sockets can be checked
/// with it.
pub async fn recheck_session(context: &AuthContext, user_id: Uuid, session_id: Uuid) -> ApiResult<Caller> {
    context.auth.0.principals.recheck(user_id, session_id, &context.clock).await
}

/// To be called after the commit of whatever changed a person's role, suspension, sessions or mechanic profile, so
/// that this process acts on it at once, for requests and for open sockets. Other processes do within `auth.principal_cache_s`.
pub async fn forget(context: &AuthContext, user_id: Uuid) {
    context.auth.0.principals.forget(user_id).await;
    context.auth.0.sockets.changed(user_id);
}

/// [`forget`] after a session was only prolonged: its sockets stay open.
async fn forget_ends(context: &AuthContext, user_id: Uuid) {
    context.auth.0.principals.forget(user_id).await;
}

/// The caller's live sessions, the last used first; 50 at most.
pub async fn sessions_of(
    db: &mut PgConnection,
    caller: &Caller,
    now: DateTime<Utc>,
) -> ApiResult<Vec<Session>> {
    let rows = sessions::queries::live_sessions(db, caller.user_id, now).await?;
    Ok(rows.into_iter().map(|row| Session::of(row, caller.session_id)).collect())
}

/// Ends all sessions of a person within a transaction; [`forget`] them after its commit. `reason` is kept.
pub async fn revoke_sessions(
    tx: &mut PgConnection,
    user_id: Uuid,
    reason: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sessions::queries::revoke_sessions(tx, user_id, reason, now).await
}

/// Whether an admin has this email, which is in lower case.
pub async fn is_admins_email(tx: &mut PgConnection, email: &str) -> sqlx::Result<bool> {
    queries::is_admins_email(tx, email).await
}

/// Deletes what no rule of sign-in needs any more, at most `limit` of each kind; returns how many rows. Run it regularly, after
/// expired socket tickets are gone: a session stays while it has one.
pub async fn sweep(db: &Db, now: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    // The longest window that counts attempts is a day.
    let swept = queries::sweep(db, now, now - TimeDelta::days(1), limit).await?;
    let numbers = renumbering::sweep(db, now, limit).await?;
    Ok(swept + numbers + idp::sweep(db, now, limit).await?)
}

/// Locks the account, so that one transaction at a time writes what the person has and nothing is added to an account that is being
/// deleted. 401 if it was deleted.
pub async fn lock_account(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<()> {
    lock(tx, user_id).await.map(drop)
}

/// As [`lock_account`], for what only customers can have: a job, a mechanic's profile. 403 if they are an admin or suspended. Lock
/// users before vehicles, profiles and jobs.
pub async fn lock_customer(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<()> {
    match lock(tx, user_id).await? {
        (Role::Customer, UserStatus::Active) => Ok(()),
        (Role::Customer, _) => {
            Err(ApiError::new(Code::AccountSuspended, "This account is suspended. Contact support."))
        }
        (Role::Admin | Role::SuperAdmin, _) => Err(ApiError::forbidden("Only customers can do this.")),
    }
}

async fn lock(tx: &mut PgConnection, user_id: Uuid) -> ApiResult<(Role, UserStatus)> {
    let found = queries::lock_account(tx, user_id).await?;
    found.ok_or_else(|| ApiError::unauthorized("This account was deleted."))
}
