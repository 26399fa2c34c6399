//! Staged move picking: the table move before anything is generated (Newborn's one-move generator),
//! then captures, quiet moves, and the captures that lose material.

use arrayvec::ArrayVec;
use sextant_board::{MAX_MOVES, Move, MoveSets, Piece, see_ge};

use super::score::Ordering;

/// Where a move came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The table move.
    Table,
    /// A capture or queen promotion that does not lose material.
    Noisy,
    /// Everything else.
    Quiet,
    /// A capture or queen promotion that loses material.
    BadNoisy,
}

/// The next move to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picked {
    /// The move.
    pub mv: Move,
    /// Where it came from.
    pub kind: Kind,
    /// The score it was sorted by (0 for the table move).
    pub score: i32,
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    Generate,
    QuietFirst,
    Noisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Which quiet moves are wanted.
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

/// The moves of one node, best first.
pub(crate) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    /// What a noisy move must gain by static exchange to be tried before the quiet ones.
    threshold: i32,
    quiets: Quiets,
    quiet_first: bool,
    sets: Option<MoveSets>,
    list: ArrayVec<Scored, MAX_MOVES>,
    next: usize,
    bad: ArrayVec<Scored, PUT_OFF>,
    next_bad: usize,
    /// The quiet move that was tried before the captures.
    tried_first: Option<Move>,
}

impl Picker {
    /// All legal moves. `table_move` must be legal. With `quiet_first` the best quiet move goes
    /// before the captures (Wheeler 2024).
    #[inline]
    #[must_use]
    pub(crate) fn all(table_move: Option<Move>, quiet_first: bool) -> Picker {
        Picker::new(table_move, Quiets::All, quiet_first, 0)
    }

    /// Only captures and queen promotions that gain at least `threshold` by static exchange come
    /// as [`Kind::Noisy`]; the others follow as [`Kind::BadNoisy`].
    #[inline]
    #[must_use]
    pub(crate) fn noisy(table_move: Option<Move>, threshold: i32) -> Picker {
        Picker::new(table_move, Quiets::None, false, threshold)
    }

    fn new(table_move: Option<Move>, quiets: Quiets, quiet_first: bool, threshold: i32) -> Picker {
        Picker {
            stage: if table_move.is_some() {
                Stage::Table
            } else {
                Stage::Generate
            },
            table_move,
            threshold,
            quiets,
            quiet_first,
            sets: None,
            list: ArrayVec::new(),
            next: 0,
            bad: ArrayVec::new(),
            next_bad: 0,
            tried_first: None,
        }
    }

    /// No quiet moves any more but safe checks, please. False if that was said before.
    pub(crate) fn skip_quiets(&mut self) -> bool {
        let wanted = self.quiets == Quiets::All;
        if wanted {
            self.quiets = Quiets::Checks;
        }
        wanted
    }

    /// The next move, or `None` when there are no more.
    #[inline]
    pub(crate) fn next(&mut self, order: &Ordering<'_>) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::Generate;
                    if let Some(mv) = self.table_move {
                        return Some(Picked {
                            mv,
                            kind: Kind::Table,
                            score: 0,
                        });
                    }
                }
                Stage::Generate => {
                    self.generate_noisy(order);
                    self.stage = if self.quiet_first {
                        Stage::QuietFirst
                    } else {
                        Stage::Noisy
                    };
                }
                Stage::QuietFirst => {
                    self.stage = Stage::Noisy;
                    if let Some(best) = self.best_quiet(order) {
                        self.tried_first = Some(best.mv);
                        return Some(Picked {
                            mv: best.mv,
                            kind: Kind::Quiet,
                            score: best.score,
                        });
                    }
                }
                Stage::Noisy => match self.take_best() {
                    Some(best) => {
                        if see_ge(order.pos, best.mv, self.threshold) || self.bad.is_full() {
                            return Some(Picked {
                                mv: best.mv,
                                kind: Kind::Noisy,
                                score: best.score,
                            });
                        }
                        self.bad.push(best);
                    }
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    match self.quiets {
                        Quiets::All => self.generate_quiet(order),
                        Quiets::Checks => self.generate_checks(order),
                        Quiets::None => {}
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.take_best() {
                    Some(best) if self.wants(order, best.mv) => {
                        return Some(Picked {
                            mv: best.mv,
                            kind: Kind::Quiet,
                            score: best.score,
                        });
                    }
                    Some(_) => {}
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    if let Some(&bad) = self.bad.get(self.next_bad) {
                        self.next_bad += 1;
                        return Some(Picked {
                            mv: bad.mv,
                            kind: Kind::BadNoisy,
                            score: bad.score,
                        });
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn generate_noisy(&mut self, order: &Ordering<'_>) {
        let (list, table_move) = (&mut self.list, self.table_move);
        let mut push = |piece: Piece, mv: Move| {
            if Some(mv) != table_move {
                list.push(Scored {
                    mv,
                    score: order.noisy(piece, mv),
                });
            }
        };
        if self.quiets == Quiets::All {
            let sets = MoveSets::generate(order.pos);
            sets.noisy(order.pos, push);
            self.sets = Some(sets);
        } else {
            sextant_board::generate_noisy(order.pos, &mut push);
        }
    }

    fn generate_quiet(&mut self, order: &Ordering<'_>) {
        self.list.clear();
        self.next = 0;
        let Some(sets) = &self.sets else { return };
        let (list, table_move, tried) = (&mut self.list, self.table_move, self.tried_first);
        let known = order.known();
        sets.quiet(order.pos, |piece, mv| {
            if Some(mv) != table_move && Some(mv) != tried {
                list.push(Scored {
                    mv,
                    score: order.quiet(&known, piece, mv),
                });
            }
        });
    }

    /// Only the checks among the quiet moves.
    fn generate_checks(&mut self, order: &Ordering<'_>) {
        self.list.clear();
        self.next = 0;
        let Some(checks) = order.checks else { return };
        let sets = self
            .sets
            .get_or_insert_with(|| MoveSets::generate(order.pos));
        let (list, table_move) = (&mut self.list, self.table_move);
        sets.quiet_checks(order.pos, checks, |mv| {
            if Some(mv) != table_move {
                list.push(Scored { mv, score: 0 });
            }
        });
    }

    /// Is this quiet move still wanted?
    #[inline]
    fn wants(&self, order: &Ordering<'_>, mv: Move) -> bool {
        self.quiets == Quiets::All
            || order
                .checks
                .is_some_and(|checks| checks.gives_check(order.pos, mv))
                && see_ge(order.pos, mv, 0)
    }

    fn best_quiet(&self, order: &Ordering<'_>) -> Option<Scored> {
        let known = order.known();
        let mut best: Option<Scored> = None;
        self.sets.as_ref()?.quiet(order.pos, |piece, mv| {
            let score = order.quiet(&known, piece, mv);
            if Some(mv) != self.table_move && best.is_none_or(|best| score > best.score) {
                best = Some(Scored { mv, score });
            }
        });
        best
    }

    /// One step of a selection sort: most nodes are cut off after a few moves.
    #[inline]
    fn take_best(&mut self) -> Option<Scored> {
        let rest = self.list.get_mut(self.next..)?;
        let best =
            (0..rest.len()).reduce(|a, b| if rest[b].score > rest[a].score { b } else { a })?;
        rest.swap(0, best);
        self.next += 1;
        Some(self.list[self.next - 1])
    }
}
