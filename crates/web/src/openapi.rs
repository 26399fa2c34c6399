//! The description of the interface, as OpenAPI has it.

use serde_json::Value;

const DESCRIPTION: &str = include_str!("openapi.json");
const PROBE: &str = include_str!("../../syzygy/schema/probe.schema.json");
const MAIN_LINE: &str = include_str!("../../syzygy/schema/mainline.schema.json");

/// The description with the schemas of the answers, which the tools share.
pub(crate) fn document() -> Value {
    let mut document: Value = serde_json::from_str(DESCRIPTION).unwrap_or_default();
    for (name, text) in [("Probe", PROBE), ("MainLine", MAIN_LINE)] {
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
