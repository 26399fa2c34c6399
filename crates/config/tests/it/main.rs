//! Integration tests: every key by every way, files, refusals, random text.

mod files;
mod keys;
mod random;
mod refusals;

use sextant_config::Config;

/// A configuration from text that must be valid; `my.toml` is its name.
fn parse(text: &str) -> Config {
    Config::from_toml_str(text, "my.toml").expect(text)
}

/// The message with which the text of `my.toml` is refused.
fn refusal(text: &str) -> String {
    let refused = Config::from_toml_str(text, "my.toml");
    refused.expect_err(text).to_string()
}
