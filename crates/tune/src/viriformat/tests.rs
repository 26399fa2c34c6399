//! The codec against itself, against damage, and against the format's own crate.

use std::{io::BufReader, time::Duration};

use sextant_board::{
    Board, Color, MoveSets, Piece, Position, Random, Rank, Score, Square, parse_fen,
    parse_uci_move, to_fen,
};
use sextant_cli::failure::Failure;
use sextant_play::{Ending, GameResult, Record};
use viriformat::{
    chess::{board::Board as OracleBoard, piece::Colour, types::Square as OracleSquare},
    dataformat::{Game as OracleGame, WDL},
};

use super::{
    Game, Reader, Turn,
    pack::{pack_move, unpack_move},
};

const RESULTS: [GameResult; 3] = [
    GameResult::BlackWins,
    GameResult::Draw,
    GameResult::WhiteWins,
];

/// A game of random moves from a start, with random scores, and where it ended.
fn random_game(start: Position, plies: usize, random: &mut Random) -> (Game, Position) {
    let mut turns = Vec::new();
    let mut position = start.clone();
    for _ in 0..plies {
        let moves: Vec<_> = MoveSets::generate(&position).iter().collect();
        if moves.is_empty() || position.clock() >= 100 {
            break;
        }
        // Rare kinds of moves are preferred, so that every one comes up.
        let mut rare = moves.clone();
        rare.retain(|&mv| position.is_castling(mv) || position.is_en_passant(mv));
        let from = if rare.is_empty() { &moves } else { &rare };
        let mv = from[random.below(from.len())];
        let white_score = random.next_u64() as i16;
        turns.push(Turn { mv, white_score });
        position.play(mv);
    }
    let result = RESULTS[random.below(3)];
    let game = Game {
        start,
        result,
        turns,
    };
    (game, position)
}

/// Random games from all kinds of starts.
fn games(count: usize) -> Vec<Game> {
    let mut random = Random::new(3);
    let game = |number| {
        let mut below = |bound| random.below(bound) as u32;
        let start = match number % 4 {
            0 => Position::startpos(),
            1 => Position::new(Board::chess960_startpos(below(960))),
            2 => Position::new(Board::double_chess960_startpos(below(960), below(960))),
            _ => parse_fen("8/PPPP4/4k3/8/8/4K3/4pppp/8 b - - 7 31").unwrap(),
        };
        // Some games begin in the middle of another, so that all rights and clocks come up.
        let before = random.below(40);
        let (_, middle) = random_game(start, before, &mut random);
        random_game(middle, 200, &mut random).0
    };
    (0..count).map(game).collect()
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
            WDL::Loss => 0,
            WDL::Draw => 1,
            WDL::Win => 2,
        };
        assert_eq!(RESULTS[result], game.result);
        assert_eq!(oracle.len(), game.turns.len());
        let mut theirs = Vec::new();
        oracle.visit_positions(|board, score| theirs.push((board.clone(), score)));
        let mut theirs = theirs.into_iter().zip(oracle.moves());
        for (position, turn) in game.positions() {
            let ((mut board, score), mv) = theirs.next().unwrap();
            assert_eq!(score, i32::from(turn.white_score));
            assert_same(&position, &board);
            assert_eq!(mv.from().inner(), turn.mv.from as u8);
            assert!(board.legal_moves().contains(&mv), "{mv:?}");
            castlings += usize::from(position.is_castling(turn.mv));
            en_passants += usize::from(position.is_en_passant(turn.mv));
            if let Some(piece) = turn.mv.promotion {
                promotions[piece as usize - Piece::Knight as usize] += 1;
            }
        }
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
        let known = board.piece_on(square).map(|piece| piece as u8);
        let known = known.zip(board.color_on(square).map(|color| color as u8));
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
    for (offset, values, words) in [
        (0, &[0xff; 8][..], "pieces"),
        (8, &[0x77], "7 stands for no piece"),
        (24, &[0x41], "65 is no square for en passant"),
        (30, &[3], "3 is no result"),
        (25, &[200], "the position is impossible"),
        (33, &[0xff], "move 1"),
    ] {
        let mut bytes = bytes_of(&games);
        bytes[second + offset..][..values.len()].copy_from_slice(values);
        let text = read(&bytes).unwrap_err().to_string();
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
        let bits = pack_move(&position, mv);
        assert_eq!(bits & 0xC000, kind, "{text}");
        for other in [0, 0x4000, 0x8000, 0xC000] {
            let unpacked = unpack_move(&position, bits & 0x3FFF | other);
            let expected = (other == kind).then_some(mv);
            assert_eq!(unpacked, expected, "{text} {other:04x}");
        }
    }
}

#[test]
fn scores_turn_to_the_view_of_white() {
    let turn = |mv: &str, score| sextant_play::Turn {
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
    let scores = game.turns.iter().map(|turn| turn.white_score);
    assert!(scores.eq([30, 20, 25]));
}
