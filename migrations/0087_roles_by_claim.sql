-- Whether an admin's role was given by a claim of the identity provider, which may then take it away again. A role that was given by
-- an invitation, a super-admin or the command line stays as it is, whatever the provider says.
alter table users add column role_by_claim boolean not null default false;
