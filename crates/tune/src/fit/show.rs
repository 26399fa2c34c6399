//! The report as text.

use std::fmt::Write as _;

use super::{
    calibration::Bin,
    contest::Entry,
    outcome::{CategoryRow, Outcome, Prices, Reductions, Samples, Task},
};

/// The report of a fit.
pub(super) fn text(outcome: &Outcome) -> String {
    let mut text = String::new();
    task(&mut text, &outcome.fit);
    samples(&mut text, &outcome.samples);
    if let Some(found) = &outcome.prices {
        prices(&mut text, found, &outcome.samples);
    }
    if let Some(found) = &outcome.reductions {
        reductions(&mut text, found);
    }
    text
}

/// Writing to a string cannot fail.
macro_rules! line {
    ($text:expr, $($arg:tt)*) => {
        let _ = writeln!($text, $($arg)*);
    };
}

/// A number that is shown with so many decimals: what these make a zero has no sign.
fn tidy(value: f64, decimals: i32) -> f64 {
    if value.abs() < 0.5 * 0.1_f64.powi(decimals) {
        0.0
    } else {
        value
    }
}

fn task(text: &mut String, t: &Task) {
    line!(
        text,
        "fitted: {} (hash {} -> {}), model {}, gap source {}, split seed {}",
        t.config,
        t.config_hash,
        t.fitted_hash,
        t.model,
        t.gap_source,
        t.split_seed
    );
    if !t.except.is_empty() {
        line!(text, "kept: {}", t.except.join(", "));
    }
}

fn samples(text: &mut String, s: &Samples) {
    let [train, valid, test] = s.parts;
    line!(
        text,
        "{} samples of {} games: {train} teach, {valid} choose the ridge, {test} judge",
        s.count,
        s.games
    );
    line!(
        text,
        "mean depth {:.1} plies, labelled by searches of depth {:.1}; {:.1} legal moves",
        s.depth,
        s.label_depth,
        s.legal
    );
    line!(
        text,
        "\n{:12} {:>10} {:>10} {:>10}",
        "node",
        "none",
        "inside",
        "cuts"
    );
    for (name, [none, inside, cuts]) in ["PV", "cut", "all"].iter().zip(s.kinds) {
        line!(text, "{name:12} {none:>10} {inside:>10} {cuts:>10}");
    }
}

fn prices(text: &mut String, p: &Prices, s: &Samples) {
    line!(text, "\nPRICES: the probability that a move is best\n");
    categories(text, &p.categories);
    unseen(text, p);
    line!(
        text,
        "{}: {:.3} +-{:.3} nats a hundred",
        p.gap.name,
        tidy(p.gap.weight, 3),
        p.gap.error
    );
    line!(
        text,
        "game phases, SX: {:.2?} -> {:.2?}",
        p.phases.0,
        p.phases.1
    );
    line!(
        text,
        "\nkappa {:.3} SX a bit; the best moves of the test games cost {:.2} SX on average (before: {:.2})",
        p.kappa,
        p.mean.1,
        p.mean.0
    );
    line!(
        text,
        "ridge {}, {} rounds, the last one put {:.3} % of the moves elsewhere",
        p.ridge,
        p.rounds.0,
        100.0 * p.rounds.1
    );
    line!(
        text,
        "a best move costs {:.3} bits, as if there were {:.1} moves and not {:.1} (the model expects \
         {:.3} bits)",
        p.bits,
        p.bits.exp2(),
        s.legal,
        p.entropy
    );
    line!(
        text,
        "the trees grew by {:.2} from ply to ply: {:.3} bits",
        s.growth,
        s.growth.log2()
    );
    rivals(text, &p.rivals, "a move");
    calibration(text, &p.calibration);
}

fn categories(text: &mut String, rows: &[CategoryRow]) {
    line!(
        text,
        "{:16} {:>9} {:>9} {:>8} {:>8} {:>14} {:>6} {:>8} {:>8} {:>8}  {}",
        "category",
        "applies",
        "counts",
        "best",
        "best/c.",
        "utility",
        "bits",
        "P",
        "before",
        "after",
        "paper"
    );
    for c in rows {
        let share = c.best as f64 / c.counts.max(1) as f64;
        let known = |value: Option<f64>, unit: &str| {
            value.map_or_else(
                || "-".to_owned(),
                |value| format!("{:.2}{unit}", tidy(value, 2)),
            )
        };
        line!(
            text,
            "{:16} {:>9} {:>9} {:>8} {:>7.2}% {:>6.2} +-{:<5.2} {:>6} {:>8} {:>8.4} {:>8.4}  {}",
            c.name,
            c.applies,
            c.counts,
            c.best,
            100.0 * share,
            tidy(c.utility, 2),
            c.error,
            known(c.bits, ""),
            known(c.percent(), "%"),
            c.before,
            c.after,
            c.paper
        );
    }
}

/// Names the categories that nothing could be learned of.
fn unseen(text: &mut String, p: &Prices) {
    let unseen = p.categories.iter().filter(|c| c.applies == 0);
    let names: Vec<_> = unseen.map(|c| c.name).collect();
    if !names.is_empty() {
        line!(
            text,
            "no move of the samples that teach was {}: prices kept",
            names.join(", ")
        );
    }
}

fn reductions(text: &mut String, r: &Reductions) {
    line!(
        text,
        "\nREDUCTIONS: the probability that a late move is the one, if those before it were not\n"
    );
    if !r.enabled {
        line!(
            text,
            "[reductions] enabled = false in the config: what is learned does nothing there\n"
        );
    }
    for one in &r.weights {
        line!(
            text,
            "{:22} {:>7.3} +-{:.3}",
            one.name,
            tidy(one.weight, 3),
            one.error
        );
    }
    line!(
        text,
        "\nridge {}; {:.3} plies for a nat; {} of {} late moves of the test games were the one; {:.4} bits each",
        r.ridge,
        r.rho,
        r.trials.1,
        r.trials.0,
        r.bits
    );
    for (key, before, after) in &r.keys {
        line!(text, "{key}: {before} -> {after}");
    }
    rivals(text, &r.rivals, "a late move");
    calibration(text, &r.calibration);
}

fn rivals(text: &mut String, entries: &[Entry], of: &str) {
    line!(
        text,
        "\n{:40} {:>8}  learned model's gain over it, bits {of} (95 %)",
        "model",
        "bits"
    );
    for entry in entries {
        let gain = &entry.gain;
        let word = match (gain.is_apart(), gain.mean > 0.0) {
            (true, true) => "",
            (true, false) => "  the learned model is WORSE",
            (false, _) => "  cannot be told apart",
        };
        line!(
            text,
            "{:40} {:>8.4}  {:+.4} [{:+.4}, {:+.4}]{word}",
            entry.name,
            tidy(entry.bits, 4),
            tidy(gain.mean, 4),
            tidy(gain.low, 4),
            tidy(gain.high, 4)
        );
    }
}

fn calibration(text: &mut String, bins: &[Bin]) {
    line!(
        text,
        "\n{:>10} {:>10} {:>10}",
        "predicted",
        "observed",
        "count"
    );
    for bin in bins {
        line!(
            text,
            "{:>9.3}% {:>9.3}% {:>10}",
            100.0 * bin.predicted,
            100.0 * bin.observed,
            bin.count
        );
    }
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn a_zero_has_no_sign() {
        let shown = |value| format!("{:+.2}", tidy(value, 2));
        let texts = [-0.0, -0.004, 0.004, -0.006, 1.0].map(shown);
        assert_eq!(texts, ["+0.00", "+0.00", "+0.00", "-0.01", "+1.00"]);
    }
}
