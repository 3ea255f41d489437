#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| roadcall::fuzzing::trackers::check(text));
