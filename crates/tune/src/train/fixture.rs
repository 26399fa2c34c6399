//! Positions, options and trainers for the tests of this module.

use bulletformat::{BulletFormat, ChessBoard};
use clap::Parser;
use sextant_board::Random;
use sextant_eval::nnue::Architecture;

use super::{
    Args,
    adam::Step,
    options::Options,
    record::Record,
    target::Objective,
    tiles::Layout,
    trainer::{State, Trainer},
    weights::Shape,
};

/// Centipawns of the pieces other than kings, in the planted truth of [`positions`].
const VALUES: [i32; 5] = [60, 180, 190, 280, 500];
const KING: usize = 5;

/// Random pieces on random squares. The score is the balance of the pieces' values, the result is
/// what the score makes likely.
pub(super) fn positions(count: usize, seed: u64) -> Vec<Record> {
    let mut random = Random::new(seed);
    (0..count).map(|_| position(&mut random)).collect()
}

fn position(random: &mut Random) -> Record {
    let mut squares: Vec<u32> = (0..64).collect();
    random.shuffle(&mut squares);
    // The sets of both sides, then those of all kinds.
    let mut sets = [0; 8];
    let mut put = |theirs: usize, kind: usize, square: u32| {
        sets[theirs] |= 1 << square;
        sets[2 + kind] |= 1 << square;
    };
    put(0, KING, squares[0]);
    put(1, KING, squares[1]);
    let mut score = 0;
    for &square in &squares[2..2 + random.below(12)] {
        let (kind, theirs) = (random.below(5), random.below(2));
        score += VALUES[kind] * (1 - 2 * theirs as i32);
        put(theirs, kind, square);
    }
    let won = random.below(1000) as i32 - 500;
    let result = match score - won {
        200.. => 1.0,
        -199..200 => 0.5,
        _ => 0.0,
    };
    let board = ChessBoard::from_raw(sets, 0, score as i16, result).unwrap();
    ChessBoard::as_bytes_slice(&[board]).try_into().unwrap()
}

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

pub(super) fn options(more: &[&str]) -> Options {
    let line = ["train", "--out=o", "--data=a", "--valid=v"];
    Line::parse_from(line.iter().chain(more)).args.options
}

/// A trainer of random weights that looks at the scores alone.
pub(super) fn trainer(architecture: Architecture, threads: usize) -> Trainer {
    let weights = Shape::of(&architecture).random(1);
    trainer_of(architecture, &weights, threads)
}

/// A trainer of these weights that looks at the scores alone.
pub(super) fn trainer_of(architecture: Architecture, weights: &[f32], threads: usize) -> Trainer {
    let objective = Objective {
        score_share: 1.0,
        scale: 400.0,
    };
    let state = State::new(Layout::of(&architecture).parameters(weights));
    Trainer::new(architecture, objective, state, threads).unwrap()
}

pub(super) fn teach(trainer: &mut Trainer, count: usize) {
    for (number, batch) in (0..).zip(positions(count, 1).chunks(300)) {
        trainer
            .learn(batch, Step::new(number, 0.005, 0.01))
            .unwrap();
    }
}
