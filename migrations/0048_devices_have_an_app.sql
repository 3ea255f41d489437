-- The app that a device has registered for: it is pushed what that app shows. Null: everything.
alter table push_tokens
    add column app text,
    add constraint push_tokens_app_known check (app = 'customer' or app = 'mechanic') not valid;
