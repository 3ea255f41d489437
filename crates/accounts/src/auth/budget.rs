//! The budget to which a person's requests are charged; it outlives their account.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

/// Derives the names of budgets from phone numbers without revealing the numbers.
#[derive(derive_more::Debug)]
#[debug("BudgetKey(..)")]
pub struct BudgetKey([u8; 32]);

impl BudgetKey {
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// Returns the budget of an account: the same for every account that a phone number ever has; the account's own
    /// id for an admin, who has no phone.
    pub fn budget_of(&self, user_id: Uuid, phone: Option<&str>) -> Uuid {
        let Some(phone) = phone else { return user_id };
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(phone.as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&mac.finalize().into_bytes()[..16]);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_belongs_to_the_phone_number() {
        let key = BudgetKey::new([1; 32]);
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let phone = Some("+919876543210");
        assert_eq!(key.budget_of(one, phone), key.budget_of(two, phone));
        assert_ne!(key.budget_of(one, phone), key.budget_of(one, Some("+919876543211")));
        assert_ne!(key.budget_of(one, phone), BudgetKey::new([2; 32]).budget_of(one, phone));
        assert_eq!(key.budget_of(one, None), one);
    }
}
