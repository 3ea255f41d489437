-- What a mechanic who was verified asks to serve beyond what they serve, until an admin decides or they ask for something else.
create table mechanic_changes (
    id uuid primary key,
    mechanic_profile_id uuid not null constraint mechanic_changes_one_each unique references mechanic_profiles (id),
    vehicle_types text[] not null constraint mechanic_changes_types_known check (
        cardinality(vehicle_types) > 0
        and vehicle_types <@ array['two_wheeler', 'three_wheeler', 'four_wheeler', 'commercial']
    ),
    service_category_ids uuid[] not null
        constraint mechanic_changes_categories_some check (cardinality(service_category_ids) > 0),
    requested_at timestamptz not null
);
create index mechanic_changes_newest on mechanic_changes (requested_at desc, id desc);
