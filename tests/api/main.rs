//! The service's tests, one binary: each module mirrors the area of `src/` that it is named after.

mod embedded;
