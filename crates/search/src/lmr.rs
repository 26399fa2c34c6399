//! Late-move reductions (LMR): how much shallower a move is searched first, because moves as late
//! in the order as this one mostly fail. The searcher's bet is taken from both budgets alike.

use sextant_config::ReductionsConfig;

use crate::budget::Depth;

/// What a reduction looks at.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReductionFacts {
    pub pv: bool,
    /// An expected cut node.
    pub cut_node: bool,
    /// The static evaluation is better than two plies ago.
    pub improving: bool,
    pub tt_move: bool,
    pub tt_capture: bool,
    /// The table remembers a principal variation here.
    pub was_pv: bool,
    pub check: bool,
    /// The move is a killer or the counter move.
    pub killer: bool,
    pub backward: bool,
    /// Nodes of the next ply have been cut off often.
    pub cut_often: bool,
    pub quiet: bool,
    /// History of the move, in -16384..=16384 a table.
    pub history: i32,
}

/// The table of logarithms and the weights of `[reductions]`.
#[derive(Clone, Debug)]
pub struct Reductions {
    /// `128 ln(d) ln(n) / scale` by depth in plies and by move number.
    late: Box<[[i16; Reductions::MOVES]; Reductions::PLIES]>,
    config: ReductionsConfig,
}

impl Reductions {
    const PLIES: usize = 64;
    const MOVES: usize = 64;

    pub fn new(config: &ReductionsConfig) -> Reductions {
        let mut late = Box::new([[0; Reductions::MOVES]; Reductions::PLIES]);
        for (plies, row) in late.iter_mut().enumerate().skip(1) {
            for (number, cell) in row.iter_mut().enumerate().skip(1) {
                // Two factors of 1024, a division by hundredths, an answer in 1/128 ply.
                let product = i64::from(ln_1024(plies as u32)) * i64::from(ln_1024(number as u32));
                let scale = i64::from(config.log_scale.max(1)) * 1024 * 1024 / 100;
                *cell = (product * i64::from(Depth::PLY.raw()) / scale) as i16;
            }
        }
        Reductions {
            late,
            config: config.clone(),
        }
    }

    /// The reduction of the moves after one that raised alpha in an open-window node of `depth`: an
    /// even number of 1/128 plies.
    pub fn raised(&self, depth: Depth) -> Depth {
        if self.config.enabled && depth >= RAISED_FROM {
            Depth::from_raw(self.config.raised & !1)
        } else {
            Depth::ZERO
        }
    }

    /// How far a move must beat the best one before it to be searched again a ply deeper, and below
    /// what it is searched again a ply less deep.
    pub fn research_margins(&self) -> (i32, i32) {
        (self.config.deeper, self.config.shallower)
    }

    /// Is a move of this number at this depth reduced at all?
    pub fn applies(&self, depth: Depth, number: usize, pv: bool) -> bool {
        self.config.enabled
            && depth >= Depth::plies(self.config.min_depth)
            && number > self.config.min_moves as usize + usize::from(pv)
    }

    /// The reduction of move `number` (from 1) at `depth`: an even number of 1/128 plies, at least
    /// one ply below zero.
    #[inline]
    pub fn late_move_reduction(
        &self,
        depth: Depth,
        number: usize,
        facts: &ReductionFacts,
    ) -> Depth {
        let c = &self.config;
        let plies = (depth.in_plies().max(1) as usize).min(Reductions::PLIES - 1);
        let mut r = i32::from(self.late[plies][number.min(Reductions::MOVES - 1)]) + c.base;
        let mut add = |applies: bool, amount: i32| r += if applies { amount } else { 0 };
        add(facts.pv, -c.pv);
        add(facts.cut_node, c.cut_node);
        add(facts.improving, -c.improving);
        add(!facts.tt_move, c.no_tt_move);
        add(facts.was_pv, -c.tt_pv);
        add(facts.tt_capture, c.tt_capture);
        add(facts.check, -c.check);
        add(facts.killer, -c.killer);
        add(facts.backward, c.backward);
        add(facts.cut_often, c.cutoffs);
        r -= facts.history * c.history / HISTORY_FULL;
        if !facts.quiet {
            r /= 2;
        }
        Depth::from_raw(r.max(-Depth::PLY.raw()) & !1)
    }
}

/// Least depth at which a raised alpha makes the other moves less interesting.
const RAISED_FROM: Depth = Depth::plies(4);

/// The history that earns the whole of `[reductions] history`.
const HISTORY_FULL: i32 = 16_384;

/// `1024 ln(n)`, by integers alone so that every build has the same table: the binary logarithm bit
/// by bit, times `ln 2`.
fn ln_1024(n: u32) -> u32 {
    const LN2_16: u64 = 45_426; // ln 2 * 65536
    let whole = n.ilog2();
    let mut mantissa = (u64::from(n) << 32) >> whole; // [1, 2) in 32 fraction bits
    let mut log2_16 = u64::from(whole) << 16;
    for bit in (0..16).rev() {
        // The square needs more than 64 bits.
        mantissa = ((u128::from(mantissa) * u128::from(mantissa)) >> 32) as u64;
        if mantissa >= 2 << 32 {
            mantissa >>= 1;
            log2_16 |= 1 << bit;
        }
    }
    ((log2_16 * LN2_16) >> 22) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integer_logarithm_is_right_to_a_thousandth() {
        for n in 1..=4096_u32 {
            let exact = f64::from(n).ln() * 1024.0;
            assert!((f64::from(ln_1024(n)) - exact).abs() <= 1.1, "ln {n}");
        }
    }
}
