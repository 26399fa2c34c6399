//! The searches that solve the problems: two price lists, each under every way to spend.

use sextant_config::{CouplingRule, ExtensionsConfig};

use crate::experiments::prelude::*;

/// How a search counts what a line has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spending {
    /// Every move is one ply: no prices.
    IntegerPlies,
    /// Prices, one budget for both sides, as in the paper's first generation.
    SingleBudget,
    /// Prices, a budget a side; the line ends when one of them is spent: the opposite of what the
    /// paper does, as a control.
    EitherSpent,
    /// Prices, a budget a side; the line ends when both are spent, as in Cyrus 68K.
    BothSpent,
    /// Prices, a budget a side; dull replies are refunded as far as the other side was forcing.
    Forcing,
}

impl Spending {
    /// All of them, in the order of the tables.
    pub(super) const ALL: [Spending; 5] = [
        Spending::IntegerPlies,
        Spending::SingleBudget,
        Spending::EitherSpent,
        Spending::BothSpent,
        Spending::Forcing,
    ];

    pub(super) fn words(self) -> &'static str {
        match self {
            Spending::IntegerPlies => "integer plies",
            Spending::SingleBudget => "one budget",
            Spending::EitherSpent => "two budgets, until either is spent (control)",
            Spending::BothSpent => "two budgets, until both are spent (Cyrus 68K)",
            Spending::Forcing => "two budgets, forcing rule",
        }
    }
}

/// Whose prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Those of the preset `cyrus68k`: the paper's range, no reductions, budgets grow by 7.
    Cyrus,
    /// Moderate prices in the engine as it is, with its reductions and pruning.
    Modern,
}

impl Family {
    pub(super) const ALL: [Family; 2] = [Family::Cyrus, Family::Modern];

    pub(super) fn words(self) -> &'static str {
        match self {
            Family::Cyrus => "Cyrus 68K's prices",
            Family::Modern => "moderate prices in the engine",
        }
    }

    pub(super) fn config(self, spending: Spending, base: &Config) -> Result<Config, Failure> {
        let mut config = match self {
            Family::Cyrus => Config::preset("cyrus68k").map_err(Failure::work)?,
            Family::Modern => moderate_prices(base)?,
        };
        let extensions = &mut config.extensions;
        extensions.coupling = FULL;
        match spending {
            Spending::IntegerPlies => {
                level_prices(extensions)?;
                extensions.coupling = 0;
            }
            Spending::SingleBudget => extensions.coupling = 0,
            Spending::EitherSpent => {
                extensions.coupling_rule = CouplingRule::Paper;
                extensions.coupling = -FULL;
            }
            Spending::BothSpent => extensions.coupling_rule = CouplingRule::Paper,
            Spending::Forcing => extensions.coupling_rule = CouplingRule::Forcing,
        }
        Ok(config)
    }
}

/// k = 1, in the config's 64ths.
const FULL: i32 = 64;
/// The config counts prices in sixteenths of an SX.
pub(super) const SX: i32 = 16;

/// The config with the prices with which the prototype of the engine solved most; what they do not
/// name costs one ply.
pub(super) fn moderate_prices(base: &Config) -> Result<Config, Failure> {
    let mut config = base.clone();
    let e = &mut config.extensions;
    level_prices(e)?;
    e.only_reply = 4 * SX;
    e.check_safe = 4 * SX;
    e.check_unsafe = 6 * SX;
    e.evasion = 6 * SX;
    e.promotion = 6 * SX;
    e.recapture = 5 * SX;
    e.capture_winning = 7 * SX;
    e.capture_equal = 7 * SX;
    e.passed_pawn = 5 * SX;
    Ok(config)
}

/// Every move costs one ply, and whatever else the budgets can do is off; whether a singular move is
/// extended stays as it was, for that is a whole ply.
fn level_prices(e: &mut ExtensionsConfig) -> Result<(), Failure> {
    let singular = (e.singular_enabled, e.singular, e.singular_double);
    *e = Config::preset("integer-ply")
        .map_err(Failure::work)?
        .extensions;
    (e.singular_enabled, e.singular, e.singular_double) = singular;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use sextant_board::parse_fen;
    use sextant_config::EvalKind;

    use super::*;

    #[test]
    fn all_contenders_are_valid_and_differ() {
        let base = Config::default();
        let mut hashes = HashSet::new();
        for family in Family::ALL {
            for spending in Spending::ALL {
                let config = family.config(spending, &base).unwrap();
                // The reader refuses what is out of range.
                Config::from_toml_str(&config.to_toml(), "").unwrap();
                assert!(hashes.insert(config.hash()), "{family:?} {spending:?}");
            }
        }
    }

    #[test]
    fn whatever_ends_lines_later_searches_more() {
        let fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
        let position = parse_fen(fen).unwrap();
        let nodes = |spending| {
            let mut config = Family::Cyrus.config(spending, &Config::default()).unwrap();
            // One position shows a tendency; no network may come along and turn it.
            config.eval.kind = EvalKind::Classical;
            let mut engine = FreshEngine::new(&config, HASH).unwrap();
            engine.search(&position, &to_depth(4)).nodes
        };
        use Spending::{BothSpent, EitherSpent, SingleBudget};
        let [either, single, both] = [EitherSpent, SingleBudget, BothSpent].map(nodes);
        assert!(either < single && single < both, "{either} {single} {both}");
    }
}
