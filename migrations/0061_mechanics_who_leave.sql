-- A mechanic whose phone shows the way in another app, and what became of a job's last mechanic.
alter table jobs
    -- Since when another app shows the mechanic the way: nothing comes from their phone then, and that is as it should be.
    add column navigating_since timestamptz,
    -- The mechanic who left the job last, when and why; see LeaveReason in actors/src/job/model.rs.
    add column left_mechanic_id uuid,
    add column left_reason text,
    add column left_at timestamptz,
    -- The acceptance by which a mechanic took back a job that they had lost; equal to accepted_at as long as they have it.
    add column taken_back_at timestamptz;
alter table jobs
    add constraint jobs_left_reason_known check (left_reason ~ '^(vehicle_trouble|cannot_reach|missing_parts|wrong_skill|personal|other|silent|stalled|moving_away|late|reassigned)$') not valid;
alter table jobs
    add constraint jobs_left_is_whole check (
        (left_mechanic_id is null) = (left_reason is null) and (left_reason is null) = (left_at is null)
    ) not valid;
-- Only who lost the job because nothing came from their phone takes it back. The release before does not know the column: its
-- acceptances have another time.
alter table jobs
    add constraint jobs_taken_back_by_who_lost_it check (
        taken_back_at is null
        or taken_back_at is distinct from accepted_at
        or mechanic_profile_id is null
        or (mechanic_profile_id is not distinct from left_mechanic_id and left_reason is not distinct from 'silent')
    ) not valid;

-- What a mechanic who is back may take back.
create index jobs_lost_by_silence on jobs (left_mechanic_id) where left_reason = 'silent';
