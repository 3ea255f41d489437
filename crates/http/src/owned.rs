//! The object that a path names, always together with a caller who may act on it.

use std::future::Future;

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use futures_util::future::LocalBoxFuture;
use roadcall_platform::{
    core::Core,
    error::{ApiError, ApiResult},
};

use super::params::PathIds;

/// Finds the object of a path's ids that belongs to a caller of kind `P`.
pub trait OwnedBy<P>: Sized {
    /// The object's name in a 404: "job".
    const NAME: &'static str;

    /// Returns the object; `None` if it does not exist or belongs to someone else: both are 404, so that ids can't be
    /// probed.
    fn find(core: &Core, by: &P, path: &PathIds) -> impl Future<Output = ApiResult<Option<Self>>>;
}

/// A `T` that the path names and on which `by` may act as a `P`. Only the extractor makes one, and path ids are read
/// nowhere else, so a handler can't forget to check its owner. 401 and 403 come before the 422 of a malformed id and
/// the 404.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct Owned<T, P> {
    #[deref]
    of: T,
    by: P,
}

impl<T, P> Owned<T, P> {
    /// Returns the caller.
    pub fn by(&self) -> &P {
        &self.by
    }

    pub fn into_parts(self) -> (T, P) {
        (self.of, self.by)
    }
}

impl<T: OwnedBy<P>, P> Owned<T, P> {
    /// Finds the object for callers that identify themselves otherwise than with a bearer token.
    pub async fn of(request: &HttpRequest, by: P) -> ApiResult<Self> {
        Self::find(&Core::of(request).clone(), PathIds::of(request), by).await
    }

    async fn find(core: &Core, path: PathIds, by: P) -> ApiResult<Self> {
        let found = T::find(core, &by, &path).await?;
        Ok(Self { of: found.ok_or_else(|| ApiError::not_found(T::NAME))?, by })
    }
}

impl<T, P> FromRequest for Owned<T, P>
where
    T: OwnedBy<P> + 'static,
    P: FromRequest<Error = ApiError> + 'static,
{
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, ApiResult<Self>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let core = Core::of(request).clone();
        let path = PathIds::of(request);
        let caller = P::from_request(request, payload);
        Box::pin(async move { Self::find(&core, path, caller.await?).await })
    }
}
