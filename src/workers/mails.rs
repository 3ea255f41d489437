//! Decides which area composes which mail.

use futures_util::future::{BoxFuture, FutureExt};

use crate::{
    accounts::{emails, invites},
    admin::report_letter,
    mails::{DueMail, Letter, MailKind, MailWriter},
    money::payments,
    platform::error::ApiResult,
    service::Service,
};

/// Asks the area that a mail belongs to.
#[derive(Debug)]
pub(super) struct Writers(pub(super) Service);

impl MailWriter for Writers {
    fn write<'a>(&'a self, mail: &'a DueMail) -> BoxFuture<'a, ApiResult<Option<Letter>>> {
        let Self(service) = self;
        async move {
            match mail.kind {
                MailKind::Invitation => invites::letter(&service.edge.auth, mail).await,
                MailKind::EmailCode => emails::letter(&service.edge.auth, mail).await,
                MailKind::Receipt => payments::receipt_letter(&service.payments, mail).await,
                MailKind::Report => {
                    report_letter(service.core(), &service.settings.mail.reports_to, mail).await
                }
            }
        }
        .boxed()
    }
}
