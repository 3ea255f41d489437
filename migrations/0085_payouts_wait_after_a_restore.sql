-- Nothing is paid out while a row here has no end. A restore of a backup adds one: withdrawals that were asked for after the backup
-- are unknown in the restored database, so the same money could be paid out again. An operator compares, and ends it.
create table payout_pauses (
    id uuid primary key,
    reason text not null constraint payout_pauses_reason_known check (reason in ('restored')),
    begun_at timestamptz not null,
    ended_at timestamptz,
    constraint payout_pauses_end_after_beginning check (ended_at >= begun_at)
);
