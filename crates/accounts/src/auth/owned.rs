//! Ids in paths for which no row is read in advance.

use roadcall_http::{OwnedBy, PathIds};
use roadcall_platform::{core::Core, error::ApiResult};
use uuid::Uuid;

use super::{
    desk::AtDesk,
    extract::{Admin, AnyMechanic, Customer, Mechanic, SuperAdmin},
    principal::Caller,
};

/// The id of an object of the caller's. Queries match it together with the owner, so that another person's row is not
/// found.
#[derive(Debug, Clone, Copy)]
pub struct OwnId {
    /// The caller: a mechanic's profile, anybody else's user.
    pub owner: Uuid,
    pub id: Uuid,
}

/// Any id: admins may name anybody's objects.
#[derive(Debug, Clone, Copy)]
pub struct AnyId(pub Uuid);

/// A caller who has objects of their own.
pub trait Owner {
    fn owner_id(&self) -> Uuid;
}

/// A caller who may act on anybody's objects.
pub trait Overseer {}

impl Owner for Caller {
    fn owner_id(&self) -> Uuid {
        self.user_id
    }
}

impl Owner for Customer {
    fn owner_id(&self) -> Uuid {
        self.0.user_id
    }
}

impl Owner for AnyMechanic {
    fn owner_id(&self) -> Uuid {
        self.profile_id
    }
}

impl Owner for Mechanic {
    fn owner_id(&self) -> Uuid {
        self.profile_id
    }
}

impl<D: AtDesk> Overseer for Admin<D> {}
impl Overseer for SuperAdmin {}

impl<P: Owner> OwnedBy<P> for OwnId {
    const NAME: &'static str = "id";

    async fn find(_: &Core, by: &P, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(Some(Self { owner: by.owner_id(), id: path.only()? }))
    }
}

impl<P: Overseer> OwnedBy<P> for AnyId {
    const NAME: &'static str = "id";

    async fn find(_: &Core, _: &P, path: &PathIds) -> ApiResult<Option<Self>> {
        Ok(Some(Self(path.only()?)))
    }
}
