//! What the rules of chess say of a game: its positions, its legal moves, its end.

use sextant_board::{
    Move, MoveSets, PgnReader, Position, cozy_chess::Board, display_uci_move, parse_loose_fen,
    parse_uci_move, to_fen, to_san,
};
use sextant_play::by_the_rules;
use sextant_search::Game;

use crate::protocol::{
    End, GameText, LegalMove, PgnGame, Played, Ply, PositionReply, Refusal, Reply,
};

/// The longest game; a real one is hardly a quarter of it.
const MAX_PLIES: usize = 2_000;
/// Games of one PGN text.
const MAX_GAMES: usize = 100;

/// A game that was read, with the way to spell its moves.
pub(crate) struct Known {
    pub(crate) game: Game,
    pub(crate) chess960: bool,
    plies: Vec<Ply>,
}

impl GameText {
    fn start(&self) -> Result<Position, Refusal> {
        let bad = |error: &dyn ToString| Refusal::new("bad_game", error.to_string());
        if self.start == "startpos" {
            return Ok(Position::startpos());
        }
        let Some(number) = self.start.strip_prefix("chess960:") else {
            let board = parse_loose_fen(&self.start).map_err(|error| bad(&error))?;
            return Ok(Position::new(board));
        };
        match number.parse() {
            Ok(number @ 0..960) => Ok(Position::new(Board::chess960_startpos(number))),
            _ => Err(bad(&"chess960: is followed by a number from 0 to 959")),
        }
    }

    /// Plays the moves.
    pub(crate) fn read(&self) -> Result<Known, Refusal> {
        let bad = |message: String| Refusal::new("bad_game", message);
        if self.moves.len() > MAX_PLIES {
            return Err(bad(format!("a game has at most {MAX_PLIES} moves here")));
        }
        let start = self.start()?;
        let chess960 = start.is_chess960();
        let mut plies = vec![ply(&start, None)];
        let mut game = Game::new(start);
        for (number, text) in (1..).zip(&self.moves) {
            let position = game.position();
            let mv = parse_uci_move(position, text);
            let mv = mv.map_err(|error| bad(format!("move {number}: {error}")))?;
            let played = Played {
                uci: display_uci_move(position, mv, chess960).to_string(),
                san: to_san(position, mv),
            };
            game.play(mv);
            plies.push(ply(game.position(), Some(played)));
        }
        Ok(Known {
            game,
            chess960,
            plies,
        })
    }
}

fn ply(position: &Position, mv: Option<Played>) -> Ply {
    Ply {
        fen: to_fen(position, false),
        check: position.in_check(),
        mv,
    }
}

impl Known {
    pub(crate) fn reply(self, id: u64) -> Reply {
        let position = self.game.position();
        let end = by_the_rules(&self.game).map(|(result, ending)| End {
            result: result.text(),
            reason: ending.text(),
        });
        let moves = MoveSets::generate(position);
        let legal = moves.iter().filter(|_| end.is_none());
        let legal = legal.map(|mv| legal_move(position, mv, self.chess960));
        Reply::Position(Box::new(PositionReply {
            id,
            chess960: self.chess960,
            legal: legal.collect(),
            end,
            plies: self.plies,
        }))
    }
}

fn legal_move(position: &Position, mv: Move, chess960: bool) -> LegalMove {
    let mut to = vec![mv.to.to_string()];
    if position.is_castling(mv) {
        let king = display_uci_move(position, mv, false).to_string();
        // Where the king could step to that square, the text means the step.
        if parse_uci_move(position, &king) == Ok(mv) && !king.ends_with(to.concat().as_str()) {
            to.extend(king.get(2..).map(str::to_owned));
        }
    }
    LegalMove {
        uci: display_uci_move(position, mv, chess960).to_string(),
        san: to_san(position, mv),
        from: mv.from.to_string(),
        to,
        promotion: mv.promotion.map(|piece| piece.to_string()),
    }
}

/// The games of a text, up to the first that cannot be read.
pub(crate) fn read_pgn(id: u64, text: &str) -> Reply {
    let mut reader = PgnReader::new(text);
    let mut games = Vec::new();
    let error = loop {
        match reader.next_game() {
            Ok(None) if games.is_empty() => break Some("there is no game in this text".to_owned()),
            Ok(None) => break None,
            Err(error) => break Some(error.to_string()),
            Ok(Some(_)) if games.len() == MAX_GAMES => {
                break Some(format!("the first {MAX_GAMES} games are shown"));
            }
            Ok(Some(game)) => games.push(pgn_game(game)),
        }
    };
    Reply::Pgn { id, games, error }
}

fn pgn_game(game: sextant_board::PgnGame) -> PgnGame {
    let chess960 = game.start.is_chess960();
    let moves = game.positions().zip(&game.moves);
    PgnGame {
        start: to_fen(&game.start, false),
        moves: moves
            .map(|(before, &mv)| display_uci_move(&before, mv, chess960).to_string())
            .collect(),
        tags: game.tags,
    }
}
