//! The description of the interface, as OpenAPI has it.

use serde_json::Value;
use sextant_syzygy::json::{ANSWER_SCHEMA, LINE_SCHEMA};

const DESCRIPTION: &str = include_str!("openapi.json");

/// The description with the schemas of the answers, which the tools share.
pub(crate) fn document() -> Value {
    let mut document: Value = serde_json::from_str(DESCRIPTION).unwrap_or_default();
    for (name, text) in [("Probe", ANSWER_SCHEMA), ("MainLine", LINE_SCHEMA)] {
        let schema: Value = serde_json::from_str(text).unwrap_or_default();
        if let Some(place) = document.pointer_mut(&format!("/components/schemas/{name}")) {
            *place = schema;
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_are_described() {
        let document = document();
        for name in ["Probe", "MainLine"] {
            let dtz = format!("/components/schemas/{name}/properties/dtz");
            assert!(document.pointer(&dtz).is_some(), "{name}");
        }
    }
}
