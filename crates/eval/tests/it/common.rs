//! Values and games for several tests.

use sextant_board::{Board, Move, MoveSets, Position, Random, Score};
use sextant_eval::{EvalModel, EvalState};

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
