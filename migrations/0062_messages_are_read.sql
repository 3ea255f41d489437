-- When the other side of the chat read the message. How far somebody has read (chat_reads) does not tell: a later mechanic of the
-- job sees nothing from before their own time. Null for what was read before this column was.
alter table chat_messages add column read_at timestamptz;
