-- Dispatchers who ask somebody on the phone where they are. Rows are deleted after a day.

create table place_requests (
    id uuid primary key,
    -- Who asked.
    admin_id uuid not null references users (id),
    -- An HMAC of the code in the link.
    code_hmac bytea not null,
    -- Whom, as a key made of the number: the number itself is kept nowhere.
    number_key uuid not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- When a provider took the text message; null if none did.
    sent_at timestamptz,
    lat double precision constraint place_requests_lat_range check (lat between -90 and 90),
    lng double precision constraint place_requests_lng_range check (lng between -180 and 180),
    accuracy_m double precision constraint place_requests_accuracy_range check (accuracy_m between 0 and 100000),
    placed_at timestamptz,
    -- From when on the place is not corrected any more.
    used_at timestamptz,
    constraint place_requests_whole_place check (
        (lat is null) = (lng is null) and (lat is null) = (placed_at is null) and (lat is not null or accuracy_m is null)),
    constraint place_requests_used_with_place check (used_at is null or placed_at is not null)
);
create unique index place_requests_code_key on place_requests (code_hmac);
create index place_requests_of_admin on place_requests (admin_id, created_at);
create index place_requests_of_number on place_requests (number_key, created_at);
create index place_requests_by_age on place_requests (created_at);
