-- Moves where each job stands into `job_states`; the former table is `job_facts` from now on, and the view `jobs` shows both together.
-- Foreign keys of other tables follow the renamed table: their checks lock the facts, which no transition writes.
--
-- Nothing else can use the jobs until this is done. It reads every job once and writes its narrow part: eight seconds
-- for a million jobs (docs/operations/upgrades.md), indexes and foreign keys included. Everything else changes only the catalogue. The old rows keep the space
-- of the dropped columns.
lock table jobs in access exclusive mode;

insert into job_states (id, customer_id, vehicle_id, created_at, version, seq, status, is_active, is_open, is_unfinished, updated_at,
    attempt, round, offered_in_round, attempt_ends_at, dispatch_version, excluded_mechanics, expired_once_mechanics, no_mechanic_until,
    mechanic_profile_id, accepted_offer_id, accepted_at, promised_at, concern, concern_since, navigating_since, taken_back_at,
    left_mechanic_id, left_reason, left_at, en_route_at, arrived_at, arrival_is_unproven, arrival_concern, start_code,
    wrong_start_codes, start_locked_until, started_at, loaded_at, completed_at, outcome, outcome_notes, received_by,
    final_price_paise, disputed_at, resolved_at, cancelled_at, cancellation_fee_paise, cancel_reason_code, cancel_reason, hms_room_id,
    customer_name, customer_phone, mechanic_name)
select id, customer_id, vehicle_id, created_at, version, seq, status, is_active, is_open, is_unfinished, updated_at,
    attempt, round, offered_in_round, attempt_ends_at, dispatch_version, excluded_mechanics, expired_once_mechanics, no_mechanic_until,
    mechanic_profile_id, accepted_offer_id, accepted_at, promised_at, concern, concern_since, navigating_since, taken_back_at,
    left_mechanic_id, left_reason, left_at, en_route_at, arrived_at, arrival_is_unproven, arrival_concern, start_code,
    wrong_start_codes, start_locked_until, started_at, loaded_at, completed_at, outcome, outcome_notes, received_by,
    final_price_paise, disputed_at, resolved_at, cancelled_at, cancellation_fee_paise, cancel_reason_code, cancel_reason, hms_room_id,
    customer_name, customer_phone, mechanic_name
from jobs;

drop view due_work;
-- The first five are made again below. A warning is found among the unfinished jobs, a job that was lost by silence through the
-- log, and jobs_of_category_newest begins like the last one.
drop index jobs_one_active_per_mechanic, jobs_one_open_per_vehicle, jobs_to_recover, jobs_of_mechanic, jobs_completed,
    jobs_cancelled, jobs_of_concern, jobs_lost_by_silence, jobs_of_category;
alter table jobs rename to job_facts;
-- The rules of these columns go with them. The generated ones come first, since they depend on others.
alter table job_facts
    drop column is_active, drop column is_open, drop column is_unfinished,
    drop column status, drop column version, drop column seq, drop column updated_at,
    drop column attempt, drop column round, drop column offered_in_round, drop column attempt_ends_at,
    drop column dispatch_version, drop column excluded_mechanics, drop column expired_once_mechanics,
    drop column no_mechanic_until, drop column mechanic_profile_id, drop column accepted_offer_id, drop column accepted_at,
    drop column promised_at, drop column concern, drop column concern_since, drop column navigating_since,
    drop column taken_back_at, drop column left_mechanic_id, drop column left_reason, drop column left_at,
    drop column en_route_at, drop column arrived_at, drop column arrival_is_unproven, drop column arrival_concern,
    drop column start_code, drop column wrong_start_codes, drop column start_locked_until, drop column started_at,
    drop column loaded_at, drop column completed_at, drop column outcome, drop column outcome_notes, drop column received_by,
    drop column final_price_paise, drop column disputed_at, drop column resolved_at, drop column cancelled_at,
    drop column cancellation_fee_paise, drop column cancel_reason_code, drop column cancel_reason, drop column hms_room_id,
    drop column customer_name, drop column customer_phone, drop column mechanic_name;
drop function job_is_active(text), job_is_open(text), job_is_unfinished(text);
alter table job_facts reset (fillfactor);
-- The statement that writes an entry takes its job from the row that it has just written, and no job is ever deleted. Without the
-- check, no transition touches the facts.
alter table job_events drop constraint job_events_job_id_fkey;

-- These two hold even if an actor errs: a mechanic has at most one active job, a vehicle at most one open one.
create unique index jobs_one_active_per_mechanic on job_states (mechanic_profile_id) where is_active;
create unique index jobs_one_open_per_vehicle on job_states (vehicle_id) where is_open;
-- Recovery reads this at start, and lists of unfinished jobs begin with it.
create index jobs_to_recover on job_states (id) where is_unfinished;
create index jobs_of_mechanic on job_states (mechanic_profile_id, created_at desc, id desc);
-- Figures of a period find the jobs that ended in it. A job is completed or cancelled, never both.
create index jobs_ended on job_states ((coalesce(completed_at, cancelled_at))) where coalesce(completed_at, cancelled_at) is not null;
alter table job_states
    add constraint job_states_id_fkey foreign key (id) references job_facts (id),
    add constraint job_states_mechanic_profile_id_fkey foreign key (mechanic_profile_id) references mechanic_profiles (id),
    -- A mechanic takes back only a job that they lost because nothing came from their phone. Old rows are not checked, as before.
    add constraint jobs_taken_back_by_who_lost_it check (
        taken_back_at is null
        or taken_back_at is distinct from accepted_at
        or mechanic_profile_id is null
        or (mechanic_profile_id is not distinct from left_mechanic_id and left_reason is not distinct from 'silent')
    ) not valid;

-- The whole job. A later column of either table is appended here, too.
create view jobs as
    select facts.id, facts.customer_id, state.vehicle_id, facts.vehicle_type, facts.service_category_id, facts.pickup_address,
        facts.pickup_lat, facts.pickup_lng, facts.description, facts.photo_urls, facts.beneficiary_name, facts.beneficiary_phone,
        facts.contact_preference, facts.urgency, facts.scheduled_for, facts.begin_at, facts.base_price_paise,
        facts.travel_price_paise, facts.estimated_price_paise, facts.destination_address, facts.destination_lat,
        facts.destination_lng, facts.destination_workshop_id, facts.destination_workshop_name, facts.destination_distance_m,
        facts.destination_duration_s, facts.destination_price_paise, facts.destination_driven_m, facts.receiver_name,
        facts.receiver_phone, facts.service_category_name, facts.service_category_slug, facts.vehicle_make, facts.vehicle_model,
        facts.vehicle_color, facts.vehicle_registration_number, facts.corrections, facts.original_pickup_lat,
        facts.original_pickup_lng, facts.coarsened_at, facts.log_names_customer, facts.log_names_mechanics, facts.created_at,
        state.version, state.seq, state.status, state.is_active, state.is_open, state.is_unfinished, state.updated_at,
        state.attempt, state.round, state.offered_in_round, state.attempt_ends_at, state.dispatch_version,
        state.excluded_mechanics, state.expired_once_mechanics, state.no_mechanic_until, state.mechanic_profile_id,
        state.accepted_offer_id, state.accepted_at, state.promised_at, state.concern, state.concern_since,
        state.navigating_since, state.taken_back_at, state.left_mechanic_id, state.left_reason, state.left_at,
        state.en_route_at, state.arrived_at, state.arrival_is_unproven, state.arrival_concern, state.start_code,
        state.wrong_start_codes, state.start_locked_until, state.started_at, state.loaded_at, state.completed_at,
        state.outcome, state.outcome_notes, state.received_by, state.final_price_paise, state.disputed_at, state.resolved_at,
        state.cancelled_at, state.cancellation_fee_paise, state.cancel_reason_code, state.cancel_reason, state.hms_room_id,
        state.customer_name, state.customer_phone, state.mechanic_name
    from job_facts facts join job_states state on state.id = facts.id;

-- As in 0036, but for the first queue's job.
create view due_work (queue, due_at) as
    -- A call whose job has moved on is due at once. Jobs are looked up by id, whatever the planner thinks of empty tables.
    select 'calls'::text, min(case
        when (select job.mechanic_profile_id is distinct from call.mechanic_profile_id or (call.on_job and not job.is_active)
            from job_states job where job.id = call.job_id) then call.created_at
        else call.deadline_at end)
    from calls call
    where call.status in ('ringing', 'accepted')
    union all
    select 'webhook_events', min(next_try_at) from webhook_events where status = 'pending'
    union all
    select 'refunds', min(next_try_at) from refunds where status in ('requested', 'pending')
    union all
    -- When the gateway was asked last, or reported: it is asked again after gateway.reconcile_after_s.
    select 'payments', min(asked_at) from payments
    where channel = 'online' and status in ('created', 'authorized', 'failed') and is_open
    union all
    select 'free_jobs', min(created_at) from job_dues where due_paise = 0 and settled_at is null
    union all
    select 'earnings', min(clears_at) from earnings where cleared_at is null and channel = 'online'
    union all
    select 'withdrawals', min(next_try_at) from withdrawals where next_try_at is not null
    union all
    select 'upi_accounts', min(check_at) from upi_accounts where check_at is not null and deleted_at is null
    union all
    select 'notifications', min(expires_at) from notifications where not is_read and expires_at is not null
    union all
    select 'sandbox_deliveries', min(due_at) from sandbox_deliveries where settled_at is null;

-- Lists would read the new table whole until it has statistics.
analyze job_states;
