//! The values of the claim `identity.role_claim` that make a person an admin.

use super::{desk::Desk, settings::IdentitySettings};

/// The values of the claim, for each kind of admin.
#[derive(Debug, Clone)]
pub struct AdminClaims {
    /// Whether a claim decides who is an admin.
    pub are_read: bool,
    pub super_admin: Vec<String>,
    /// The values of admins at all desks.
    pub admin: Vec<String>,
    dispatch: Vec<String>,
    money: Vec<String>,
    people: Vec<String>,
    settings: Vec<String>,
}

impl AdminClaims {
    pub fn of(identity: &IdentitySettings) -> Self {
        Self {
            are_read: !identity.role_claim.is_empty(),
            super_admin: identity.super_admin_values.clone(),
            admin: identity.admin_values.clone(),
            dispatch: identity.dispatch_values.clone(),
            money: identity.money_values.clone(),
            people: identity.people_values.clone(),
            settings: identity.settings_values.clone(),
        }
    }

    /// Returns the values that make somebody an admin at this desk.
    pub fn at(&self, desk: Desk) -> &[String] {
        match desk {
            Desk::Dispatch => &self.dispatch,
            Desk::Money => &self.money,
            Desk::People => &self.people,
            Desk::Settings => &self.settings,
        }
    }
}
