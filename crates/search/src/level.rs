//! Playing below full strength: fewer nodes and random root bonuses.

use sextant_config::LevelConfig;

/// What a level takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Most nodes for a move.
    pub nodes: u64,
    /// Amplitude of the random root bonus in centipawns.
    pub noise: i32,
}

/// The strength that `Skill Level` 0 stands for on the scale of `UCI_Elo`, and the step of a level.
const SKILL_0_ELO: i32 = 600;
const ELO_PER_SKILL: i32 = 95;

impl Level {
    /// The handicap of a config; `None` at full strength. `UCI_LimitStrength` goes before
    /// `Skill Level`.
    #[must_use]
    pub(crate) fn of(config: &LevelConfig) -> Option<Level> {
        if config.limit_strength {
            Some(Level::from_elo(config.elo))
        } else if config.skill < 20 {
            Some(Level::from_elo(SKILL_0_ELO + ELO_PER_SKILL * config.skill))
        } else {
            None
        }
    }

    /// Nodes double about every 120 points, and the noise fades away towards the top.
    fn from_elo(elo: i32) -> Level {
        let above = (elo - 500).max(0);
        let nodes = 24_u64 << (above / 120).min(40);
        let part = above % 120;
        Level {
            nodes: nodes + nodes * part as u64 / 120,
            noise: (260 - above / 7).max(0),
        }
    }
}
