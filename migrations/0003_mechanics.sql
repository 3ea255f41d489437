-- Mechanics: who they are, what they serve, and where they were last.

create table mechanic_profiles (
    id uuid primary key,
    user_id uuid not null constraint mechanic_profiles_user_key unique references users (id),
    status text not null constraint mechanic_profiles_status_known
        check (status in ('pending_verification', 'verified', 'rejected', 'suspended')),
    rejection_reason text,
    suspension_reason text,
    -- The mechanic's wish; online is this and a fresh position.
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
    avg_rating double precision not null default 0,
    total_ratings integer not null default 0,
    total_jobs integer not null default 0,
    -- The last position; written behind the actor that owns it, at most every few seconds.
    last_lat double precision,
    last_lng double precision,
    last_accuracy_m double precision,
    last_seq bigint,
    last_recorded_at timestamptz,
    last_received_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index mechanic_profiles_newest on mechanic_profiles (created_at desc, id desc);
create index mechanic_profiles_available on mechanic_profiles (id) where is_available;

create table mechanic_documents (
    id uuid primary key,
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    type text not null constraint mechanic_documents_type_known
        check (type in ('aadhaar', 'skill_cert', 'photo_id', 'other')),
    file_url text not null,
    -- The order in which they were handed in: those of one registration share their time.
    ordinal bigint generated always as identity,
    created_at timestamptz not null
);
create index mechanic_documents_of_profile on mechanic_documents (mechanic_profile_id, ordinal);
