-- Mechanics who wait at a place, where only a push reaches them.

-- It holds only while they are available, and from `available_since` on: who becomes unavailable does not wait there any more, whichever
-- release wrote that.
alter table mechanic_profiles
    add column parked_lat double precision,
    add column parked_lng double precision,
    -- What they call the place.
    add column parked_label text,
    add column parked_since timestamptz,
    add column parked_until timestamptz;
alter table mechanic_profiles add constraint mechanic_profiles_parked_somewhere check (
    (parked_since is null) = (parked_lat is null)
    and (parked_since is null) = (parked_lng is null)
    and (parked_since is null) = (parked_until is null)
    and (parked_label is null or parked_since is not null)) not valid;
