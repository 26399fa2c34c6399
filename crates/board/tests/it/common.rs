//! Random games for the property tests: standard, Chess960, double Chess960 and odd positions.

use sextant_board::{Board, Delta, Move, Position, Random};

/// Positions rich in promotions, en passant, pins and castling, for walks to start from.
const ODD_STARTS: [&str; 8] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "r1bqk2r/2p1bppp/p1n2n2/1p1pp3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 w kq - 0 1",
    "1q1q2qk/8/8/3Q4/8/2R1R3/1Q1K4/5Q2 w - - 0 1",
];

/// All legal moves, by `cozy-chess` alone.
pub(crate) fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    moves
}

fn start(game: usize, random: &mut Random) -> Position {
    let board = match game % 4 {
        0 => Board::startpos(),
        1 => Board::chess960_startpos(random.below(960) as u32),
        2 => Board::double_chess960_startpos(random.below(960) as u32, random.below(960) as u32),
        _ => ODD_STARTS[random.below(ODD_STARTS.len())].parse().unwrap(),
    };
    Position::new(board)
}

/// Plays `games` random games of at most `plies` plies and shows every move of them:
/// `visit(before, move, after, delta)`.
pub(crate) fn random_games(
    seed: u64,
    games: usize,
    plies: usize,
    mut visit: impl FnMut(&Position, Move, &Position, &Delta),
) {
    let mut random = Random::new(seed);
    for game in 0..games {
        let mut pos = start(game, &mut random);
        for _ in 0..plies {
            let moves = legal_moves(pos.board());
            if moves.is_empty() || pos.clock() >= 100 {
                break;
            }
            let mv = moves[random.below(moves.len())];
            let (next, delta) = pos.make(mv);
            visit(&pos, mv, &next, &delta);
            pos = next;
        }
    }
}

/// Visits every position of random games that has a legal move.
pub(crate) fn random_positions(
    seed: u64,
    games: usize,
    plies: usize,
    mut visit: impl FnMut(&Position),
) {
    random_games(seed, games, plies, |pos, _, _, _| visit(pos));
}
