//! The body of a webhook.

use serde::Serialize;
use serde_json::Value;

use super::kind::PartnerEventKind;
use crate::{
    http::Timestamp,
    platform::error::{ApiError, ApiResult},
};

/// The body of a webhook, as Standard Webhooks recommends it.
#[derive(Debug, Serialize)]
pub struct EventBody<T> {
    #[serde(rename = "type")]
    pub kind: PartnerEventKind,
    pub timestamp: Timestamp,
    pub data: T,
}

impl<T: Serialize> EventBody<T> {
    pub fn text(&self) -> ApiResult<String> {
        serde_json::to_string(self).map_err(ApiError::internal)
    }

    /// Returns the body as it is stored with its event.
    pub fn value(&self) -> ApiResult<Value> {
        serde_json::to_value(self).map_err(ApiError::internal)
    }
}
