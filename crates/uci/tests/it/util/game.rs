//! A game as the tests follow it, and what must be true of every line that the engine shows.

use sextant_board::{Move, MoveSets, Position, is_insufficient_material, parse_uci_move};

use super::{best_move, field, infos, number, pv};

/// A position and the keys of those before it.
#[derive(Clone)]
pub(crate) struct Game {
    position: Position,
    keys: Vec<u64>,
}

impl Game {
    pub(crate) fn new(position: Position) -> Game {
        Game {
            keys: vec![position.key()],
            position,
        }
    }

    pub(crate) fn startpos() -> Game {
        Game::new(Position::startpos())
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn play(&mut self, mv: Move) {
        self.position = self.position.make(mv).0;
        self.keys.push(self.position.key());
    }

    pub(crate) fn occurrences(&self) -> usize {
        let now = self.position.key();
        self.keys.iter().filter(|key| **key == now).count()
    }
}

/// The PV is legal, begins with the best move, and does not go on after the game's end.
pub(crate) fn check_lines(game: &Game, lines: &[String], chess960: bool) {
    let shown = infos(lines);
    assert!(!shown.is_empty(), "no line with a score before {lines:?}");
    for line in &shown {
        let moves = pv(line);
        let mut game = game.clone();
        for (i, text) in moves.iter().enumerate() {
            let mv = parse_uci_move(game.position(), text)
                .unwrap_or_else(|error| panic!("{error} in {line:?}"));
            if !chess960 {
                let taken = game.position().board().color_on(mv.to);
                let own = taken == Some(game.position().side_to_move());
                assert!(
                    !own || *text != mv.to_string(),
                    "{text} is Chess960 notation: {line:?}"
                );
            }
            game.play(mv);
            let position = game.position();
            let over = game.occurrences() >= 3
                || position.clock() >= 100
                || is_insufficient_material(position.board())
                || MoveSets::generate(position).is_empty();
            assert!(
                !over || i + 1 == moves.len(),
                "{line:?} goes on after its end at ply {i}"
            );
        }
        if let (Some("mate"), None) = (field(line, "score"), line.find("bound")) {
            let mate = number(line, "mate");
            let plies = if mate > 0 { 2 * mate - 1 } else { -2 * mate };
            assert_eq!(moves.len() as i64, plies, "{line:?}");
            let last = game.position();
            assert!(
                last.in_check() && MoveSets::generate(last).is_empty(),
                "{line:?}"
            );
        }
    }
    let first = shown
        .iter()
        .rev()
        .find(|line| number_or(line, "multipv", 1) == 1)
        .unwrap();
    assert_eq!(
        pv(first).first().copied().unwrap_or("(none)"),
        best_move(lines)
    );
}

fn number_or(line: &str, key: &str, default: i64) -> i64 {
    field(line, key).map_or(default, |_| number(line, key))
}
