//! The parameters of a receipt.

use deserr::Deserr;

use crate::http::{Param, ValidationErrors, text_enum};

text_enum! {
    /// The format in which a receipt is shown.
    ReceiptFormat { Html = "html", Pdf = "pdf", }
}

#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ReceiptParams {
    #[deserr(default)]
    pub format: Option<Param<ReceiptFormat>>,
}
