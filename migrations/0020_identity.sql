-- Accounts of the embedded identity provider that invitations leave behind, and whose an email is.

-- The invitation that an account was made with, until it is accepted: until then the account signs in to nothing else, and it
-- goes when the invitation does. Null for good afterwards, and for those of the command line.
alter table idp_accounts add column invite_id uuid references admin_invites (id);
create index idp_accounts_of_invite on idp_accounts (invite_id) where invite_id is not null;

-- What stands there so far and nobody signed in with was made with an invitation: the open one, or it goes.
update idp_accounts account set invite_id = invite.id
from admin_invites invite
where invite.email = account.email and invite.accepted_at is null and invite.revoked_at is null
    and invite.created_at <= account.created_at
    and not exists (select from users where users.idp_uid = account.uid);
delete from idp_accounts account
where invite_id is null and not exists (select from users where users.idp_uid = account.uid);

-- Only ASCII letters are alike in both cases: by the rules of a language, other letters become a k or an i, too.
drop index users_admin_email_key;
create unique index users_admin_email_key on users (lower(email collate "C")) where role in ('admin', 'super_admin');
