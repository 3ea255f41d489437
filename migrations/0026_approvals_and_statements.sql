-- What people agree to is named, both sides of a dispute are read, and money that came twice goes back.

-- 1 when the item is proposed, and one more with each change: a decision names the version that it is about.
alter table line_items add column version bigint not null default 1;

-- What the two sides of a dispute say about it, until it is resolved.
create table dispute_statements (
    id uuid primary key,
    dispute_id uuid not null references disputes (id),
    stated_by text not null constraint dispute_statements_stated_by_known check (stated_by in ('customer', 'mechanic')),
    statement text not null constraint dispute_statements_length check (char_length(statement) between 1 and 2000),
    evidence_urls text[] not null constraint dispute_statements_evidence_few check (cardinality(evidence_urls) <= 10),
    created_at timestamptz not null
);
create index dispute_statements_of_dispute on dispute_statements (dispute_id, created_at, id);
create index dispute_statements_evidence on dispute_statements using gin (evidence_urls);

-- The payment whose order was captured once more. The second capture is a payment of its own that pays nothing and goes
-- back whole, so that a refund is always of a payment.
alter table payments add column duplicate_of uuid references payments (id);
create index payments_duplicates on payments (duplicate_of) where duplicate_of is not null;
