-- Agreements with organisations. A contract is never changed: it ends, and another begins.
create table partner_contracts (
    id uuid primary key,
    organisation_id uuid not null references organisations (id),
    -- The partner's own name for it, by which cases refer to it.
    reference text not null,
    valid_from timestamptz not null,
    valid_until timestamptz,
    -- The cover of each job: up to an amount, beyond which the helped person pays, and a way to the destination of so many
    -- kilometres, beyond which a job is refused. Null where there is no limit.
    cover_paise bigint constraint partner_contracts_cover_sign check (cover_paise > 0),
    cover_km integer constraint partner_contracts_km_sign check (cover_km > 0),
    -- Whether a proposed time of arrival counts as accepted at once.
    accepts_promises boolean not null default true,
    -- How long the partner may think about extra work, and what counts afterwards.
    approval_minutes integer not null default 15 constraint partner_contracts_approval_range check (approval_minutes between 1 and 1440),
    approval_default text not null default 'reject' constraint partner_contracts_default_known
        check (approval_default in ('approve', 'reject')),
    -- Whether the people who are helped, and the mechanic, see prices.
    shows_prices boolean not null default false,
    requires_purchase_order boolean not null default false,
    -- The texts that the helped person gets: link, eta, arrival, rating.
    texts text[] not null default '{link,arrival}',
    created_at timestamptz not null,
    ended_at timestamptz,
    constraint partner_contracts_period check (valid_until is null or valid_until > valid_from)
);
-- A case names its contract by the reference.
create unique index partner_contracts_reference_key on partner_contracts (organisation_id, lower(reference collate "C"));
-- An organisation's contracts, newest first.
create index partner_contracts_of on partner_contracts (organisation_id, created_at desc, id desc);

-- The agreed terms of a category. A category without terms is not covered.
create table partner_terms (
    contract_id uuid not null references partner_contracts (id),
    service_category_id uuid not null references service_categories (id),
    -- The price: what the service quotes, or a call-out with included kilometres and a price for each further one.
    pricing text not null constraint partner_terms_pricing_known check (pricing in ('quoted', 'agreed')),
    call_out_paise bigint constraint partner_terms_call_out_sign check (call_out_paise >= 0),
    included_km integer constraint partner_terms_included_sign check (included_km >= 0),
    per_km_paise bigint constraint partner_terms_per_km_sign check (per_km_paise >= 0),
    -- Photos that the mechanic needs before the job is completed.
    photos_required integer not null default 0 constraint partner_terms_photos_range check (photos_required between 0 and 10),
    -- The payable share for other outcomes, in hundredths of a percent of the price.
    gone_on_arrival_bps integer not null default 5000 constraint partner_terms_gone_range check (gone_on_arrival_bps between 0 and 10000),
    unsuccessful_bps integer not null default 5000 constraint partner_terms_unsuccessful_range check (unsuccessful_bps between 0 and 10000),
    destination_refused_bps integer not null default 10000 constraint partner_terms_refused_range check (destination_refused_bps between 0 and 10000),
    cancelled_bps integer not null default 5000 constraint partner_terms_cancelled_range check (cancelled_bps between 0 and 10000),
    promise_missed_bps integer not null default 10000 constraint partner_terms_missed_range check (promise_missed_bps between 0 and 10000),
    -- Cancelling within this time after the acceptance costs nothing.
    free_cancellation_minutes integer not null default 15 constraint partner_terms_free_range check (free_cancellation_minutes between 0 and 1440),
    primary key (contract_id, service_category_id),
    constraint partner_terms_agreed check (
        (pricing = 'agreed') = (call_out_paise is not null and included_km is not null and per_km_paise is not null))
);
-- A category that is in a contract is switched off instead of deleted.
create index partner_terms_of_category on partner_terms (service_category_id);

-- Questions to partners about a breakdown of this kind: a list of {key, text, kind, choices}. Admins set it.
alter table service_categories add column questions jsonb not null default '[]';
