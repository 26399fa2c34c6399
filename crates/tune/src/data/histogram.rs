//! Counts as bars of text.

const WIDTH: u64 = 50;

/// A line for each count: its label, its share, a bar.
pub(super) fn bars<L: AsRef<str>>(rows: &[(L, u64)]) -> String {
    let total: u64 = rows.iter().map(|(_, count)| count).sum();
    let most = rows
        .iter()
        .map(|&(_, count)| count)
        .max()
        .unwrap_or(0)
        .max(1);
    let width = rows
        .iter()
        .map(|(label, _)| label.as_ref().chars().count())
        .max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    for (label, count) in rows {
        let share = 100.0 * *count as f64 / total.max(1) as f64;
        let bar = "#".repeat((count * WIDTH).div_ceil(most) as usize);
        let line = format!(
            "  {:>width$} {count:>11} {share:5.1} % {bar}",
            label.as_ref()
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_bar_fills_the_width_and_small_ones_are_seen() {
        let text = bars(&[("a", 1000), ("bb", 1), ("c", 0)]);
        let lengths: Vec<_> = text.lines().map(|line| line.matches('#').count()).collect();
        assert_eq!(lengths, [50, 1, 0]);
        assert!(text.starts_with("   a        1000  99.9 % #"), "{text}");
        assert_eq!(bars::<&str>(&[]), "");
    }
}
