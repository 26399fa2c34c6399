//! Positions, options and trainers for the tests of this module.

use clap::Parser;
use sextant_board::Random;
use sextant_eval::nnue::Architecture;

use super::{
    Args,
    optimizer::Step,
    options::Options,
    record::{RECORD_BYTES, Record},
    target::Objective,
    trainer::{State, Trainer},
    weights::Shape,
};

/// Centipawns of the pieces other than kings, in the planted truth of [`positions`].
const VALUES: [i32; 5] = [60, 180, 190, 280, 500];

/// Random pieces on random squares. The score is the balance of the pieces' values, the result is
/// what the score makes likely.
pub(super) fn positions(count: usize, seed: u64) -> Vec<Record> {
    let mut random = Random::new(seed);
    (0..count).map(|_| position(&mut random)).collect()
}

fn position(random: &mut Random) -> Record {
    let mut squares: Vec<u8> = (0..64).collect();
    random.shuffle(&mut squares);
    let [king, other_king] = [squares[0], squares[1]];
    let mut pieces = vec![(king, 5_u8), (other_king, 5 + 8)];
    let mut score = 0;
    for &square in &squares[2..2 + random.below(12)] {
        let (kind, theirs) = (random.below(5), random.below(2));
        score += VALUES[kind] * (1 - 2 * theirs as i32);
        pieces.push((square, (kind + 8 * theirs) as u8));
    }
    pieces.sort_unstable();
    let won = random.below(1000) as i32 - 500;
    let result = match score - won {
        200.. => 2,
        -199..200 => 1,
        _ => 0,
    };
    let mut record = [0; RECORD_BYTES];
    let occupied: u64 = pieces.iter().map(|&(square, _)| 1 << square).sum();
    record[..8].copy_from_slice(&occupied.to_le_bytes());
    for (index, (_, code)) in pieces.iter().enumerate() {
        record[8 + index / 2] |= code << (4 * (index % 2));
    }
    record[24..26].copy_from_slice(&(score as i16).to_le_bytes());
    record[26] = result;
    record[27] = king;
    record[28] = other_king ^ 56;
    record
}

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

/// The options of a command line.
pub(super) fn options(more: &[&str]) -> Options {
    let line = ["train", "--out=o", "--data=a", "--valid=v"];
    Line::parse_from(line.iter().chain(more)).args.options
}

/// A trainer of random weights that looks at the scores alone.
pub(super) fn trainer(architecture: Architecture, threads: usize) -> Trainer {
    let objective = Objective {
        score_share: 1.0,
        scale: 400.0,
        power: 2.0,
    };
    let state = State::new(Shape::of(&architecture).random(1));
    Trainer::new(architecture, objective, state, threads).unwrap()
}

/// Lets a trainer learn from `count` positions.
pub(super) fn teach(trainer: &mut Trainer, count: usize) {
    for (number, batch) in (0..).zip(positions(count, 1).chunks(300)) {
        trainer
            .learn(batch, Step::new(number, 0.005, 0.01))
            .unwrap();
    }
}
