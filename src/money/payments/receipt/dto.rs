//! How a receipt is asked for.

use deserr::Deserr;

use crate::http::{Faults, Param, text_enum};

text_enum! {
    /// What a receipt is shown as.
    ReceiptFormat { Html = "html", Pdf = "pdf", }
}

#[derive(Debug, Deserr)]
#[deserr(error = Faults, deny_unknown_fields)]
pub struct ReceiptParams {
    #[deserr(default)]
    pub format: Option<Param<ReceiptFormat>>,
}
