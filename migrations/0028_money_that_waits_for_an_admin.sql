-- What becomes of money at the gateway that matches no payment: an admin has it given back there, or dismisses it and says why.
alter table parked_payments add column id uuid not null default gen_random_uuid();
alter table parked_payments add column status text not null default 'open'
    constraint parked_payments_status_known check (status in ('open', 'refunding', 'refunded', 'dismissed'));
-- Under this id the gateway is asked for the refund, however often.
alter table parked_payments add column refund_id uuid;
-- Why the last refund failed, in the gateway's words.
alter table parked_payments add column failure text;
alter table parked_payments add column settled_at timestamptz;
create index parked_payments_of_id on parked_payments (id);
create index parked_payments_waiting on parked_payments (seen_at desc, id desc) where status in ('open', 'refunding');

alter table chargebacks add column id uuid not null default gen_random_uuid();
create index chargebacks_newest on chargebacks (created_at desc, id desc);
create index chargebacks_open on chargebacks (created_at desc, id desc) where status = 'open';
