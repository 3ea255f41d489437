-- The customers' vehicles, and the kinds of help that mechanics give.

create table vehicles (
    id uuid primary key,
    user_id uuid not null references users (id),
    vehicle_type text not null constraint vehicles_type_known
        check (vehicle_type in ('two_wheeler', 'three_wheeler', 'four_wheeler', 'commercial')),
    make text not null,
    model text not null,
    -- Upper case without spaces or hyphens, so that each plate has one spelling.
    registration_number text not null,
    year integer,
    fuel_type text,
    color text,
    is_default boolean not null default false,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    -- The row stays, because jobs refer to it.
    deleted_at timestamptz
);
create unique index vehicles_registration_per_user on vehicles (user_id, registration_number) where deleted_at is null;
create unique index vehicles_one_default_per_user on vehicles (user_id) where is_default and deleted_at is null;

create table service_categories (
    id uuid primary key,
    name text not null,
    slug text not null constraint service_categories_slug_key unique,
    description text not null default '',
    icon_url text,
    vehicle_types text[] not null constraint service_categories_types_known check (
        cardinality(vehicle_types) > 0
        and vehicle_types <@ array['two_wheeler', 'three_wheeler', 'four_wheeler', 'commercial']
    ),
    base_price_paise bigint not null constraint service_categories_base_price_sign check (base_price_paise >= 0),
    per_km_price_paise bigint not null constraint service_categories_per_km_sign check (per_km_price_paise >= 0),
    free_km integer not null default 0 constraint service_categories_free_km_sign check (free_km >= 0),
    estimated_duration_min integer not null,
    -- These six override the [dispatch] settings of the same names; null takes the setting.
    offer_ttl_s integer,
    attempt_ttl_s integer,
    rings_km double precision[],
    round_widths integer[],
    max_rounds integer,
    urgent_first_round integer,
    is_active boolean not null default true,
    sort_order integer not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null
);

-- The six usual kinds of roadside help. Fixed ids, so that they are the same in every installation.
insert into service_categories (id, name, slug, description, vehicle_types, base_price_paise, per_km_price_paise,
    free_km, estimated_duration_min, sort_order, created_at, updated_at)
values
    ('018f0000-0000-7000-8000-000000000001', 'Flat tyre', 'flat-tyre', 'A puncture repaired or the spare wheel put on.',
        array['two_wheeler', 'three_wheeler', 'four_wheeler', 'commercial'], 29900, 1000, 5, 30, 1, '2026-01-01Z', '2026-01-01Z'),
    ('018f0000-0000-7000-8000-000000000002', 'Battery jump start', 'battery-jump-start', 'A flat battery started or replaced.',
        array['two_wheeler', 'three_wheeler', 'four_wheeler', 'commercial'], 39900, 1000, 5, 20, 2, '2026-01-01Z', '2026-01-01Z'),
    ('018f0000-0000-7000-8000-000000000003', 'Towing', 'towing', 'The vehicle taken to a workshop.',
        array['two_wheeler', 'three_wheeler', 'four_wheeler', 'commercial'], 99900, 3000, 5, 60, 3, '2026-01-01Z', '2026-01-01Z'),
    ('018f0000-0000-7000-8000-000000000004', 'Fuel delivery', 'fuel-delivery', 'Enough fuel to reach the next station.',
        array['two_wheeler', 'three_wheeler', 'four_wheeler', 'commercial'], 24900, 1000, 5, 20, 4, '2026-01-01Z', '2026-01-01Z'),
    ('018f0000-0000-7000-8000-000000000005', 'Lockout', 'lockout', 'A locked vehicle opened without damage.',
        array['two_wheeler', 'four_wheeler', 'commercial'], 49900, 1000, 5, 30, 5, '2026-01-01Z', '2026-01-01Z'),
    ('018f0000-0000-7000-8000-000000000006', 'On-site repair', 'on-site-repair', 'A breakdown looked at and mended where it stands.',
        array['two_wheeler', 'three_wheeler', 'four_wheeler', 'commercial'], 34900, 1000, 5, 60, 6, '2026-01-01Z', '2026-01-01Z');
