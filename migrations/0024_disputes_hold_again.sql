-- A job's dispute, and each of a customer's bank, may hold an earning that had cleared; then it clears anew.
alter table earnings add column holds integer not null default 0
    constraint earnings_holds_sign check (holds >= 0);
update earnings e set holds = 1
where exists (select 1 from ledger_transactions t where t.key = 'hold:' || e.id);

-- Refunds, as admins list them.
create index refunds_newest on refunds (created_at desc, id desc);

comment on column webhook_events.body is
    'The body whose signature was checked, without what it told of a person (payments/personal.rs).';
