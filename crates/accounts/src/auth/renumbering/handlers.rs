use actix_web::{
    put,
    web::{Data, Json},
};
use roadcall_http::{Body, ClientAddress};
use roadcall_platform::error::ApiResult;

use super::{
    super::{
        AuthContext, Customer,
        dto::{ChangePhone, PhoneChanged},
        otp::Source,
    },
    actions::{self, NumberChange},
};

/// Changes the number with which the caller signs in. `POST /auth/send-otp` sends the codes, one to the present
/// number and one to the new one. The caller's other sessions end, and the old number is sent a message.
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
    let change = NumberChange {
        user_id: caller.user_id,
        session_id: caller.session_id,
        new: &phone.0,
        new_code: &otp.0,
        current_code: &current_otp.0,
        source: &Source::address(address),
    };
    let device_token = actions::change_number(&context, change).await?;
    Ok(Json(PhoneChanged { device_token, phone: phone.0 }))
}
