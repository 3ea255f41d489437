//! Writing messages, reading them, and showing that somebody is typing.

use chrono::TimeDelta;
use roadcall_actors::{
    ids::{MechanicId, UserId},
    job::state::{Actor, Command, Refusal},
};
use uuid::Uuid;

use super::{
    context::ChatContext,
    dto::{ChatRead, ChatSide, ChatTyping, NewMessage},
    queries::{self, MessageRow},
    state::{self, NotWritable},
};
use crate::{
    accounts::{
        auth,
        uploads::{self, ChatFile, FileRef},
    },
    fleet::mechanics,
    jobs::{self, JobRow, Viewer},
    messaging::guests::{Guest, Speaker},
    notifications,
    platform::error::{ApiError, ApiResult, Code, after_commit, commit_error},
};

/// How long a message may be stored without being sent: longer than any client keeps trying.
const UNSENT: TimeDelta = TimeDelta::days(1);

/// Writes a message; returns whether it is new. A message with the same client id as a stored one returns the stored one, even if
/// the chat has ended.
pub async fn send(
    context: &ChatContext,
    by: Speaker,
    job_id: Uuid,
    new: NewMessage,
) -> ApiResult<(MessageRow, bool)> {
    new.faults().into_result()?;
    write(context, by, job_id, new).await
}

/// Writes a message like [`send`], within the rate limit of the guest's link.
pub async fn send_as_guest(
    context: &ChatContext,
    guest: Guest,
    new: NewMessage,
) -> ApiResult<(MessageRow, bool)> {
    new.faults().into_result()?;
    context.limits.check_message(guest.link_id)?;
    write(context, guest.into(), guest.job_id, new).await
}

/// Stores a message, then sends it by the command that gives it a place in the job's log. So the job's actor orders it among
/// everything else that happens to the job.
async fn write(
    context: &ChatContext,
    by: Speaker,
    job_id: Uuid,
    new: NewMessage,
) -> ApiResult<(MessageRow, bool)> {
    let job = jobs::find(&context.db, job_id).await?.ok_or_else(no_such_job)?;
    let side = side_of(by, &job)?;
    let row = store(context, by, &job, side, new).await?;
    if row.seq.is_some() {
        return Ok((row, false));
    }
    let (id, user) = (row.id, UserId(row.sender_id));
    let actor = match side {
        ChatSide::Customer => Actor::Customer(user),
        ChatSide::Mechanic => Actor::Mechanic(user),
    };
    let command = Command::NoteMessage { message_id: id, mechanic_id: MechanicId(row.mechanic_profile_id) };
    let done = context.order(job_id, actor, command).await;
    let is_new = match done {
        // It is not new if another request with the same message was faster.
        Ok(done) => done.is_new,
        Err(refusal) => {
            // After these two it is unknown whether the message was sent. The sweep deletes what remains unsent.
            if !matches!(refusal, Refusal::OutcomeUnknown(_) | Refusal::Unavailable(_)) {
                queries::delete_unsent(&context.db, id).await?;
            }
            return Err(jobs::refused(refusal));
        }
    };
    let rows = queries::by_ids(&context.db, &[id]).await.map_err(after_commit)?;
    let row = rows.into_iter().next();
    // The row is missing only if the message was never sent: another request with the same message was refused and deleted it.
    row.map(|row| (row, is_new)).ok_or_else(|| ApiError::unavailable("The message was not sent. Try again."))
}

/// Stores the message as a row that nobody sees yet; returns the existing row if the client id is taken.
async fn store(
    context: &ChatContext,
    by: Speaker,
    job: &JobRow,
    side: ChatSide,
    new: NewMessage,
) -> ApiResult<MessageRow> {
    let (now, sender_id) = (context.clock.now(), by.account(job));
    let mut tx = context.db.begin().await?;
    // Two requests with the same client id wait for each other here.
    auth::lock_account(&mut tx, sender_id).await?;
    if let Some(row) = queries::find_sent(&mut *tx, sender_id, new.client_message_id.0).await? {
        let is_same = row.job_id == job.id && row.share_link_id == by.link() && has_same_content(&row, &new);
        if !is_same {
            return Err(client_id_taken());
        }
        if row.seq.is_none() {
            state::check_writable(job, context.chat_settings.after_end(), now).map_err(not_writable)?;
        }
        return Ok(row);
    }
    let file = match new.file_url {
        Some(url) => {
            Some(uploads::refer_one::<ChatFile>(&mut *tx, context, sender_id, "file_url", url).await?)
        }
        None => None,
    };
    state::check_writable(job, context.chat_settings.after_end(), now).map_err(not_writable)?;
    let mechanic =
        job.mechanic_profile_id.ok_or_else(|| ApiError::internal("a writable chat has no mechanic"))?;
    let row = MessageRow {
        id: context.random.id(now),
        job_id: job.id,
        seq: None,
        sender: side,
        sender_id,
        customer_id: job.customer_id,
        mechanic_profile_id: mechanic,
        client_message_id: new.client_message_id.0,
        kind: new.kind,
        body: new.body.map(|text| text.0),
        file_url: file.map(FileRef::into_url),
        lat: new.lat.map(|lat| lat.0),
        lng: new.lng.map(|lng| lng.0),
        created_at: now,
        removed_at: None,
        read_at: None,
        share_link_id: by.link(),
        guest_name: by.link().and(job.beneficiary_name.clone()),
    };
    queries::insert(&mut tx, &row).await?;
    tx.commit().await.map_err(commit_error)?;
    Ok(row)
}

/// Stores how far an account has read, and notifies the other side of progress. Once no message is unread, the reader's
/// notifications of messages count as read.
pub async fn read(context: &ChatContext, by: Speaker, job_id: Uuid, up_to_seq: i64) -> ApiResult<ChatRead> {
    let job = jobs::find(&context.db, job_id).await?.ok_or_else(no_such_job)?;
    let side = side_of(by, &job)?;
    if up_to_seq > job.seq {
        return Err(ApiError::invalid(
            "up_to_seq",
            format!("must be at most {}, the job's last event", job.seq),
        ));
    }
    let first = jobs::first_visible_seq(&context.db, &job, viewer_of(by, &job)?).await?;
    let (now, user_id) = (context.clock.now(), by.account(&job));
    let mut tx = context.db.begin().await?;
    auth::lock_account(&mut tx, user_id).await?;
    let moved = queries::read_up_to(&mut tx, job_id, user_id, up_to_seq, now).await?;
    let row = match moved {
        Some(row) => {
            queries::mark_read(&mut tx, job_id, side, (first, up_to_seq), now).await?;
            row
        }
        None => queries::current_read(&mut tx, job_id, user_id).await?,
    };
    let about = notifications::Kind::ChatMessage;
    // A writer waits for this lock. Either it then finds nothing unread, or its message is counted here.
    notifications::lock_unread(&mut tx, user_id, about, job_id).await?;
    if queries::unread(&mut *tx, job_id, user_id, first).await? == 0 {
        notifications::mark_read_about(&mut tx, user_id, about, job_id).await?;
    }
    tx.commit().await.map_err(commit_error)?;
    let read = ChatRead::of(side, first, &row);
    if moved.is_some()
        && let Some(other) = other_side(context, &job, side).await?
    {
        context.sockets.has_read(other, job_id, &read);
    }
    Ok(read)
}

/// Shows the other side, if connected, that this side is writing; at most once a second, and further calls are dropped.
pub async fn typing(context: &ChatContext, by: Speaker, job_id: Uuid) -> ApiResult<()> {
    let job = jobs::find(&context.db, job_id).await?.ok_or_else(no_such_job)?;
    let side = side_of(by, &job)?;
    state::check_writable(&job, context.chat_settings.after_end(), context.clock.now())
        .map_err(not_writable)?;
    if context.limits.may_type(by.budget())
        && let Some(other) = other_side(context, &job, side).await?
    {
        context.sockets.types(other, job_id, ChatTyping { user_id: by.account(&job) });
    }
    Ok(())
}

/// Returns the account of the person on the other side.
async fn other_side(context: &ChatContext, job: &JobRow, side: ChatSide) -> ApiResult<Option<Uuid>> {
    match (side, job.mechanic_profile_id) {
        (ChatSide::Mechanic, _) => Ok(Some(job.customer_id)),
        (ChatSide::Customer, Some(profile)) => mechanics::account_of(&context.db, profile).await,
        (ChatSide::Customer, None) => Ok(None),
    }
}

/// Returns the side for which the speaker writes. Admins can only read.
fn side_of(speaker: Speaker, job: &JobRow) -> ApiResult<ChatSide> {
    state::side(viewer_of(speaker, job)?)
        .ok_or_else(|| ApiError::forbidden("Only the job's customer and mechanic can write."))
}

/// Returns the role in which the speaker reads; 404 for another's job.
fn viewer_of(speaker: Speaker, job: &JobRow) -> ApiResult<Viewer> {
    speaker.viewer(job).ok_or_else(no_such_job)
}

fn no_such_job() -> ApiError {
    ApiError::not_found("job")
}

/// Returns whether the stored message has the same content.
fn has_same_content(row: &MessageRow, new: &NewMessage) -> bool {
    let body = new.body.as_ref().map(|text| &text.0);
    let place = (new.lat.map(|lat| lat.0), new.lng.map(|lng| lng.0));
    row.kind == new.kind
        && row.body.as_ref() == body
        && has_same_file(row, new)
        && (row.lat, row.lng) == place
}

fn has_same_file(row: &MessageRow, new: &NewMessage) -> bool {
    match (&row.file_url, &new.file_url) {
        (Some(stored), Some(given)) => given.is(stored),
        (stored, given) => stored.is_none() && given.is_none(),
    }
}

fn client_id_taken() -> ApiError {
    ApiError::new(Code::Conflict, "You have already sent another message with this client_message_id.")
}

fn not_writable(why: NotWritable) -> ApiError {
    let code = match why {
        NotWritable::NoMechanic(_) => Code::InvalidTransition,
        NotWritable::TooLate(_) | NotWritable::Full => Code::Conflict,
    };
    ApiError::new(code, why.to_string())
}

/// Deletes messages that were stored but never sent: a server died in between, and their senders did not try again.
pub async fn sweep(context: &ChatContext, limit: i64) -> ApiResult<u64> {
    Ok(queries::sweep(&context.db, context.clock.now() - UNSENT, limit).await?)
}
