pub mod identity;
mod routing;
