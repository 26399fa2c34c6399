//! Experiment 2: the odd-even effect in chess, after the Chess Programming Wiki.

mod curve;

use curve::Curve;
use sextant_config::EvalKind;

use crate::experiments::prelude::*;
use crate::textbook::{evaluate, quiescence};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "odd-even",
    title: "The odd-even effect in chess",
    claim: "Inside iterative deepening the step from an even to an odd depth costs much more than \
            the one from odd to even; quiescence and selectivity diminish that. Scores swing with \
            the parity of the depth, and a tempo bonus remedies it (Chess Programming Wiki, \
            \"Odd-Even Effect\").",
    takes_hours: false,
    run,
};

fn run(context: &Context) -> Result<Report, Failure> {
    let curves = Curves::measure(context)?;
    let shows = match curves.all[PLAIN].asymmetry() {
        Some(asymmetry) if asymmetry > 1.0 => "Plain alpha-beta shows the effect",
        Some(_) => "Plain alpha-beta does not show the effect",
        None => "Too little was measured to see the effect in plain alpha-beta",
    };
    let mut findings = growth_findings(&curves.all);
    findings.extend(swing_findings(&curves));
    Ok(Report {
        tables: vec![growth_table(&curves.all), swing_table(&curves.all)],
        figures: vec![growth_chart(&curves.all)],
        summary: format!(
            "{shows}, and a tempo bonus of {} centipawns levels its scores ({} with quiescence).",
            curves.tempo, curves.quiescent_tempo
        ),
        findings,
    })
}

fn growth_findings(all: &[Curve]) -> Vec<Finding> {
    let Some(plain) = all[PLAIN].asymmetry() else {
        return Vec::new();
    };
    let is_nearer_to_1 = |value: f64| value.ln().abs() < plain.ln().abs();
    let mut findings = vec![tested!(
        plain > 1.0,
        "Plain alpha-beta: steps to odd depths grow {plain:.2} times as much as steps to even \
         depths."
    )];
    if let Some(quiescent) = all[QUIESCENT].asymmetry() {
        let nearer = is_nearer_to_1(quiescent);
        let words = if nearer { "nearer" } else { "not nearer" };
        findings.push(tested!(
            nearer,
            "With quiescence that ratio is {quiescent:.2}, {words} to 1 than {plain:.2} (below 1 \
             it is the steps to even depths that cost more)."
        ));
    }
    if let Some(engine) = all[ENGINE].asymmetry() {
        let nearer = is_nearer_to_1(engine);
        findings.push(tested!(nearer, "In the full engine it is {engine:.2}."));
    }
    findings
}

fn swing_findings(curves: &Curves) -> Vec<Finding> {
    let swing = |curve: usize| curves.all[curve].swing();
    let is_leveled = |bare: TTest, tuned: TTest| tuned.mean.abs() < bare.mean.abs() / 2.0;
    let mut findings = Vec::new();
    if let (Some(bare), Some(tuned)) = (swing(PLAIN), swing(PLAIN_TUNED)) {
        let [mean, from, to] = bare.span();
        findings.push(tested!(
            mean > 0.0 && bare.significant(),
            "Without a tempo bonus plain alpha-beta's scores are {mean:.0} centipawns higher at odd \
             depths ({from:.0} to {to:.0})."
        ));
        let [mean, from, to] = tuned.span();
        findings.push(tested!(
            is_leveled(bare, tuned),
            "A tempo bonus of {} centipawns brings that to {mean:.0} ({from:.0} to {to:.0}).",
            curves.tempo
        ));
    }
    if let (Some(bare), Some(tuned)) = (swing(QUIESCENT), swing(QUIESCENT_TUNED)) {
        findings.push(tested!(
            is_leveled(bare, tuned),
            "With quiescence the swing is {:.1} centipawns, and a tempo bonus of {} brings it to \
             {:.1}.",
            bare.mean,
            curves.quiescent_tempo,
            tuned.mean
        ));
    }
    if let Some([mean, from, to]) = swing(ENGINE).map(|test| test.span()) {
        findings.push(noted!(
            "The full engine swings by {mean:.1} centipawns ({from:.1} to {to:.1})."
        ));
    }
    findings
}

/// All searches. The first four are the textbook ones, with tempo 0 and with the tempo that levels
/// their scores.
struct Curves {
    all: Vec<Curve>,
    tempo: i32,
    quiescent_tempo: i32,
}

const PLAIN: usize = 0;
const PLAIN_TUNED: usize = 1;
const QUIESCENT: usize = 2;
const QUIESCENT_TUNED: usize = 3;
const ENGINE: usize = 4;

impl Curves {
    fn measure(context: &Context) -> Result<Curves, Failure> {
        let depth = context.sized(4, 6);
        let some = context.positions(context.sized(10, 60))?;
        let many = context.positions(context.sized(10, 200))?;
        let plain = |tempo| Curve::textbook("plain alpha-beta", &some, depth, tempo, evaluate);
        let quiescent = |tempo| Curve::textbook("with quiescence", &some, depth, tempo, quiescence);
        let [bare, bare_quiescent] = [plain(0), quiescent(0)];
        let [tempo, quiescent_tempo] = [&bare, &bare_quiescent].map(Curve::leveling_tempo);
        let tuned = plain(tempo);
        let mut all = vec![bare, tuned, bare_quiescent, quiescent(quiescent_tempo)];
        let nodes = context.sized(15_000, 300_000);
        for (name, config) in configs(context)? {
            all.push(Curve::engine(&name, &config, &many, nodes)?);
        }
        Ok(Curves {
            all,
            tempo,
            quiescent_tempo,
        })
    }
}

/// The engine of the run's config, with the classical evaluation with and without tempo, with the
/// iteration steps of two plies and of 7/8 ply (their iterations are counted, not their plies), and
/// with one price for all moves.
fn configs(context: &Context) -> Result<Vec<(String, Config)>, Failure> {
    let preset = |name: &str| Config::preset(name).map_err(Failure::work);
    let own = &context.config;
    let mut classical = own.clone();
    classical.eval.kind = EvalKind::Classical;
    let mut without_tempo = classical.clone();
    without_tempo.eval.tempo = 0;
    let mut configs = vec![(format!("engine, {}", context.settings.config), own.clone())];
    let mut add = |name: &str, config| configs.push((name.to_owned(), config));
    if *own != classical {
        add("engine, classical evaluation", classical);
    }
    add("engine, classical, tempo 0", without_tempo);
    add("engine, lexcentrique (two plies)", preset("lexcentrique")?);
    add("engine, bebe (two plies, no quiescence)", preset("bebe")?);
    add("engine, cyrus68k (7/8 ply)", preset("cyrus68k")?);
    add("engine, integer-ply", preset("integer-ply")?);
    Ok(configs)
}

fn growth_table(all: &[Curve]) -> Table {
    let title = "Growth of the nodes of an iteration over the one before (geometric means); \
                 branching is the mean of the two, asymmetry their ratio";
    table!("growth", title, all, |curve| {
        "search" => curve.name.as_str(),
        "positions" => curve.positions.len(),
        "odd to even" => real(curve.growth(false), 2),
        "even to odd" => real(curve.growth(true), 2),
        "branching" => real(Curve::branching(curve), 2),
        "asymmetry" => real(Curve::asymmetry(curve), 2),
    })
}

fn swing_table(all: &[Curve]) -> Table {
    let title = "Scores at odd iterations above those at even ones, in centipawns";
    let tested = |curve| (curve, Curve::swing(curve));
    let rows: Vec<(&Curve, Option<TTest>)> = all.iter().map(tested).collect();
    table!("swing", title, rows, |row| {
        "search" => row.0.name.as_str(),
        "mean swing" => real(row.1.map(|test| test.mean), 1),
        "95 % from" => real(row.1.map(|test| test.interval[0]), 1),
        "to" => real(row.1.map(|test| test.interval[1]), 1),
        "t" => real(row.1.map(|test| test.t), 2),
    })
}

/// Nodes of each iteration over the one before, where no position has dropped out at its node
/// limit: there the sums no longer belong together.
fn growth_chart(all: &[Curve]) -> Chart {
    let growth = |index: usize| {
        let curve: &Curve = &all[index];
        let complete = |depth: &usize| curve.positions.iter().all(|points| points.len() >= *depth);
        let nodes = |depth| curve.nodes_at(depth) as f64;
        let depths = (2..=curve.depth()).filter(complete);
        let points = depths.map(|depth| (depth as f64, nodes(depth) / nodes(depth - 1)));
        points.collect::<Vec<_>>()
    };
    let title = "Growth of the iterations";
    Chart::new(title, "iteration", "nodes over the iteration before")
        .line(&all[PLAIN].name, growth(PLAIN))
        .line(&all[QUIESCENT].name, growth(QUIESCENT))
        .dashed(&all[ENGINE].name, growth(ENGINE))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::experiment::quick;

    #[test]
    fn single_equal_and_finished_positions_are_no_failure() {
        const QUIET: &str = "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1\n";
        const MATE: &str = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n";
        let dir = tempfile::tempdir().unwrap();
        let suite = dir.path().join("suite.epd");
        for text in [QUIET.to_owned(), QUIET.repeat(4), MATE.to_owned()] {
            fs::write(&suite, &text).unwrap();
            let mut context = quick(1, "default");
            context.settings.suite = Some(suite.clone());
            let report = run(&context).unwrap();
            let is_sound = |finding: &Finding| !finding.text.contains("NaN");
            assert!(report.findings.iter().all(is_sound), "{report:?}");
        }
    }
}
