//! A conversation with HAL: sentences in, answers out, a game between them.

use cozy_chess::{Board, GameStatus, Move};

use super::search::{Answer, think};
use super::sentences::{Misunderstood, Request};
use super::{Reading, Settings};
use crate::game::Game;
use crate::game::chess::Chess;
use crate::output::text;
use crate::report::{Cell, Table};

/// What HAL says, and whether it takes its leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// One or more lines.
    pub text: String,
    /// The conversation is over.
    pub over: bool,
}

/// A game with HAL, who answers every move.
#[derive(Clone, Debug)]
pub struct Dialogue {
    board: Board,
    settings: Settings,
    report: bool,
    moves: Vec<(String, String, Answer)>,
}

impl Default for Dialogue {
    fn default() -> Dialogue {
        Dialogue {
            board: Board::default(),
            settings: Settings::skill(4),
            report: false,
            moves: Vec::new(),
        }
    }
}

impl Dialogue {
    /// Answers one sentence.
    pub fn hear(&mut self, sentence: &str) -> Reply {
        let over = matches!(sentence.parse(), Ok(Request::Quit));
        let text = match sentence.parse() {
            Ok(request) => self.answer(request),
            Err(error) => apology(&error),
        };
        Reply { text, over }
    }

    fn answer(&mut self, request: Request) -> String {
        match request {
            Request::QuietFirst(on) => {
                self.settings.quiet_first = on;
                let not = if on { "" } else { "not " };
                format!("I will {not}attempt quiescence optimization.")
            }
            Request::Skill(level) => {
                let fresh = Settings::skill(level);
                self.settings = Settings {
                    skill: level,
                    horizon: fresh.horizon,
                    ..self.settings
                };
                format!("I will search {level} plies in full width.")
            }
            Request::Reading(reading) => {
                self.settings.reading = reading;
                format!(
                    "I will search {}: {}.",
                    reading.words(),
                    what_is_extended(reading)
                )
            }
            Request::Statistics(on) => {
                self.report = on;
                match (on, self.moves.is_empty()) {
                    (false, _) => "I will keep my statistics to myself.".to_owned(),
                    (true, true) => "I will report game statistics.".to_owned(),
                    (true, false) => self.statistics(),
                }
            }
            Request::Move(written) => self.play(&written),
            Request::NewGame => {
                self.board = Board::default();
                self.moves.clear();
                "A new game. You are White.".to_owned()
            }
            Request::Quit => {
                let farewell = "Goodbye. That was a good game.";
                if self.report && !self.moves.is_empty() {
                    format!("{}{farewell}", self.statistics())
                } else {
                    farewell.to_owned()
                }
            }
        }
    }

    fn play(&mut self, written: &str) -> String {
        if self.board.status() != GameStatus::Ongoing {
            return "This game is over. Say \"new game\" for another.".to_owned();
        }
        let Some(mv) = self.find(written) else {
            return format!(
                "{written} is not a legal move here. The position is {}",
                self.board
            );
        };
        self.board.play_unchecked(mv);
        if let Some(end) = self.end() {
            return end;
        }
        let answer = think(&Chess::new(self.board.clone(), 0), &self.settings);
        let Some(reply) = answer.best else {
            return "I have no move.".to_owned();
        };
        let spoken = self.spoken(reply);
        self.board.play_unchecked(reply);
        let mut text = format!("{spoken} ({:+.2})", answer.value.0 as f64 / 100.0);
        if self.report {
            let spent = &answer.statistics;
            text = format!(
                "{text}: {} nodes, {} cut-offs, {:.2} s",
                spent.nodes,
                spent.cut_offs,
                spent.time.as_secs_f64()
            );
        }
        self.moves.push((written.to_owned(), spoken, answer));
        self.end()
            .map_or_else(|| text.clone(), |end| format!("{text}\n{end}"))
    }

    /// The legal move that is meant by "e2-e4", "b4xa5", "e7-e8q" or "0-0".
    fn find(&self, written: &str) -> Option<Move> {
        let bare = |text: &str| text.replace(['-', 'x'], "").replace('0', "o");
        let meant = bare(written);
        Chess::new(self.board.clone(), 0)
            .moves()
            .into_iter()
            .find(|&mv| {
                let uci = cozy_chess::util::display_uci_move(&self.board, mv).to_string();
                uci == meant || self.castling(mv).is_some_and(|word| bare(word) == meant)
            })
    }

    fn castling(&self, mv: Move) -> Option<&'static str> {
        let own = self.board.colors(self.board.side_to_move());
        let castles = own.has(mv.from) && own.has(mv.to);
        castles.then(|| {
            if mv.to.file() > mv.from.file() {
                "0-0"
            } else {
                "0-0-0"
            }
        })
    }

    /// The move as the paper writes it.
    fn spoken(&self, mv: Move) -> String {
        if let Some(castling) = self.castling(mv) {
            return castling.to_owned();
        }
        let takes = Chess::new(self.board.clone(), 0).victim(mv).is_some();
        let sign = if takes { 'x' } else { '-' };
        let promotion = mv
            .promotion
            .map(|piece| piece.to_string())
            .unwrap_or_default();
        format!("{}{sign}{}{promotion}", mv.from, mv.to)
    }

    fn end(&self) -> Option<String> {
        match self.board.status() {
            GameStatus::Ongoing => None,
            GameStatus::Won => Some("Checkmate.".to_owned()),
            GameStatus::Drawn => Some("The game is drawn.".to_owned()),
        }
    }

    fn statistics(&self) -> String {
        let mut table = Table::new(
            "game",
            "Game statistics",
            &["move", "White", "HAL", "nodes", "cut-offs", "seconds"],
        );
        for (number, (white, hal, answer)) in (1_u32..).zip(&self.moves) {
            table.row([
                number.into(),
                white.as_str().into(),
                hal.as_str().into(),
                answer.statistics.nodes.into(),
                answer.statistics.cut_offs.into(),
                Cell::real(answer.statistics.time.as_secs_f64(), 2),
            ]);
        }
        text::table(&table)
    }
}

fn apology(error: &Misunderstood) -> String {
    format!("I'm sorry. {error}")
}

fn what_is_extended(reading: Reading) -> &'static str {
    match reading {
        Reading::AsPrinted => "nothing is extended",
        Reading::AsMeant => "captures and promotions are extended at the last ply",
        Reading::AsDescribed => "captures, promotions and checks are extended at the last ply",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(sentences: &[&str]) -> Vec<String> {
        let mut dialogue = Dialogue::default();
        sentences
            .iter()
            .map(|sentence| dialogue.hear(sentence).text)
            .collect()
    }

    fn at(fen: &str) -> Dialogue {
        Dialogue {
            board: fen.parse().unwrap(),
            ..Dialogue::default()
        }
    }

    #[test]
    fn the_papers_setup_and_first_moves() {
        let answers = talk(&[
            "HAL, attempt quiescence optimization.",
            "Play with skill level 2.",
            "HAL, report game statistics.",
            "e2-e4",
            "g1-f3",
        ]);
        assert_eq!(answers[0], "I will attempt quiescence optimization.");
        assert_eq!(answers[1], "I will search 2 plies in full width.");
        assert!(
            answers[3].contains(" nodes, ") && answers[3].contains('-'),
            "{}",
            answers[3]
        );
    }

    #[test]
    fn illegal_moves_and_nonsense_change_nothing() {
        let mut dialogue = Dialogue::default();
        let before = dialogue.board.clone();
        for sentence in ["e2-e5", "0-0", "e7-e5", "sing a song"] {
            dialogue.hear(sentence);
            assert_eq!(dialogue.board, before, "{sentence}");
        }
    }

    #[test]
    fn both_castlings_and_promotions_are_understood() {
        let dialogue = at("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1");
        let found = |word| dialogue.find(word).map(|mv| mv.to_string());
        assert_eq!(found("0-0").as_deref(), Some("e1h1"));
        assert_eq!(found("o-o-o").as_deref(), Some("e1a1"));
        assert_eq!(found("a7-a8n").as_deref(), Some("a7a8n"));
        assert_eq!(found("a7-a8"), None);
    }

    #[test]
    fn a_mating_move_ends_the_game() {
        let mut dialogue = at("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
        assert_eq!(dialogue.hear("a1-a8").text, "Checkmate.");
        assert!(dialogue.hear("e1-e2").text.contains("over"));
        assert!(dialogue.hear("goodbye").over);
    }
}
