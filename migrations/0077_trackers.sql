-- Apps that send a mechanic's positions with the screen off.

create table trackers (
    id uuid primary key,
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    name text not null,
    app text not null,
    -- SHA-256 of its token, which can do nothing but send positions.
    token_hash bytea not null,
    created_at timestamptz not null,
    -- Written again after half a minute, not with every position.
    last_seen_at timestamptz,
    constraint trackers_token_key unique (token_hash),
    constraint trackers_app_known check (app in ('owntracks', 'traccar'))
);
create index trackers_by_mechanic on trackers (mechanic_profile_id, created_at);
