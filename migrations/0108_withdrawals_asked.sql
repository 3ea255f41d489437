-- When a payout provider was first asked to pay a withdrawal out. From then on it may have paid it, whatever it answered and although it
-- may never have told the id of its payout.
alter table withdrawals add column asked_at timestamptz;
update withdrawals set asked_at = updated_at where payout_id is not null;
