-- The first super-admin has nobody to invite them: an invitation that the command line made has no sender.
alter table admin_invites alter column invited_by drop not null;
