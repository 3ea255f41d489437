//! The filter of the log: the one in the settings, or for a while one that a super-admin chose.

use std::{sync::OnceLock, time::Duration};

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use tracing_subscriber::{
    EnvFilter, Registry,
    filter::{LevelFilter, ParseError},
    reload,
};

/// The beginning of the targets of the service's own lines: of the service itself, and of its other crates.
const OWN: &str = "roadcall";

/// The log of this process, once it is set up.
static LOG: OnceLock<Log> = OnceLock::new();

#[derive(Debug)]
struct Log {
    filter: reload::Handle<EnvFilter, Registry>,
    usual: String,
    other: Mutex<Option<OtherFilter>>,
}

/// A filter that holds for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherFilter {
    pub filter: String,
    pub until: DateTime<Utc>,
}

/// The filters of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldFilter {
    /// The filter in the settings.
    pub usual: String,
    /// The filter that replaces it for now.
    pub other: Option<OtherFilter>,
}

/// Parses a filter, and adds what is never logged.
fn filter_of(text: &str) -> Result<EnvFilter, ParseError> {
    // The NATS client logs each attempt to connect, some with the address and its password. The bus logs their outcome, once.
    let filter = EnvFilter::builder().parse(format!("async_nats=off,{text}"))?;
    // This library logs the numbers that it parses, at `trace`, and nothing useful.
    Ok(filter.add_directive("rlibphonenumber=off".parse()?))
}

/// Checks a filter that shall hold for a while, and returns the fault if it may not. Levels below `info` are for the service's
/// own lines: at those levels, libraries write headers, addresses and what people sent.
pub fn check(text: &str) -> Result<(), String> {
    for directive in text.split(',') {
        let (target, level) = directive.split_once('=').unwrap_or(("", directive));
        let is_own =
            target.strip_prefix(OWN).is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', ':']));
        // The parser would accept an empty level.
        let level = Some(level).filter(|level| !level.is_empty()).and_then(|level| level.parse().ok());
        let level: LevelFilter =
            level.ok_or_else(|| format!("is no filter: {directive:?} is not LEVEL or TARGET=LEVEL"))?;
        if !is_own && level > LevelFilter::INFO {
            return Err(format!("must name what is below info as {OWN}=debug, {OWN}::ws=trace and the like"));
        }
    }
    filter_of(text).map(drop).map_err(|error| format!("is no filter: {error}"))
}

/// Checks the filter of the settings.
pub fn check_usual(text: &str) -> Result<(), ParseError> {
    filter_of(text).map(drop)
}

/// Returns the layer that filters by the settings, and whose filter can be replaced later. Called once per process.
pub(super) fn layer(usual: &str) -> Result<reload::Layer<EnvFilter, Registry>, ParseError> {
    let (layer, filter) = reload::Layer::new(filter_of(usual)?);
    LOG.set(Log { filter, usual: usual.to_owned(), other: Mutex::default() }).ok();
    Ok(layer)
}

/// Returns the current filters, or `None` if this process did not set up its log here.
pub fn current() -> Option<HeldFilter> {
    let log = LOG.get()?;
    Some(HeldFilter { usual: log.usual.clone(), other: log.other.lock().clone() })
}

/// Replaces the filter, or restores the usual one with `None`. Returns whether the filter was set.
pub fn set(other: Option<OtherFilter>) -> bool {
    let Some(log) = LOG.get() else { return false };
    let mut held = log.other.lock();
    let is_set = log.apply(other.as_ref());
    if is_set {
        *held = other;
    }
    is_set
}

/// Restores the usual filter after `time`, unless another filter was set in the meantime.
pub fn end_after(time: Duration, filter: OtherFilter) {
    tokio::spawn(async move {
        tokio::time::sleep(time).await;
        end(&filter);
    });
}

fn end(over: &OtherFilter) {
    let Some(log) = LOG.get() else { return };
    let mut held = log.other.lock();
    if held.as_ref() == Some(over) {
        log.apply(None);
        tracing::info!(log.filter = log.usual, "the log's usual filter holds again");
        *held = None;
    }
}

impl Log {
    fn apply(&self, other: Option<&OtherFilter>) -> bool {
        let text = other.map_or(&self.usual, |other| &other.filter);
        filter_of(text).is_ok_and(|filter| self.filter.reload(filter).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_filter_never_logs_libraries_below_info() {
        for good in [
            "off",
            "warn",
            "info,roadcall=debug",
            "roadcall::ws=trace,sqlx=warn",
            "roadcall_accounts::auth=trace",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "debug",
            "trace,roadcall=info",
            "info,h2=trace",
            "async_nats=debug",
            "info,lettre=debug",
            "roadcall",
            "roadcall=loud",
            "roadcall-not-ours=trace",
            "[request{user}]=trace",
            "",
            "info,",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
