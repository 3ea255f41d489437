//! The dependencies of sign-in and of the extractors of callers.

use std::{sync::Arc, time::Duration};

use actix_web::{HttpRequest, web::Data};
use roadcall_platform::{core::Core, db::Loaded, keys::KeyRing};
use roadcall_providers::{
    identity::{CodeFlow, CodeFlowSettings, Expected, IdentityVerifier, LocalProvider},
    mail::MailError,
    mails::Mails,
    sms::{Sms, SmsError},
};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{
    budget::BudgetKey,
    claims::AdminClaims,
    cookie::SuccessorKey,
    device::DeviceKey,
    idp::FactorKey,
    keys,
    made::TokenMaker,
    oidc::AttemptKey,
    otp::{OtpKey, TextLimits},
    principal::Principals,
    secrets::{NamedSecrets, SecretError, ServerSecrets},
    settings::{AdminSettings, AuthSettings, IdentitySettings},
    tokens::AccessTokens,
};

/// The context of the accounts' handlers and of the extractors of callers.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct AuthContext {
    #[deref]
    pub core: Core,
    pub auth: AuthState,
}

/// The settings and providers of sign-in.
#[derive(Debug)]
pub struct SignInSetup {
    pub settings: AuthSettings,
    pub identity: IdentitySettings,
    pub admin: AdminSettings,
    pub text_limits: TextLimits,
    pub sms: Sms,
    pub mails: Mails,
    /// How long checks of the sessions of open sockets may wait, so that several are made together.
    pub recheck_gather: Duration,
    pub sockets: Arc<dyn OpenSockets>,
}

impl AuthContext {
    /// Loads or makes the secret and sets up the providers that the settings name. It reads the database only for the
    /// secrets and their uses, and calls no provider.
    pub async fn start(core: Core, setup: SignInSetup) -> Result<Self, AuthStartError> {
        let auth = AuthState::start(&core, setup).await?;
        Ok(Self { core, auth })
    }

    /// Returns the context of a request.
    pub fn of(request: &HttpRequest) -> &Data<Self> {
        request.app_data::<Data<Self>>().expect("app/ gives every request this context")
    }
}

/// Passwords that are hashed at the same time; each takes 19 MiB meanwhile.
const PASSWORD_SLOTS: usize = 4;

/// The state of sign-in. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AuthState(pub(super) Arc<Parts>);

#[derive(Debug)]
pub(super) struct Parts {
    settings: AuthSettings,
    admin_settings: AdminSettings,
    claims: AdminClaims,
    text_limits: TextLimits,
    pub(super) secrets: ServerSecrets,
    pub(super) tokens: AccessTokens,
    pub(super) budgets: Arc<BudgetKey>,
    pub(super) otp_keys: KeyRing<OtpKey>,
    pub(super) device_keys: KeyRing<DeviceKey>,
    pub(super) successor_keys: KeyRing<SuccessorKey>,
    pub(super) made: TokenMaker,
    pub(super) principals: Principals,
    pub(super) sockets: Arc<dyn OpenSockets>,
    pub(super) sms: Sms,
    pub(super) mails: Mails,
    pub(super) identity: Arc<dyn IdentityVerifier>,
    pub(super) local_provider: Option<Arc<LocalProvider>>,
    /// The sign-in at an identity provider other than the embedded one.
    pub(super) code_flow: Option<CodeFlow>,
    pub(super) attempt_keys: KeyRing<AttemptKey>,
    pub(super) password_slots: Semaphore,
    pub(super) factor_keys: KeyRing<FactorKey>,
}

/// The sockets and streams that people have open.
pub trait OpenSockets: std::fmt::Debug + Send + Sync {
    /// Makes all sockets of a person check at once whether they may stay open, because the person's role, status,
    /// sessions or profile have changed.
    fn changed(&self, user_id: Uuid);
}

/// The reason why sign-in can't start.
#[derive(Debug, thiserror::Error)]
pub enum AuthStartError {
    #[error(transparent)]
    ServerSecret(#[from] SecretError),
    #[error("sms: {0}")]
    Sms(#[from] SmsError),
    #[error("mail: {0}")]
    Mail(#[from] MailError),
    #[error("identity.issuer and identity.jwks_url: {0}")]
    Identity(String),
    #[error("what is known of the service's secrets: {0}")]
    Keys(#[from] sqlx::Error),
    #[error("the local identity provider's key: {0}")]
    LocalKey(#[from] jsonwebtoken::errors::Error),
}

impl AuthState {
    async fn start(core: &Core, setup: SignInSetup) -> Result<Self, AuthStartError> {
        let Core { db, clock, random, .. } = core;
        let SignInSetup { settings, identity, admin, text_limits, sms, mails, recheck_gather, sockets } =
            setup;
        let named = NamedSecrets::of(&settings, &core.settings);
        let secrets = ServerSecrets::load(&named, db, clock.now(), random).await?;
        keys::note_start(db, &secrets, clock.now()).await?;
        let local = Arc::new(local_provider(&identity, &secrets)?);
        let public_url = &core.settings.server.public_url;
        let is_embedded = identity.is_embedded(public_url);
        let code_flow = if is_embedded { None } else { Some(code_flow(&identity, public_url)?) };
        let claims = AdminClaims::of(&identity);
        let identity: Arc<dyn IdentityVerifier> = match &code_flow {
            Some(flow) => flow.verifier(),
            None => local.clone(),
        };
        let remember_for = Duration::from_secs(settings.principal_cache_s);
        let budgets = Arc::new(BudgetKey::new(*secrets.keys("budgets").current()));
        Ok(Self(Arc::new(Parts {
            tokens: AccessTokens::new(&secrets, settings.access_token_ttl_s),
            otp_keys: secrets.keys("one-time passwords").map(|key| OtpKey::new(*key)),
            device_keys: secrets.keys("known devices").map(|key| DeviceKey::new(*key)),
            successor_keys: secrets.keys("successors of cookies").map(|key| SuccessorKey::new(*key)),
            made: TokenMaker::of(&secrets),
            principals: Principals::new(db, clock, remember_for, recheck_gather, budgets.clone()),
            budgets,
            sockets,
            sms,
            mails,
            identity,
            local_provider: is_embedded.then_some(local),
            code_flow,
            attempt_keys: secrets.keys("sign-ins at the identity provider").map(|key| AttemptKey::new(*key)),
            password_slots: Semaphore::new(PASSWORD_SLOTS),
            factor_keys: keys::factor_keys(&secrets),
            secrets,
            settings,
            admin_settings: admin,
            claims,
            text_limits,
        })))
    }

    pub(crate) fn settings(&self) -> &AuthSettings {
        &self.0.settings
    }

    pub(crate) fn admin_settings(&self) -> &AdminSettings {
        &self.0.admin_settings
    }

    /// Returns the settings that decide when sessions end.
    pub(super) fn lives(&self) -> (&AuthSettings, &AdminSettings) {
        (&self.0.settings, &self.0.admin_settings)
    }

    /// Returns the values of the claim that make a person an admin.
    pub fn claims(&self) -> &AdminClaims {
        &self.0.claims
    }

    /// Returns the limits on all text messages together.
    pub fn text_limits(&self) -> &TextLimits {
        &self.0.text_limits
    }

    /// Derives keys for one purpose, the same after a restart.
    pub fn keys(&self, purpose: &str) -> KeyRing<[u8; 32]> {
        self.0.secrets.keys(purpose)
    }

    /// Derives keys as [`AuthState::keys`] does, in hex, since settings are text.
    pub fn hex_keys(&self, purpose: &str) -> KeyRing<String> {
        self.keys(purpose).map(|key| hex::encode(&key[..]))
    }

    /// Returns the sender of text messages.
    pub fn sms(&self) -> Sms {
        self.0.sms.clone()
    }

    /// Returns the sender of mail.
    pub fn mails(&self) -> &Mails {
        &self.0.mails
    }

    /// Returns the maker of random tokens, which also recognises them.
    pub fn tokens_made(&self) -> &TokenMaker {
        &self.0.made
    }

    /// Returns how many reads of the database it took to identify callers, and of how many people.
    pub fn looked(&self) -> Loaded {
        self.0.principals.looked()
    }

    /// Returns the same for the sessions of open sockets, which are checked again together.
    pub fn rechecked(&self) -> Loaded {
        self.0.principals.rechecked()
    }

    pub(super) fn tokens(&self) -> &AccessTokens {
        &self.0.tokens
    }

    /// Returns the budget to which a person's requests are charged.
    pub fn budget_of(&self, user_id: Uuid, phone: Option<&str>) -> Uuid {
        self.0.budgets.budget_of(user_id, phone)
    }

    /// Returns the keys by which rows name people and recipients without revealing who they are.
    pub(super) fn budget_keys(&self) -> KeyRing<BudgetKey> {
        self.keys("budgets").map(|key| BudgetKey::new(*key))
    }

    /// Returns the embedded identity provider, unless the settings switch it off.
    pub fn local_provider(&self) -> Option<&LocalProvider> {
        self.0.local_provider.as_deref()
    }

    /// Returns the keys that encrypt the secrets of second factors.
    pub fn factor_keys(&self) -> &KeyRing<FactorKey> {
        &self.0.factor_keys
    }

    /// Returns the semaphore that bounds the passwords that are hashed at the same time.
    pub fn password_slots(&self) -> &Semaphore {
        &self.0.password_slots
    }
}

fn local_provider(
    identity: &IdentitySettings,
    secrets: &ServerSecrets,
) -> jsonwebtoken::errors::Result<LocalProvider> {
    let seeds = secrets.keys("local identity provider");
    LocalProvider::with_keys(&seeds, expected(identity), identity.id_token_ttl_s)
}

fn expected(identity: &IdentitySettings) -> Expected {
    Expected {
        issuer: identity.issuer.clone(),
        audience: identity.audience.clone(),
        vouches_for_emails: identity.vouches_for_emails,
    }
}

/// Sets up the provider that the settings name, without sending it a request.
fn code_flow(identity: &IdentitySettings, public_url: &str) -> Result<CodeFlow, AuthStartError> {
    let keys = match identity.jwks_url.as_str() {
        "" => None,
        url => Some(url.parse().map_err(|why| AuthStartError::Identity(format!("{why}")))?),
    };
    let made = CodeFlow::new(CodeFlowSettings {
        issuer: &identity.issuer,
        audience: &identity.audience,
        vouches_for_emails: identity.vouches_for_emails,
        client_id: identity.client_id(),
        client_secret: &identity.client_secret.0,
        scope: &identity.scope,
        redirect_uri: format!("{}/console/sign-in", public_url.trim_end_matches('/')),
        keys,
        role_claim: &identity.role_claim,
        timeout: Duration::from_millis(identity.jwks_timeout_ms),
        max_age_s: identity.jwks_max_age_s,
    });
    let made = made.map_err(|why| AuthStartError::Identity(why.to_string()))?;
    made.ok_or_else(|| AuthStartError::Identity("the issuer is no URL".to_owned()))
}
