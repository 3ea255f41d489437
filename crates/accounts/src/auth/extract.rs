//! The extractors of callers: a handler's signature says who may call it.
//!
//! The extracted caller is put into the request's extensions, for the log of the request as a whole.
//!
//! A missing or bad token is 401, and a role that may not call is 403; both are checked before anything else of the
//! request.

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, http::header};
use futures_util::future::LocalBoxFuture;
use roadcall_platform::error::{ApiError, ApiResult, Code};
use tracing::{Span, field::display};
use uuid::Uuid;

use super::{
    callers::{TokenHolder, caller_of, holder_of},
    desk::AtDesk,
    principal::{Caller, MechanicIdentity, Role},
};
use crate::auth::{AuthContext, MechanicStatus};

/// A person with the role customer, mechanics included.
#[derive(Debug, Clone, Copy)]
pub struct Customer(pub Caller);

/// A mechanic whose profile is verified. Most handlers for mechanics use this.
#[derive(Debug, Clone, Copy)]
pub struct Mechanic {
    pub caller: Caller,
    pub profile_id: Uuid,
}

/// A person with a mechanic profile of any status, for matters that mechanics need before they are verified or while
/// they are suspended: their profile, their money, and the job that they are on.
#[derive(Debug, Clone, Copy)]
pub struct AnyMechanic {
    pub caller: Caller,
    pub profile_id: Uuid,
}

/// The mechanic of `/mechanics/me`: 404, with advice to register first, for callers without a profile.
#[derive(Debug, Clone, Copy)]
pub struct OwnProfile<M>(pub M);

/// An admin or a super-admin who is at the desk that `D` names.
#[derive(Debug, Clone, Copy)]
pub struct Admin<D>(pub Caller, pub D);

/// A super-admin.
#[derive(Debug, Clone, Copy)]
pub struct SuperAdmin(pub Caller);

/// Restricts a caller to those who may call.
trait Admit: Sized {
    fn admit(caller: Caller) -> ApiResult<Self>;
}

impl Admit for Caller {
    fn admit(caller: Caller) -> ApiResult<Self> {
        Ok(caller)
    }
}

impl Admit for Customer {
    fn admit(caller: Caller) -> ApiResult<Self> {
        match caller.role {
            Role::Customer => Ok(Self(caller)),
            Role::Admin | Role::SuperAdmin => Err(ApiError::forbidden("Only customers can do this.")),
        }
    }
}

/// Returns the caller's profile, if they may have one.
fn profile_of(caller: &Caller) -> ApiResult<Option<MechanicIdentity>> {
    Customer::admit(*caller).map(|_| caller.mechanic)
}

fn only_mechanics() -> ApiError {
    ApiError::forbidden("Only mechanics can do this.")
}

impl Admit for AnyMechanic {
    fn admit(caller: Caller) -> ApiResult<Self> {
        let profile = profile_of(&caller)?.ok_or_else(only_mechanics)?;
        Ok(Self { caller, profile_id: profile.profile_id })
    }
}

impl Admit for Mechanic {
    fn admit(caller: Caller) -> ApiResult<Self> {
        let MechanicIdentity { profile_id, status } = profile_of(&caller)?.ok_or_else(only_mechanics)?;
        match status {
            MechanicStatus::Verified => Ok(Self { caller, profile_id }),
            MechanicStatus::PendingVerification | MechanicStatus::Rejected | MechanicStatus::Suspended => {
                let message = format!("Your mechanic profile is {status}, not verified.");
                Err(ApiError::new(Code::NotVerified, message))
            }
        }
    }
}

impl<M: Admit> Admit for OwnProfile<M> {
    fn admit(caller: Caller) -> ApiResult<Self> {
        match profile_of(&caller)? {
            None => Err(ApiError::new(
                Code::NotFound,
                "You have no mechanic profile. Register first: POST /mechanics/register.",
            )),
            Some(_) => M::admit(caller).map(Self),
        }
    }
}

impl<D: AtDesk> Admit for Admin<D> {
    fn admit(caller: Caller) -> ApiResult<Self> {
        if !caller.is_admin() {
            return Err(ApiError::forbidden("Only admins can do this."));
        }
        caller.desks.check::<D>().map(|()| Self(caller, D::default()))
    }
}

impl Admit for SuperAdmin {
    fn admit(caller: Caller) -> ApiResult<Self> {
        match caller.role {
            Role::SuperAdmin => Ok(Self(caller)),
            Role::Customer | Role::Admin => Err(ApiError::forbidden("Only super-admins can do this.")),
        }
    }
}

impl Customer {
    /// Admits a caller without a request, as on a socket.
    pub fn of(caller: Caller) -> ApiResult<Self> {
        Self::admit(caller)
    }
}

impl Mechanic {
    /// Admits a caller without a request, as on a socket.
    pub fn of(caller: Caller) -> ApiResult<Self> {
        Self::admit(caller)
    }
}

impl AnyMechanic {
    /// Admits a caller without a request, as on a socket.
    pub fn of(caller: Caller) -> ApiResult<Self> {
        Self::admit(caller)
    }
}

impl<D: AtDesk> Admin<D> {
    /// Admits a caller without a request, as on a socket.
    pub fn of(caller: Caller) -> ApiResult<Self> {
        Self::admit(caller)
    }
}

fn admitted<W: Admit + 'static>(request: &HttpRequest) -> LocalBoxFuture<'static, ApiResult<W>> {
    let context = AuthContext::of(request).clone();
    let known = request.extensions().get::<TokenHolder>().copied();
    let holder = match known {
        Some(holder) => Ok(holder),
        None => bearer(request).and_then(|token| holder_of(&context, &token)),
    };
    let request = request.clone();
    Box::pin(async move {
        let caller = caller_of(&context, holder?).await?;
        Span::current().record("user.id", display(caller.user_id));
        request.extensions_mut().insert(caller);
        W::admit(caller)
    })
}

macro_rules! extract {
    ($($who:ty)*) => {$(
        impl FromRequest for $who {
            type Error = ApiError;
            type Future = LocalBoxFuture<'static, ApiResult<Self>>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                admitted(request)
            }
        }
    )*};
}

extract! { Caller Customer Mechanic AnyMechanic OwnProfile<Mechanic> OwnProfile<AnyMechanic> SuperAdmin }

impl<D: AtDesk> FromRequest for Admin<D> {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, ApiResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        admitted(request)
    }
}

/// Returns the token of `Authorization: Bearer …`; the scheme's case does not matter (RFC 9110, 11.1).
pub fn bearer(request: &HttpRequest) -> ApiResult<String> {
    let missing = || ApiError::unauthorized("Sign in: send the header Authorization: Bearer <access token>.");
    let mut values = request.headers().get_all(header::AUTHORIZATION);
    let value = values.next().ok_or_else(missing)?;
    // With two credentials, a proxy before us may have believed the other one.
    if values.next().is_some() {
        return Err(ApiError::unauthorized("Send exactly one Authorization header."));
    }
    let (scheme, token) = value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(missing)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(token.trim().to_owned()) } else { Err(missing()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::desk::{self, Desk, Desks};

    fn caller(role: Role, status: Option<MechanicStatus>) -> Caller {
        let mechanic = status.map(|status| MechanicIdentity { profile_id: Uuid::nil(), status });
        let desks = Desks::of(role, None);
        let (user_id, session_id, budget) = (Uuid::nil(), Uuid::nil(), Uuid::nil());
        Caller { user_id, role, desks, session_id, mechanic, agreed_notice: None, budget }
    }

    #[test]
    fn each_kind_of_caller_passes_where_it_may_and_nowhere_else() {
        use MechanicStatus::{PendingVerification, Rejected, Suspended, Verified};
        let (ok, no, unverified) = (None, Some(Code::Forbidden), Some(Code::NotVerified));
        let unregistered = Some(Code::NotFound);
        // Customer, AnyMechanic, Mechanic, OwnProfile<AnyMechanic>, OwnProfile<Mechanic>, Admin, SuperAdmin
        let cases = [
            (caller(Role::Customer, None), [ok, no, no, unregistered, unregistered, no, no]),
            (caller(Role::Customer, Some(PendingVerification)), [ok, ok, unverified, ok, unverified, no, no]),
            (caller(Role::Customer, Some(Rejected)), [ok, ok, unverified, ok, unverified, no, no]),
            (caller(Role::Customer, Some(Suspended)), [ok, ok, unverified, ok, unverified, no, no]),
            (caller(Role::Customer, Some(Verified)), [ok, ok, ok, ok, ok, no, no]),
            (caller(Role::Admin, None), [no, no, no, no, no, ok, no]),
            (caller(Role::SuperAdmin, None), [no, no, no, no, no, ok, ok]),
            (caller(Role::Admin, Some(Verified)), [no, no, no, no, no, ok, no]),
        ];
        for (caller, expected) in cases {
            let refusals = [
                Customer::admit(caller).err(),
                AnyMechanic::admit(caller).err(),
                Mechanic::admit(caller).err(),
                OwnProfile::<AnyMechanic>::admit(caller).err(),
                OwnProfile::<Mechanic>::admit(caller).err(),
                Admin::<desk::Every>::admit(caller).err(),
                SuperAdmin::admit(caller).err(),
            ];
            assert_eq!(refusals.map(|refusal| refusal.map(|error| error.code)), expected, "{caller:?}");
        }
    }

    #[test]
    fn an_admin_passes_at_their_own_desks_alone() {
        let narrow =
            Caller { desks: Desks::of(Role::Admin, Some(&[Desk::Money])), ..caller(Role::Admin, None) };
        assert!(Admin::<desk::Money>::admit(narrow).is_ok());
        assert!(Admin::<desk::Any>::admit(narrow).is_ok());
        let refusals = [
            Admin::<desk::Dispatch>::admit(narrow).err().map(|error| error.code),
            Admin::<desk::Every>::admit(narrow).err().map(|error| error.code),
            SuperAdmin::admit(narrow).err().map(|error| error.code),
        ];
        assert_eq!(refusals, [Some(Code::DeskNeeded), Some(Code::DeskNeeded), Some(Code::Forbidden)]);
    }
}
