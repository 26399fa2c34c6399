//! Generation, gives-check and the facts about moves, held against making the moves.

use sextant_board::{
    Board, CheckSquares, Color, MAX_MOVES, Move, MoveFacts, MoveSets, PackedMove, Piece, Position,
    Random, Square,
    cozy_chess::{get_bishop_rays, get_rook_rays},
    generate_noisy, generate_quiet_checks, has_only_move, passed_mask,
};

use crate::common::{legal_moves, random_games, random_positions};

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_by_key(|mv| (mv.from as u8, mv.to as u8, mv.promotion.map(|p| p as u8)));
    moves
}

#[test]
fn noisy_and_quiet_are_all_legal_moves_each_once() {
    random_positions(1, 300, 200, |pos| {
        let sets = MoveSets::generate(pos);
        let (mut noisy, mut quiet) = (Vec::new(), Vec::new());
        sets.noisy(pos, |piece, mv| {
            assert_eq!(pos.board().piece_on(mv.from), Some(piece));
            let expected = pos.is_capture(mv) || mv.promotion == Some(Piece::Queen);
            assert!(expected, "{} {mv} is not noisy", pos.board());
            noisy.push(mv);
        });
        for set in sets.quiet_sets(pos) {
            assert_eq!(pos.board().piece_on(set.from), Some(set.piece));
            quiet.extend(set.moves());
        }
        for mv in MoveSets::generate(pos).iter() {
            let expected = quiet.contains(&mv) && mv.promotion.is_none();
            assert_eq!(sets.has_quiet(pos, mv), expected, "{} {mv}", pos.board());
        }
        let mut fast = Vec::new();
        generate_noisy(pos, |piece, mv| {
            assert_eq!(pos.board().piece_on(mv.from), Some(piece));
            fast.push(mv);
        });
        assert_eq!(sorted(noisy.clone()), sorted(fast), "{}", pos.board());
        let legal = sorted(legal_moves(pos.board()));
        assert_eq!(sets.count(), legal.len());
        assert_eq!(has_only_move(pos), legal.len() == 1, "{}", pos.board());
        assert_eq!(sorted(sets.iter().collect()), legal);
        noisy.extend(quiet);
        assert_eq!(sorted(noisy), legal, "{}", pos.board());
    });
}

#[test]
fn rare_checks() {
    for (fen, mv, expected) in [
        // En passant opens the fifth rank, the diagonal, the file.
        ("8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1", "e5d6", true),
        ("8/6k1/8/3pP3/8/8/1B6/4K3 w - d6 0 1", "e5d6", true),
        ("5k2/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", false),
        // Castling with check by the rook, and a rook that ends where it stood.
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", true),
        ("8/8/8/8/8/8/8/R3K2k w Q - 0 1", "e1a1", true),
        ("5k2/8/8/8/8/8/8/4K1R1 w G - 0 1", "e1g1", true),
        // A queen that checks through the square that the pawn left.
        ("8/4P3/8/8/4k3/8/8/4K3 w - - 0 1", "e7e8q", true),
        ("4r3/3P4/2k5/8/8/8/8/4K3 w - - 0 1", "d7e8b", true),
        ("4r3/3P4/2k5/8/8/8/8/4K3 w - - 0 1", "d7e8r", false),
    ] {
        let pos = Position::new(fen.parse().unwrap());
        let mv: Move = mv.parse().unwrap();
        assert!(pos.board().is_legal(mv), "{fen} {mv}");
        let found = CheckSquares::of(&pos).gives_check(&pos, mv);
        assert_eq!(found, expected, "{fen} {mv}");
        assert_eq!(pos.make(mv).0.in_check(), expected, "{fen} {mv}");
    }
}

#[test]
fn facts_agree_with_the_board_after_the_move() {
    random_games(3, 300, 200, |pos, _, _, _| {
        let checks = CheckSquares::of(pos);
        let us = pos.side_to_move();
        for mv in legal_moves(pos.board()) {
            let facts = MoveFacts::of(pos, mv, &checks, Some(mv.to));
            let (after, delta) = pos.make(mv);
            let lost = pos.board().colors(!us).len() - after.board().colors(!us).len();
            assert_eq!(facts.victim.is_some(), lost == 1);
            if let Some(victim) = facts.victim {
                let before = pos.board().colored_pieces(!us, victim).len();
                assert_eq!(before - 1, after.board().colored_pieces(!us, victim).len());
            }
            assert_eq!(facts.recapture, facts.victim.is_some());
            assert!(!MoveFacts::of(pos, mv, &checks, None).recapture);
            assert_eq!(facts.castling, delta.added[1].is_some());
            assert_eq!(facts.gives_check, after.in_check());
            assert_eq!(facts.promotion, mv.promotion);
            let noisy = facts.victim.is_some() || mv.promotion.is_some();
            assert_eq!(facts.is_quiet(), !noisy);
            if facts.passed_push {
                assert_eq!(facts.piece, Piece::Pawn);
                let stoppers = after.board().colored_pieces(!us, Piece::Pawn);
                assert!(is_passed_slowly(mv.to, us, |square| stoppers.has(square)));
            }
        }
    });
}

fn is_passed_slowly(square: Square, color: Color, enemy_pawn: impl Fn(Square) -> bool) -> bool {
    let ahead = |other: Square| match color {
        Color::White => other.rank() > square.rank(),
        Color::Black => other.rank() < square.rank(),
    };
    Square::ALL.into_iter().all(|other| {
        let near = (other.file() as i32 - square.file() as i32).abs() <= 1;
        !(near && ahead(other) && enemy_pawn(other))
    })
}

#[test]
fn passed_masks_hold_the_squares_in_front() {
    for color in Color::ALL {
        for square in Square::ALL {
            for other in Square::ALL {
                let passed = is_passed_slowly(square, color, |s| s == other);
                assert_eq!(passed_mask(square, color).has(other), !passed);
            }
        }
    }
}

#[test]
fn facts_of_known_moves() {
    let facts = |fen: &str, mv: &str| {
        let pos = Position::new(fen.parse().unwrap());
        MoveFacts::of(&pos, mv.parse().unwrap(), &CheckSquares::of(&pos), None)
    };
    let pawns = "4k3/8/8/1P3pPp/8/7P/8/R3K3 w Q f6 0 1";
    assert!(facts(pawns, "b5b6").passed_push);
    assert!(facts(pawns, "g5g6").passed_push);
    assert_eq!(facts(pawns, "g5f6").victim, Some(Piece::Pawn));
    assert!(!facts(pawns, "h3h4").passed_push);
    assert!(facts(pawns, "e1a1").castling);
    assert!(!facts(pawns, "e1a1").backward);
    assert!(!facts(pawns, "a1a5").backward);
    let back = "4k3/8/8/R7/8/8/8/4K3 w - - 0 1";
    assert!(facts(back, "a5a4").backward);
    assert!(!facts(back, "a5b5").backward);
    assert!(facts("4k3/8/8/r7/8/8/8/4K3 b - - 0 1", "a5a6").backward);
}

/// Sixteen pieces a side allow more moves than the 218 of reachable chess.
#[test]
fn no_sixteen_pieces_have_more_moves_than_the_bound() {
    // Each queen has at most her moves on an empty board, and no other piece has as many.
    let moves = |square| (get_rook_rays(square) | get_bishop_rays(square)).len() as usize;
    let mut mobility = Square::ALL.map(moves);
    mobility.sort_unstable();
    let queens: usize = mobility.iter().rev().take(15).sum();
    assert_eq!(queens + 8, MAX_MOVES);
    // Two castling moves, or twelve promotions, are fewer than a queen's moves.
    assert!(mobility[0] > 12 + 2);
}

#[test]
fn tt_moves_are_judged_without_generation() {
    let mut random = Random::new(11);
    random_positions(12, 40, 120, |pos| {
        let legal = legal_moves(pos.board());
        for _ in 0..50 {
            let bits = random.next_u64() as u16;
            if let Some(mv) = PackedMove::from_bits(bits).unpack() {
                assert_eq!(pos.board().is_legal(mv), legal.contains(&mv), "{mv}");
            }
        }
    });
    assert!(Board::startpos().is_legal("e2e4".parse().unwrap()));
}

#[test]
fn quiet_checks_are_the_quiet_moves_that_check() {
    let mut seen = 0;
    random_games(35, 1_000, 200, |before, _, _, _| {
        let (sets, checks) = (MoveSets::generate(before), CheckSquares::of(before));
        let mut expected = Vec::new();
        for mv in sets.quiet_sets(before).flat_map(|set| set.moves()) {
            if before.make(mv).0.in_check() {
                expected.push(mv);
            }
        }
        let mut found = Vec::new();
        sets.quiet_checks(before, &checks, |mv| found.push(mv));
        assert_eq!(found, expected, "{}", before.board());
        let mut direct = Vec::new();
        generate_quiet_checks(before, &checks, |mv| direct.push(mv));
        assert_eq!(sorted(direct), sorted(found), "{}", before.board());
        seen += expected.len();
    });
    assert!(seen > 10_000, "only {seen}");
}
