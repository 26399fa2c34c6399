//! Bonuses that the root adds to its moves (Ronald de Man): variety, style, and a trap or two, with
//! the search below left as it is.

use sextant_board::{Color, Move, PackedMove, Piece, Position, Random, see_ge};
use sextant_config::RootBonusConfig;
use sextant_syzygy::{Tablebase, Wdl};

/// The bonus of each root move in centipawns: one vector for a whole `go`.
///
/// `noise` is a further random amplitude, from the playing level. `salt` replaces the seed where
/// that is 0.
#[must_use]
pub(crate) fn bonuses(
    config: &RootBonusConfig,
    pos: &Position,
    tables: Option<&Tablebase>,
    moves: &[Move],
    noise: i32,
    salt: u64,
) -> Vec<i32> {
    let seed = if config.seed == 0 {
        salt
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
    let hash = scramble(scramble(key ^ seed) ^ bits);
    let span = 2 * amplitude as u64 + 1;
    (hash % span) as i32 - amplitude
}

/// Every bit of the input moves every bit of the output.
fn scramble(value: u64) -> u64 {
    Random::new(value).next_u64()
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

/// Endings without pawns in which both sides have the same single man: a capture ends them.
fn is_trivial_draw(pos: &Position) -> bool {
    let board = pos.board();
    let men = |color: Color, piece: Piece| board.colored_pieces(color, piece).len();
    let same = Piece::ALL
        .into_iter()
        .all(|piece| men(Color::White, piece) == men(Color::Black, piece));
    board.pieces(Piece::Pawn).is_empty() && board.occupied().len() == 4 && same
}

fn is_tabled_draw(tables: &Tablebase, pos: &Position) -> bool {
    pos.board().occupied().len() <= tables.max_men() && tables.wdl(pos.board()) == Some(Wdl::Draw)
}
