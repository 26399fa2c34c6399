//! The moves of the root, each with its rank by the tablebases and a bonus (Ronald de Man):
//! variety, style, and a trap or two, with the search below left as it is.

use sextant_board::{
    Color, MAX_PLY, Move, MoveSets, PackedMove, Piece, Position, Random, Rank, Score, see_ge,
};
use sextant_config::Config;
use sextant_syzygy::{Tablebase, Wdl};
use web_time::{SystemTime, UNIX_EPOCH};

use crate::{game::Game, level::Level, stack::PvLine, tablebases, window::Bound};

/// A root move and what the iterations found out about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub mv: Move,
    /// Its score in this iteration, bonus included; infinitely low if it was not better than alpha.
    pub score: Score,
    pub bound: Bound,
    /// The nominal depth of the iteration that `score` and `pv` come from.
    pub depth: u32,
    /// Its score in the last iteration in which it was in the list of best lines.
    pub previous: Score,
    /// Bonus in centipawns (Ronald de Man's root-move bonus), the same in every call of a `go`.
    pub bonus: i32,
    /// Rank by the tablebases: only moves of the best rank are searched.
    pub rank: i32,
    /// Its result by the tablebases, if they cover the root: what is shown instead of its score.
    pub tabled: Option<Wdl>,
    pub nodes: u64,
    pub seldepth: u32,
    /// Elsewhere, so that sorting moves little.
    pub pv: Box<PvLine>,
}

impl RootMove {
    /// A move of which nothing is known.
    fn new(mv: Move) -> RootMove {
        let lowest = -Score::INFINITE;
        let mut pv = Box::new(PvLine::new());
        pv.push(mv);
        RootMove {
            mv,
            score: lowest,
            bound: Bound::Exact,
            depth: 1,
            previous: lowest,
            bonus: 0,
            rank: 0,
            tabled: None,
            nodes: 0,
            seldepth: 0,
            pv,
        }
    }

    /// The best that is known of its value: the score of this iteration, or of the last. A mate
    /// that is proved to be no longer than this is told as it is.
    pub(crate) fn known(&self) -> (Score, Bound) {
        if self.score == -Score::INFINITE {
            return (self.previous, Bound::Exact);
        }
        let proved = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score.is_mate() && self.score.is_win(),
            Bound::Upper => self.score.is_mate() && self.score.is_loss(),
        };
        let bound = if proved { Bound::Exact } else { self.bound };
        (self.score, bound)
    }

    /// Does a search know anything of it?
    pub(crate) fn is_searched(&self) -> bool {
        self.score.max(self.previous) > -Score::INFINITE
    }

    /// The moves to choose from, with tablebase ranks and bonuses, the best rank first; of
    /// `searchmoves`, if there are any.
    pub(crate) fn list(
        game: &Game,
        searchmoves: &[Move],
        tables: Option<&Tablebase>,
        config: &Config,
    ) -> Vec<RootMove> {
        let pos = game.position();
        let wanted = |mv: &Move| searchmoves.is_empty() || searchmoves.contains(mv);
        let moves: Vec<Move> = MoveSets::generate(pos).iter().filter(wanted).collect();
        let bonuses = bonuses(config, pos, tables, &moves);
        let ranks = tablebases::root_ranks(tables, &config.syzygy, game);
        let mut root_moves: Vec<RootMove> = moves
            .iter()
            .zip(bonuses)
            .map(|(&mv, bonus)| {
                let tabled = ranks.get(&PackedMove::from(mv));
                RootMove {
                    bonus,
                    rank: tabled.map_or(0, |(rank, _)| *rank),
                    tabled: tabled.map(|(_, wdl)| *wdl),
                    ..RootMove::new(mv)
                }
            })
            .collect();
        root_moves.sort_by_key(|root_move| -root_move.rank);
        root_moves
    }

    /// The line is this move and `rest`.
    pub(crate) fn take_line(&mut self, rest: &PvLine) {
        self.pv.clear();
        self.pv.push(self.mv);
        self.pv.extend(rest.iter().take(MAX_PLY - 1).copied());
    }
}

/// Puts move `at` in front. It gets the rank of the move that stood there, so that the moves stay in
/// the order of their ranks.
pub(crate) fn move_to_front(root_moves: &mut [RootMove], at: usize) {
    root_moves[at].rank = root_moves[0].rank;
    root_moves[..=at].rotate_right(1);
}

/// Adds a bonus to a score, unless the score is a mate or a tablebase result.
pub(crate) fn with_bonus(score: Score, bonus: i32) -> Score {
    if bonus == 0 || score.is_decisive() {
        score
    } else {
        Score::eval(score.raw() + bonus)
    }
}

pub(crate) fn without_bonus(score: Score, bonus: i32) -> Score {
    with_bonus(score, -bonus)
}

/// The bonus of each root move in centipawns: one vector for a whole `go`. The playing level adds
/// to the random part; without a seed it is another one in every call.
fn bonuses(
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
    let drawn_by_tables = config.sacrificing_in_tabled_draw != 0
        && tables.is_some_and(|tables| is_tabled_draw(tables, pos));
    let trivially_drawn = config.capturing_in_trivial_draw != 0 && is_trivial_draw(pos);
    moves
        .iter()
        .map(|&mv| {
            let mut bonus = random(seed, pos.key(), mv, config.random + noise);
            if develops(pos, mv) {
                bonus += config.development;
            }
            if mv.promotion.is_some_and(|piece| piece != Piece::Queen) {
                bonus += config.underpromoting;
            }
            if trivially_drawn && pos.is_capture(mv) {
                bonus += config.capturing_in_trivial_draw;
            }
            if drawn_by_tables
                && !see_ge(pos, mv, 0)
                && tables.is_some_and(|tables| is_tabled_draw(tables, &pos.make(mv).0))
            {
                bonus += config.sacrificing_in_tabled_draw;
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
    let back_rank = Rank::First.relative_to(pos.side_to_move());
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

#[cfg(test)]
mod tests {
    use sextant_board::Position;

    use super::*;

    #[test]
    fn a_move_that_comes_to_the_front_leaves_the_ranks_in_order() {
        let game = Game::new(Position::startpos());
        let mut root_moves = RootMove::list(&game, &[], None, &Config::default());
        root_moves.truncate(4);
        for (root_move, rank) in root_moves.iter_mut().zip([9, 9, 5, 5]) {
            root_move.rank = rank;
        }
        let mv = root_moves[3].mv;
        move_to_front(&mut root_moves, 3);
        assert_eq!(root_moves[0].mv, mv);
        assert_eq!(
            root_moves.iter().map(|one| one.rank).collect::<Vec<_>>(),
            [9, 9, 9, 5]
        );
    }
}
