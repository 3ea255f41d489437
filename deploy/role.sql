-- For compose.standby.yaml, as Postgres first starts: the service works as a role that may change no table, and only add to the audit
-- log and the ledger.
\getenv password ROADCALL_PASSWORD
create role roadcall_service login password :'password';
