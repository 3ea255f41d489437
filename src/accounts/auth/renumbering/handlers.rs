use actix_web::{
    put,
    web::{Data, Json},
};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    super::{
        AuthContext, Caller, Customer,
        dto::{ChangePhone, OtpText, PhoneChanged},
        forget, lock_customer,
        otp::{self, SentCode},
        sessions,
    },
    MOST, WINDOW, audited, queries, tell,
};
use crate::{
    http::{Body, ClientAddress, ValidationErrors},
    platform::error::{ApiError, ApiResult, Code, commit_error},
};

/// Changes the number that the caller signs in with. `POST /auth/send-otp` sends the codes, one to the present number and one to the
/// new one. The caller's other sessions end, and the old number is sent a message.
#[utoipa::path(tag = "users", request_body = ChangePhone,
    responses(
        (status = 200, body = PhoneChanged),
        (status = 409, description = "CONFLICT: the new number has an account of its own"),
        (status = 429, description = "RATE_LIMITED: too many wrong codes, or three changes within 30 days"),
        (status = 503, description = "UNAVAILABLE: no more text messages go out for now"),
    ))]
#[put("/users/me/phone")]
pub async fn change_phone(
    Customer(caller): Customer,
    context: Data<AuthContext>,
    address: ClientAddress,
    body: Body<ChangePhone>,
) -> ApiResult<Json<PhoneChanged>> {
    let ChangePhone { phone, otp, current_otp } = body.read()?;
    let now = context.clock.now();
    let change = NumberChange { caller, new: phone.0, otp, current_otp, address, now };
    let (id, old) = change.commit(&context).await?;
    forget(&context, caller.user_id).await;
    tell(&context, id, &old, now).await;
    let known_until = now + TimeDelta::seconds(context.settings.auth.device_token_ttl_s);
    let device = context.random.id(now);
    Ok(Json(PhoneChanged {
        device_token: context.auth.0.device_key.issue(&change.new, device, known_until),
        phone: change.new,
    }))
}

struct NumberChange {
    caller: Caller,
    new: String,
    otp: OtpText,
    current_otp: OtpText,
    address: ClientAddress,
    now: DateTime<Utc>,
}

impl NumberChange {
    /// Returns the change's id and the old number.
    async fn commit(&self, context: &AuthContext) -> ApiResult<(Uuid, String)> {
        let old = queries::phone_of(&context.db, self.caller.user_id).await?;
        let old = old.ok_or_else(|| ApiError::unauthorized("This account was deleted."))?;
        if old == self.new {
            return Err(ApiError::invalid("phone", "is your number already"));
        }
        let (now, user_id) = (self.now, self.caller.user_id);
        let mut tx = context.db.begin().await?;
        // The locks of the numbers come before the account's, as when somebody signs in.
        otp::lock_both(context, &mut tx, [&old, &self.new], self.address, now).await?;
        lock_customer(&mut tx, user_id).await?;
        if queries::phone_of(&mut *tx, user_id).await?.as_ref() != Some(&old) {
            return Err(ApiError::new(Code::Conflict, "Your number was changed a moment ago. Try again."));
        }
        self.check_room(&mut tx).await?;
        if let Some(refused) = self.check_codes(context, &mut tx, &old).await? {
            // The wrong tries count.
            tx.commit().await.map_err(commit_error)?;
            return Err(refused);
        }
        // Only who has the number learns of its account.
        if queries::is_taken(&mut tx, &self.new).await? {
            let why = "This number has an account of its own. Sign in with it, or delete that account first.";
            return Err(ApiError::new(Code::Conflict, why));
        }
        let id = context.random.id(now);
        queries::change(&mut tx, id, user_id, (&old, &self.new), now).await?;
        sessions::queries::revoke_others(&mut tx, user_id, self.caller.session_id, "phone_changed", now)
            .await?;
        audited::changed(&mut tx, &context.random, user_id, (&old, &self.new), now).await?;
        // Last, since everybody's sends wait for its row.
        otp::admit_text_message(&context.settings, &mut tx, &old, otp::TextRecipient::KnownPhone, now)
            .await?;
        tx.commit().await.map_err(commit_error)?;
        Ok((id, old))
    }

    async fn check_room(&self, tx: &mut PgConnection) -> ApiResult<()> {
        let since = self.now - WINDOW;
        let (count, first) = queries::changes_since(tx, self.caller.user_id, since).await?;
        let Some(first) = first.filter(|_| count >= MOST) else { return Ok(()) };
        let wait_s = (first - since).num_seconds().max(0).unsigned_abs() + 1;
        let why = format!("You can change your number {MOST} times within {} days.", WINDOW.num_days());
        Err(ApiError::new(Code::RateLimited, why).retry_after(wait_s))
    }

    /// Spends both codes; what is wrong is counted and named, and the other one stays good.
    async fn check_codes(
        &self,
        context: &AuthContext,
        tx: &mut PgConnection,
        old: &str,
    ) -> ApiResult<Option<ApiError>> {
        let sent = [("current_otp", old, &self.current_otp), ("otp", &*self.new, &self.otp)];
        let mut faults = ValidationErrors::default();
        for (field, phone, code) in sent {
            let code = SentCode { phone, code: &code.0, address: self.address };
            if !otp::is_right(context, tx, code, self.now).await? {
                faults.add(field, "is wrong or has expired; check it, or request a new code");
            }
        }
        if let Err(faults) = faults.into_result() {
            return Ok(Some(faults));
        }
        for (_, phone, _) in sent {
            otp::spend(tx, phone).await?;
        }
        Ok(None)
    }
}
