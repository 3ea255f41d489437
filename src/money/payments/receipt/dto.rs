//! How a receipt is asked for.

use deserr::Deserr;

use crate::http::{Param, ValidationErrors, text_enum};

text_enum! {
    /// What a receipt is shown as.
    ReceiptFormat { Html = "html", Pdf = "pdf", }
}

#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ReceiptParams {
    #[deserr(default)]
    pub format: Option<Param<ReceiptFormat>>,
}
