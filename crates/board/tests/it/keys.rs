//! Keys and deltas that are kept along the way equal those made from scratch.

use std::collections::HashMap;

use sextant_board::{
    Color, Delta, Keys, Piece, Placed, Position, Square, parse_fen, parse_uci_move, to_fen,
};

use crate::common::{legal_moves, random_games};

type Mailbox = [Option<(Piece, Color)>; Square::NUM];

fn mailbox(pos: &Position) -> Mailbox {
    let board = pos.board();
    Square::ALL.map(|square| Some((board.piece_on(square)?, board.color_on(square)?)))
}

fn apply(mailbox: &mut Mailbox, delta: &Delta) {
    for &Placed {
        piece,
        color,
        square,
    } in delta.removed.iter().flatten()
    {
        assert_eq!(mailbox[square as usize].take(), Some((piece, color)));
    }
    for &Placed {
        piece,
        color,
        square,
    } in delta.added.iter().flatten()
    {
        assert_eq!(mailbox[square as usize].replace((piece, color)), None);
    }
}

#[test]
fn incremental_keys_are_the_keys_from_scratch() {
    let mut moves = 0;
    random_games(31, 2_000, 200, |_, mv, after, _| {
        assert_eq!(
            *after.keys(),
            Keys::of(after.board()),
            "{} after {mv}",
            after.board()
        );
        if let Some(passed) = after.make_null() {
            assert_eq!(*passed.keys(), Keys::of(passed.board()));
        }
        moves += 1;
    });
    assert!(moves > 100_000);
}

#[test]
fn the_delta_is_the_difference_of_the_boards() {
    random_games(32, 2_000, 200, |before, mv, after, delta| {
        let mut pieces = mailbox(before);
        apply(&mut pieces, delta);
        assert_eq!(pieces, mailbox(after), "{} {mv}", before.board());
    });
}

/// What the rules compare: pieces, side, castling rights, a legal en-passant capture. The FEN has
/// just that before its clocks.
fn identity(pos: &Position) -> String {
    let fen = to_fen(pos, true);
    fen.rsplitn(3, ' ').nth(2).unwrap().to_owned()
}

#[test]
fn equal_keys_are_equal_positions() {
    let mut seen: HashMap<u64, String> = HashMap::new();
    let mut again = 0;
    random_games(33, 1_000, 200, |_, _, after, _| {
        let position = identity(after);
        if let Some(known) = seen.get(&after.key()) {
            assert_eq!(*known, position);
            again += 1;
        } else {
            seen.insert(after.key(), position);
        }
    });
    let distinct: std::collections::HashSet<_> = seen.values().collect();
    assert_eq!(distinct.len(), seen.len(), "one position has two keys");
    assert!(again > 500, "only {again} transpositions");
}

#[test]
fn keys_of_parts_follow_their_parts() {
    random_games(34, 400, 200, |before, _, after, delta| {
        // In Chess960 a king may castle onto its own square.
        let stays = |placed: &Placed| {
            delta.removed.contains(&Some(*placed)) && delta.added.contains(&Some(*placed))
        };
        let touched = |wanted: &dyn Fn(&Placed) -> bool| {
            let mut changed = delta.removed.iter().chain(&delta.added).flatten();
            changed.any(|placed| wanted(placed) && !stays(placed))
        };
        let (old, new) = (before.keys(), after.keys());
        let is_minor = |piece| matches!(piece, Piece::Knight | Piece::Bishop | Piece::King);
        assert_eq!(
            old.pawn() != new.pawn(),
            touched(&|placed| placed.piece == Piece::Pawn)
        );
        assert_eq!(
            old.minor() != new.minor(),
            touched(&|placed| is_minor(placed.piece))
        );
        for color in [Color::White, Color::Black] {
            assert_eq!(
                old.non_pawn(color) != new.non_pawn(color),
                touched(&|placed| placed.piece != Piece::Pawn && placed.color == color)
            );
        }
    });
}

fn after(fen: &str, moves: &str) -> Position {
    moves
        .split_whitespace()
        .fold(parse_fen(fen).unwrap(), |pos, text| {
            let mv = parse_uci_move(&pos, text).unwrap();
            pos.make(mv).0
        })
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn transpositions_share_a_key() {
    let one = after(START, "g1f3 g8f6 b1c3 b8c6");
    let other = after(START, "b1c3 b8c6 g1f3 g8f6");
    assert_eq!(one.key(), other.key());
    let home = after(START, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!(home.key(), Position::startpos().key());
    let lost_right = after(START, "g1f3 g8f6 h1g1 h8g8 g1h1 g8h8 f3g1 f6g8");
    assert_ne!(lost_right.key(), Position::startpos().key());
}

#[test]
fn en_passant_counts_only_where_a_capture_is_legal() {
    // After e2e4 nobody can capture: the same position as without a double push.
    let pushed = after(START, "e2e4");
    let plain = parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").unwrap();
    assert_eq!(pushed.key(), plain.key());
    // A pawn beside it can.
    let beside = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    let takable = after(beside, "e2e4");
    let quiet = parse_fen("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1").unwrap();
    assert_ne!(takable.key(), quiet.key());
    // A pawn beside it that is pinned on its file, or on the rank that both pawns leave, cannot.
    for (fen, quiet) in [
        (
            "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1",
            "3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1",
        ),
        (
            "8/8/8/8/k2p3Q/8/4P3/4K3 w - - 0 1",
            "8/8/8/8/k2pP2Q/8/8/4K3 b - - 0 1",
        ),
    ] {
        assert_eq!(after(fen, "e2e4").key(), parse_fen(quiet).unwrap().key());
    }
}

#[test]
fn the_key_after_a_shuffle_is_the_key_after_the_move() {
    let mut answered = 0;
    random_games(35, 300, 200, |pos, _, _, _| {
        for mv in legal_moves(pos.board()) {
            let piece = pos.board().piece_on(mv.from).unwrap();
            let (next, delta) = pos.make(mv);
            if let Some(key) = pos.key_after_shuffle(piece, mv) {
                assert_eq!(key, next.key(), "{} {mv}", pos.board());
                assert!(is_shuffle(&delta));
                answered += 1;
            }
        }
    });
    assert!(answered > 100_000, "{answered}");
}

fn is_shuffle(delta: &Delta) -> bool {
    let [moved, captured] = delta.removed;
    captured.is_none() && moved.is_some_and(|placed| placed.piece != Piece::Pawn)
}

#[test]
fn a_null_move_in_check_is_refused() {
    let pos = parse_fen("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").unwrap();
    assert!(pos.in_check());
    assert!(pos.make_null().is_none());
}

/// The guess is right for every move that it promises to be right for.
#[test]
fn guessed_keys() {
    let mut right = 0;
    random_games(33, 500, 200, |before, mv, after, _| {
        let rights = |pos: &Position| Color::ALL.map(|color| *pos.board().castle_rights(color));
        let simple = !before.is_castling(mv)
            && mv.promotion.is_none()
            && before.board().en_passant().is_none()
            && after.board().en_passant().is_none()
            && rights(before) == rights(after);
        if simple {
            assert_eq!(before.key_guess(mv), after.key(), "{} {mv}", before.board());
            right += 1;
        }
    });
    assert!(right > 10_000);
}
