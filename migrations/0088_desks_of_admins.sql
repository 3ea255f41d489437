-- Where an admin works. Null is every desk, now and in later releases. Counts only while the role is 'admin': super-admins are at
-- every desk.
alter table users add column desks text[];
alter table users add constraint users_desks_known
    check (desks::text ~ '^\{(dispatch|money|people|settings)(.(dispatch|money|people|settings))*\}$') not valid;

-- The desks that the new admin will have.
alter table admin_invites add column desks text[];
alter table admin_invites add constraint admin_invites_desks_known
    check (desks::text ~ '^\{(dispatch|money|people|settings)(.(dispatch|money|people|settings))*\}$') not valid;
