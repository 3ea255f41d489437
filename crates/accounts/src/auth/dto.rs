//! The wire types of sign-in. Names are camelCase inside `data`, as in contract 4.1.

use deserr::Deserr;
use roadcall_http::{Invalid, Name, Phone, Timestamp, ValidationErrors, text_enum};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Role, otp, sessions::queries::SessionRow};

/// `{success: true, data}`, contract 2.1.
#[derive(Debug, Serialize, ToSchema)]
pub struct Success<T> {
    /// Always true.
    #[schema(example = true)]
    pub success: bool,
    pub data: T,
}

impl<T> Success<T> {
    pub fn of(data: T) -> Self {
        Self { success: true, data }
    }
}

/// A token as text, 1 to 8192 bytes. Its debug print hides it.
#[derive(derive_more::Debug, Clone, Deserr, ToSchema)]
#[debug("TokenText(..)")]
#[deserr(try_from(String) = TokenText::new -> Invalid)]
#[schema(min_length = 1, max_length = 8192)]
pub struct TokenText(pub String);

impl TokenText {
    fn new(text: String) -> Result<Self, Invalid> {
        let holds = (1..=8192).contains(&text.len());
        if holds { Ok(Self(text)) } else { Err("must have 1 to 8192 characters".into()) }
    }
}

/// A one-time password: six digits. Its debug print hides it.
#[derive(derive_more::Debug, Clone, Deserr, ToSchema)]
#[debug("OtpText(..)")]
#[deserr(try_from(String) = OtpText::new -> Invalid)]
#[schema(pattern = "^[0-9]{6}$", example = "482913")]
pub struct OtpText(pub String);

impl OtpText {
    fn new(text: String) -> Result<Self, Invalid> {
        let holds = text.len() == otp::DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
        if holds { Ok(Self(text)) } else { Err("must be a string of 6 digits".into()) }
    }
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields, rename_all = camelCase)]
#[schema(rename_all = "camelCase")]
pub struct SendOtp {
    pub phone: Phone,
    /// The token that this device was given when it last signed in with this number, if it has one: others' wrong
    /// codes then don't lock it out.
    #[deserr(default)]
    pub device_token: Option<TokenText>,
}

/// A new number, with the codes that were sent to it and to the present one.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ChangePhone {
    pub phone: Phone,
    /// The code that was sent to the new number.
    pub otp: OtpText,
    /// The code that was sent to the present number.
    pub current_otp: OtpText,
}

/// The number with which the caller signs in from now on.
#[derive(derive_more::Debug, Serialize, ToSchema)]
#[debug("PhoneChanged(..)")]
pub struct PhoneChanged {
    #[schema(example = "+919876543211")]
    pub phone: String,
    /// The device's token for the new number, as POST /auth/verify-otp gives it.
    pub device_token: String,
}

/// How long the code is valid, and when it may be sent again.
#[derive(derive_more::Debug, Serialize, ToSchema)]
#[debug("OtpSent {{ expires_in: {expires_in:?}, .. }}")]
#[serde(rename_all = "camelCase")]
pub struct OtpSent {
    /// Seconds for which the code is valid.
    pub expires_in: i64,
    /// Seconds after which the code may be sent again; an earlier request is refused with 429.
    pub resend_after: i64,
    /// The code itself: in development only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otp: Option<String>,
}

/// The recipient of a test message.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewSmsTest {
    /// A phone that the admin has at hand.
    pub phone: Phone,
}

text_enum! {
    /// The outcome of a test message.
    SmsOutcome {
        /// The provider took the message.
        Taken = "taken",
        /// The provider certainly did not take it.
        Refused = "refused",
        /// The outcome is unknown: there was no answer in time, or a meaningless one.
        Unknown = "unknown",
        /// `sms.provider` is log, which sends nothing.
        NotSent = "not_sent",
    }
}

/// The provider's answer to a test message.
#[derive(Debug, Serialize, ToSchema)]
pub struct SmsTest {
    pub outcome: SmsOutcome,
    /// The status and the number of the provider's error, never its words; null if it took the message.
    pub reason: Option<String>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields, rename_all = camelCase)]
#[schema(rename_all = "camelCase")]
pub struct VerifyOtp {
    pub phone: Phone,
    pub otp: OtpText,
    /// The device's token, as in POST /auth/send-otp.
    #[deserr(default)]
    pub device_token: Option<TokenText>,
    /// The name of a new account; an existing account keeps its own.
    #[deserr(default)]
    pub name: Option<Name<100>>,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields, rename_all = camelCase)]
#[schema(rename_all = "camelCase")]
pub struct AdminLogin {
    /// An ID token of the identity provider.
    pub idp_id_token: TokenText,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields, rename_all = camelCase)]
#[schema(rename_all = "camelCase")]
pub struct AcceptInvite {
    /// The invitation's token.
    pub token: TokenText,
    /// An ID token of the identity provider, whose verified email is the invited one.
    pub idp_id_token: TokenText,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields, rename_all = camelCase)]
#[schema(rename_all = "camelCase")]
pub struct Refresh {
    pub refresh_token: TokenText,
}

#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields, rename_all = camelCase)]
#[schema(rename_all = "camelCase")]
pub struct Logout {
    /// Ends this token's session, too, if it is another session of the caller.
    #[deserr(default)]
    pub refresh_token: Option<TokenText>,
    /// Ends every session of the caller.
    #[deserr(default)]
    pub all_devices: Option<bool>,
}

/// A new pair of tokens, and the account that they belong to.
#[derive(derive_more::Debug, Serialize, ToSchema)]
#[debug("SignedIn {{ user_id: {user_id:?}, .. }}")]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// The token for the header `Authorization: Bearer`.
    pub access_token: String,
    /// The refresh token; absent with `X-Session: cookie`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub refresh_token: Option<String>,
    /// The account that signed in.
    pub user_id: Uuid,
    pub role: Role,
    /// Seconds for which the access token is valid.
    pub expires_in: i64,
}

/// A response that holds tokens.
pub trait WithTokens {
    fn tokens(&mut self) -> &mut SignedIn;
}

impl WithTokens for SignedIn {
    fn tokens(&mut self) -> &mut SignedIn {
        self
    }
}

/// A new pair of tokens, and the facts that an app needs at its start.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refreshed {
    #[serde(flatten)]
    pub signed_in: SignedIn,
    /// The mechanic's profile; null if the person is no mechanic.
    pub mechanic_profile_id: Option<Uuid>,
}

impl WithTokens for Refreshed {
    fn tokens(&mut self) -> &mut SignedIn {
        &mut self.signed_in
    }
}

/// The tokens of a new session, and the facts that an app needs at the first sign-in of a device.
#[derive(derive_more::Debug, Serialize, ToSchema)]
#[debug("Verified {{ signed_in: {signed_in:?}, .. }}")]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    #[serde(flatten)]
    pub signed_in: SignedIn,
    /// Whether the account was made just now.
    pub is_new_user: bool,
    /// The mechanic's profile; null if the person is no mechanic.
    pub mechanic_profile_id: Option<Uuid>,
    /// The token for the next sign-in on this device with this number. It signs nobody in; keep it when signing out.
    pub device_token: String,
}

impl WithTokens for Verified {
    fn tokens(&mut self) -> &mut SignedIn {
        &mut self.signed_in
    }
}

/// One sign-in on one device.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    pub id: Uuid,
    /// The device's own name for itself; null if it gives none.
    pub user_agent: Option<String>,
    /// When the session began.
    pub created_at: Timestamp,
    /// When the session was used last.
    pub last_used_at: Timestamp,
    /// When the session ends if it is not used before.
    pub expires_at: Timestamp,
    /// Whether this is the session of the request.
    pub is_current: bool,
}

impl Session {
    pub fn of(row: SessionRow, current: Uuid) -> Self {
        Self {
            id: row.id,
            user_agent: row.user_agent,
            created_at: row.created_at.into(),
            last_used_at: row.last_used_at.into(),
            expires_at: row.expires_at.into(),
            is_current: row.id == current,
        }
    }
}
