//! The ladder: does a second budget help, where, and what made it superfluous? The program of 1989,
//! and on it one after another what engines have learned since; on each rung one budget against two.

mod games;
mod kappa;
mod rungs;

use games::Games;
use rungs::{Arm, Step};
use sextant_board::Epd;
use sextant_play::{Openings, Pentanomial, solve};

pub(crate) use rungs::{learned, rung};

use crate::{experiments::prelude::*, positions, stats::SignTest};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "ladder",
    title: "A second budget, from 1989 to today",
    claim: "A budget for each side, a line going on while either is positive, was a clear improvement \
            (Levy, Broughton and Taylor 1989, The SEX Algorithm in Computer Chess). Ours to break: it \
            pays where dear moves are never verified, and a re-search takes its place.",
    takes_hours: true,
    run,
};

/// How much is done: the sizes of one run.
struct Size {
    /// Game pairs of a comparison, and nodes a move.
    games: (u64, u64),
    /// The same where the effect is largest.
    larger: (u64, u64),
    /// Most problems, and nodes at which they are counted.
    problems: usize,
    nodes: [u64; 2],
    /// Positions for kappa, and nodes that the reference takes on each.
    kappa: (usize, f64),
}

impl Size {
    fn of(context: &Context) -> Size {
        let full = Size {
            games: (750, 5_000),
            larger: (2_000, 10_000),
            problems: usize::MAX,
            nodes: [20_000, 200_000],
            kappa: (60, 5_000.0),
        };
        let quick = Size {
            games: (2, 100),
            larger: (2, 200),
            problems: 4,
            nodes: [200, 800],
            kappa: (2, 200.0),
        };
        context.sized(quick, full)
    }
}

/// What one step of the ladder came to.
struct Found {
    step: Step,
    /// The factor on the prices of each arm.
    kappa: [f64; 3],
    /// The arms, their prices scaled.
    arms: [Config; 3],
    /// Against one budget: two, and the control.
    games: [Pentanomial; 2],
    /// The same at more nodes, where it was played.
    larger: Option<Pentanomial>,
    /// Since how many nodes each problem was solved, by one budget and by two.
    solved: [Vec<Option<u64>>; 2],
}

impl Found {
    /// Two budgets against one: at more nodes, where that was played.
    fn most_telling(&self) -> &Pentanomial {
        self.larger.as_ref().unwrap_or(&self.games[0])
    }
}

fn run(context: &Context) -> Result<Report, Failure> {
    let size = Size::of(context);
    let ladder = Ladder::new(context, size)?;
    let steps = Step::all().into_iter();
    let mut found: Vec<Found> = steps
        .map(|step| ladder.step(step))
        .collect::<Result<_, _>>()?;
    for place in two_largest(&found) {
        let Found { step, arms, .. } = &found[place];
        let larger = ladder.games(*step, "larger", (&arms[1], &arms[0]), ladder.size.larger)?;
        found[place].larger = Some(larger);
    }
    Ok(report(&found, &ladder.size))
}

/// The learned steps with the largest effects of a second budget.
fn two_largest(found: &[Found]) -> Vec<usize> {
    let learned = (0..found.len()).filter(|&place| !found[place].step.by_hand);
    let mut places: Vec<usize> = learned.collect();
    let effect = |place: usize| found[place].games[0].elo().abs();
    places.sort_by(|&a, &b| effect(b).total_cmp(&effect(a)));
    places.truncate(2);
    places
}

/// What all steps share.
struct Ladder<'a> {
    context: &'a Context,
    size: Size,
    openings: Openings,
    positions: Vec<Position>,
    problems: Vec<Epd>,
}

impl Ladder<'_> {
    fn new(context: &Context, size: Size) -> Result<Ladder<'_>, Failure> {
        let seed = context.settings.seed;
        let count = size.games.0.max(size.larger.0) as usize;
        let book = context.part("ladder/openings", || games::balanced(seed, count))?;
        let openings = Openings::from_book(&book, seed).map_err(Failure::work)?;
        let mut problems = positions::problems(context.settings.suite.as_deref())?;
        problems.extend(positions::mates()?);
        Ok(Ladder {
            context,
            openings,
            positions: context.positions(size.kappa.0)?,
            problems: positions::spread(&problems, size.problems),
            size,
        })
    }

    fn step(&self, step: Step) -> Result<Found, Failure> {
        let (mut kappa, mut arms) = ([0.0; 3], [(); 3].map(|()| Config::default()));
        for (place, arm) in Arm::ALL.into_iter().enumerate() {
            kappa[place] = self.kappa(step, arm)?;
            arms[place] = kappa::scaled(&arm.of(&step.config()?), kappa[place]);
        }
        let [one, two, control] = &arms;
        let games = [
            self.games(step, "two", (two, one), self.size.games)?,
            self.games(step, "control", (control, one), self.size.games)?,
        ];
        let solved = [
            self.solved(step, Arm::One, one)?,
            self.solved(step, Arm::Two, two)?,
        ];
        Ok(Found {
            step,
            kappa,
            arms,
            games,
            larger: None,
            solved,
        })
    }

    fn kappa(&self, step: Step, arm: Arm) -> Result<f64, Failure> {
        let name = format!("ladder/{}/{}/kappa", step.words(), arm.words());
        self.context.part(&name, || {
            let config = step.config()?;
            let reference = kappa::reference(&config, &self.positions, self.size.kappa.1)?;
            kappa::fit(&arm.of(&config), &self.positions, reference)
        })
    }

    /// The first config against the second: so many pairs at so many nodes a move.
    fn games(
        &self,
        step: Step,
        name: &str,
        (first, second): (&Config, &Config),
        (pairs, nodes): (u64, u64),
    ) -> Result<Pentanomial, Failure> {
        let what = format!("{}: {name}", step.words());
        let games = Games {
            openings: self.openings.clone(),
            pairs,
            nodes,
        };
        let name = format!("ladder/{}/games/{name}", step.words());
        self.context
            .part(&name, || games.play(&what, first, second))
    }

    fn solved(&self, step: Step, arm: Arm, config: &Config) -> Result<Vec<Option<u64>>, Failure> {
        let name = format!("ladder/{}/{}/problems", step.words(), arm.words());
        let limits = to_nodes(self.size.nodes[1]);
        self.context.part(&name, || {
            let since = |engine: &mut FreshEngine, problem: &Epd| {
                let since = solve(&mut engine.0, problem, &limits).since;
                since.map(|since| since.nodes)
            };
            let what = format!("{}: {}, problems", step.words(), arm.words());
            Ok(Run::measure(&what, (), config, &self.problems, since)?.each)
        })
    }
}

/// Problems solved with at most so many nodes.
fn within(solved: &[Option<u64>], nodes: u64) -> usize {
    let solved = solved.iter().flatten();
    solved.filter(|&&since| since <= nodes).count()
}

/// The probability, if both were equally strong, of a result at least as uneven.
fn p_value(games: &Pentanomial) -> f64 {
    let superiority = games.superiority().unwrap_or(0.5);
    2.0 * superiority.min(1.0 - superiority)
}

/// Of all comparisons together this share may be called significant by chance (Bonferroni).
const LEVEL: f64 = 0.05;

fn report(found: &[Found], size: &Size) -> Report {
    let comparisons = 2 * found.len() + found.iter().filter(|one| one.larger.is_some()).count();
    let is_significant = |games: &Pentanomial| p_value(games) * (comparisons as f64) < LEVEL;
    let findings = found.iter().map(|one| verdict(one, found, &is_significant));
    Report {
        summary: summary(found, &is_significant),
        tables: vec![games_table(found), problems_table(found, size)],
        figures: vec![chart(found)],
        findings: findings.collect(),
    }
}

/// Where it helps, where it hurts, and whether anything else was left open.
fn summary(found: &[Found], is_significant: &dyn Fn(&Pentanomial) -> bool) -> String {
    let list = |verb: &str, sign: f64| {
        let steps = found.iter().filter(|one| {
            let games = one.most_telling();
            is_significant(games) && games.elo() * sign > 0.0
        });
        let words: Vec<String> = steps.map(|one| one.step.words()).collect();
        (!words.is_empty()).then(|| format!("{verb} on these rungs: {}", words.join("; ")))
    };
    let decided: Vec<String> = [list("hurts", -1.0), list("helps", 1.0)]
        .into_iter()
        .flatten()
        .collect();
    if decided.is_empty() {
        return "Whether a second budget helps is undecided on every rung.".to_owned();
    }
    let is_open = |one: &Found| !is_significant(one.most_telling());
    let rest = found.iter().any(is_open);
    let elsewhere = if rest {
        " Elsewhere it is undecided."
    } else {
        ""
    };
    format!("A second budget {}.{elsewhere}", decided.join(". It "))
}

/// One verdict a rung.
fn verdict(one: &Found, found: &[Found], is_significant: &dyn Fn(&Pentanomial) -> bool) -> Finding {
    let games = one.most_telling();
    let change = change(one, found).map(|change| format!(", {change} against the rung before"));
    let text = format!(
        "On the rung \"{}\" two budgets score {} against one in {} games{}{}.",
        one.step.words(),
        elo(games),
        2 * games.pairs(),
        if one.larger.is_some() {
            " at twice the nodes"
        } else {
            ""
        },
        change.unwrap_or_default()
    );
    Finding::by_test(is_significant(games), games.elo() > 0.0, text)
}

/// What the second budget is worth here above what it was worth on the rung before, both in the
/// games at fewer nodes and with learned prices; `None` on the first rung.
fn change(one: &Found, found: &[Found]) -> Option<String> {
    let is_before = |other: &&Found| !other.step.by_hand && other.step.rung + 1 == one.step.rung;
    let before = &found.iter().find(is_before)?.games[0];
    let here = &one.games[0];
    let error = here.elo_error()?.hypot(before.elo_error()?);
    Some(format!(
        "{:+.1} +- {error:.1} Elo",
        here.elo() - before.elo()
    ))
}

/// Elo with its error.
fn elo(games: &Pentanomial) -> String {
    match games.elo_error() {
        Some(error) => format!("{:+.1} +- {error:.1} Elo", games.elo()),
        None if games.elo().is_finite() => format!("{:+.1} Elo", games.elo()),
        None if games.elo() > 0.0 => "every point".to_owned(),
        None => "no point".to_owned(),
    }
}

fn games_table(found: &[Found]) -> Table {
    let title =
        "Elo against one budget at equal nodes, with 95 % errors by pairs; p is not corrected";
    table!("games", title, found, |one| {
        "rung" => one.step.words(),
        "kappa, one" => real(one.kappa[0], 2),
        "kappa, two" => real(one.kappa[1], 2),
        "two budgets" => elo(&one.games[0]),
        "p" => real(p_value(&one.games[0]), 4),
        "above the rung before" => change(one, found),
        "the control" => elo(&one.games[1]),
        "p of it" => real(p_value(&one.games[1]), 4),
        "two, more nodes" => one.larger.as_ref().map(elo),
    })
}

fn problems_table(found: &[Found], size: &Size) -> Table {
    let problems = found.first().map_or(0, |one| one.solved[0].len());
    let title = format!(
        "Of {problems} combinations and mates so many were found by so many nodes and kept to the end; \
         the sign test, of the last, is not corrected"
    );
    let [few, many] = size.nodes;
    let only = |one: &Found| {
        let is_solved = one
            .solved
            .iter()
            .map(|each| each.iter().map(Option::is_some));
        let [single, double] = [0, 1].map(|place| is_solved.clone().nth(place));
        let pairs = double
            .into_iter()
            .flatten()
            .zip(single.into_iter().flatten());
        SignTest::of(pairs)
    };
    table!("problems", title, found, |one| {
        "rung" => one.step.words(),
        format!("one, {few} nodes") => within(&one.solved[0], few),
        format!("two, {few} nodes") => within(&one.solved[1], few),
        format!("one, {many} nodes") => within(&one.solved[0], many),
        format!("two, {many} nodes") => within(&one.solved[1], many),
        "only two" => only(one).more,
        "only one" => only(one).less,
        "sign test" => only(one).p(),
    })
}

fn chart(found: &[Found]) -> Chart {
    let learned = || found.iter().filter(|one| !one.step.by_hand);
    let points = |place: usize, errors: f64| {
        let at = |one: &Found| {
            let games = &one.games[place];
            let error = games.elo_error().unwrap_or(0.0);
            (one.step.rung as f64 + 1.0, games.elo() + errors * error)
        };
        learned().map(at).collect::<Vec<_>>()
    };
    let title = "Elo of a second budget, rung by rung";
    let x = "rung, from the program of 1989 (1) to verified prices (7)";
    Chart::new(title, x, "Elo against one budget")
        .line("two budgets", points(0, 0.0))
        .dashed("95 %, upper end", points(0, 1.0))
        .dashed("95 %, lower end", points(0, -1.0))
        .line("control: until either is spent", points(1, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_what_was_decided_and_what_was_not() {
        let found = |games: [u64; 5], rung: usize| Found {
            step: Step {
                rung,
                by_hand: false,
            },
            kappa: [1.0; 3],
            arms: [(); 3].map(|()| Config::default()),
            games: [Pentanomial(games), Pentanomial([0, 0, 1, 0, 0])],
            larger: None,
            solved: Default::default(),
        };
        let (up, down, even) = ([0, 5, 50, 90, 40], [40, 90, 50, 5, 0], [10, 40, 80, 40, 10]);
        let summary = |games: &[[u64; 5]]| {
            let each = games.iter().enumerate();
            let all: Vec<Found> = each.map(|(rung, &games)| found(games, rung)).collect();
            report(&all, &Size::of(&crate::experiment::quick(1, "default"))).summary
        };
        assert_eq!(
            summary(&[even, even]),
            "Whether a second budget helps is undecided on every rung."
        );
        let first = Step::all()[1].words();
        assert_eq!(
            summary(&[up, even]),
            format!("A second budget helps on these rungs: {first}. Elsewhere it is undecided.")
        );
        assert_eq!(
            summary(&[down]),
            format!("A second budget hurts on these rungs: {first}.")
        );
        let second = Step::all()[2].words();
        assert_eq!(
            summary(&[up, down]),
            format!(
                "A second budget hurts on these rungs: {second}. It helps on these rungs: {first}."
            )
        );
    }
}
