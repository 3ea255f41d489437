//! The scopes of partners' keys and members. A handler names the scope that it needs in its signature:
//! `Partner<scope::Cases>`.

use roadcall_http::text_enum;
use roadcall_platform::error::{ApiError, ApiResult};
use serde::{Serialize, Serializer};

text_enum! {
    /// A right of a partner's key.
    KeyScope {
        /// Reads contracts, cases, jobs, bills and reports.
        Read = "read",
        /// Makes cases and jobs, and cancels them.
        Cases = "cases",
        /// Accepts and refuses promises, and approves extra work.
        Approvals = "approvals",
        /// Registers addresses to which events are sent.
        Webhooks = "webhooks",
        /// Makes, rotates and revokes keys.
        Keys = "keys",
        /// Offers cases, as a club does.
        Offers = "offers",
    }
}

/// A set of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    pub const ALL: Self = Self((1 << KeyScope::ALL.len()) - 1);

    pub fn of(scopes: &[KeyScope]) -> Self {
        scopes.iter().fold(Self(0), |all, scope| Self(all.0 | 1 << *scope as u8))
    }

    pub fn has(self, scope: KeyScope) -> bool {
        self.0 & 1 << scope as u8 != 0
    }

    /// Returns whether each of these scopes is in the set.
    pub fn include(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// Returns the scopes in the order of the documents.
    pub fn list(self) -> Vec<KeyScope> {
        KeyScope::ALL.iter().copied().filter(|scope| self.has(*scope)).collect()
    }

    /// Checks that the set has one of the scopes that `S` names: else 403 FORBIDDEN, which names the missing scope.
    pub fn check<S: Scope>(self, holder: &str) -> ApiResult<()> {
        if S::SCOPES.iter().any(|scope| self.has(*scope)) {
            return Ok(());
        }
        let names: Vec<&str> = S::SCOPES.iter().map(|scope| scope.as_str()).collect();
        Err(ApiError::forbidden(format!("{holder} lacks the scope {}.", names.join(" or "))))
    }
}

/// The scope that a handler needs. The handler's signature enforces it, and its declaration has it as `x-scopes`: it
/// serializes as the document shows it.
pub trait Scope: Copy + Default + Serialize + 'static {
    /// Any of these is enough.
    const SCOPES: &'static [KeyScope];
}

macro_rules! scopes {
    ($($(#[$doc:meta])* $name:ident = $scopes:expr,)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $name;

        impl Scope for $name {
            const SCOPES: &'static [KeyScope] = $scopes;
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::SCOPES.serialize(serializer)
            }
        }
    )*};
}

scopes! {
    Read = &[KeyScope::Read],
    Cases = &[KeyScope::Cases],
    Approvals = &[KeyScope::Approvals],
    Webhooks = &[KeyScope::Webhooks],
    Keys = &[KeyScope::Keys],
    Offers = &[KeyScope::Offers],
    /// The need of a route that every key may use.
    Any = KeyScope::ALL,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_scopes_that_it_was_made_of_and_no_others() {
        let some = Scopes::of(&[KeyScope::Webhooks, KeyScope::Read, KeyScope::Read]);
        assert_eq!(some.list(), [KeyScope::Read, KeyScope::Webhooks]);
        assert_eq!(Scopes::ALL.list(), KeyScope::ALL);
        assert!(Scopes::ALL.include(some) && !some.include(Scopes::of(&[KeyScope::Keys])));
        assert!(some.check::<Read>("This key").is_ok() && some.check::<Any>("This key").is_ok());
        let refusal = some.check::<Cases>("This key").expect_err("it lacks the scope");
        assert_eq!(refusal.message, "This key lacks the scope cases.");
    }
}
