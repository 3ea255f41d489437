use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::{Param, Timestamp, ValidationErrors, Whole};

/// A ticket that opens one socket.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ticket {
    /// The ticket for `GET /ws?ticket=…`; it works once.
    pub ticket: String,
    pub expires_at: Timestamp,
}

/// One server-sent event, field by field. `data` is the text of a JSON frame, as a socket gets it.
#[derive(Debug, ToSchema)]
#[allow(dead_code)]
pub struct JobStreamEvent {
    /// The frame's `seq`; absent if the frame has none.
    #[schema(required = false)]
    pub id: String,
    /// The frame's `type`.
    pub event: String,
    pub data: String,
}

/// One server-sent event to the holder of a link.
#[derive(Debug, ToSchema)]
#[allow(dead_code)]
pub struct GuestStreamEvent {
    /// `changed`: the job, its chat or its call has changed; load it again. `call.ringing`: the mechanic is calling,
    /// or the holder's own call is ringing. `call.signal`: a signal of the mechanic's device. `ended`: the link no
    /// longer shows anything.
    pub event: String,
    /// The data as JSON: a SharedCall for `call.ringing`, a Signal for `call.signal`, else `{}`.
    pub data: String,
}

/// `?ticket=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Admission {
    #[deserr(default)]
    pub ticket: Option<Param<String>>,
}

/// `?ticket=`, ignoring any other parameter: the caller is checked before parameters are.
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors)]
pub struct Ticketed {
    #[deserr(default)]
    pub ticket: Option<Param<String>>,
}

/// `?ticket=&since_seq=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct StreamQuery {
    #[deserr(default, rename = "ticket")]
    pub _ticket: Option<Param<String>>,
    #[deserr(default)]
    pub since_seq: Option<Param<Whole>>,
}
