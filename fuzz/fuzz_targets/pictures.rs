#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| roadcall::fuzzing::pictures::check(bytes));
