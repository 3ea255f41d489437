-- Line items of jobs, and disputes about them.

-- What the mechanic at the vehicle proposed; written by the job's actor together with the event that tells of it.
create table line_items (
    id uuid,
    job_id uuid not null references jobs (id),
    kind text not null constraint line_items_kind_known
        check (kind in ('labour', 'part', 'travel', 'tow', 'fee', 'discount')),
    description text not null,
    quantity integer not null constraint line_items_quantity_range check (quantity between 1 and 1000),
    -- Above zero, for a discount too.
    unit_price_paise bigint not null constraint line_items_price_range
        check (unit_price_paise between 1 and 1000000000 and unit_price_paise * quantity <= 1000000000),
    photo_url text,
    -- A withdrawn item has no row.
    status text not null constraint line_items_status_known check (status in ('proposed', 'approved', 'rejected')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint line_items_pkey primary key (id)
);
create index line_items_of_job on line_items (job_id, created_at, id);

-- Somebody contests the work or its price: once per job.
create table disputes (
    id uuid primary key,
    job_id uuid not null constraint disputes_one_per_job unique references jobs (id),
    customer_id uuid not null references users (id),
    mechanic_profile_id uuid not null references mechanic_profiles (id),
    opened_by text not null constraint disputes_opened_by_known check (opened_by in ('customer', 'mechanic')),
    reason_code text not null constraint disputes_reason_known check (reason_code in (
        'work_not_done', 'poor_work', 'overcharged', 'wrong_items', 'damage', 'behaviour', 'not_paid', 'other')),
    description text not null,
    evidence_urls text[] not null,
    status text not null constraint disputes_status_known check (status in ('open', 'resolved')),
    -- What the job had cost when the dispute began.
    final_price_paise bigint not null,
    outcome text constraint disputes_outcome_known check (outcome in ('customer', 'mechanic', 'split')),
    -- Of a split: what the customer gets back, or need not pay.
    amount_paise bigint constraint disputes_amount_range
        check (amount_paise > 0 and amount_paise < final_price_paise),
    note text,
    resolved_by uuid references users (id),
    created_at timestamptz not null,
    resolved_at timestamptz,
    constraint disputes_resolution check ((status = 'resolved') = (outcome is not null and note is not null
        and resolved_by is not null and resolved_at is not null)),
    constraint disputes_split check ((outcome is not distinct from 'split') = (amount_paise is not null))
);
create index disputes_newest on disputes (created_at desc, id desc);
create index disputes_of_mechanic on disputes (mechanic_profile_id, created_at desc, id desc);
