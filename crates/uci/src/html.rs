//! Pages that open without a network: a template with style, board, script and data in it.

use serde_json::Value;
use sextant_view::{TREE_SCRIPT, TREE_STYLE};

const STYLE: &str = include_str!("../assets/page.css");
const BOARD: &str = include_str!("../assets/board.js");

/// A search as a tree.
pub(crate) const TREE: &str = include_str!("../assets/tree.html");

/// The page of a template: `{{style}}`, `{{board}}`, `{{tree-style}}`, `{{tree}}` and `{{data}}`
/// stand for what they name.
pub(crate) fn page(template: &str, data: &Value) -> String {
    // No text of the data can end the script that holds it.
    let data = data.to_string().replace('<', "\\u003c");
    let page = template
        .replace("{{style}}", STYLE)
        .replace("{{board}}", BOARD)
        .replace("{{tree-style}}", TREE_STYLE)
        .replace("{{tree}}", TREE_SCRIPT);
    page.replacen("{{data}}", &data, 1)
}
