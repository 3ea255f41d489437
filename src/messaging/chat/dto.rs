//! Messages on the wire.

use deserr::Deserr;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries::{MessageRow, ReadRow};
use crate::accounts::uploads::FileUrl;
use crate::http::{
    Id, Latitude, Longitude, Param, Text, Timestamp, ValidationErrors, Whole, WholeNumber, text_enum,
};
use crate::jobs;

text_enum! {
    /// A side of a job.
    ChatSide { Customer = "customer", Mechanic = "mechanic", }
}

text_enum! {
    /// The author of a message.
    ChatAuthor {
        Customer = "customer",
        Mechanic = "mechanic",
        /// Somebody with a link to the job that lets them write, such as the beneficiary.
        Guest = "guest",
    }
}

text_enum! {
    /// The kind of a message.
    MessageType { Text = "text", Image = "image", Location = "location", }
}

/// A message from one side to the other.
#[derive(Debug, Clone, PartialEq, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewMessage {
    /// The sender's own id for the message, new for each one. Sending it again yields the same message.
    pub client_message_id: Id,
    #[deserr(rename = "type")]
    #[schema(rename = "type")]
    pub kind: MessageType,
    /// The text; for an image or a place an optional caption.
    #[deserr(default)]
    pub body: Option<Text<1, 2000>>,
    /// An upload that the sender made for `chat`; only for an image.
    #[deserr(default)]
    pub file_url: Option<FileUrl>,
    /// The latitude; only for a location, like `lng`.
    #[deserr(default)]
    pub lat: Option<Latitude>,
    #[deserr(default)]
    pub lng: Option<Longitude>,
}

impl NewMessage {
    /// Names fields that are missing for this type of message, and fields that do not belong to it.
    pub fn faults(&self) -> ValidationErrors {
        let mut faults = ValidationErrors::default();
        let kind = self.kind;
        let mut check = |field: &str, is_there: bool, of: MessageType| match (is_there, kind == of) {
            (false, true) => faults.add(field, format!("must be given for {kind}")),
            (true, false) => faults.add(field, format!("is for {of}, not for {kind}")),
            _ => {}
        };
        if kind == MessageType::Text {
            check("body", self.body.is_some(), MessageType::Text);
        }
        check("file_url", self.file_url.is_some(), MessageType::Image);
        check("lat", self.lat.is_some(), MessageType::Location);
        check("lng", self.lng.is_some(), MessageType::Location);
        faults
    }
}

text_enum! {
    /// The kind of a guest's message.
    GuestMessageType { Text = "text", Location = "location", }
}

/// A message from the guest of a link to the mechanic.
#[derive(Debug, Clone, PartialEq, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct NewGuestMessage {
    /// The sender's own id for the message, new for each one. Sending it again yields the same message.
    pub client_message_id: Id,
    #[deserr(rename = "type")]
    #[schema(rename = "type")]
    pub kind: GuestMessageType,
    /// The text; for a place an optional caption.
    #[deserr(default)]
    pub body: Option<Text<1, 2000>>,
    /// The latitude; only for a location, like `lng`.
    #[deserr(default)]
    pub lat: Option<Latitude>,
    #[deserr(default)]
    pub lng: Option<Longitude>,
}

impl From<NewGuestMessage> for NewMessage {
    fn from(new: NewGuestMessage) -> Self {
        let NewGuestMessage { client_message_id, kind, body, lat, lng } = new;
        let kind = match kind {
            GuestMessageType::Text => MessageType::Text,
            GuestMessageType::Location => MessageType::Location,
        };
        Self { client_message_id, kind, body, file_url: None, lat, lng }
    }
}

/// A message over the socket: the body of `POST /jobs/{id}/messages`, and the job.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ChatSend {
    pub job_id: Id,
    pub client_message_id: Id,
    #[deserr(rename = "type")]
    #[schema(rename = "type")]
    pub kind: MessageType,
    #[deserr(default)]
    pub body: Option<Text<1, 2000>>,
    #[deserr(default)]
    pub file_url: Option<FileUrl>,
    #[deserr(default)]
    pub lat: Option<Latitude>,
    #[deserr(default)]
    pub lng: Option<Longitude>,
}

impl ChatSend {
    pub fn split(self) -> (Uuid, NewMessage) {
        let Self { job_id, client_message_id, kind, body, file_url, lat, lng } = self;
        (job_id.0, NewMessage { client_message_id, kind, body, file_url, lat, lng })
    }
}

/// A message in its current state.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Message)]
pub struct ChatMessage {
    pub id: Uuid,
    pub job_id: Uuid,
    /// The message's number in the job's log: messages are in this order, with other events between them.
    pub seq: i64,
    /// The id that the sender's app gave the message; null if it gave none.
    pub client_message_id: Uuid,
    pub sender: ChatAuthor,
    /// The sender's account. A guest has no account and writes for the customer, so it is the customer's.
    pub sender_id: Uuid,
    /// A guest's name, as the customer gave it (`beneficiary_name`); null for others.
    pub sender_name: Option<String>,
    /// The mechanic who wrote the message or to whom it was written. A later mechanic of the job does not see it.
    pub mechanic_profile_id: Uuid,
    #[serde(rename = "type")]
    pub kind: MessageType,
    pub body: Option<String>,
    /// The file can be opened like every upload, by the two sides of the job.
    pub file_url: Option<String>,
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    /// Whether its sender deleted their account; its content is then gone.
    pub is_removed: bool,
    /// When the other side read it; null until then.
    pub read_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl From<MessageRow> for ChatMessage {
    fn from(row: MessageRow) -> Self {
        Self {
            id: row.id,
            job_id: row.job_id,
            seq: row.seq.unwrap_or_default(),
            client_message_id: row.client_message_id,
            sender: row.author(),
            sender_id: row.sender_id,
            sender_name: row.guest_name,
            mechanic_profile_id: row.mechanic_profile_id,
            kind: row.kind,
            body: row.body,
            file_url: row.file_url,
            lat: row.lat,
            lng: row.lng,
            is_removed: row.removed_at.is_some(),
            read_at: row.read_at.map(Into::into),
            created_at: row.created_at.into(),
        }
    }
}

impl ChatMessage {
    /// Returns the message with its place rounded, as a mechanic sees it long after the job.
    pub fn roughly(self) -> Self {
        Self { lat: self.lat.map(jobs::rounded), lng: self.lng.map(jobs::rounded), ..self }
    }
}

/// A message as the guest of a link sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedMessage {
    pub id: Uuid,
    /// The message's number; messages are in this order.
    pub seq: i64,
    pub sender: ChatAuthor,
    /// A guest's name; null for others.
    pub sender_name: Option<String>,
    /// Whether the message was written with this link.
    pub is_own: bool,
    /// The kind of the message. A guest does not get an image itself, only its caption in `body`.
    #[serde(rename = "type")]
    pub kind: MessageType,
    pub body: Option<String>,
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    /// Whether its sender deleted their account; its content is then gone.
    pub is_removed: bool,
    pub created_at: Timestamp,
}

impl SharedMessage {
    pub fn of(row: MessageRow, link_id: Uuid) -> Self {
        Self {
            id: row.id,
            seq: row.seq.unwrap_or_default(),
            sender: row.author(),
            is_own: row.share_link_id == Some(link_id),
            sender_name: row.guest_name,
            kind: row.kind,
            body: row.body,
            lat: row.lat,
            lng: row.lng,
            is_removed: row.removed_at.is_some(),
            created_at: row.created_at.into(),
        }
    }
}

/// A part of the chat with the mechanic who is on the job.
#[derive(Debug, Serialize, ToSchema)]
pub struct SharedMessages {
    pub data: Vec<SharedMessage>,
    /// Whether there are more: newer ones if `since_seq` was given, else older ones.
    #[schema(example = false)]
    pub has_more: bool,
    /// Whether there is a mechanic to write to.
    #[schema(example = true)]
    pub is_writable: bool,
}

/// A part of a job's chat, in the order of the job's log.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChatMessages {
    pub data: Vec<ChatMessage>,
    /// Whether there are more: newer ones if `since_seq` was given, else older ones.
    #[schema(example = false)]
    pub has_more: bool,
    /// The number of other people's messages that the caller has not read; 0 for admins.
    #[schema(example = 0)]
    pub unread: i64,
    /// The last event up to which the customer has read; 0 before that.
    #[schema(example = 4)]
    pub customer_read_seq: i64,
    /// The last event up to which the job's present mechanic has read; 0 before that. It does not cover messages from before
    /// `mechanic_first_seq`, which they don't see: for these see `read_at`.
    #[schema(example = 3)]
    pub mechanic_read_seq: i64,
    /// The first event that the present mechanic may see; null if the job has no mechanic.
    #[schema(example = 3)]
    pub mechanic_first_seq: Option<i64>,
    /// Mechanics who had the job before, and wrote or were written to; only for the customer and admins.
    pub earlier_mechanics: Vec<ChatMechanic>,
    /// Whether the two sides may write now.
    #[schema(example = true)]
    pub is_writable: bool,
    /// Until when the two sides may write; null while the job goes on, and if it has no mechanic.
    #[schema(example = json!(null))]
    pub writable_until: Option<Timestamp>,
}

/// A mechanic who had the job before.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChatMechanic {
    pub mechanic_profile_id: Uuid,
    pub first_name: Option<String>,
}

/// The last event that the caller has read.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ReadUpTo {
    pub up_to_seq: WholeNumber<1, { i64::MAX }>,
}

/// The last event that the caller has read, over the socket.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ChatReadUpTo {
    pub job_id: Id,
    pub up_to_seq: WholeNumber<1, { i64::MAX }>,
}

/// The job whose chat it is.
#[derive(Debug, Deserr, ToSchema)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct ChatOf {
    pub job_id: Id,
}

/// How far one side has read. It only grows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChatRead {
    pub reader: ChatSide,
    /// The first event that the reader may see; older messages do not count as read.
    pub from_seq: i64,
    pub up_to_seq: i64,
    pub at: Timestamp,
}

impl ChatRead {
    pub fn of(reader: ChatSide, from_seq: i64, row: &ReadRow) -> Self {
        Self { reader, from_seq, up_to_seq: row.up_to_seq, at: row.read_at.into() }
    }
}

/// The person who is writing right now.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChatTyping {
    pub user_id: Uuid,
}

/// `?since_seq=&before_seq=&limit=`
#[derive(Debug, Deserr)]
#[deserr(error = ValidationErrors, deny_unknown_fields)]
pub struct MessagesQuery {
    #[deserr(default)]
    pub since_seq: Option<Param<Whole>>,
    #[deserr(default)]
    pub before_seq: Option<Param<Whole>>,
    #[deserr(default)]
    pub limit: Option<Param<Whole>>,
}

/// The requested part of a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The oldest messages after this event.
    After(i64),
    /// The newest messages before this event.
    Before(i64),
}

impl MessagesQuery {
    /// Returns the part and the number of messages; the error names each wrong parameter.
    pub fn part(self) -> Result<(Part, i64), ValidationErrors> {
        let number = |param: Option<Param<Whole>>| param.map(|param| param.0.0);
        let (since, before) = (number(self.since_seq), number(self.before_seq));
        let limit = number(self.limit).unwrap_or(50);
        let mut faults = ValidationErrors::default();
        if since.is_some_and(|seq| seq < 0) {
            faults.add("since_seq", "must be at least 0");
        }
        if before.is_some_and(|seq| seq < 1) {
            faults.add("before_seq", "must be at least 1");
        }
        if since.is_some() && before.is_some() {
            faults.add("before_seq", "must not be given beside since_seq");
        }
        if !(1..=100).contains(&limit) {
            faults.add("limit", "must be 1 to 100");
        }
        let part = since.map_or(Part::Before(before.unwrap_or(i64::MAX)), Part::After);
        if faults.0.is_empty() { Ok((part, limit)) } else { Err(faults) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn faults_of(fields: Value) -> Vec<String> {
        let mut body = json!({"client_message_id": "019ceb78-6b20-7b20-9e32-6d1f5aab6a01"});
        for (field, value) in fields.as_object().into_iter().flatten() {
            body[field] = value.clone();
        }
        let read = deserr::deserialize::<NewMessage, _, ValidationErrors>(body);
        let faults = read.map_or_else(|faults| faults, |message| message.faults());
        faults.0.into_keys().collect()
    }

    #[test]
    fn each_type_of_message_has_exactly_its_fields() {
        let url = "https://files.example/a.jpg";
        let cases = [
            (json!({"type": "text", "body": "hello"}), vec![]),
            (json!({"type": "text", "body": "é".repeat(2000), "lat": null}), vec![]),
            (json!({"type": "text"}), vec!["body"]),
            (json!({"type": "text", "body": null}), vec!["body"]),
            (json!({"type": "text", "body": "  "}), vec!["body"]),
            (json!({"type": "text", "body": "x".repeat(2001)}), vec!["body"]),
            (json!({"type": "text", "body": "a\u{0}b"}), vec!["body"]),
            (
                json!({"type": "text", "body": "a", "file_url": url, "lat": 1, "lng": 2}),
                vec!["file_url", "lat", "lng"],
            ),
            (json!({"type": "image", "file_url": url}), vec![]),
            (json!({"type": "image", "file_url": url, "body": "the tyre"}), vec![]),
            (json!({"type": "image", "body": "the tyre"}), vec!["file_url"]),
            (json!({"type": "image", "file_url": "x"}), vec!["file_url"]),
            (json!({"type": "image", "lat": 1.5}), vec!["file_url", "lat"]),
            (json!({"type": "location", "lat": 12.9, "lng": 77.6}), vec![]),
            (json!({"type": "location", "lat": 12.9}), vec!["lng"]),
            (json!({"type": "location", "lat": 91, "lng": -181}), vec!["lat", "lng"]),
            (json!({"type": "location", "file_url": url}), vec!["file_url", "lat", "lng"]),
            (json!({"type": "voice", "odd": 1}), vec!["odd", "type"]),
        ];
        for (fields, expected) in cases {
            assert_eq!(faults_of(fields.clone()), expected, "{fields}");
        }
        assert_eq!(faults_of(json!({"type": "text", "body": "a", "client_message_id": "1"})).len(), 1);
    }

    #[test]
    fn the_newest_part_of_a_chat_is_the_default() {
        let whole = |number: i64| Some(Param(Whole(number)));
        let part = |since_seq, before_seq, limit| MessagesQuery { since_seq, before_seq, limit }.part();
        assert_eq!(part(None, None, None).ok(), Some((Part::Before(i64::MAX), 50)));
        assert_eq!(part(None, whole(9), whole(1)).ok(), Some((Part::Before(9), 1)));
        assert_eq!(part(whole(0), None, whole(100)).ok(), Some((Part::After(0), 100)));
        let faults = |since, before, limit| {
            part(since, before, limit).map_or_else(|faults| faults.0.into_keys().collect(), |_| Vec::new())
        };
        assert_eq!(faults(whole(-1), None, whole(0)), ["limit", "since_seq"]);
        assert_eq!(faults(whole(1), whole(2), whole(101)), ["before_seq", "limit"]);
        assert_eq!(faults(None, whole(0), None), ["before_seq"]);
    }
}
