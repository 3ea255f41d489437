-- Mechanics: who they are, what they serve, and where they last were.

create table mechanic_profiles (
    id uuid primary key,
    user_id uuid not null constraint mechanic_profiles_user_key unique references users (id),
    status text not null constraint mechanic_profiles_status_known
        check (status in ('pending_verification', 'verified', 'rejected', 'suspended')),
    rejection_reason text,
    suspension_reason text,
    -- What the mechanic wishes; a mechanic is online who is available and has a fresh position.
    is_available boolean not null default false,
    available_since timestamptz,
    service_radius_km integer not null
        constraint mechanic_profiles_radius_range check (service_radius_km between 1 and 100),
    vehicle_types text[] not null constraint mechanic_profiles_types_known check (
        cardinality(vehicle_types) > 0
        and vehicle_types <@ array['two_wheeler', 'three_wheeler', 'four_wheeler', 'commercial']
    ),
    service_category_ids uuid[] not null
        constraint mechanic_profiles_categories_some check (cardinality(service_category_ids) > 0),
    -- Sum and count are whole numbers, so that the average does not depend on the order in which ratings arrive.
    total_ratings integer not null default 0,
    rating_sum bigint not null default 0,
    avg_rating double precision not null generated always as (
        case when total_ratings > 0 then round(rating_sum::numeric / total_ratings, 2)::double precision else 0 end) stored,
    total_jobs integer not null default 0,
    -- The last position. The actor that owns it writes it every few seconds at most, so it may lag behind.
    last_lat double precision,
    last_lng double precision,
    last_accuracy_m double precision,
    last_seq bigint,
    last_recorded_at timestamptz,
    last_received_at timestamptz,
    -- A position that proves nothing must not prove an arrival after a restart.
    last_is_implausible boolean not null default false,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint mechanic_profiles_rating_range
        check (total_ratings >= 0 and rating_sum between total_ratings and total_ratings::bigint * 5)
);
create index mechanic_profiles_newest on mechanic_profiles (created_at desc, id desc);
create index mechanic_profiles_available on mechanic_profiles (id) where is_available;

create table mechanic_documents (
    id uuid primary key,
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    type text not null constraint mechanic_documents_type_known
        check (type in ('aadhaar', 'skill_cert', 'photo_id', 'other')),
    file_url text not null,
    -- The order in which the mechanic handed them in: documents of one registration share their time.
    ordinal bigint generated always as identity,
    created_at timestamptz not null
);
create index mechanic_documents_of_profile on mechanic_documents (mechanic_profile_id, ordinal);
create index mechanic_documents_file_url on mechanic_documents (file_url);
