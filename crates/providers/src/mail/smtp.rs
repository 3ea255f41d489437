//! Hands mail to a server by SMTP (RFC 5321): over TLS from the start, after STARTTLS, or without TLS.

use std::time::Duration;

use async_trait::async_trait;
use lettre::{
    Address,
    message::Mailbox,
    transport::smtp::{
        authentication::{Credentials, Mechanism},
        client::{AsyncSmtpConnection, TlsParameters},
        commands::{Data, Mail, Rcpt},
        extension::ClientId,
    },
};
use parking_lot::Mutex;
use roadcall_base::clock::Clock;
use tokio::{sync::Semaphore, time::timeout};

use super::{
    MailError, MailMessage, MailSender,
    handing_over::{Fault, Step, step},
    message::Letterhead,
    settings::{MailSettings, MailTls},
};
use crate::breaker::{Breaker, Turn};

/// How long a server may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(1);

/// Hands mail to one server, each mail over a connection of its own.
#[derive(derive_more::Debug)]
#[debug("SmtpMail {{ host: {host:?}, port: {port:?}, .. }}")]
pub struct SmtpMail {
    host: String,
    port: u16,
    tls: MailTls,
    parameters: Option<TlsParameters>,
    credentials: Option<Credentials>,
    hello: ClientId,
    head: Letterhead,
    limits: Limits,
    places: Semaphore,
    breaker: Mutex<Breaker>,
    clock: Clock,
}

/// The time limits of the steps.
#[derive(Debug, Clone, Copy)]
struct Limits {
    connect: Duration,
    command: Duration,
    /// The limit of all steps, including the wait for a place.
    whole: Duration,
}

fn unsound(setting: &str) -> MailError {
    MailError::Refused(format!("{setting} can't be used"))
}

fn mailbox(setting: &str, text: &str) -> Result<Mailbox, MailError> {
    text.parse().map_err(|_| unsound(setting))
}

impl SmtpMail {
    pub fn start(settings: &MailSettings, clock: &Clock) -> Result<Self, MailError> {
        let from = mailbox("mail.from", &settings.from)?;
        let reply_to = match settings.reply_to.as_str() {
            "" => None,
            text => Some(mailbox("mail.reply_to", text)?),
        };
        let is_encrypted = settings.tls != MailTls::None;
        let parameters = || TlsParameters::new(settings.host.clone()).map_err(|_| unsound("mail.host"));
        let of_ms = Duration::from_millis;
        Ok(Self {
            host: settings.host.clone(),
            port: settings.port,
            tls: settings.tls,
            parameters: is_encrypted.then(parameters).transpose()?,
            credentials: (!settings.user.is_empty())
                .then(|| Credentials::new(settings.user.clone(), settings.password.0.clone())),
            hello: ClientId::Domain(from.email.domain().to_owned()),
            head: Letterhead { from, reply_to },
            limits: Limits {
                connect: of_ms(settings.connect_timeout_ms),
                command: of_ms(settings.command_timeout_ms),
                whole: of_ms(settings.timeout_ms),
            },
            places: Semaphore::new(settings.at_once),
            breaker: Mutex::default(),
            clock: clock.clone(),
        })
    }

    async fn connected(&self) -> Result<AsyncSmtpConnection, Fault> {
        let Limits { connect, command, .. } = self.limits;
        let at_once = self.parameters.clone().filter(|_| self.tls == MailTls::Implicit);
        let server = (self.host.as_str(), self.port);
        let connecting =
            AsyncSmtpConnection::connect_tokio1(server, Some(connect), &self.hello, at_once, None);
        let mut connection = step(Step::Connect, connect, connecting).await?;
        if let Some(parameters) = self.parameters.clone().filter(|_| self.tls == MailTls::Starttls) {
            // If the server does not offer STARTTLS, this step fails, and nothing is sent.
            step(Step::Encrypt, command, connection.starttls(parameters, &self.hello)).await?;
        }
        if let Some(credentials) = &self.credentials {
            let signing_in = connection.auth(&[Mechanism::Plain, Mechanism::Login], credentials);
            if let Err(fault) = step(Step::SignIn, command, signing_in).await {
                tracing::error!(
                    reason = fault.error.reason(),
                    "the mail server does not let us in; see mail.user and mail.password"
                );
                return Err(fault);
            }
        }
        Ok(connection)
    }

    /// Connects and signs in, but sends nothing.
    pub async fn try_connection(&self) -> Result<(), MailError> {
        let mut connection = self.connected().await.map_err(|fault| fault.error)?;
        timeout(GOODBYE, connection.quit()).await.ok();
        Ok(())
    }

    async fn tell(
        &self,
        connection: &mut AsyncSmtpConnection,
        to: &Address,
        text: &[u8],
    ) -> Result<(), Fault> {
        let limit = self.limits.command;
        let from = Mail::new(Some(self.head.from.email.clone()), Vec::new());
        step(Step::From, limit, connection.command(from)).await?;
        step(Step::To, limit, connection.command(Rcpt::new(to.clone(), Vec::new()))).await?;
        step(Step::Begin, limit, connection.command(Data)).await?;
        // The server may inspect the text before it answers, so this step has the limit of the whole.
        step(Step::Text, self.limits.whole, connection.message(text)).await.map(drop)
    }

    async fn deliver(&self, to: &Address, text: &[u8]) -> Result<(), Fault> {
        let mut connection = self.connected().await?;
        let told = self.tell(&mut connection, to, text).await;
        if told.as_ref().err().is_none_or(|fault| fault.is_answered) {
            timeout(GOODBYE, connection.quit()).await.ok();
        }
        told
    }

    async fn hand_over(&self, message: &MailMessage) -> Result<(), MailError> {
        let text = message.composed(&self.head)?.formatted();
        let mut is_begun = false;
        let work = async {
            let Ok(_place) = self.places.acquire().await else {
                return Err(MailError::Later("the service stops".to_owned()));
            };
            if !self.breaker.lock().lets_pass(self.clock.now()) {
                return Err(MailError::Later("the server failed a moment ago".to_owned()));
            }
            is_begun = true;
            let done = self.deliver(message.to.inner(), &text).await;
            self.report(done.as_ref().err().is_some_and(|fault| fault.is_outage));
            done.map_err(|fault| fault.error)
        };
        let done = timeout(self.limits.whole, work).await;
        done.unwrap_or_else(|_| {
            if !is_begun {
                return Err(MailError::Later("others were sent meanwhile".to_owned()));
            }
            self.report(true);
            Err(MailError::Unknown("not handed over in time".to_owned()))
        })
    }

    fn report(&self, is_failure: bool) {
        match self.breaker.lock().report(is_failure, self.clock.now()) {
            Turn::Opened => tracing::warn!(host = self.host, "the mail server fails; mail waits a moment"),
            Turn::Closed => tracing::info!(host = self.host, "the mail server works again"),
            Turn::None => {}
        }
    }
}

#[async_trait]
impl MailSender for SmtpMail {
    async fn send(&self, message: &MailMessage) -> Result<(), MailError> {
        self.hand_over(message).await
    }

    fn is_resting(&self) -> bool {
        !self.breaker.lock().would_let_pass(self.clock.now())
    }
}
