-- People without an account, who take part in a job by its link; and what is forgotten of the jobs of people who left.

-- What the customer lets whoever has the link do.
alter table share_links add column shows_start_code boolean not null default false;
alter table share_links add column may_contact boolean not null default false;
-- When it was sent to the beneficiary by SMS.
alter table share_links add column sent_at timestamptz;

-- Set on what the guest of a link wrote, beside the customer on whose side they write. Without a foreign key: links are deleted
-- before messages.
alter table chat_messages add column share_link_id uuid;
-- The beneficiary's name, as the customer gave it by then.
alter table chat_messages add column guest_name text;

-- The links by which guests called and answered, in the place of the customer.
alter table calls add column caller_link_id uuid;
alter table calls add column callee_link_id uuid;
-- Whom it rings on the side that is called: a mechanic has an account alone.
alter table calls add column rings text not null default 'account'
    constraint calls_rings_known check (rings in ('account', 'guests', 'both'));

-- When the places in the jobs of a person who left were made coarse.
alter table jobs add column coarsened_at timestamptz;
alter table users add column coarsened_at timestamptz;
create index users_to_coarsen on users (id) where status = 'deleted' and coarsened_at is null;
