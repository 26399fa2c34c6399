//! The generated files are what the declarations say.

use std::path::Path;

use sextant_config::{default_toml, reference};

const REWRITE: &str = "SEXTANT_BLESS=1 cargo test -p sextant-config generated";

/// Compares a committed file with its generated text, or rewrites it when asked to.
fn hold(path: &str, generated: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join(path);
    if std::env::var_os("SEXTANT_BLESS").is_some() {
        std::fs::write(&path, generated).expect("the workspace is writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed.replace("\r\n", "\n") == generated,
        "{} differs from the declarations; rewrite it with\n  {REWRITE}",
        path.display()
    );
}

#[test]
fn default_file_and_reference_page_match_the_declarations() {
    hold("config/default.toml", &default_toml());
    hold("docs/config-reference.md", &reference());
}
