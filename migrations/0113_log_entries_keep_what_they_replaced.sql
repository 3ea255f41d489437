-- An entry of a job's log no longer stores the whole row after it, but the values that it replaced: the rows after earlier entries
-- follow from the present row, backwards (docs/adr/0146). Entries from before keep their snapshot, and nothing replaced.

-- The object names each value by its column, in either part of the row, and is empty if the entry changed neither. The number, the
-- version and the time of an entry are also those of the row, and are left out.
alter table job_events add column replaced jsonb;

-- The room at the job's last event. The room is stored between two events, and the log shows it from the second one on.
alter table job_states add column room_in_log text;

-- Returns the values of one row that differ in another. In PL/pgSQL, which keeps its plan, as in 0109.
create function replaced_values(old_row jsonb, new_row jsonb) returns jsonb language plpgsql immutable parallel safe as $$
begin
    return (
        select coalesce(jsonb_object_agg(key, value), '{}')
        from jsonb_each(old_row)
        where new_row -> key is distinct from value);
end $$;

-- Removes people who left from what an entry replaced, as `snapshot_without_names` does from snapshots. An absent value is the present
-- row's, which does not name them.
create function replaced_without_names(replaced jsonb, customer_left boolean, mechanics_left uuid[]) returns jsonb
    language sql immutable parallel safe
    return replaced
        - case when customer_left
            then array['beneficiary_name', 'beneficiary_phone', 'customer_name', 'customer_phone', 'vehicle_color',
                'vehicle_registration_number', 'receiver_name', 'receiver_phone', 'received_by']
            else '{}'::text[] end
        || case when replaced ? 'mechanic_name' and (replaced ->> 'mechanic_profile_id')::uuid = any(mechanics_left)
            then '{"mechanic_name": null}' else '{}' end::jsonb;
