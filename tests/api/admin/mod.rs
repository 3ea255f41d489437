mod audit_log;
mod dispatch_settings;
mod export;
mod figures;
mod finding;
mod heatmap;
mod prices;
mod reads;
