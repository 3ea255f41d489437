use roadcall_http::text_enum;
use uuid::Uuid;

use super::web_push::SubscriptionKeys;

text_enum! {
    /// The platform that the app runs on.
    Platform { Android = "android", Ios = "ios", Web = "web", }
}

/// An app on a device, or a page in a browser.
#[derive(derive_more::Debug, Clone)]
// Anyone who has the token can wake the phone.
#[debug("PushDevice {{ platform: {platform:?}, .. }}")]
pub struct PushDevice {
    /// The device's user.
    pub owner: Uuid,
    /// The token; for a browser that subscribed with our own key, the endpoint.
    pub token: String,
    pub platform: Platform,
    /// The keys of such a browser; `None` for any other device.
    pub keys: Option<SubscriptionKeys>,
}
