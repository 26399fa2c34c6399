//! The ladder: does a second budget help, where, and what made it superfluous? The program of 1989,
//! and on it one after another what engines have learned since; on each rung one budget against two.

mod games;
mod kappa;
mod rungs;

use games::Games;
use rungs::{Arm, Step};
use sextant_board::Epd;
use sextant_play::{Openings, Pentanomial, solve};

pub(crate) use rungs::{COUNT, learned, rung};

use crate::{experiments::prelude::*, positions, stats::SignTest};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "ladder",
    title: "A second budget, from 1989 to today",
    claim: "A budget for each side, a line going on while either is positive, was a clear improvement \
            (Levy, Broughton and Taylor 1989, The SEX Algorithm in Computer Chess). Ours to break: it \
            pays where expensive moves are never verified, and a re-search takes its place.",
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
    Ok(report(&found, &ladder.size, ladder.first_mate()))
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

    /// The place of the first mate among the problems; before it stand the combinations.
    fn first_mate(&self) -> usize {
        self.problems
            .partition_point(|problem| problem.dm.is_none())
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

/// The probability, if both were equally strong, of a result at least as uneven.
fn p_value(games: &Pentanomial) -> f64 {
    let superiority = games.superiority().unwrap_or(0.5);
    2.0 * superiority.min(1.0 - superiority)
}

/// Of all comparisons together this share may be called significant by chance (Bonferroni).
const LEVEL: f64 = 0.05;

fn report(found: &[Found], size: &Size, first_mate: usize) -> Report {
    let comparisons = 2 * found.len() + found.iter().filter(|one| one.larger.is_some()).count();
    let is_significant = |games: &Pentanomial| p_value(games) * (comparisons as f64) < LEVEL;
    let findings = found.iter().map(|one| verdict(one, found, &is_significant));
    Report {
        summary: summary(found, &is_significant),
        tables: vec![
            games_table(found),
            problems_table("combinations", found, size, |solved| &solved[..first_mate]),
            problems_table("mates", found, size, |solved| &solved[first_mate..]),
        ],
        figures: vec![chart(found)],
        findings: findings.collect(),
    }
}

/// Where it hurts, where it helps, where that is undecided, and with what it gained and lost most.
fn summary(found: &[Found], is_significant: &dyn Fn(&Pentanomial) -> bool) -> String {
    let list = |verb: &str, is_wanted: &dyn Fn(&Pentanomial) -> bool| {
        let steps = found.iter().filter(|one| is_wanted(one.most_telling()));
        let words: Vec<String> = steps
            .map(|one| format!("\"{}\"", one.step.words()))
            .collect();
        (!words.is_empty()).then(|| format!("{verb} on {}", words.join(", ")))
    };
    let decided =
        |sign: f64| move |games: &Pentanomial| is_significant(games) && games.elo() * sign > 0.0;
    let parts = [
        list("hurts", &decided(-1.0)),
        list("helps", &decided(1.0)),
        list("is undecided", &|games| !is_significant(games)),
        turn(found, "gains most by", 1.0),
        turn(found, "loses most by", -1.0),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("A second budget {}.", parts.join("; it "))
}

/// The rung that changes most what a second budget is worth, up or down; `None` if the greatest
/// change is within its error.
fn turn(found: &[Found], verb: &str, sign: f64) -> Option<String> {
    let changes = found.iter().filter_map(|one| {
        let (elo, error) = change(one, found)?;
        (elo * sign > error).then_some((one, (elo, error)))
    });
    let (one, change) = changes.max_by(|(_, a), (_, b)| (a.0 * sign).total_cmp(&(b.0 * sign)))?;
    Some(format!(
        "{verb} \"{}\" ({})",
        one.step.words(),
        in_elo(change)
    ))
}

/// One verdict a rung.
fn verdict(one: &Found, found: &[Found], is_significant: &dyn Fn(&Pentanomial) -> bool) -> Finding {
    let games = one.most_telling();
    let change =
        change(one, found).map(|change| format!(", {} against the rung before", in_elo(change)));
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
/// games at fewer nodes and with learned prices, in Elo with the error; `None` on the first rung.
fn change(one: &Found, found: &[Found]) -> Option<(f64, f64)> {
    let is_before = |other: &&Found| !other.step.by_hand && other.step.rung + 1 == one.step.rung;
    let before = &found.iter().find(is_before)?.games[0];
    let here = &one.games[0];
    let error = here.elo_error()?.hypot(before.elo_error()?);
    Some((here.elo() - before.elo(), error))
}

/// Elo with the error given.
fn in_elo((elo, error): (f64, f64)) -> String {
    format!("{elo:+.1} +- {error:.1} Elo")
}

/// Elo with its error.
fn elo(games: &Pentanomial) -> String {
    match games.elo_error() {
        Some(error) => in_elo((games.elo(), error)),
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
        "above the rung before" => change(one, found).map(in_elo),
        "the control" => elo(&one.games[1]),
        "p of it" => real(p_value(&one.games[1]), 4),
        "two, more nodes" => one.larger.as_ref().map(elo),
    })
}

/// Of one kind of problems, by nodes, how many one budget and two found.
fn problems_table(
    kind: &str,
    found: &[Found],
    size: &Size,
    of_kind: impl Fn(&[Option<u64>]) -> &[Option<u64>],
) -> Table {
    let within = |one: &Found, arm: usize, nodes: u64| {
        let solved = of_kind(&one.solved[arm]).iter();
        let solved = solved.map(|since| since.is_some_and(|since| since <= nodes));
        solved.collect::<Vec<bool>>()
    };
    let count = |one: &Found, arm, nodes| {
        let solved = within(one, arm, nodes);
        solved.iter().filter(|&&is_solved| is_solved).count()
    };
    let sign_test = |one: &Found, nodes| {
        let [single, double] = [0, 1].map(|arm| within(one, arm, nodes));
        SignTest::of(double.into_iter().zip(single)).p()
    };
    let problems = found.first().map_or(0, |one| of_kind(&one.solved[0]).len());
    let title = format!(
        "Of {problems} {kind} so many were found by so many nodes and kept to the end; the sign \
         tests are not corrected"
    );
    let [few, many] = size.nodes;
    table!(kind, title, found, |one| {
        "rung" => one.step.words(),
        format!("one, {few} nodes") => count(one, 0, few),
        format!("two, {few} nodes") => count(one, 1, few),
        format!("p, {few} nodes") => sign_test(one, few),
        format!("one, {many} nodes") => count(one, 0, many),
        format!("two, {many} nodes") => count(one, 1, many),
        format!("p, {many} nodes") => sign_test(one, many),
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
            report(&all, &Size::of(&crate::experiment::quick(1, "default")), 0).summary
        };
        let [first, second] = [1, 2].map(|place| format!("\"{}\"", Step::all()[place].words()));
        assert_eq!(
            summary(&[even, even]),
            format!("A second budget is undecided on {first}, {second}.")
        );
        let text = summary(&[down, up]);
        let start = format!(
            "A second budget hurts on {first}; it helps on {second}; it gains most by {second} (+"
        );
        assert!(text.starts_with(&start), "{text}");
        let text = summary(&[up, even]);
        let start = format!(
            "A second budget helps on {first}; it is undecided on {second}; it loses most by \
             {second} (-"
        );
        assert!(text.starts_with(&start), "{text}");
    }
}
