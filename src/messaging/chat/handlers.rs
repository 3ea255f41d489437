use actix_web::{
    HttpResponse, get, post,
    web::{Data, Json},
};

use super::{
    actions,
    context::ChatContext,
    dto::{ChatMessage, ChatMessages, ChatRead, MessagesQuery, NewMessage, ReadUpTo},
    queries,
    reading::{earlier_mechanics, messages},
    state,
};
use crate::{
    accounts::auth::{Caller, Customer},
    http::{Body, Owned, Query},
    jobs::{self, ViewedJob, Viewer},
    platform::error::{ApiResult, ErrorBody},
};

/// Lists the chat of a job's two sides, in the order of the job's log: the newest messages, the newest before `before_seq`, or
/// those after `since_seq`. A mechanic reads from their own assignment on; admins read everything.
#[utoipa::path(
    tag = "chat",
    params(
        ("id" = Uuid, Path),
        ("since_seq" = Option<i64>, Query, minimum = 0, description = "The oldest messages after this event"),
        ("before_seq" = Option<i64>, Query, minimum = 1, description = "The newest messages before this event; not beside `since_seq`"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100, description = "50 if not given"),
    ),
    responses((status = 200, body = ChatMessages)),
)]
#[get("/jobs/{id}/messages")]
pub async fn list_messages(
    context: Data<ChatContext>,
    job: Owned<ViewedJob, Caller>,
    query: Query<MessagesQuery>,
) -> ApiResult<Json<ChatMessages>> {
    let (ViewedJob { row, viewer }, caller) = job.into_parts();
    let (part, limit) = query.read()?.part()?;
    let first = jobs::first_visible_seq(&context.db, &row, viewer).await?;
    let (rows, has_more) = messages(&context, &row, first, part, limit).await?;
    let reads = queries::reads(&context.db, row.id).await?;
    let unread = match viewer {
        Viewer::Admin => 0,
        Viewer::Customer | Viewer::Mechanic => {
            queries::unread(&context.db, row.id, caller.user_id, first).await?
        }
    };
    let after_end = context.chat_settings.after_end();
    let mechanic_first_seq = match (viewer, row.mechanic_profile_id) {
        (_, None) => None,
        (Viewer::Mechanic, Some(_)) => Some(first),
        (Viewer::Customer | Viewer::Admin, Some(_)) => {
            Some(jobs::first_visible_seq(&context.db, &row, Viewer::Mechanic).await?)
        }
    };
    let earlier_mechanics = earlier_mechanics(&context, &row, first).await?;
    let is_rough = jobs::is_rough(&row, viewer, &context.visibility, context.clock.now());
    let shown = rows.into_iter().map(ChatMessage::from);
    Ok(Json(ChatMessages {
        data: shown.map(|message| if is_rough { message.roughly() } else { message }).collect(),
        has_more,
        unread,
        customer_read_seq: reads.customer,
        mechanic_read_seq: reads.mechanic,
        mechanic_first_seq,
        earlier_mechanics,
        is_writable: state::check_writable(&row, after_end, context.clock.now()).is_ok(),
        writable_until: state::writable_until(&row, after_end).map(Into::into),
    }))
}

/// Writes to the other side of the job: a text, an image or a place. This is possible from acceptance until a day after the job's
/// end (`chat.writable_after_end_s`). Sending a message again with the same `client_message_id` returns the same message
/// with 200. At most `chat.messages_per_minute`, over HTTP and sockets together.
#[utoipa::path(
    tag = "chat",
    params(("id" = Uuid, Path)),
    request_body = NewMessage,
    responses(
        (status = 201, body = ChatMessage),
        (status = 200, body = ChatMessage, description = "It was sent before"),
        (status = 409, body = ErrorBody, description = "INVALID_TRANSITION: nobody has taken the job; CONFLICT: the time to \
            write is over, the chat is full, or another message of the caller's has this client_message_id"),
    ),
)]
#[post("/jobs/{id}/messages")]
pub async fn send_message(
    context: Data<ChatContext>,
    job: Owned<ViewedJob, Customer>,
    body: Body<NewMessage>,
) -> ApiResult<HttpResponse> {
    let (ViewedJob { row, .. }, Customer(caller)) = job.into_parts();
    let (row, is_new) = actions::send(&context, caller.into(), row.id, body.read()?).await?;
    let mut answer = if is_new { HttpResponse::Created() } else { HttpResponse::Ok() };
    Ok(answer.json(ChatMessage::from(row)))
}

/// Stores how far the caller has read, by the `seq` of a message or of any other event of the job. The position only grows: for
/// an earlier `seq` the response has the stored one. The other side's sockets are notified.
#[utoipa::path(
    tag = "chat",
    params(("id" = Uuid, Path)),
    request_body = ReadUpTo,
    responses((status = 200, body = ChatRead)),
)]
#[post("/jobs/{id}/messages/read")]
pub async fn read_messages(
    context: Data<ChatContext>,
    job: Owned<ViewedJob, Customer>,
    body: Body<ReadUpTo>,
) -> ApiResult<Json<ChatRead>> {
    let (ViewedJob { row, .. }, Customer(caller)) = job.into_parts();
    let up_to_seq = body.read()?.up_to_seq.0;
    Ok(Json(actions::read(&context, caller.into(), row.id, up_to_seq).await?))
}
