//! The moves of the root.

mod bonus;

use sextant_board::{Move, MoveSets, PackedMove, Score};
use sextant_config::Config;
use sextant_syzygy::{Tablebase, Wdl};

use crate::{game::Game, stack::PvLine, tablebases, window::Bound};

/// A root move and what the iterations found out about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub mv: Move,
    /// Its score in this iteration, bonus included; infinitely low if it was not better than alpha.
    pub score: Score,
    /// What `score` says of its value.
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
    /// Nodes spent below it.
    pub nodes: u64,
    /// Longest line below it.
    pub seldepth: u32,
    /// The line that begins with it.
    pub pv: PvLine,
}

impl RootMove {
    /// A move of which nothing is known.
    fn new(mv: Move) -> RootMove {
        let lowest = -Score::INFINITE;
        let mut pv = PvLine::new();
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

    /// The best that is known of its value: the score of this iteration, or of the last. A mate that
    /// is proved to be no longer than this is told as it is.
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
        let bonuses = bonus::bonuses(config, pos, tables, &moves);
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
        self.pv
            .extend(rest.iter().take(sextant_board::MAX_PLY - 1).copied());
    }
}

/// Adds a bonus to a score, unless the score is a mate or a tablebase result.
#[inline]
pub(crate) fn with_bonus(score: Score, bonus: i32) -> Score {
    if bonus == 0 || score.is_decisive() {
        score
    } else {
        Score::eval(score.raw() + bonus)
    }
}

/// Takes it off again.
#[inline]
pub(crate) fn without_bonus(score: Score, bonus: i32) -> Score {
    with_bonus(score, -bonus)
}
