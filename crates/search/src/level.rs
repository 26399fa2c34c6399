//! Playing below full strength: fewer nodes and random root bonuses.

use sextant_board::Position;
use sextant_config::LevelConfig;

/// What a level takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    pub nodes: u64,
    /// Amplitude of the random root bonus in centipawns.
    pub noise: i32,
}

/// The strength that `Skill Level` 0 stands for on the scale of `UCI_Elo`, and the step of a level.
const SKILL_0_ELO: i32 = 600;
const ELO_PER_SKILL: i32 = 95;

impl Level {
    /// The handicap of a config in a position; `None` at full strength. `UCI_LimitStrength` goes
    /// before `Skill Level`. Against a bare king every level plays as well as it can: the
    /// elementary mates are what a beginner learns first.
    pub(crate) fn of(config: &LevelConfig, pos: &Position) -> Option<Level> {
        if pos.board().colors(!pos.side_to_move()).len() == 1 {
            None
        } else if config.limit_strength {
            Some(Level::from_elo(config.elo))
        } else if config.skill < 20 {
            Some(Level::from_elo(SKILL_0_ELO + ELO_PER_SKILL * config.skill))
        } else {
            None
        }
    }

    /// The anchor: 2500 is Sextant with 24,576 nodes a move and no noise. Below it, nodes halve
    /// every 200 points and noise grows by a centipawn every 10.
    fn from_elo(elo: i32) -> Level {
        let below = (ANCHOR_ELO - elo).max(0);
        let nodes = ANCHOR_NODES >> (below / 200);
        // Between two halvings the nodes fall along a straight line.
        let part = (below % 200) as u64;
        Level {
            nodes: (nodes - nodes / 2 * part / 200).max(1),
            noise: below / 10,
        }
    }
}

const ANCHOR_ELO: i32 = 2500;
const ANCHOR_NODES: u64 = 24_576;

#[cfg(test)]
mod tests {
    use sextant_config::Config;

    use super::*;

    fn limited(elo: i32) -> LevelConfig {
        let mut config = Config::default().level;
        config.limit_strength = true;
        config.elo = elo;
        config
    }

    #[test]
    fn more_elo_is_never_a_greater_handicap() {
        let pos = Position::startpos();
        let levels: Vec<Level> = (500..=2500)
            .filter_map(|elo| Level::of(&limited(elo), &pos))
            .collect();
        assert_eq!(levels.len(), 2001);
        for pair in levels.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[0].noise >= pair[1].noise);
        }
    }

    #[test]
    fn full_strength_and_bare_kings_know_no_handicap() {
        let bare = Position::new("8/8/8/4k3/8/8/8/R3K3 w - - 0 1".parse().unwrap());
        assert_eq!(Level::of(&limited(500), &bare), None);
        assert_eq!(
            Level::of(&Config::default().level, &Position::startpos()),
            None
        );
    }
}
