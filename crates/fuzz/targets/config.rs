//! Configurations: what is read is written and read again, equal; refusals name a place.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_config::Config;

fuzz_target!(|text: &str| {
    // The only files that may be named are those of the folder that fuzzing runs in.
    match Config::from_toml_str(text, "fuzz.toml") {
        Ok(config) => {
            let written = config.to_toml();
            let again = Config::from_toml_str(&written, "again.toml");
            assert_eq!(again.expect("what was written is read").hash(), config.hash());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let mut config = Config::default();
    if let Some((name, value)) = text.split_once('=') {
        let _ = config.set_uci(name, value);
    }
});
