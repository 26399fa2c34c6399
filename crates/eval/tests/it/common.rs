//! Networks and games for several tests.

use sextant_board::{Board, Move, MoveSets, Position, Random, Score};
use sextant_eval::{
    EvalModel, EvalState,
    nnue::{Architecture, FEATURES, LAYER_1, Layers, Network, Parameters, Rest, Stack},
};

/// A network with weights of the sizes that training gives.
pub(crate) fn random_network(architecture: Architecture, seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut numbers = |count: usize, bound: i16| {
        let mut number = || random.below(2 * bound as usize + 1) as i16 - bound;
        (0..count).map(|_| number()).collect()
    };
    let hidden = usize::from(architecture.hidden());
    let outputs = usize::from(architecture.output_buckets());
    let [rows, stacks] = match architecture.layers() {
        Layers::One => [outputs, 0],
        Layers::Three => [0, outputs],
    };
    let parameters = Parameters {
        feature_weights: numbers(architecture.king_bucket_count() * FEATURES * hidden, 60),
        feature_biases: numbers(hidden, 100),
        output_weights: numbers(2 * hidden * rows, 50),
        output_biases: (0..rows as i32).map(|i| 100 * i).collect(),
        stacks: (0..stacks)
            .map(|_| random_stack(hidden, &mut random))
            .collect(),
        scale: 400,
    };
    Network::new(architecture, &parameters).expect("weights are within their bounds")
}

fn random_stack(hidden: usize, random: &mut Random) -> Stack {
    let mut number = |bound: i32| random.below(2 * bound as usize + 1) as i32 - bound;
    Stack {
        weights_1: (0..LAYER_1 * hidden).map(|_| number(20) as i8).collect(),
        rest: Rest {
            biases_1: std::array::from_fn(|_| number(2_000)),
            weights_2: std::array::from_fn(|_| std::array::from_fn(|_| number(700) as i16)),
            biases_2: std::array::from_fn(|_| number(1_000_000)),
            weights_3: std::array::from_fn(|_| number(700) as i16),
            bias_3: number(100_000),
        },
    }
}

/// The value of a position that the state starts at.
pub(crate) fn fresh(model: &EvalModel, pos: &Position) -> Score {
    let mut state = EvalState::new(model.clone());
    state.reset(pos);
    state.evaluate(pos)
}

pub(crate) fn moves_of(pos: &Position) -> Vec<Move> {
    MoveSets::generate(pos).iter().collect()
}

/// Starting positions: standard, Chess960, double Chess960 and some that are rich in promotions
/// and en passant.
fn starts(random: &mut Random) -> Vec<Board> {
    let mut boards = vec![Board::startpos()];
    for _ in 0..20 {
        boards.push(Board::chess960_startpos(random.below(960) as u32));
        let sides = (random.below(960) as u32, random.below(960) as u32);
        boards.push(Board::double_chess960_startpos(sides.0, sides.1));
    }
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ] {
        boards.push(fen.parse().expect("a valid FEN"));
    }
    boards
}

/// Calls `visit` on every position of random games, null moves included, with the state that
/// followed them move by move. Now and then a few moves are taken back.
pub(crate) fn random_games(
    seed: u64,
    model: &EvalModel,
    mut visit: impl FnMut(&mut EvalState, &Position),
) {
    let mut random = Random::new(seed);
    let mut state = EvalState::new(model.clone());
    for board in starts(&mut random) {
        let mut line = vec![Position::new(board)];
        state.reset(&line[0]);
        while line.len() < 200 {
            let pos = line.last().expect("never empty").clone();
            visit(&mut state, &pos);
            let moves = moves_of(&pos);
            if moves.is_empty() || (line.len() > 4 && random.below(8) == 0) {
                for _ in 0..random.below(3).min(line.len() - 1) {
                    line.pop();
                    state.pop();
                }
                if moves.is_empty() {
                    break;
                }
                continue;
            }
            if random.below(12) == 0
                && let Some(next) = pos.make_null()
            {
                state.push_null();
                line.push(next);
                continue;
            }
            let (next, delta) = pos.make(moves[random.below(moves.len())]);
            state.push(&delta);
            line.push(next);
        }
    }
}
