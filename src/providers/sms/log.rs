//! For development: nothing is sent; the answer to the request contains what would have been sent.

use futures_util::future::{BoxFuture, FutureExt, ready};

use super::{SmsError, SmsSender, TextNumber};

/// Writes that a message was sent: no number, no code and no link, since a log is read by more people than a phone.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogSms;

impl SmsSender for LogSms {
    fn send_otp<'a>(&'a self, _to: &'a TextNumber, _code: &'a str) -> BoxFuture<'a, Result<(), SmsError>> {
        tracing::info!("otp sent");
        ready(Ok(())).boxed()
    }

    fn send_share_link<'a>(
        &'a self,
        _to: &'a TextNumber,
        _link: &'a str,
    ) -> BoxFuture<'a, Result<(), SmsError>> {
        tracing::info!("share link sent");
        ready(Ok(())).boxed()
    }

    fn send_number_changed<'a>(&'a self, _to: &'a TextNumber) -> BoxFuture<'a, Result<(), SmsError>> {
        tracing::info!("message to an old number sent");
        ready(Ok(())).boxed()
    }
}
