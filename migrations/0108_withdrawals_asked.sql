-- When a payout provider was first asked to pay a withdrawal out. From then on it may have paid it, whatever it answered and although it
-- may never have told the id of its payout.
alter table withdrawals add column asked_at timestamptz;
-- Each open withdrawal that was tried may have been paid by a provider that never told an id, if a provider had looked up its address.
update withdrawals set asked_at = updated_at
where payout_id is not null or (settled_at is null and attempts > 0 and fund_account_id is not null);
