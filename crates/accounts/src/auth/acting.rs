//! The acting principal: a person, the holder of a link, a partner, or the service itself.

use roadcall_http::text_enum;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    principal::Caller,
    scope::{KeyScope, Scopes},
};

/// The acting principal, for everything that records an action or repeats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Principal {
    Person(Caller),
    /// The holder of a link to a job.
    Guest {
        link_id: Uuid,
    },
    Partner(PartnerCaller),
    System,
}

text_enum! {
    /// The role of a member within their organisation.
    MemberRole {
        /// Everything, keys and webhooks included.
        Manager = "manager",
        /// Makes cases and decides about them.
        Dispatcher = "dispatcher",
        /// Reads cases.
        Viewer = "viewer",
    }
}

/// A partner's program or member, who acts for one organisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartnerCaller {
    /// The organisation for which the caller acts.
    pub organisation_id: Uuid,
    /// The account in whose name that organisation's jobs and vehicles are.
    pub account_id: Uuid,
    /// The organisation that the key or the member belongs to: an agency, if it is another one.
    pub made_by: Uuid,
    pub via: PartnerVia,
    pub scopes: Scopes,
}

/// The credential of a partner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartnerVia {
    /// The id of a key.
    Key(Uuid),
    Member {
        user_id: Uuid,
        role: MemberRole,
    },
}

impl MemberRole {
    pub fn scopes(self) -> Scopes {
        match self {
            Self::Manager => Scopes::ALL,
            Self::Dispatcher => Scopes::of(&[KeyScope::Read, KeyScope::Cases, KeyScope::Approvals]),
            Self::Viewer => Scopes::of(&[KeyScope::Read]),
        }
    }
}

impl PartnerCaller {
    /// Returns whether the caller may see what this organisation made for the one for which they act: an agency sees
    /// only what it made itself.
    pub fn may_see(&self, made_by: Uuid) -> bool {
        self.made_by == made_by || self.made_by == self.organisation_id
    }

    /// Returns an `Idempotency-Key` as it is kept under the organisation's account, whose own callers share their keys. Those of an agency
    /// are its own: a key as it is sent has no space.
    pub fn kept_key(&self, key: Option<String>) -> Option<String> {
        match self.only_made_by() {
            Some(agency) => key.map(|key| format!("{agency} {key}")),
            None => key,
        }
    }

    /// Returns the organisation whose objects are the only ones that the caller may see: the agency, if one acts for another
    /// organisation.
    pub fn only_made_by(&self) -> Option<Uuid> {
        Some(self.made_by).filter(|made_by| *made_by != self.organisation_id)
    }
}

impl From<Caller> for Principal {
    fn from(caller: Caller) -> Self {
        Self::Person(caller)
    }
}

impl From<PartnerCaller> for Principal {
    fn from(caller: PartnerCaller) -> Self {
        Self::Partner(caller)
    }
}

impl Principal {
    /// Returns the person to whom the audit log ascribes the action.
    pub fn audit_actor(&self) -> Option<Uuid> {
        match self {
            Self::Person(caller) => Some(caller.user_id),
            Self::Partner(PartnerCaller { via: PartnerVia::Member { user_id, .. }, .. }) => Some(*user_id),
            Self::Partner(_) | Self::Guest { .. } | Self::System => None,
        }
    }

    /// Returns by what the principal acted, for the audit log.
    pub fn audit_via(&self) -> Option<Value> {
        match self {
            Self::Person(_) | Self::System => None,
            Self::Guest { link_id } => Some(json!({"link": link_id})),
            Self::Partner(caller) => {
                let organisation = caller.organisation_id;
                let agency = (caller.made_by != organisation).then_some(caller.made_by);
                Some(match caller.via {
                    PartnerVia::Key(key) => {
                        json!({"key": key, "organisation": organisation, "agency": agency})
                    }
                    PartnerVia::Member { role, .. } => {
                        json!({"member": role, "organisation": organisation, "agency": agency})
                    }
                })
            }
        }
    }

    /// Returns the account under which repeats of a request are recognised.
    pub fn idempotency_owner(&self) -> Option<Uuid> {
        match self {
            Self::Person(caller) => Some(caller.user_id),
            Self::Partner(caller) => Some(caller.account_id),
            Self::Guest { .. } | Self::System => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partner(via: PartnerVia, made_by: Uuid) -> PartnerCaller {
        let (organisation_id, account_id) = (Uuid::from_u128(1), Uuid::from_u128(2));
        PartnerCaller { organisation_id, account_id, made_by, via, scopes: Scopes::ALL }
    }

    #[test]
    fn a_members_action_is_theirs_and_a_keys_action_names_the_key() {
        let (own, member) = (Uuid::from_u128(1), Uuid::from_u128(3));
        let role = MemberRole::Viewer;
        let by_member = Principal::from(partner(PartnerVia::Member { user_id: member, role }, own));
        assert_eq!(by_member.audit_actor(), Some(member));
        let by_key = Principal::from(partner(PartnerVia::Key(member), own));
        assert_eq!(by_key.audit_actor(), None);
        let via = by_key.audit_via().expect("a key");
        assert_eq!(via, json!({"key": member, "organisation": own, "agency": null}));
        assert_eq!(by_key.idempotency_owner(), Some(Uuid::from_u128(2)));
        assert_eq!(Principal::System.audit_via(), None);
    }

    #[test]
    fn keys_of_repeats_are_shared_within_an_organisation_and_not_with_an_agency() {
        let (own, agency, other) = (Uuid::from_u128(1), Uuid::from_u128(4), Uuid::from_u128(5));
        let kept = |via, made_by| partner(via, made_by).kept_key(Some("k".to_owned()));
        let (key, another_key) = (PartnerVia::Key(Uuid::nil()), PartnerVia::Key(other));
        assert_eq!(kept(key, own).as_deref(), Some("k"));
        assert_eq!(kept(key, own), kept(another_key, own));
        assert_ne!(kept(key, agency), kept(key, own));
        assert_ne!(kept(key, agency), kept(key, other));
        assert_eq!(partner(key, agency).kept_key(None), None);
    }

    #[test]
    fn an_agency_sees_only_what_it_made() {
        let (own, agency, other) = (Uuid::from_u128(1), Uuid::from_u128(4), Uuid::from_u128(5));
        let key = PartnerVia::Key(Uuid::nil());
        assert!(partner(key, own).may_see(agency) && partner(key, own).may_see(own));
        assert!(partner(key, agency).may_see(agency));
        assert!(!partner(key, agency).may_see(other) && !partner(key, agency).may_see(own));
    }
}
