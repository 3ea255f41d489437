//! The names and phone numbers that admins read beside ids.

mod dto;
mod queries;

pub use dto::{CustomerContact, MechanicContact};

use std::collections::HashMap;

use sqlx::PgExecutor;
use uuid::Uuid;

use queries::ContactRow;

/// People by the id of their account or of their mechanic's profile. A person who has left has neither name nor
/// number.
#[derive(Debug)]
pub struct Contacts(HashMap<Uuid, ContactRow>);

impl Contacts {
    /// Reads the contact data of all these people at once.
    pub async fn of(db: impl PgExecutor<'_>, ids: impl IntoIterator<Item = Uuid>) -> sqlx::Result<Self> {
        let ids: Vec<Uuid> = ids.into_iter().collect();
        let rows = queries::contacts(db, &ids).await?;
        Ok(Self(rows.into_iter().map(|row| (row.id, row)).collect()))
    }

    /// Returns the contact data of the customer with this account.
    pub fn customer(&self, user_id: Uuid) -> CustomerContact {
        let (customer_name, customer_phone) = self.of_id(Some(user_id));
        CustomerContact { customer_name, customer_phone }
    }

    /// Returns the contact data of the mechanic with this profile; empty without a profile.
    pub fn mechanic(&self, profile_id: impl Into<Option<Uuid>>) -> MechanicContact {
        let (mechanic_name, mechanic_phone) = self.of_id(profile_id.into());
        MechanicContact { mechanic_name, mechanic_phone }
    }

    fn of_id(&self, id: Option<Uuid>) -> (Option<String>, Option<String>) {
        let row = id.and_then(|id| self.0.get(&id));
        row.map(|row| (row.name.clone(), row.phone.clone())).unwrap_or_default()
    }
}
