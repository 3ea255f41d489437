mod audit_log;
mod dispatch_settings;
mod figures;
