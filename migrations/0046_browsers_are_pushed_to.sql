-- Web Push: the keys of a browser's subscription, whose endpoint is the token. Null for registration tokens of apps.

alter table push_tokens
    add column p256dh text,
    add column auth text,
    add constraint push_tokens_keys_together check ((p256dh is null) = (auth is null)) not valid;
