use actix_web::{
    HttpRequest, HttpResponse, get,
    http::header::{self, Accept, Header, Quality},
    web::Data,
};

use super::{
    Issuer,
    dto::{ReceiptFormat, ReceiptParams},
    html, pdf, queries,
    words::{self, Words},
};
use crate::{
    accounts::auth::Caller,
    http::{Owned, Query},
    money::payments::{
        context::PaymentsContext,
        handlers::{PaymentViewer, ViewedPayment},
    },
    platform::error::{ApiError, ApiResult, Code, ErrorBody},
};

/// Returns the receipt of a payment, to its customer, the mechanic that it pays, and admins. Without `format`, `Accept:
/// application/pdf` gives a PDF, and anything else a page. Times are in the operator's zone (`operator.time_zone`), and
/// the seller is the operator. The mechanic is not shown the pickup address, nor prices that the
/// organisation which ordered the job hides. The page is in the language of its reader:
/// English, Hindi or Kannada. The PDF is in English, and its fonts have only Western European letters and the rupee
/// sign: other characters are printed as `?`; the page has them all.
#[utoipa::path(
    tag = "payments",
    params(
        ("id" = Uuid, Path),
        ("format" = Option<ReceiptFormat>, Query, example = "pdf"),
    ),
    responses(
        (status = 200, description = "The receipt", content((String = "text/html"), ("application/pdf"))),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: nothing was paid yet"),
    ),
)]
#[get("/payments/{id}/receipt")]
pub async fn get_receipt(
    context: Data<PaymentsContext>,
    payment: Owned<ViewedPayment, Caller>,
    params: Query<ReceiptParams>,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let (ViewedPayment { row, viewer, .. }, reader) = payment.into_parts();
    let format = params.read()?.format.map_or_else(|| accepted(&request), |format| format.0);
    let source = super::read(&context, row, viewer == PaymentViewer::Mechanic).await?;
    let unpaid = || ApiError::new(Code::InvalidTransition, "There is no receipt yet: nothing has been paid.");
    let (source, issuer) = (source.ok_or_else(unpaid)?, Issuer::of(&context.settings.operator));
    let words = match format {
        ReceiptFormat::Pdf => &words::ENGLISH,
        ReceiptFormat::Html => {
            let language = queries::language_of(&context.db, reader.user_id).await?;
            Words::of(language.as_deref().unwrap_or_default())
        }
    };
    let receipt = source.receipt(&issuer, words);
    let mut answer = HttpResponse::Ok();
    let disposition = format!("inline; filename=\"receipt-{}.{format}\"", receipt.number);
    answer.insert_header((header::CONTENT_DISPOSITION, disposition));
    answer.insert_header((header::VARY, "accept"));
    Ok(match format {
        ReceiptFormat::Html => answer
            .insert_header((header::CONTENT_SECURITY_POLICY, html::POLICY))
            .content_type("text/html; charset=utf-8")
            .body(html::page(&receipt)),
        ReceiptFormat::Pdf => answer.content_type("application/pdf").body(pdf::document(&receipt)),
    })
}

/// Returns PDF if the request names it and does not prefer a page. A header that can't be read, or asks for neither,
/// gets the page.
fn accepted(request: &HttpRequest) -> ReceiptFormat {
    let Ok(accept) = Accept::parse(request) else { return ReceiptFormat::Html };
    let wish = |name: &str| {
        let named = accept.iter().filter(|wish| wish.item.essence_str() == name);
        named.map(|wish| wish.quality).max().unwrap_or(Quality::ZERO)
    };
    let pdf = wish("application/pdf");
    if pdf > Quality::ZERO && pdf > wish("text/html") { ReceiptFormat::Pdf } else { ReceiptFormat::Html }
}
