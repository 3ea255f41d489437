-- Runs at Postgres's first start, for compose.standby.yaml: the service works as a role that may change no table, and may only add to
-- the audit log and the ledger.
\getenv password ROADCALL_PASSWORD
create role roadcall_service login password :'password';
