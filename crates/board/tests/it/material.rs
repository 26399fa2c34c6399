//! Threats, phases, dead material: small facts against slow definitions.

use sextant_board::{
    BitBoard, Board, Color, Phase, Piece, Square, Threats,
    cozy_chess::{
        get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
    },
    is_insufficient_material, parse_fen,
};

use crate::common::{random_games, random_positions};

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
        let by = |pieces: &[Piece]| {
            let mut all = BitBoard::EMPTY;
            for &piece in pieces {
                for from in board.colored_pieces(them, piece) {
                    all |= attacks(board, piece, them, from);
                }
            }
            all
        };
        let threats = Threats::against(pos);
        assert_eq!(threats.pawn, by(&[Piece::Pawn]));
        assert_eq!(
            threats.minor,
            by(&[Piece::Pawn, Piece::Knight, Piece::Bishop])
        );
        assert_eq!(threats.rook, by(&Piece::ALL[..4]));
        assert_eq!(threats.all, by(&Piece::ALL));
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
fn phases_never_go_back_without_promotion() {
    random_games(72, 200, 200, |before, mv, after, _| {
        let (old, new) = (Phase::of(before.board()), Phase::of(after.board()));
        assert!(new >= old || mv.promotion.is_some());
        assert!(new.index() < Phase::COUNT);
    });
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
