mod audit_log;
mod figures;
