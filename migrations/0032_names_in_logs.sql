-- Names of people who left are taken off a job's row at once, and off its log in small batches afterwards: a mechanic may have served
-- thousands of jobs. Until that is done, whoever reads the log leaves them out.
alter table jobs
    -- The log still names the customer, who left, and the people they named.
    add column log_names_customer boolean not null default false,
    -- Mechanics who left, and whom the log still names.
    add column log_names_mechanics uuid[] not null default '{}';
create index jobs_with_names_in_log on jobs (id) where log_names_customer or log_names_mechanics <> '{}';

-- A job's row as its log keeps it, without the people who left.
create function snapshot_without_names(snapshot jsonb, customer_left boolean, mechanics_left uuid[]) returns jsonb
    language sql immutable parallel safe
    return snapshot
        || case when customer_left
            then '{"beneficiary_name": null, "beneficiary_phone": null, "customer_name": null, "customer_phone": null,
                "vehicle_color": null, "vehicle_registration_number": ""}'
            else '{}' end::jsonb
        || case when (snapshot ->> 'mechanic_profile_id')::uuid = any(mechanics_left)
            then '{"mechanic_name": null}' else '{}' end::jsonb;

-- Names that came back with an event after their owner had left.
update jobs set customer_name = null, customer_phone = null, log_names_customer = true
    from users where users.id = customer_id and users.status = 'deleted' and customer_name is not null;
update jobs set mechanic_name = null, log_names_mechanics = array[mechanic_profile_id]
    from mechanic_profiles profile join users on users.id = profile.user_id
    where profile.id = mechanic_profile_id and users.status = 'deleted' and mechanic_name is not null;

-- The name that a mechanic had when they submitted their profile: an admin who verifies it without naming anybody means this one. The
-- release before this one leaves it empty; then the admin gives the name.
alter table mechanic_profiles add column submitted_name text;
update mechanic_profiles profile set submitted_name = person.name
    from users person where person.id = profile.user_id and profile.status = 'pending_verification';

-- Admins find a job by the plate that it shows, which the vehicle may not have any more.
create index jobs_plate_begins on jobs (vehicle_registration_number text_pattern_ops);
create index jobs_plate_ends on jobs (reverse(vehicle_registration_number) text_pattern_ops);
