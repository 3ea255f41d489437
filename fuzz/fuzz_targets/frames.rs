#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| roadcall::fuzzing::frames::check(text));
