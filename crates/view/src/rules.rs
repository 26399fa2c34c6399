//! What the rules of chess say of a game: its positions, its legal moves, its end.

use serde_json::{Value, json};
use sextant_board::{
    Move, MoveSets, PgnGame, PgnReader, Position, cozy_chess::Board, display_uci_move,
    parse_loose_fen, parse_uci_move, to_fen, to_san,
};
use sextant_play::by_the_rules;
use sextant_search::Game;

use crate::protocol::{GameText, Refusal};

/// The longest game; a real one is hardly a quarter of it.
const MAX_PLIES: usize = 2_000;
/// Games of one PGN text.
const MAX_GAMES: usize = 100;

/// A game that was read.
pub struct Known {
    pub game: Game,
    chess960: bool,
    /// The position at the start and after every move.
    plies: Vec<Value>,
}

impl GameText {
    fn start(&self) -> Result<Position, Refusal> {
        if self.start == "startpos" {
            return Ok(Position::startpos());
        }
        let Some(number) = self.start.strip_prefix("chess960:") else {
            let board = parse_loose_fen(&self.start);
            return board
                .map(Position::new)
                .map_err(|error| Refusal::new("bad_game", error));
        };
        match number.parse() {
            Ok(number @ 0..960) => Ok(Position::new(Board::chess960_startpos(number))),
            _ => Err(Refusal::new(
                "bad_game",
                "chess960: is followed by a number from 0 to 959",
            )),
        }
    }

    /// Plays the moves.
    pub fn read(&self) -> Result<Known, Refusal> {
        let bad = |message: String| Refusal::new("bad_game", message);
        if self.moves.len() > MAX_PLIES {
            return Err(bad(format!("a game has at most {MAX_PLIES} moves here")));
        }
        let start = self.start()?;
        let mut known = Known {
            chess960: start.is_chess960(),
            plies: vec![ply(&start, None)],
            game: Game::new(start),
        };
        for (number, text) in (1..).zip(&self.moves) {
            let position = known.game.position();
            let mv = parse_uci_move(position, text);
            let mv = mv.map_err(|error| bad(format!("move {number}: {error}")))?;
            let played = (known.spell(position, mv), to_san(position, mv));
            known.game.play(mv);
            known.plies.push(ply(known.game.position(), Some(played)));
        }
        Ok(known)
    }
}

/// A position, and the move that led to it in UCI's notation and in algebraic notation.
fn ply(position: &Position, played: Option<(String, String)>) -> Value {
    let (uci, san) = played.unzip();
    let fen = to_fen(position, false);
    json!({ "fen": fen, "check": position.in_check(), "uci": uci, "san": san })
}

impl Known {
    /// A move in UCI's notation, as this game has it.
    pub fn spell(&self, before: &Position, mv: Move) -> String {
        display_uci_move(before, mv, self.chess960).to_string()
    }

    pub fn reply(self, id: u64) -> Value {
        let position = self.game.position();
        let end = by_the_rules(&self.game);
        let moves = MoveSets::generate(position);
        let legal = moves.iter().filter(|_| end.is_none());
        let legal: Vec<Value> = legal.map(|mv| self.legal_move(mv)).collect();
        let end =
            end.map(|(result, ending)| json!({ "result": result.text(), "reason": ending.text() }));
        json!({
            "type": "position", "id": id, "chess960": self.chess960,
            "plies": self.plies, "legal": legal, "end": end,
        })
    }

    /// A move with the squares that mean it: castling is by the king's square or by the rook's.
    fn legal_move(&self, mv: Move) -> Value {
        let position = self.game.position();
        let mut to = vec![mv.to.to_string()];
        if position.is_castling(mv) {
            let king = display_uci_move(position, mv, false).to_string();
            // Where the king could step to that square, the text means the step.
            let is_it = parse_uci_move(position, &king) == Ok(mv);
            to.extend(king.get(2..).filter(|_| is_it).map(str::to_owned));
            to.dedup();
        }
        json!({
            "uci": self.spell(position, mv), "san": to_san(position, mv),
            "from": mv.from.to_string(), "to": to,
            "promotion": mv.promotion.map(|piece| piece.to_string()),
        })
    }
}

/// The first games of a text that can be read, and what is wrong with those between them.
pub fn read_pgn(id: u64, text: &str) -> Value {
    let mut reader = PgnReader::new(text);
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for number in 1.. {
        match reader.next_game() {
            Ok(None) => break,
            Ok(Some(_)) | Err(_) if number > MAX_GAMES => {
                errors.push(format!("only the first {MAX_GAMES} games are read"));
                break;
            }
            Ok(Some(game)) => games.push(pgn_game(number, &game)),
            Err(error) => errors.push(error.to_string()),
        }
    }
    if games.is_empty() && errors.is_empty() {
        errors.push("there is no game in this text".to_owned());
    }
    json!({ "type": "pgn", "id": id, "games": games, "errors": errors })
}

/// A game with its number in the text.
fn pgn_game(number: usize, game: &PgnGame) -> Value {
    let chess960 = game.start.is_chess960();
    let moves = game.positions().zip(game.moves());
    let moves = moves.map(|(before, mv)| display_uci_move(&before, mv, chess960).to_string());
    let moves: Vec<String> = moves.collect();
    json!({
        "number": number, "tags": game.tags, "start": to_fen(&game.start, false), "moves": moves,
        "text": game.to_text(),
    })
}
