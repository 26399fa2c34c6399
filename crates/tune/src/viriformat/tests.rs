//! The codec against itself, against damage, and against the format's own crate.

use std::io::BufReader;

use sextant_board::Random;
use sextant_board::{
    Board, Color, Move, MoveSets, Piece, Position, Rank, Square, parse_fen, parse_uci_move, to_fen,
};
use sextant_play::GameResult;
use viriformat::{
    chess::{board::Board as OracleBoard, piece::Colour, types::Square as OracleSquare},
    dataformat::{Game as OracleGame, WDL},
};

use sextant_cli::failure::Failure;

use super::{Game, Reader, Turn};

/// A game of random moves from a start, with random scores.
fn random_game(start: Position, plies: usize, random: &mut Random) -> Game {
    let mut turns = Vec::new();
    let mut position = start.clone();
    for _ in 0..plies {
        let moves: Vec<_> = MoveSets::generate(&position).iter().collect();
        if moves.is_empty() || position.clock() >= 100 {
            break;
        }
        // Rare kinds of moves are preferred, so that every one comes up.
        let rare: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&mv| position.is_castling(mv) || position.is_en_passant(mv))
            .collect();
        let from = if rare.is_empty() { &moves } else { &rare };
        let mv = from[random.below(from.len())];
        turns.push(Turn {
            mv,
            white_score: random.next_u64() as i16,
        });
        position.play(mv);
    }
    let result = [
        GameResult::WhiteWins,
        GameResult::Draw,
        GameResult::BlackWins,
    ][random.below(3)];
    Game {
        start,
        result,
        turns,
    }
}

/// Random games from all kinds of starts.
fn games(count: usize) -> Vec<Game> {
    let mut random = Random::new(3);
    let mut start = || match random.below(4) {
        0 => Position::startpos(),
        1 => Position::new(Board::chess960_startpos(random.below(960) as u32)),
        2 => Position::new(Board::double_chess960_startpos(
            random.below(960) as u32,
            random.below(960) as u32,
        )),
        _ => parse_fen("8/PPPP4/4k3/8/8/4K3/4pppp/8 b - - 7 31").unwrap(),
    };
    let starts: Vec<_> = (0..count).map(|_| start()).collect();
    starts
        .into_iter()
        .map(|start| {
            // Some games begin in the middle of another, so that all rights and clocks come up.
            let before = random.below(40);
            let before = random_game(start, before, &mut random);
            let mut middle = before.start.clone();
            for turn in &before.turns {
                middle.play(turn.mv);
            }
            random_game(middle, 200, &mut random)
        })
        .collect()
}

fn bytes_of(games: &[Game]) -> Vec<u8> {
    games.iter().flat_map(Game::to_bytes).collect()
}

fn read(bytes: &[u8]) -> Result<Vec<Game>, Failure> {
    let mut reader = Reader::new(bytes, "games.vf");
    std::iter::from_fn(|| reader.next_game().transpose()).collect()
}

/// The crate of the format reads the same positions, moves, scores and results, and its own
/// writer makes the same bytes.
#[test]
fn the_crate_of_the_format_agrees_on_every_kind_of_move() {
    let games = games(300);
    let bytes = bytes_of(&games);
    assert_eq!(read(&bytes).unwrap(), games);
    let mut stream = BufReader::new(&bytes[..]);
    let mut again = Vec::new();
    let (mut castlings, mut en_passants, mut promotions) = (0, 0, [0; 4]);
    for game in &games {
        let oracle = OracleGame::deserialise_from(&mut stream, Vec::new()).unwrap();
        let result = match oracle.outcome() {
            WDL::Win => GameResult::WhiteWins,
            WDL::Draw => GameResult::Draw,
            WDL::Loss => GameResult::BlackWins,
        };
        assert_eq!(result, game.result);
        assert_eq!(oracle.len(), game.turns.len());
        let mut theirs = Vec::new();
        oracle.visit_positions(|board, score| theirs.push((board.clone(), score)));
        let mut theirs = theirs.into_iter().zip(oracle.moves());
        game.visit(|position, turn| {
            let ((mut board, score), mv) = theirs.next().unwrap();
            assert_eq!(score, i32::from(turn.white_score));
            assert_same(position, &board);
            assert_eq!(mv.from().inner(), turn.mv.from as u8);
            assert!(board.legal_moves().contains(&mv), "{mv:?}");
            castlings += usize::from(position.is_castling(turn.mv));
            en_passants += usize::from(position.is_en_passant(turn.mv));
            if let Some(piece) = turn.mv.promotion {
                promotions[piece as usize - Piece::Knight as usize] += 1;
            }
        });
        oracle.serialise_into(&mut again).unwrap();
    }
    assert!(
        castlings > 50 && en_passants > 50,
        "{castlings} {en_passants}"
    );
    assert!(promotions.iter().all(|&count| count > 20), "{promotions:?}");
    assert_eq!(again, bytes);
}

/// Pieces, side, castling rights and clock are the same; en-passant squares are kept in other ways.
fn assert_same(position: &Position, oracle: &OracleBoard) {
    let (fen, board) = (to_fen(position, true), position.board());
    let theirs = |square: Square| OracleSquare::new(square as u8).unwrap();
    for square in Square::ALL {
        let piece = oracle.piece_at(theirs(square));
        let piece = piece.map(|piece| (piece.piece_type().inner(), piece.colour().inner()));
        let known = board.piece_on(square).zip(board.color_on(square));
        let known = known.map(|(piece, color)| (piece as u8, color as u8));
        assert_eq!(piece, known, "{fen} {square}");
    }
    assert_eq!(oracle.turn().inner(), board.side_to_move() as u8, "{fen}");
    for (color, colour) in [(Color::White, Colour::White), (Color::Black, Colour::Black)] {
        let rights = board.castle_rights(color);
        let square = |file| theirs(Square::new(file, Rank::First.relative_to(color)));
        let known = oracle.castling_rights();
        assert_eq!(known.kingside(colour), rights.short.map(square), "{fen}");
        assert_eq!(known.queenside(colour), rights.long.map(square), "{fen}");
    }
    let clock = oracle.fifty_move_counter();
    assert_eq!(u16::from(clock), position.clock(), "{fen}");
}

#[test]
fn a_file_cut_anywhere_keeps_its_whole_games() {
    let games = games(6);
    let bytes = bytes_of(&games);
    let ends: Vec<u64> = (0..=games.len())
        .map(|count| bytes_of(&games[..count]).len() as u64)
        .collect();
    for length in 0..=bytes.len() {
        let mut reader = Reader::new(&bytes[..length], "games.vf");
        let mut read = 0;
        while let Some(game) = reader.next_game().unwrap() {
            assert_eq!(game, games[read]);
            read += 1;
        }
        let whole = ends.iter().rposition(|&end| end <= length as u64).unwrap();
        assert_eq!((read, reader.whole()), (whole, ends[whole]), "{length}");
        let bytes = length as u64 - ends[whole];
        let torn = format!("inside game {}, {bytes} bytes after", whole + 1);
        match reader.torn() {
            Some(note) => assert!(bytes > 0 && note.contains(&torn), "{note}"),
            None => assert_eq!(bytes, 0),
        }
    }
}

#[test]
fn what_is_no_game_is_refused_with_its_place() {
    let games = games(3);
    let second = bytes_of(&games[..1]).len();
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes_of(&games);
        change(&mut bytes);
        read(&bytes).unwrap_err().to_string()
    };
    for (offset, value, words) in [
        (7, 0xff, "pieces"),
        (8, 0x77, "7 stands for no piece"),
        (24, 0x41, "65 is no square for en passant"),
        (30, 3, "3 is no result"),
        (25, 200, "the position is impossible"),
        (33, 0xff, "move 1"),
    ] {
        let text = refused(&|bytes| {
            if offset == 7 {
                bytes[second..second + 8].fill(value);
            } else {
                bytes[second + offset] = value;
            }
        });
        assert!(text.contains(words), "{text}");
        assert!(text.contains(&format!("game 2 at byte {second}")), "{text}");
        assert!(text.starts_with("games.vf is no file of games"), "{text}");
    }
    let text = read(b"[Event \"a PGN file, which is none of this format\"]").unwrap_err();
    assert!(text.to_string().contains("game 1 at byte 0"), "{text}");
    assert!(read(&[0; 64]).is_err(), "an empty board");
}

#[test]
fn the_move_must_be_of_the_kind_that_its_bits_say() {
    let position = parse_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2").unwrap();
    for (text, kind) in [("e1h1", 0x8000), ("e5d6", 0x4000), ("a1a2", 0), ("e1e2", 0)] {
        let mv = parse_uci_move(&position, text).unwrap();
        let bits = super::moves::pack(&position, mv);
        assert_eq!(bits & 0xC000, kind, "{text}");
        for other in [0, 0x4000, 0x8000, 0xC000] {
            let unpacked = super::moves::unpack(&position, bits & 0x3FFF | other);
            assert_eq!(
                unpacked,
                (other == kind).then_some(mv),
                "{text} {other:04x}"
            );
        }
    }
}

#[test]
fn scores_turn_to_the_view_of_white() {
    use std::time::Duration;

    use sextant_board::Score;
    use sextant_play::{Ending, Record, Turn as Played};

    let turn = |mv: &str, score| Played {
        mv: mv.parse().unwrap(),
        score: Score::new(score),
        depth: 1,
        nodes: 1,
        time: Duration::ZERO,
    };
    let game = Game::of_record(&Record {
        start: Position::startpos(),
        turns: vec![turn("e2e4", 30), turn("e7e5", -20), turn("g1f3", 25)],
        result: GameResult::Draw,
        ending: Ending::TooLong,
    });
    let scores: Vec<_> = game.turns.iter().map(|turn| turn.white_score).collect();
    assert_eq!(scores, [30, 20, 25]);
}
