//! What fastchess tells of its games, counted in whole pairs.

use std::collections::BTreeMap;

use sextant_play::Tally;

/// The games that fastchess told of.
#[derive(Default)]
pub(super) struct Games {
    pub(super) tally: Tally,
    /// How the games of whole pairs ended, in its words, with A and B for the colors.
    pub(super) endings: BTreeMap<String, u64>,
    /// What it warned of, without the moves and names behind it.
    pub(super) warnings: BTreeMap<String, u64>,
    /// First games of pairs that are not whole yet, or second ones.
    waiting: BTreeMap<u64, Finished>,
}

#[derive(Debug, PartialEq)]
struct Finished {
    /// The game's number, from 1; pairs are 1 and 2, 3 and 4, ...
    number: u64,
    is_first_white: bool,
    /// Half points of White.
    white: u64,
    ending: String,
}

impl Games {
    /// Counts a game as soon as its pair is whole.
    pub(super) fn add(&mut self, line: &str, first: &str) {
        let Some(game) = Finished::read(line, first) else {
            return;
        };
        let pair = (game.number - 1) / 2;
        let Some(other) = self.waiting.remove(&pair) else {
            self.waiting.insert(pair, game);
            return;
        };
        let mut points = 0;
        for game in [other, game] {
            let gained = if game.is_first_white {
                game.white
            } else {
                2 - game.white
            };
            let (tally, endings) = (&mut self.tally, &mut self.endings);
            *[&mut tally.losses, &mut tally.draws, &mut tally.wins][gained as usize] += 1;
            tally.white_wins += game.white / 2;
            *endings.entry(game.ending).or_default() += 1;
            points += gained;
        }
        self.tally.pentanomial.0[points as usize] += 1;
    }

    /// Counts a warning; is it the first of its kind?
    pub(super) fn warned(&mut self, line: &str) -> bool {
        let text = line.trim_start_matches("Warning;").trim();
        let kind = text.split(" - ").next().unwrap_or(text);
        let count = self.warnings.entry(kind.to_owned()).or_default();
        *count += 1;
        *count == 1
    }
}

/// `A mates 2, Draw by adjudication 1`
pub(super) fn counts_text(counts: &BTreeMap<String, u64>) -> String {
    let counts = counts.iter().map(|(what, count)| format!("{what} {count}"));
    counts.collect::<Vec<_>>().join(", ")
}

impl Finished {
    /// Reads `Finished game 3 (A vs B): 1-0 {White mates}`; `None` for a game without a result.
    fn read(line: &str, first: &str) -> Option<Finished> {
        let (number, rest) = line.strip_prefix("Finished game ")?.split_once(" (")?;
        let (players, rest) = rest.rsplit_once("): ")?;
        let (result, ending) = rest.split_once(' ')?;
        let white = match result {
            "1-0" => 2,
            "1/2-1/2" => 1,
            "0-1" => 0,
            _ => return None,
        };
        let is_first_white = players.starts_with(&format!("{first} vs "));
        let [of_white, of_black] = if is_first_white {
            ["A", "B"]
        } else {
            ["B", "A"]
        };
        let ending = ending.trim_matches(['{', '}']);
        Some(Finished {
            number: number.parse().ok().filter(|&number| number > 0)?,
            is_first_white,
            white,
            ending: ending.replace("White", of_white).replace("Black", of_black),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_count_when_they_are_whole_and_from_the_first_players_view() {
        let mut games = Games::default();
        for line in [
            "Finished game 1 (A:x(y=1 z=2) vs s): 1-0 {White mates}",
            "Finished game 4 (s vs A:x(y=1 z=2)): 1/2-1/2 {Draw by stalemate}",
            "Finished game 5 (A:x(y=1 z=2) vs s): * {No result}",
            "Finished game 2 (s vs A:x(y=1 z=2)): 1-0 {Black loses on time}",
            "Finished game 3 (A:x(y=1 z=2) vs s): 1-0 {Black disconnects}",
            "Finished game 7 (A:x(y=1 z=2) vs s): 0-1 {Black mates}",
        ] {
            games.add(line, "A:x(y=1 z=2)");
        }
        let tally = &games.tally;
        assert_eq!(tally.pentanomial.0, [0, 0, 1, 1, 0]);
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 1));
        assert_eq!(tally.white_wins, 3);
        let endings = [
            "A loses on time",
            "A mates",
            "B disconnects",
            "Draw by stalemate",
        ];
        assert!(games.endings.keys().eq(&endings), "{:?}", games.endings);
    }
}
