-- The order of the organisation that pays for a job, as far as it is for the mechanic: the organisation's name, the purchase order,
-- the photos that it needs, its notes, and facts about the place and the vehicle. It is written with the job, so that offers show it
-- without another look-up; a case is never changed. Null for a customer's own job.
alter table job_facts add column partner_order jsonb;

-- As in 0132, with the order.
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
        state.customer_name, state.customer_phone, state.mechanic_name, facts.case_id, facts.cover_paise, facts.partner_order
    from job_facts facts join job_states state on state.id = facts.id;

-- Whether the link's holder is the person for whom an organisation ordered the job: they decide about extra work that the
-- organisation does not pay, confirm the cash that they pay, and rate.
alter table share_links add column may_decide boolean not null default false;
