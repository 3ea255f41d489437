use super::{MONEY, PARTNER, Row, row};

pub const ROWS: &[Row] = &[row("GET /admin/partner-bills", MONEY), row("GET /partner/bills", PARTNER)];
