//! The mail that brings a receipt.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Issuer, Receipt, html, pdf, queries, read, words};
use crate::{
    mails::{self, DueMail, Letter, MailKind, MailLanguage, NewMail},
    money::payments::{
        context::PaymentsContext,
        queries::{PaymentRow, find},
    },
    platform::error::ApiResult,
    providers::mail::Attachment,
};

/// Returns whether [`post`] would queue a mail for this customer.
pub async fn is_wanted(context: &PaymentsContext, customer_id: Uuid) -> ApiResult<bool> {
    Ok(context.mails.are_sent() && queries::address_of(&context.db, customer_id).await?.is_some())
}

/// Queues the mail of a captured payment's receipt, if its customer has a confirmed address and wants mail.
pub async fn post(
    tx: &mut PgConnection,
    context: &PaymentsContext,
    payment: &PaymentRow,
    at: DateTime<Utc>,
) -> ApiResult<()> {
    if !context.mails.are_sent() {
        return Ok(());
    }
    let Some(address) = queries::address_of(&mut *tx, payment.customer_id).await? else { return Ok(()) };
    let mail = NewMail {
        id: context.random.id(at),
        kind: MailKind::Receipt,
        about_id: payment.id,
        user_id: Some(payment.customer_id),
        address: &address,
    };
    Ok(mails::post(tx, &mail, at).await?)
}

/// Returns the mail in its reader's language; `None` if the address is no longer theirs, or they no longer want mail.
pub async fn letter(context: &PaymentsContext, mail: &DueMail) -> ApiResult<Option<Letter>> {
    let Some(payment) = find(&context.db, mail.about_id).await? else { return Ok(None) };
    let reader = payment.customer_id;
    if queries::address_of(&context.db, reader).await?.as_ref() != Some(&mail.address) {
        return Ok(None);
    }
    let tag = queries::language_of(&context.db, reader).await?.unwrap_or_default();
    let Some(source) = read(context, payment, false).await? else { return Ok(None) };
    let language = MailLanguage::of(&tag);
    let issuer = Issuer::of(&context.settings.operator);
    let receipt = source.receipt(&issuer, words::Words::of(&tag));
    let document = source.receipt(&issuer, &words::ENGLISH);
    Ok(Some(Letter {
        language,
        subject: subject(language, &issuer.name),
        text: text(&receipt),
        html: Some(html::page(&receipt)),
        attachment: Some(Attachment {
            name: file_name(receipt.number),
            content_type: "application/pdf",
            bytes: pdf::document(&document),
        }),
    }))
}

fn file_name(number: Uuid) -> String {
    format!("receipt-{number}.pdf")
}

fn subject(language: MailLanguage, operator: &str) -> String {
    match operator {
        "" => language.choose("Your receipt", "आपकी रसीद", "ನಿಮ್ಮ ರಸೀದಿ").to_owned(),
        name => language.choose(
            format!("Your receipt from {name}"),
            format!("{name} की ओर से आपकी रसीद"),
            format!("{name} ಇಂದ ನಿಮ್ಮ ರಸೀದಿ"),
        ),
    }
}

/// Writes the content of the page as text, for programs that show no pages.
fn text(receipt: &Receipt) -> String {
    let mut text = format!("{}\n\n", receipt.words.receipt);
    // Each text that people wrote stays on its line.
    let line = |value: &str| value.split_whitespace().collect::<Vec<_>>().join(" ");
    for (name, value) in &receipt.facts {
        text.push_str(&format!("{name}: {}\n", line(value)));
    }
    text.push('\n');
    for item in &receipt.lines {
        let detail =
            if item.detail.is_empty() { String::new() } else { format!(" ({})", line(&item.detail)) };
        text.push_str(&format!("{}{detail}: {}\n", line(&item.what), item.amount));
    }
    text.push('\n');
    for (name, amount) in &receipt.sums {
        text.push_str(&format!("{name}: {amount}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::payments::receipt::Line;

    #[test]
    fn the_text_has_the_content_of_the_page_line_by_line() {
        let receipt = Receipt {
            words: &words::ENGLISH,
            number: Uuid::nil(),
            facts: vec![("Paid by", "Asha\nTotal paid: 1".to_owned())],
            lines: vec![Line {
                what: "Fuse".to_owned(),
                detail: "2 × ₹10.00".to_owned(),
                amount: "₹20.00".to_owned(),
            }],
            sums: vec![("Total paid", "₹20.00".to_owned())],
        };
        let expected =
            "Receipt\n\nPaid by: Asha Total paid: 1\n\nFuse (2 × ₹10.00): ₹20.00\n\nTotal paid: ₹20.00\n";
        assert_eq!(text(&receipt), expected);
    }
}
