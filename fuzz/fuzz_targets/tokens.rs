#![no_main]

libfuzzer_sys::fuzz_target!(|input: (&str, &[u8])| roadcall::fuzzing::tokens::check(input.0, input.1));
