-- Vehicles that are towed have a destination: the operator's workshops, the way there with its price, and who receives the vehicle.

create table workshops (
    id uuid primary key,
    name text not null,
    address text not null,
    lat double precision not null,
    lng double precision not null,
    phone text,
    is_active boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index workshops_newest on workshops (created_at desc, id desc);

alter table service_categories
    -- Whether the customer says where the vehicle goes.
    add column destination text not null default 'none'
        constraint service_categories_destination_known check (destination ~ '^(none|optional|required)$'),
    -- For the way from the pickup to the destination.
    add column destination_per_km_price_paise bigint not null default 0
        constraint service_categories_destination_price_sign check (destination_per_km_price_paise >= 0),
    add column destination_free_km integer not null default 0
        constraint service_categories_destination_free_km_sign check (destination_free_km >= 0);

-- The contract's POST /jobs has no destination, and goes on working.
update service_categories set destination = 'optional', destination_per_km_price_paise = 3000, destination_free_km = 5
    where id = '018f0000-0000-7000-8000-000000000003';

alter table jobs
    -- Null in jobs whose vehicle goes nowhere. A workshop may be gone by now: its name is as it was.
    add column destination_address text,
    add column destination_lat double precision,
    add column destination_lng double precision,
    add column destination_workshop_id uuid,
    add column destination_workshop_name text,
    add column destination_distance_m integer,
    add column destination_duration_s integer,
    -- A part of estimated_price_paise. Zero if the tow was agreed on the spot: then a line item has the price.
    add column destination_price_paise bigint not null default 0,
    add column receiver_name text,
    add column receiver_phone text,
    add column loaded_at timestamptz,
    -- Who took the vehicle, as the mechanic says.
    add column received_by text;
alter table jobs
    add constraint jobs_destination_is_whole check (
        (destination_lat is null) = (destination_address is null)
        and (destination_lat is null) = (destination_lng is null)
        and (destination_lat is null) = (destination_distance_m is null)
        and (destination_lat is null) = (destination_duration_s is null)
    ) not valid;
alter table jobs add constraint jobs_destination_price_sign check (destination_price_paise >= 0) not valid;
alter table jobs
    add constraint jobs_loaded_for_a_destination check (loaded_at is null or destination_lat is not null) not valid;

-- A tow that was proposed on the spot, with its destination.
alter table line_items add column destination jsonb;

-- A job's row as its log keeps it, without the people who left. New: who receives a towed vehicle.
create or replace function snapshot_without_names(snapshot jsonb, customer_left boolean, mechanics_left uuid[]) returns jsonb
    language sql immutable parallel safe
    return snapshot
        || case when customer_left
            then '{"beneficiary_name": null, "beneficiary_phone": null, "customer_name": null, "customer_phone": null,
                "vehicle_color": null, "vehicle_registration_number": "", "receiver_name": null, "receiver_phone": null,
                "received_by": null}'
            else '{}' end::jsonb
        || case when (snapshot ->> 'mechanic_profile_id')::uuid = any(mechanics_left)
            then '{"mechanic_name": null}' else '{}' end::jsonb;
