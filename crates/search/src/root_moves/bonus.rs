//! Bonuses that the root adds to its moves (Ronald de Man): variety, style, and a trap or two, with
//! the search below left as it is.

use std::time::{SystemTime, UNIX_EPOCH};

use sextant_board::{Color, Move, PackedMove, Piece, Position, Random, see_ge};
use sextant_config::Config;
use sextant_syzygy::{Tablebase, Wdl};

use crate::level::Level;

/// The bonus of each root move in centipawns: one vector for a whole `go`. The playing level adds
/// to the random part; without a seed it is another one in every call.
pub(super) fn bonuses(
    config: &Config,
    pos: &Position,
    tables: Option<&Tablebase>,
    moves: &[Move],
) -> Vec<i32> {
    let noise = Level::of(&config.level, pos).map_or(0, |level| level.noise);
    let config = &config.root_bonus;
    let seed = if config.seed == 0 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.map_or(1, |time| time.as_nanos() as u64)
    } else {
        config.seed as u64
    };
    let drawn_by_tables = config.tablebase_draw_sacrifice != 0
        && tables.is_some_and(|tables| is_tabled_draw(tables, pos));
    let trivially_drawn = config.trivial_draw_capture != 0 && is_trivial_draw(pos);
    moves
        .iter()
        .map(|&mv| {
            let mut bonus = random(seed, pos.key(), mv, config.random + noise);
            if develops(pos, mv) {
                bonus += config.development;
            }
            if mv.promotion.is_some_and(|piece| piece != Piece::Queen) {
                bonus -= config.underpromotion;
            }
            if trivially_drawn && pos.is_capture(mv) {
                bonus += config.trivial_draw_capture;
            }
            if drawn_by_tables
                && !see_ge(pos, mv, 0)
                && tables.is_some_and(|tables| is_tabled_draw(tables, &pos.make(mv).0))
            {
                bonus += config.tablebase_draw_sacrifice;
            }
            bonus
        })
        .collect()
}

/// Evenly spread over ±`amplitude`, from a hash of seed, position and move alone.
fn random(seed: u64, key: u64, mv: Move, amplitude: i32) -> i32 {
    if amplitude == 0 {
        return 0;
    }
    let bits = u64::from(PackedMove::from(mv).to_bits());
    // Every bit of what goes in moves every bit of what comes out.
    let hash = |value: u64| Random::new(value).next_u64();
    let span = 2 * amplitude as u64 + 1;
    (hash(hash(key ^ seed) ^ bits) % span) as i32 - amplitude
}

/// A knight or bishop leaves the back rank, or the king castles.
fn develops(pos: &Position, mv: Move) -> bool {
    let back_rank = sextant_board::Rank::First.relative_to(pos.side_to_move());
    let minor = matches!(
        pos.board().piece_on(mv.from),
        Some(Piece::Knight | Piece::Bishop)
    );
    pos.is_castling(mv) || minor && mv.from.rank() == back_rank && mv.to.rank() != back_rank
}

/// Endings without pawns in which both sides have the same single piece: a capture ends them.
fn is_trivial_draw(pos: &Position) -> bool {
    let board = pos.board();
    let count = |color: Color, piece: Piece| board.colored_pieces(color, piece).len();
    let same = Piece::ALL
        .into_iter()
        .all(|piece| count(Color::White, piece) == count(Color::Black, piece));
    board.pieces(Piece::Pawn).is_empty() && board.occupied().len() == 4 && same
}

fn is_tabled_draw(tables: &Tablebase, pos: &Position) -> bool {
    pos.board().occupied().len() <= tables.max_men() && tables.wdl(pos.board()) == Some(Wdl::Draw)
}
