//! Keys and deltas that are kept along the way equal those made from scratch; threats, phases and
//! dead material against slow definitions.

use std::collections::{HashMap, HashSet};

use sextant_board::{
    BitBoard, Board, Color, Delta, Keys, Phase, Piece, Placed, Position, Square, Threats,
    cozy_chess::{
        get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
    },
    is_insufficient_material, parse_fen, parse_uci_move, to_fen,
};

use crate::common::{legal_moves, random_games, random_positions};

type Mailbox = [Option<(Piece, Color)>; Square::NUM];

fn mailbox(pos: &Position) -> Mailbox {
    let board = pos.board();
    Square::ALL.map(|square| Some((board.piece_on(square)?, board.color_on(square)?)))
}

fn apply(mailbox: &mut Mailbox, delta: &Delta) {
    for placed in delta.removed.iter().flatten() {
        let removed = mailbox[placed.square as usize].take();
        assert_eq!(removed, Some((placed.piece, placed.color)));
    }
    for placed in delta.added.iter().flatten() {
        let added = (placed.piece, placed.color);
        assert_eq!(mailbox[placed.square as usize].replace(added), None);
    }
}

#[test]
fn incremental_keys_are_the_keys_from_scratch() {
    let mut moves = 0;
    random_games(31, 2_000, 200, |_, mv, after, _| {
        let board = after.board();
        assert_eq!(*after.keys(), Keys::of(board), "{board} after {mv}");
        let passed = after.make_null();
        assert_eq!(passed.is_none(), after.in_check(), "{board}");
        if let Some(passed) = passed {
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
    let distinct: HashSet<_> = seen.values().collect();
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
        let pawns = touched(&|placed| placed.piece == Piece::Pawn);
        assert_eq!(old.pawn() != new.pawn(), pawns);
        let minors = touched(&|placed| is_minor(placed.piece));
        assert_eq!(old.minor() != new.minor(), minors);
        for color in Color::ALL {
            let others = touched(&|placed| placed.piece != Piece::Pawn && placed.color == color);
            assert_eq!(old.non_pawn(color) != new.non_pawn(color), others);
        }
    });
}

fn after(fen: &str, moves: &str) -> Position {
    let mut pos = parse_fen(fen).unwrap();
    for text in moves.split_whitespace() {
        pos.play(parse_uci_move(&pos, text).unwrap());
    }
    pos
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn en_passant_counts_only_where_a_capture_is_legal() {
    for (before, pushed, counts) in [
        (
            START,
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            false,
        ),
        // A pawn beside it can capture; not if it is pinned on its file, or on the rank that both
        // pawns leave.
        (
            "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1",
            true,
        ),
        (
            "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1",
            "3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1",
            false,
        ),
        (
            "8/8/8/8/k2p3Q/8/4P3/4K3 w - - 0 1",
            "8/8/8/8/k2pP2Q/8/8/4K3 b - - 0 1",
            false,
        ),
    ] {
        let differs = after(before, "e2e4").key() != parse_fen(pushed).unwrap().key();
        assert_eq!(differs, counts, "{pushed}");
    }
}

/// The keys that are found without making a move are right where they promise to be.
#[test]
fn keys_before_the_move_are_keys_after_it() {
    let (mut shuffles, mut guesses) = (0, 0);
    random_games(35, 300, 200, |pos, _, _, _| {
        let board = pos.board();
        let rights = |pos: &Position| Color::ALL.map(|color| *pos.board().castle_rights(color));
        for mv in legal_moves(board) {
            let piece = board.piece_on(mv.from).unwrap();
            let (next, delta) = pos.make(mv);
            if let Some(key) = pos.key_after_shuffle(piece, mv) {
                assert_eq!(key, next.key(), "{board} {mv}");
                assert!(delta.removed[1].is_none() && piece != Piece::Pawn);
                shuffles += 1;
            }
            let simple = !pos.is_castling(mv)
                && mv.promotion.is_none()
                && board.en_passant().or(next.board().en_passant()).is_none()
                && rights(pos) == rights(&next);
            if simple {
                assert_eq!(pos.key_guess(mv), next.key(), "{board} {mv}");
                guesses += 1;
            }
        }
    });
    assert!(
        shuffles > 100_000 && guesses > shuffles,
        "{shuffles} {guesses}"
    );
}

fn attacks(board: &Board, piece: Piece, color: Color, from: Square) -> BitBoard {
    let occupied = board.occupied();
    match piece {
        Piece::Pawn => get_pawn_attacks(from, color),
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
    }
}

#[test]
fn threats_are_the_union_of_single_attacks() {
    random_positions(71, 300, 200, |pos| {
        let board = pos.board();
        let them = !pos.side_to_move();
        let mut by = [BitBoard::EMPTY; Piece::NUM];
        for piece in Piece::ALL {
            for from in board.colored_pieces(them, piece) {
                // Each kind adds to the next.
                let attacks = attacks(board, piece, them, from);
                by[piece as usize..]
                    .iter_mut()
                    .for_each(|all| *all |= attacks);
            }
        }
        let threats = Threats::against(pos);
        assert_eq!(threats.pawn, by[Piece::Pawn as usize]);
        assert_eq!(threats.minor, by[Piece::Bishop as usize]);
        assert_eq!(threats.rook, by[Piece::Rook as usize]);
        assert_eq!(threats.all, by[Piece::King as usize]);
    });
}

#[test]
fn phases_at_their_bounds() {
    for (fen, phase) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", 0),
        ("r1bqkbnr/8/8/8/8/8/8/R1BQKBNR w - - 0 1", 0),
        ("r1bqkb1r/8/8/8/8/8/8/R1BQKBNR w - - 0 1", 1),
        ("rnb1kbnr/8/8/8/8/8/8/RNB1KBNR w - - 0 1", 2),
        ("rn2kbnr/8/8/8/8/8/8/RN2KBNR w - - 0 1", 3),
        ("rn2k2r/8/8/8/8/8/8/RN2K2R w - - 0 1", 4),
        ("rn2k3/8/8/8/8/8/8/RN2K3 w - - 0 1", 5),
        ("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", 6),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/2NNK3 w - - 0 1", 7),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 7),
    ] {
        let pos = parse_fen(fen).unwrap();
        assert_eq!(Phase::of(pos.board()).index(), phase, "{fen}");
    }
}

#[test]
fn dead_material() {
    for (pieces, dead) in [
        ("4k3/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/4KN2", true),
        ("4kb2/8/8/8/8/8/8/4K3", true),
        ("4kb2/8/8/8/8/8/8/2B1K3", true),
        ("4kb2/8/8/8/8/8/8/4KB2", false),
        ("4k3/8/8/8/8/8/8/3NKN2", false),
        ("4kn2/8/8/8/8/8/8/4KN2", false),
        ("4kb2/8/8/8/8/8/8/4KN2", false),
        ("4k3/8/8/8/8/8/P7/4K3", false),
        ("4k3/8/8/8/8/8/8/R3K3", false),
        ("4k2q/8/8/8/8/8/8/4K3", false),
    ] {
        let pos = parse_fen(&format!("{pieces} w - - 0 1")).unwrap();
        assert_eq!(is_insufficient_material(pos.board()), dead, "{pieces}");
    }
}
