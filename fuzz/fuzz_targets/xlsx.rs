#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lead_workspace_fuzz::xlsx(data));
