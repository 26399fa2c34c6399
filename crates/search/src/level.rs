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

    /// The handicap that plays like this rating: between the measured ones along a line, and on
    /// along the last one beyond them.
    fn from_elo(elo: i32) -> Level {
        let next = MEASURED.iter().position(|&(rating, _)| elo < rating);
        let last = next.unwrap_or(MEASURED.len()).clamp(1, MEASURED.len() - 1);
        let [(low, weak), (high, strong)] = [MEASURED[last - 1], MEASURED[last]];
        Level::with_handicap(weak + (elo - low) * (strong - weak) / (high - low))
    }

    /// Nodes halve with every 200 points, and noise grows by a centipawn with every 10 of them.
    fn with_handicap(points: i32) -> Level {
        let (halvings, part) = (points.div_euclid(200), points.rem_euclid(200) as u64);
        let nodes = match u32::try_from(halvings) {
            Ok(halvings) => NODES >> halvings,
            Err(_) => NODES << -halvings,
        };
        // Between two halvings the nodes fall along a straight line.
        Level {
            nodes: (nodes - nodes / 2 * part / 200).max(1),
            noise: points.max(0) / 10,
        }
    }
}

/// Nodes a move without a handicap.
const NODES: u64 = 24_576;
/// Ratings, and the handicaps that played like them, in points: `scripts/levels` measured them
/// against a limited Stockfish 15.1 (docs/reference/measurements.md#levels).
const MEASURED: [(i32, i32); 12] = [
    (720, 2_000),
    (1_050, 1_800),
    (1_270, 1_600),
    (1_480, 1_400),
    (1_680, 1_150),
    (1_770, 950),
    (1_850, 750),
    (1_950, 550),
    (2_100, 350),
    (2_330, 150),
    (2_470, 0),
    (2_700, -200),
];

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
        let levels: Vec<Level> = (500..=2700)
            .filter_map(|elo| Level::of(&limited(elo), &pos))
            .collect();
        assert_eq!(levels.len(), 2201);
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
