-- Whom an identity provider knows an admin as. People choose their own name and email; the audit trail names them by this.

alter table users
    -- Of an admin's account, the email that the identity provider vouched for at the last sign-in, or that was invited; nobody
    -- changes it by themselves. Null for accounts that were never an admin's.
    add column verified_email text;

update users set verified_email = coalesce(
    (select account.email from idp_accounts account where account.uid = users.idp_uid),
    case when email_verified then email end)
where role in ('admin', 'super_admin');

comment on column audit_log.actor_email is 'users.verified_email at that time; in entries before migration 0057, the email that the actor chose';
