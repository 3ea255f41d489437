-- What the customer was told is wrong with a mechanic on its way, so that a restart neither forgets nor repeats it.
alter table jobs add column concern text, add column concern_since timestamptz;
alter table jobs add constraint jobs_concern_known
    check (concern in ('dark', 'stalled', 'moving_away', 'slipping'));
alter table jobs add constraint jobs_concern_has_its_time check ((concern is null) = (concern_since is null));
-- Nobody who has arrived is late, and nobody who is off the job is anything.
alter table jobs add constraint jobs_concern_on_the_way check (concern is null or status in ('accepted', 'en_route'));
-- What an operator asks for first.
create index jobs_of_concern on jobs (created_at desc, id desc) where concern is not null;

-- A position that proves nothing must not prove an arrival after a restart.
alter table mechanic_profiles add column last_is_implausible boolean not null default false;
