-- Messages that limits count by recipient and by the person who caused them. Nothing here refers to an account: people who deleted theirs
-- and signed up again with the same phone began to count anew. Rows are deleted after a day.
create table counted_messages (
    -- The id of the mail, the link or the notification.
    id uuid primary key,
    kind text not null constraint counted_messages_kind_known check (kind ~ '^(email_code|share_link|status_text)$'),
    -- HMACs under the service's secret: of the recipient's number or address, and of the phone of the person who caused it.
    recipient_key uuid not null,
    person_key uuid not null,
    sent_at timestamptz not null
);
create index counted_messages_of_recipient on counted_messages (recipient_key, sent_at);
create index counted_messages_of_person on counted_messages (person_key, sent_at);
create index counted_messages_by_age on counted_messages (sent_at);
