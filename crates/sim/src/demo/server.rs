//! The service that the demo uses, as the caller starts it.

use super::population::ServiceAccess;

/// A service, started for the demo or before it.
pub trait Server {
    /// Returns where the service is, and which admin verifies mechanics.
    fn access(&self) -> &ServiceAccess;

    /// Ends only if a service that was started for the demo ended by itself; returns the reason.
    fn failed(&self) -> impl Future<Output = String>;

    /// Returns the result of a check of the ledger as a line to print; nothing if the service was not started for the demo.
    fn check_ledger(&self) -> impl Future<Output = Option<String>>;

    /// Stops a service that was started for the demo. `force` ends once the user doesn't want to wait any longer.
    fn stop(self, force: impl Future<Output = ()>) -> impl Future<Output = ()>;
}
