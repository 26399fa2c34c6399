//! Search trees as SVG.

use std::fmt::Write;

use sextant_cli::chart;

use super::html::escape;
use crate::report::{TreeFigure, TreeNode};

/// Pixels between levels, and between leaves at least.
const LEVEL: usize = 76;
const LEAF: usize = 46;
/// Pixels that a letter of a label takes, roughly.
const LETTER: usize = 7;
/// Colors that read on a light and on a dark ground: ordinary branches, the heavy one, its texts,
/// and cut-offs.
const GRAY: &str = "#808080";
const BLUE: &str = "#2f7ed0";
const GREEN: &str = "#2b9662";
const RED: &str = "#d14755";

/// Draws a tree as a part of an HTML page.
pub(super) fn draw(figure: &TreeFigure) -> String {
    let leaf = leaf_width(&figure.root);
    let (inner, levels) = (leaves(&figure.root) * leaf, levels(&figure.root));
    let (width, height) = ((inner + 24).max(240), (levels - 1) * LEVEL + 60);
    let mut svg = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" text-anchor=\"middle\" \
         dominant-baseline=\"middle\">\n"
    );
    draw_node(&mut svg, &figure.root, leaf, ((width - inner) / 2, 24));
    svg += "</svg>\n";
    chart::inline(&svg, &figure.title)
}

/// Pixels between leaves: room for the longest label.
fn leaf_width(node: &TreeNode) -> usize {
    let letters = node.label.chars().count().max(node.branch.chars().count());
    let below = node.children.iter().map(leaf_width).max().unwrap_or(0);
    LEAF.max(LETTER * letters + 6).max(below)
}

/// Leaves that need room, the stub included.
fn leaves(node: &TreeNode) -> usize {
    let below: usize = node.children.iter().map(leaves).sum();
    (below + usize::from(node.cut)).max(1)
}

fn levels(node: &TreeNode) -> usize {
    let below = node.children.iter().map(levels).max().unwrap_or(0);
    1 + below.max(usize::from(node.cut))
}

/// Draws the subtree in the strip that begins at `left`, with `leaf` pixels for a leaf; returns where
/// its top stands.
fn draw_node(
    svg: &mut String,
    node: &TreeNode,
    leaf: usize,
    (left, y): (usize, usize),
) -> (usize, usize) {
    let x = left + leaves(node) * leaf / 2;
    let mut edge = left;
    for child in &node.children {
        let at = draw_node(svg, child, leaf, (edge, y + LEVEL));
        let style = if child.heavy {
            format!("stroke=\"{BLUE}\" stroke-width=\"3\"")
        } else {
            format!("stroke=\"{GRAY}\"")
        };
        line(svg, (x, y + 10), (at.0, at.1 - 12), &style);
        label(
            svg,
            &child.branch,
            (x.midpoint(at.0), y.midpoint(at.1)),
            GREEN,
        );
        edge += leaves(child) * leaf;
    }
    if node.cut {
        let end = (edge + leaf / 2, y + LEVEL - 22);
        let dashed = format!("stroke=\"{RED}\" stroke-dasharray=\"6 6\"");
        line(svg, (x, y + 10), end, &dashed);
        label(svg, "cut", (end.0, end.1 + 8), RED);
    }
    label(svg, &node.label, (x, y), "#000000");
    (x, y)
}

fn line(svg: &mut String, from: (usize, usize), to: (usize, usize), style: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {style}/>",
        from.0, from.1, to.0, to.1
    );
}

fn label(svg: &mut String, text: &str, (x, y): (usize, usize), color: &str) {
    let size = if color == "#000000" { 14 } else { 11 };
    if !text.is_empty() {
        let text = escape(text);
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{color}\">{text}</text>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(label: &str, children: Vec<TreeNode>) -> TreeNode {
        TreeNode {
            label: label.to_owned(),
            children,
            ..TreeNode::default()
        }
    }

    #[test]
    fn a_tree_shows_its_labels_and_its_cuts_in_the_color_of_the_page() {
        let mut root = node("root", vec![node("7", Vec::new()), node("8", Vec::new())]);
        root.cut = true;
        let title = "a < b".to_owned();
        let svg = draw(&TreeFigure { title, root });
        assert!(svg.starts_with("<svg role=\"img\" aria-label=\"a &lt; b\""));
        for word in ["root", "7", "8", "cut"] {
            assert!(svg.contains(&format!(">{word}</text>")), "{word} in {svg}");
        }
        assert!(svg.contains("currentColor") && !svg.contains("#000000"));
    }

    #[test]
    fn long_labels_get_room() {
        let wide = node("r", vec![node("12.5 / 7.25", Vec::new())]);
        assert_eq!(leaf_width(&wide), 11 * LETTER + 6);
        assert_eq!(leaf_width(&node("7", Vec::new())), LEAF);
    }
}
