-- What an hour of mechanics' time cost, by class: mechanics who serve the same, in one town. One task writes a look every few minutes,
-- its classes numbered from 0; housekeeping deletes old ones.
create table price_samples (
    at timestamptz not null,
    number integer not null,
    -- The middle of a square of about 22 km in which one of the town's mechanics was: no one's position.
    near_lat double precision not null,
    near_lng double precision not null,
    categories uuid[] not null,
    vehicle_types text[] not null,
    mechanics integer not null,
    free integer not null,
    calls_per_hour double precision not null,
    -- How many mechanics those calls keep busy on average.
    load double precision not null,
    -- Jobs lost per hour that one of them is away, and jobs that one more would save per hour.
    price double precision not null,
    one_more double precision not null,
    primary key (at, number)
);
