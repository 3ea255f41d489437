//! Counts requests whose credential only their handlers find, in the body or by a look-up.

use std::{
    cell::Cell,
    fmt,
    future::{Ready, ready},
    net::IpAddr,
    rc::Rc,
    sync::Arc,
};

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload};
use roadcall_platform::error::{ApiError, ApiResult};
use uuid::Uuid;

use super::rate_limit::{LimitStatus, Proof, RateLimits, VisitPurpose};

/// Counts one request. The edge makes it, and counts a request by its address if it is refused before its handler has
/// counted it.
#[derive(Clone)]
pub struct Meter {
    limits: Arc<RateLimits>,
    purpose: VisitPurpose,
    address: IpAddr,
    counted: Rc<Cell<Counted>>,
}

#[derive(Debug, Clone, Copy)]
enum Counted {
    NotYet,
    /// The remaining budget; `None` if the shown credential is not limited.
    As(Option<LimitStatus>),
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter").field("purpose", &self.purpose).finish_non_exhaustive()
    }
}

impl Meter {
    pub fn new(limits: Arc<RateLimits>, purpose: VisitPurpose, address: IpAddr) -> Self {
        Self { limits, purpose, address, counted: Rc::new(Cell::new(Counted::NotYet)) }
    }

    /// Counts the request by the shown credential, or by its address if there is no genuine one; 429 beyond the
    /// limit.
    pub fn count(&self, shown: Option<Proof>) -> ApiResult<()> {
        let standing = self.limits.check_other(self.purpose, shown, self.address);
        self.counted.set(Counted::As(standing));
        standing.map_or(Ok(()), LimitStatus::require)
    }

    /// Counts the request by a partner's key; 429 beyond the key's own limit.
    pub fn count_key(&self, key_id: Uuid, per_minute: u32) -> ApiResult<()> {
        let standing = self.limits.check_partner(key_id, per_minute);
        self.counted.set(Counted::As(Some(standing)));
        standing.require()
    }

    /// Returns the remaining budget, after counting by its address a request that was not counted yet.
    pub fn settle(&self) -> Option<LimitStatus> {
        if let Counted::As(standing) = self.counted.get() {
            return standing;
        }
        self.count(None).ok();
        self.settle()
    }

    /// Returns whether the handler has counted the request.
    pub fn has_counted(&self) -> bool {
        matches!(self.counted.get(), Counted::As(_))
    }
}

impl FromRequest for Meter {
    type Error = ApiError;
    type Future = Ready<ApiResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let meter = request.extensions().get::<Self>().cloned();
        ready(meter.ok_or_else(|| ApiError::internal("the edge has not made a meter for this route")))
    }
}
