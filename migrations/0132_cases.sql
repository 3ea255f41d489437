-- A breakdown that an organisation reported, with the jobs that it took. A club's offer is a case that nobody has accepted yet.
create table partner_cases (
    id uuid primary key,
    organisation_id uuid not null references organisations (id),
    contract_id uuid not null references partner_contracts (id),
    -- The organisation that made it: an agency, or the organisation itself.
    made_by uuid not null references organisations (id),
    partner_reference text not null,
    -- The digest of the request: the same reference with the same request is the same case.
    request_sha256 bytea not null,
    status text not null constraint partner_cases_status_known check (status in ('offered', 'refused', 'expired', 'withdrawn', 'open', 'closed')),
    policy_reference text,
    purchase_order text,
    beneficiary_name text,
    beneficiary_phone text,
    beneficiary_language text not null default 'en',
    vehicle_id uuid references vehicles (id),
    -- Facts about the vehicle beyond those in the catalogue: vin, odometer_km, fuel, drive, weight_kg.
    vehicle jsonb not null default '{}',
    -- location_type, clearance_cm, keys_at, is_attended, pickup_contact, dropoff_contact; null if nothing was said about it.
    place jsonb,
    -- Answers to the questions of the category.
    answers jsonb not null default '{}',
    notes_for_mechanic text,
    internal_notes text,
    texts text[] not null,
    -- The offer of a club: what it asks for, until when it can be answered, and the answer.
    offer jsonb,
    offered_until timestamptz,
    -- The number of the case's last event.
    last_seq bigint not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    closed_at timestamptz,
    -- When the case forgot who was helped, the place and the plate.
    forgotten_at timestamptz,
    constraint partner_cases_offer check ((offer is null) = (offered_until is null))
);
-- A reference names one case of its organisation.
create unique index partner_cases_reference_key on partner_cases (organisation_id, partner_reference);
-- An admin looks for a case by what the partner says on the phone.
create index partner_cases_of_reference on partner_cases (partner_reference);
-- Lists: all cases, an organisation's, and those that an agency made.
create index partner_cases_newest on partner_cases (created_at desc, id desc);
create index partner_cases_of on partner_cases (organisation_id, created_at desc, id desc);
create index partner_cases_made_by on partner_cases (made_by, created_at desc, id desc);
-- Cases that have to forget whom they were about, and the other cases of a vehicle, which still need its plate. An agency sees the
-- vehicles of the cases that it made.
create index partner_cases_to_forget on partner_cases (updated_at, id) where forgotten_at is null;
create index partner_cases_of_vehicle on partner_cases (vehicle_id, made_by);
-- Offers whose time runs out.
create index partner_cases_offered on partner_cases (offered_until) where status = 'offered';
-- The offers of one club that wait, of which it has only so many.
create index partner_cases_offered_by on partner_cases (organisation_id, offered_until) where status = 'offered';

-- A job of a case: who pays, and up to what amount. Both are facts that the job's rules need.
alter table job_facts
    add column case_id uuid constraint job_facts_case_id_fkey references partner_cases (id),
    add column cover_paise bigint constraint job_facts_cover_sign check (cover_paise > 0);
-- The jobs of a case, in the order in which they were made.
create index jobs_of_case on job_facts (case_id, created_at) where case_id is not null;

-- The partner's side of a job. It is written with the job, and its promise with the acceptance that makes it.
create table partner_jobs (
    job_id uuid primary key references job_facts (id),
    case_id uuid not null references partner_cases (id),
    -- The organisation's account, as in the job: its open jobs are counted here.
    account_id uuid not null,
    -- The number of the last entry of the job's log that the case's events include.
    fed_seq bigint not null default 0,
    -- The time of arrival that the partner knows: none yet, proposed, accepted, refused.
    promise text not null default 'none' constraint partner_jobs_promise_known check (promise in ('none', 'proposed', 'accepted', 'refused')),
    promised_at timestamptz,
    -- When the promise was last extended, and why.
    extended_at timestamptz,
    extension_reason text,
    -- When to look whether the promise was kept: at the promised time. Null once that is known.
    promise_due_at timestamptz,
    -- When the promise was found to be broken.
    missed_at timestamptz,
    -- When its outcome was decided.
    settled_at timestamptz,
    created_at timestamptz not null
);
create index partner_jobs_of_case on partner_jobs (case_id);
-- Promises whose time comes.
create index partner_jobs_promised on partner_jobs (promise_due_at) where promise_due_at is not null;
-- Jobs whose outcome is not decided, and those of one organisation.
create index partner_jobs_unsettled on partner_jobs (created_at) where settled_at is null;
create index partner_jobs_open on partner_jobs (account_id) where settled_at is null;

-- Extra work that waits for the partner's decision. The row goes with its item.
create table partner_approvals (
    line_item_id uuid primary key references line_items (id) on delete cascade,
    job_id uuid not null references job_facts (id),
    due_at timestamptz not null,
    -- When it was decided, or left to the helped person because it exceeds the cover.
    decided_at timestamptz
);
create index partner_approvals_of_job on partner_approvals (job_id);
create index partner_approvals_due on partner_approvals (due_at) where decided_at is null;

-- As in 0112, with the columns of jobs on account.
create or replace view jobs as
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
        state.customer_name, state.customer_phone, state.mechanic_name, facts.case_id, facts.cover_paise
    from job_facts facts join job_states state on state.id = facts.id;

-- As in 0112, with the queues of partners' promises, approvals and offers.
create or replace view due_work (queue, due_at) as
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
    select 'sandbox_deliveries', min(due_at) from sandbox_deliveries where settled_at is null
    union all
    select 'partner_promises', min(promise_due_at) from partner_jobs where promise_due_at is not null
    union all
    select 'partner_approvals', min(due_at) from partner_approvals where decided_at is null
    union all
    select 'partner_offers', min(offered_until) from partner_cases where status = 'offered';

-- As in 0117, but an organisation's open jobs are not counted by its vehicles, since it has one for nearly every case.
create or replace function count_open_jobs(
    of_customer uuid, for_vehicle uuid, is_waiting boolean, now_at timestamptz,
    out of_kind bigint, out in_all bigint, out of_vehicle bigint
) language plpgsql volatile as $$
begin
    if exists (select from organisations where account_id = of_customer) then
        select count(*) filter (where (j.status = 'pending' and j.begin_at > now_at) = is_waiting), count(*),
            (select count(*) from job_states state where state.vehicle_id = for_vehicle and state.is_open)
        into of_kind, in_all, of_vehicle
        from partner_jobs p join jobs j on j.id = p.job_id and j.is_open
        where p.account_id = of_customer and p.settled_at is null;
    else
        select count(*) filter (where (j.status = 'pending' and j.begin_at > now_at) = is_waiting), count(*),
            count(*) filter (where j.vehicle_id = for_vehicle)
        into of_kind, in_all, of_vehicle
        from vehicles v join jobs j on j.vehicle_id = v.id and j.is_open
        where v.user_id = of_customer;
    end if;
end $$;
