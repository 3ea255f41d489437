-- Of jobs whose organisations hide prices, a mechanic sees only their own share. These are the parts of a settlement's sums that are left
-- out for its mechanic, as they were when the settlement was made: refunds may be undone later.
alter table settlements
    add column hidden_commission_paise bigint not null default 0,
    add column hidden_tax_paise bigint not null default 0,
    add column hidden_refunds_paise bigint not null default 0;

-- Earlier settlements: by what is known of their refunds now. Only jobs on account are looked at.
update settlements s
set hidden_commission_paise = hidden.commission, hidden_tax_paise = hidden.tax, hidden_refunds_paise = hidden.refunds
from (
    select s.id, sum(e.commission_paise)::bigint as commission, sum(e.tax_paise)::bigint as tax,
        sum(coalesce(back.paise, 0))::bigint as refunds
    from partner_jobs p
        join job_facts job on job.id = p.job_id and job.partner_order ->> 'shows_prices' = 'false'
        join earnings e on e.job_id = p.job_id and e.channel <> 'cash'
        join settlements s on s.id = e.settlement_id
        cross join lateral (
            select sum(part.commission_paise + part.tax_paise) as paise
            from refunds r join refund_parts part on part.refund_id = r.id and part.earning_id = e.id
            where r.payment_id = e.payment_id and r.created_at <= s.created_at) back
    group by s.id) hidden
where hidden.id = s.id;
