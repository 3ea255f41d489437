use deserr::Deserr;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::{Param, Timestamp, ValidationErrors, Whole};

/// Opens one socket.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ticket {
    /// For `GET /ws?ticket=…`, once.
    pub ticket: String,
    pub expires_at: Timestamp,
}

/// One server-sent event, field by field. `data` is the text of a JSON frame, as a socket gets it.
#[derive(Debug, ToSchema)]
#[allow(dead_code)]
pub struct JobStreamEvent {
    /// The frame's `seq`; left out where it has none.
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
    /// `changed`: the job, its chat or its call has moved on, look again. `call.ringing`: the mechanic calls, or the holder's own call
    /// rings. `call.signal`: what the mechanic's device says. `ended`: the link shows nothing any more.
    pub event: String,
    /// As JSON: a SharedCall of `call.ringing`, a Signal of `call.signal`, else `{}`.
    pub data: String,
}

/// `?ticket=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct Admission {
    #[deserr(default)]
    pub ticket: Option<Param<String>>,
}

/// `?ticket=`, whatever else there may be: who calls is told before what is wrong.
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
