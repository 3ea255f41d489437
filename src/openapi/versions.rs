/// The version of the interface (contract 9), which is not the program's.
pub const INTERFACE_VERSION: &str = "1.0.0-rc1";
/// The version of this program.
pub const SERVICE_VERSION: &str = env!("CARGO_PKG_VERSION");
