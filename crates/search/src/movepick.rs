//! Staged move picking: the TT move before anything is generated (Newborn's one-move generator),
//! then captures, quiet moves, and the captures that lose material.

mod list;
mod scorer;

use arrayvec::ArrayVec;
use sextant_board::{MAX_MOVES, Move, MoveSets, Piece, see_ge};

use list::MoveList;
pub(crate) use scorer::MoveScorer;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveStage {
    TtMove,
    /// A capture or queen promotion that does not lose material.
    Noisy,
    Quiet,
    /// A capture or queen promotion that loses material.
    BadNoisy,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Picked {
    pub mv: Move,
    pub stage: MoveStage,
    /// The score it was sorted by (0 for the TT move).
    pub score: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    Generate,
    QuietFirst,
    Noisy,
    Refutations,
    GenerateQuiet,
    Quiet,
    Checks,
    BadNoisy,
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quiets {
    All,
    /// Checks that lose no material: what is left where quiet moves are pruned.
    Checks,
    None,
}

/// Losing captures that are put off; more than these (positions with a dozen queens) are tried at
/// once.
const PUT_OFF: usize = 32;

/// The rank of killers and counter move: above every other quiet move's score.
const REFUTATION: [i32; 3] = [400_000, 300_000, 200_000];

/// The moves of one node, best first.
pub(crate) struct Picker {
    stage: Stage,
    tt_move: Option<Move>,
    /// What a noisy move must gain by static exchange to be tried before the quiet ones.
    threshold: i32,
    quiets: Quiets,
    quiet_first: bool,
    /// The quiet moves are to be evaluated first, and are not yet.
    wants_evals: bool,
    /// Empty until they are generated.
    sets: MoveSets,
    list: MoveList,
    bad: ArrayVec<(Move, i32), PUT_OFF>,
    next_bad: usize,
    /// Refutations that were looked at.
    next_refutation: usize,
    /// The TT move, and quiet moves that were tried before the others were generated.
    tried: ArrayVec<Move, 5>,
}

impl Picker {
    /// All legal moves. `tt_move` must be legal. With `quiet_first` the best quiet move goes
    /// before the captures (Wheeler 2024).
    #[inline]
    pub(crate) fn all(tt_move: Option<Move>, quiet_first: bool) -> Picker {
        Picker::new(tt_move, Quiets::All, quiet_first, 0)
    }

    /// Only captures and queen promotions that gain at least `threshold` by static exchange come
    /// as [`MoveStage::Noisy`]; the others follow as [`MoveStage::BadNoisy`].
    #[inline]
    pub(crate) fn noisy(tt_move: Option<Move>, threshold: i32) -> Picker {
        Picker::new(tt_move, Quiets::None, false, threshold)
    }

    fn new(tt_move: Option<Move>, quiets: Quiets, quiet_first: bool, threshold: i32) -> Picker {
        Picker {
            stage: if tt_move.is_some() {
                Stage::TtMove
            } else {
                Stage::Generate
            },
            tt_move,
            threshold,
            quiets,
            quiet_first,
            wants_evals: false,
            sets: MoveSets::default(),
            list: MoveList::new(),
            bad: ArrayVec::new(),
            next_bad: 0,
            next_refutation: 0,
            tried: tt_move.into_iter().collect(),
        }
    }

    /// The same, but the picker says `None` once before the first quiet move: then
    /// [`Picker::wants_evals`], and the scorer has the evaluations from there on.
    pub(crate) fn sorting_by_eval(mut self, sorting: bool) -> Picker {
        self.wants_evals = sorting;
        self
    }

    /// Did it stop for the evaluations of the quiet moves? It goes on with the next call.
    pub(crate) fn wants_evals(&mut self) -> bool {
        let waits = matches!(self.stage, Stage::QuietFirst | Stage::Refutations);
        waits && std::mem::take(&mut self.wants_evals)
    }

    /// From now on no quiet moves but safe checks. False if that was so before.
    pub(crate) fn skip_quiets(&mut self, scorer: &MoveScorer<'_>) -> bool {
        let wanted = self.quiets == Quiets::All;
        if wanted {
            self.quiets = Quiets::Checks;
            if self.stage == Stage::Quiet {
                let mut checks = ArrayVec::new();
                self.find_checks(scorer, &mut checks);
                self.list.keep(&checks);
                self.stage = Stage::Checks;
            }
        }
        wanted
    }

    /// The next move, or `None` when there are no more.
    #[inline]
    pub(crate) fn next(&mut self, scorer: &MoveScorer<'_>) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::Generate;
                    return picked(MoveStage::TtMove, (self.tt_move?, 0));
                }
                Stage::Generate => self.generate_noisy(scorer),
                Stage::QuietFirst | Stage::Refutations if self.wants_evals => return None,
                Stage::QuietFirst => {
                    self.stage = Stage::Noisy;
                    if let Some(found) = self.best_quiet(scorer) {
                        return picked(MoveStage::Quiet, found);
                    }
                }
                Stage::Noisy => match self.good_noisy(scorer) {
                    Some(found) => return picked(MoveStage::Noisy, found),
                    None => self.stage = Stage::Refutations,
                },
                Stage::Refutations => match self.refutation(scorer) {
                    Some(found) => return picked(MoveStage::Quiet, found),
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => self.generate_quiet(scorer),
                Stage::Quiet => match self.list.take_best() {
                    Some(found) => return picked(MoveStage::Quiet, found),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::Checks => match self.safe_check(scorer) {
                    Some(found) => return picked(MoveStage::Quiet, found),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => match self.bad.get(self.next_bad) {
                    Some(&found) => {
                        self.next_bad += 1;
                        return picked(MoveStage::BadNoisy, found);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn generate_quiet(&mut self, scorer: &MoveScorer<'_>) {
        self.list.clear();
        self.stage = match self.quiets {
            Quiets::All => {
                fill_quiet(&self.sets, scorer, &self.tried, &mut self.list);
                Stage::Quiet
            }
            Quiets::Checks => {
                self.generate_checks(scorer);
                Stage::Checks
            }
            Quiets::None => Stage::BadNoisy,
        };
    }

    fn generate_noisy(&mut self, scorer: &MoveScorer<'_>) {
        let (list, tt_move) = (&mut self.list, self.tt_move);
        let mut push = |piece: Piece, mv: Move| {
            if Some(mv) != tt_move {
                list.push(mv, scorer.noisy(piece, mv));
            }
        };
        if self.quiets == Quiets::All {
            self.sets.fill(scorer.pos.board());
            self.sets.noisy(scorer.pos, push);
        } else {
            sextant_board::generate_noisy(scorer.pos, &mut push);
        }
        self.stage = if self.quiet_first {
            Stage::QuietFirst
        } else {
            Stage::Noisy
        };
    }

    /// A killer or the counter move, tried before the quiet moves are generated: most often
    /// nothing after it is.
    fn refutation(&mut self, scorer: &MoveScorer<'_>) -> Option<(Move, i32)> {
        if self.quiets != Quiets::All {
            return None;
        }
        let [first, second] = scorer.killers;
        while let Some(&mv) = [first, second, scorer.counter_move].get(self.next_refutation) {
            let score = REFUTATION[self.next_refutation];
            self.next_refutation += 1;
            if let Some(mv) = mv
                && !self.tried.contains(&mv)
                && self.sets.has_quiet(scorer.pos, mv)
            {
                self.tried.push(mv);
                return Some((mv, score));
            }
        }
        None
    }

    /// Only the checks among the quiet moves.
    fn generate_checks(&mut self, scorer: &MoveScorer<'_>) {
        let mut checks = ArrayVec::new();
        self.find_checks(scorer, &mut checks);
        for &mv in &checks {
            if !self.tried.contains(&mv) {
                self.list.push(mv, 0);
            }
        }
    }

    /// Finds the quiet moves that give check.
    fn find_checks(&mut self, scorer: &MoveScorer<'_>, found: &mut ArrayVec<Move, MAX_MOVES>) {
        if let Some(checks) = scorer.checks {
            if self.sets.is_empty() {
                self.sets.fill(scorer.pos.board());
            }
            let push = |mv| found.push(mv);
            self.sets.quiet_checks(scorer.pos, checks, push);
        }
    }

    /// The best capture that is left and gains enough; the others are put off.
    #[inline]
    fn good_noisy(&mut self, scorer: &MoveScorer<'_>) -> Option<(Move, i32)> {
        loop {
            let (mv, score) = self.list.take_best()?;
            let slack = if self.quiets == Quiets::None {
                0
            } else {
                score * scorer.config.see_by_score / 1600
            };
            if see_ge(scorer.pos, mv, self.threshold - slack) || self.bad.is_full() {
                return Some((mv, score));
            }
            self.bad.push((mv, score));
        }
    }

    /// The next check that loses no material.
    fn safe_check(&mut self, scorer: &MoveScorer<'_>) -> Option<(Move, i32)> {
        loop {
            let (mv, score) = self.list.take_best()?;
            if see_ge(scorer.pos, mv, 0) {
                return Some((mv, score));
            }
        }
    }

    /// The most promising quiet move, before the captures.
    fn best_quiet(&mut self, scorer: &MoveScorer<'_>) -> Option<(Move, i32)> {
        let refutation = self.refutation(scorer);
        if refutation.is_some() {
            return refutation;
        }
        let mut list = MoveList::new();
        fill_quiet(&self.sets, scorer, &self.tried, &mut list);
        let (mv, score) = list.take_best()?;
        self.tried.push(mv);
        Some((mv, score))
    }
}

#[inline]
fn picked(stage: MoveStage, (mv, score): (Move, i32)) -> Option<Picked> {
    Some(Picked { mv, stage, score })
}

/// Pushes the quiet moves but those of `tried`.
fn fill_quiet(sets: &MoveSets, scorer: &MoveScorer<'_>, tried: &[Move], list: &mut MoveList) {
    if let Some(evals) = scorer.evals {
        let left = evals.moves().iter().filter(|(mv, _)| !tried.contains(mv));
        return left.for_each(|&(mv, score)| list.push(mv, score));
    }
    let known = scorer.known();
    for mut set in sets.quiet_sets(scorer.pos) {
        for mv in tried.iter().filter(|mv| mv.from == set.from) {
            set.to &= !mv.to.bitboard();
        }
        let scores = scorer.piece(&known, set.piece, set.from);
        for to in set.to {
            let mv = Move {
                from: set.from,
                to,
                promotion: None,
            };
            list.push(mv, scores.score(to));
        }
        for mv in set.underpromotions() {
            if !tried.contains(&mv) {
                list.push(mv, scores.score(mv.to));
            }
        }
    }
}
