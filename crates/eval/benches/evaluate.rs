//! Time of `push`, `evaluate`, `pop` per child position, by both evaluations, and of finding the
//! relations of a child as training does.

use sextant_board::{Delta, Epd, Position};
use sextant_eval::{
    EvalModel, EvalState,
    nnue::{Network, Relations, Sides},
};

/// Middlegames, endgames and an opening, each with all its children.
fn families() -> Vec<(Position, Vec<(Position, Delta)>)> {
    let parents = include_str!("../testdata/bench.epd").lines();
    parents
        .map(|line| {
            let pos = Epd::parse(line).expect("a valid EPD").position;
            let mut children = Vec::new();
            pos.board().generate_moves(|set| {
                children.extend(set.into_iter().map(|mv| pos.make(mv)));
                false
            });
            (pos, children)
        })
        .collect()
}

fn main() {
    divan::main();
}

#[divan::bench(args = ["classical", "nnue"])]
fn evaluate(bencher: divan::Bencher<'_, '_>, kind: &str) {
    let model = match kind {
        "classical" => EvalModel::default(),
        _ => EvalModel::Network(Network::embedded().expect("a build with a network")),
    };
    let families = families();
    let count: usize = families.iter().map(|(_, children)| children.len()).sum();
    let mut state = EvalState::new(model);
    bencher.counter(count).bench_local(|| {
        let mut sum = 0;
        for (pos, children) in &families {
            state.reset(pos);
            for (child, delta) in children {
                state.push(delta);
                sum += state.evaluate(child).raw();
                state.pop();
            }
        }
        sum
    });
}

#[divan::bench]
fn relations(bencher: divan::Bencher<'_, '_>) {
    let families = families();
    let sides: Vec<Sides> = families
        .iter()
        .flat_map(|(_, children)| children)
        .map(|(child, _)| Sides::of(child.board()))
        .collect();
    let mut relations = Relations::default();
    bencher.counter(sides.len()).bench_local(|| {
        let mut count = 0;
        for sides in &sides {
            relations.find(sides);
            count += relations.numbers().len();
        }
        count
    });
}
