-- The reason that an admin gave, apart from the texts: each person reads those in their own language. title and body stay, in English,
-- for a release that still runs; nothing else reads them.
alter table notifications add column reason text;

-- As before, with reasons.
create function record_notifications(
    at timestamptz, ids uuid[], user_ids uuid[], profile_ids uuid[], kinds text[], titles text[], bodies text[], data jsonb[],
    are_urgent boolean[], expire_at timestamptz[], reasons text[]
) returns bigint language plpgsql as $$
declare
    recorded bigint;
begin
    insert into notifications (id, user_id, type, title, body, data, is_urgent, expires_at, reason, delivery_status, delivery_note,
        next_try_at, settled_at, created_at, is_announced, written_by)
    select note.id, person.id, note.type, note.title, note.body, note.data, note.is_urgent, note.expires_at, note.reason,
        case when has_device then 'pending' else 'skipped' end,
        case when not has_device then 'no device' end,
        case when has_device then at end,
        case when not has_device then at end,
        at, true, pg_current_xact_id()::text::bigint
    -- The subquery hides how many there are: Postgres then makes one plan for any number, once.
    from unnest((select ids), user_ids, profile_ids, kinds, titles, bodies, data, are_urgent, expire_at, reasons)
            as note (id, user_id, profile_id, type, title, body, data, is_urgent, expires_at, reason)
        cross join lateral (select coalesce(note.user_id,
            (select profile.user_id from mechanic_profiles profile where profile.id = note.profile_id)) as id) as person
        cross join lateral (select exists (
            select from push_tokens token where token.user_id = person.id) as has_device) as devices;
    get diagnostics recorded = row_count;
    return recorded;
end $$;

-- Without reasons: for what the statement of a job writes, and for the release before.
create or replace function record_notifications(
    at timestamptz, ids uuid[], user_ids uuid[], profile_ids uuid[], kinds text[], titles text[], bodies text[], data jsonb[],
    are_urgent boolean[], expire_at timestamptz[]
) returns bigint language sql as $$
    select record_notifications(at, ids, user_ids, profile_ids, kinds, titles, bodies, data, are_urgent, expire_at, null)
$$;
