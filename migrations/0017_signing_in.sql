-- What signing in keeps besides: how a code is repeated, when it may be sent again, and how many text messages went out.

alter table otp_codes
    -- Random. The code is derived from it under the service's secret, so the same code can be sent again although it is not
    -- stored. Null for a code that is not to be repeated.
    add column nonce bytea,
    -- Null where the code may be sent again at once.
    add column resend_at timestamptz;

-- otp_attempts.address now says "device <id>" for a device that signed in with this phone before.

-- Text messages by hour, since they cost money: of all of them, and of each country.
create table text_message_counts (
    -- "all", or a country's calling code.
    scope text not null,
    hour timestamptz not null,
    sent bigint not null constraint text_message_counts_sign check (sent > 0),
    primary key (scope, hour)
);
create index text_message_counts_oldest on text_message_counts (hour);
