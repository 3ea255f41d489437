use roadcall_http::CsvRow;
use serde::Serialize;
use utoipa::ToSchema;

/// The customer's contact data, as only admins read it; null once they have left.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CustomerContact {
    /// The customer's name; null if they gave none.
    pub customer_name: Option<String>,
    pub customer_phone: Option<String>,
}

impl CsvRow for CustomerContact {
    const COLUMNS: &'static [&'static str] = &["customer_name", "customer_phone"];
}

/// The mechanic's contact data, as only admins read it; null if there is no mechanic, or once they have left.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MechanicContact {
    pub mechanic_name: Option<String>,
    pub mechanic_phone: Option<String>,
}

impl CsvRow for MechanicContact {
    const COLUMNS: &'static [&'static str] = &["mechanic_name", "mechanic_phone"];
}
