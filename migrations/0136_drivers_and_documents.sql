-- The people who drive an organisation's vehicles, as the organisation keeps them. A case that names a driver copies who they are, and
-- forgets it as it forgets everybody; a driver who is deleted leaves nothing here.
create table partner_drivers (
    id uuid primary key,
    organisation_id uuid not null references organisations (id),
    -- The organisation that added the driver: an agency sees those that it added.
    made_by uuid not null references organisations (id),
    -- The organisation's own name for the driver.
    reference text not null,
    name text not null,
    phone text not null,
    -- The language of the texts that the driver gets.
    language text not null,
    -- The vehicle of a case that names the driver alone. It need not be in the fleet before.
    registration_number text,
    created_at timestamptz not null,
    -- A reference names one driver of those whom one organisation added. Lists are in the order of the references.
    constraint partner_drivers_reference_key unique (organisation_id, reference, made_by)
);

-- Files that partners add to their cases. They belong to the account of the case's organisation, and go when the case forgets whom it
-- was about.
create table partner_documents (
    id uuid primary key,
    -- A case whose first job is refused is deleted, whatever was added to it meanwhile.
    case_id uuid not null references partner_cases (id) on delete cascade,
    kind text not null constraint partner_documents_kind_known
        check (kind in ('police_report', 'policy', 'photo', 'signed_order', 'other')),
    name text not null,
    -- A file is a document once. By its URL, too, an upload is looked up before it is deleted as unused.
    file_url text not null constraint partner_documents_file_key unique,
    created_at timestamptz not null
);
-- The documents of a case, in the order in which they were added.
create index partner_documents_of_case on partner_documents (case_id, created_at, id);
