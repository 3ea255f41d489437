-- What people leave behind: a job, money, their names.

-- An admin's own words about a mechanic were for admins; the timeline shows a code.
update job_events set data = jsonb_set(data, '{reason_code}', '"admin"')
where kind = 'released' and actor_kind = 'admin';

-- Who leaves is taken out of what the trail tells of their account, and of the invitation by which they became an admin.
update audit_log entry set
    before = case when before ->> 'email' is null then before else jsonb_set(before, '{email}', '"[hidden]"') end,
    after = case when after ->> 'email' is null then after else jsonb_set(after, '{email}', '"[hidden]"') end
where (before ->> 'email' is not null or after ->> 'email' is not null)
    and exists (select from users gone where gone.status = 'deleted' and (
        (entry.subject_kind = 'user' and entry.subject_id = gone.id)
        or (entry.subject_kind = 'admin_invite' and entry.subject_id in (
            select id from admin_invites where accepted_by = gone.id))));
delete from admin_invites invite
where exists (select from users gone where gone.id = invite.accepted_by and gone.status = 'deleted')
    and not exists (select from idp_accounts where invite_id = invite.id);

-- Whether a mechanic may leave is asked of what they are owed (of job_dues, see 0025).
create index cancellation_fees_of_mechanic on cancellation_fees (mechanic_profile_id)
    where status = 'due' and mechanic_profile_id is not null;
