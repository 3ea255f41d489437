use std::{ops::Deref, time::Duration};

use actix_web::{HttpRequest, web::Data};
use roadcall_platform::worker::Wakeup;

use super::{keys::KeyEnvironment, known::KnownPartners};
use crate::auth::AuthContext;

/// The dependencies of organisations, their members and their keys.
#[derive(Debug, Clone)]
pub struct OrganisationsContext {
    pub auth: AuthContext,
    /// The environment of the keys that the server makes and accepts.
    pub environment: KeyEnvironment,
    pub known: KnownPartners,
    /// Makes every server forget which keys and members are known.
    pub changed: Wakeup,
}

impl OrganisationsContext {
    /// Returns the context. Keys and members are remembered for as long as people are.
    pub fn new(auth: AuthContext, environment: KeyEnvironment) -> Self {
        let remember_for = Duration::from_secs(auth.auth.settings().principal_cache_s);
        let changed = Wakeup::anywhere(auth.bus.as_ref(), "partners");
        Self { auth, environment, known: KnownPartners::new(remember_for), changed }
    }

    /// Returns the context of a request.
    pub fn of(request: &HttpRequest) -> &Data<Self> {
        request.app_data::<Data<Self>>().expect("app/ gives every request this context")
    }

    /// Makes all servers act on a change of an organisation, a member or a key. Call it after the commit, whatever its outcome: a
    /// commit without an answer may have happened.
    pub fn forget(&self) {
        self.known.forget();
        self.changed.wake();
    }
}

impl Deref for OrganisationsContext {
    type Target = AuthContext;

    fn deref(&self) -> &AuthContext {
        &self.auth
    }
}
