#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| roadcall::fuzzing::json::check(text));
