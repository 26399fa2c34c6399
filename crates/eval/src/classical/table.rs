//! The weights: (middlegame, endgame) centipawns for the side that has the feature. They were
//! fitted by logistic regression to the results of the engine's own games.

use super::pair::Pair;

/// Declares the arrays of weights, so that the table reads as pairs of numbers.
macro_rules! weights {
    ($($(#[$doc:meta])+ $name:ident [$len:literal] = $(($mg:literal, $eg:literal))+ ;)+) => {
        $($(#[$doc])+ pub(super) static $name: [Pair; $len] = [$(Pair::new($mg, $eg)),+];)+
    };
}

weights! {
    /// A pawn, knight, bishop, rook, queen.
    MATERIAL[5] = (56, 142) (251, 437) (245, 484) (304, 800) (803, 1451);
    /// Pawn on each square: rank by rank from the owner's first, files a to d (the other wing is
    /// its mirror image); so for the other pieces.
    PAWN_SQUARE[32] =
        (0, 0) (0, 0) (0, 0) (0, 0)
        (-15, -4) (9, 1) (-3, 3) (-18, -6)
        (-1, 2) (10, 0) (-2, -5) (4, -4)
        (0, 10) (-5, 0) (15, -4) (22, -16)
        (0, 18) (3, 15) (10, -3) (20, -9)
        (16, 30) (14, 26) (14, 22) (17, 14)
        (23, 37) (26, 42) (27, 42) (29, 39)
        (0, 0) (0, 0) (0, 0) (0, 0);
    /// Knight on each square.
    KNIGHT_SQUARE[32] =
        (-60, -49) (-31, -31) (-38, -28) (-20, -16)
        (-39, -32) (-36, -27) (-11, -11) (-16, -7)
        (-24, -22) (-13, -13) (-9, -4) (-9, -3)
        (-10, -12) (-3, -1) (2, 6) (6, 17)
        (-2, -9) (-1, -1) (4, 10) (12, 14)
        (-24, -25) (-11, -16) (-6, -9) (18, 10)
        (-45, -41) (-36, -33) (-25, -22) (-10, -11)
        (-81, -62) (-67, -48) (-60, -39) (-45, -28);
    /// Bishop on each square.
    BISHOP_SQUARE[32] =
        (-13, -12) (-10, -11) (-21, -15) (-12, -7)
        (0, -9) (4, -9) (4, -4) (-2, -2)
        (1, -4) (8, 0) (10, 3) (2, 0)
        (7, 0) (3, 0) (4, 3) (9, 6)
        (2, -3) (6, 2) (2, 1) (7, 5)
        (-3, -6) (-5, -5) (1, -1) (-1, -1)
        (-14, -12) (-13, -9) (-12, -7) (-6, -2)
        (-23, -16) (-23, -14) (-21, -11) (-17, -7);
    /// Rook on each square.
    ROOK_SQUARE[32] =
        (-16, -10) (-8, -8) (7, -6) (13, -9)
        (-28, -7) (-13, -6) (-4, -8) (-1, -9)
        (-15, 0) (-10, -2) (-10, -7) (1, -7)
        (-18, 2) (-6, 4) (0, 2) (5, 0)
        (-11, 8) (-6, 6) (5, 8) (8, 5)
        (-6, 10) (2, 10) (7, 8) (14, 7)
        (10, 16) (15, 14) (20, 13) (24, 10)
        (4, 16) (10, 14) (14, 12) (18, 9);
    /// Queen on each square.
    QUEEN_SQUARE[32] =
        (-10, -35) (-9, -29) (-3, -21) (5, -16)
        (-5, -25) (1, -15) (0, -15) (3, -8)
        (-2, -11) (5, -2) (-3, 0) (-2, 4)
        (0, 5) (0, 13) (-3, 16) (-5, 20)
        (-7, 6) (-4, 14) (-4, 20) (-3, 26)
        (-3, 0) (-2, 8) (0, 14) (0, 19)
        (-9, -9) (-9, -3) (-6, 5) (-5, 10)
        (-5, -19) (-3, -11) (-2, -5) (-1, 0);
    /// King on each square.
    KING_SQUARE[32] =
        (-8, -65) (2, -55) (-27, -43) (-23, -32)
        (6, -37) (-8, -28) (-11, -10) (-11, 1)
        (-36, -24) (-1, -8) (-15, 12) (-35, 15)
        (-45, -7) (-17, 8) (-39, 22) (-64, 28)
        (-44, 4) (-24, 15) (-57, 23) (-77, 32)
        (-48, -5) (-29, 7) (-60, 17) (-79, 26)
        (-53, -24) (-32, -10) (-65, -2) (-82, 9)
        (-56, -52) (-35, -38) (-64, -26) (-84, -18);
    /// Knight, by squares it can go to.
    MOBILITY_KNIGHT[9] =
        (-50, -48) (-27, -28) (-8, -9) (-5, -7) (5, 5) (6, 13) (13, 16) (13, 16)
        (19, 14);
    /// Bishop, by squares it can go to.
    MOBILITY_BISHOP[14] =
        (-50, -63) (-30, -40) (-17, -26) (-2, -8) (-2, -3) (3, 5) (5, 6) (3, 13)
        (5, 13) (7, 16) (9, 12) (12, 15) (15, 17) (19, 22);
    /// Rook, by squares it can go to.
    MOBILITY_ROOK[15] =
        (-40, -87) (-35, -70) (-12, -41) (-10, -37) (-6, -21) (-3, -11) (-3, -4) (1, 10)
        (0, 8) (-1, 14) (5, 25) (10, 28) (16, 36) (15, 33) (18, 36);
    /// Queen, by squares it can go to.
    MOBILITY_QUEEN[28] =
        (-31, -91) (-22, -66) (-18, -56) (-16, -50) (-10, -43) (-10, -38) (-7, -32) (-7, -28)
        (-8, -22) (-4, -11) (1, 2) (1, 9) (6, 20) (5, 22) (5, 24) (3, 24)
        (5, 23) (3, 18) (3, 17) (5, 20) (8, 22) (9, 25) (9, 26) (10, 28)
        (12, 32) (13, 36) (14, 41) (16, 44);
    /// Both bishops.
    BISHOP_PAIR[1] = (35, 47);
    /// Bishop, per own pawn on squares of its color.
    BISHOP_PAWNS[1] = (2, -9);
    /// Knight, bishop on ranks 4 to 6, held by a pawn and out of reach of theirs.
    OUTPOST[2] = (33, 26) (28, 17);
    /// Rook on a file without own pawns: one of theirs there, none there.
    ROOK_FILE[2] = (12, 12) (33, 9);
    /// Pawn without friends on the neighboring files: its file closed, open to their rooks.
    ISOLATED[2] = (-2, -7) (-16, -9);
    /// Pawn with an own pawn ahead on its file.
    DOUBLED[1] = (-3, -22);
    /// Pawn that cannot be supported and cannot safely advance: its file closed, open.
    BACKWARD[2] = (-1, -10) (-11, -13);
    /// Pawn beside or supported by another, by rank.
    CONNECTED[8] = (0, 0) (3, -4) (6, -5) (10, 2) (12, 25) (42, 57) (60, 71) (0, 0);
    /// Passed pawn, by rank.
    PASSED[8] = (0, 0) (8, 12) (-3, 19) (9, 31) (11, 71) (31, 114) (72, 161) (0, 0);
    /// Passed pawn with the square before it empty, by rank.
    PASSED_FREE[8] = (0, 0) (-4, -3) (-3, 4) (3, 12) (6, 31) (14, 59) (26, 80) (0, 0);
    /// Passed pawn with no square up to promotion occupied or attacked by them, by rank.
    PASSED_SAFE[8] = (0, 0) (3, 15) (2, 19) (5, 32) (17, 66) (33, 110) (46, 143) (0, 0);
    /// Passed pawn on ranks 4 to 7, by distance of the own king from the square before it.
    PASSED_OWN_KING[8] = (2, 42) (5, 48) (3, 24) (-1, 0) (-4, -21) (-4, -24) (-4, -20) (-4, -19);
    /// Passed pawn on ranks 4 to 7, by distance of their king from the square before it.
    PASSED_THEIR_KING[8] = (-4, -60) (-2, -50) (1, -15) (1, 20) (0, 39) (0, 54) (1, 62) (0, 53);
    /// Each of the three files at the king: own pawn one, two, more ranks before it, none.
    SHELTER[4] = (22, 1) (9, -2) (1, -7) (-13, 3);
    /// Each of the three files at the king: their pawn level or one, two, three, more ranks before
    /// it, none.
    STORM[5] = (0, 5) (-17, 5) (-10, 3) (3, 1) (-13, -8);
    /// Danger to the own king, by attack units.
    KING_DANGER[32] =
        (4, 16) (20, 6) (5, 0) (8, 1) (0, -4) (-9, -6) (-5, -14) (-15, -18)
        (-14, -14) (-35, -17) (-37, -17) (-51, -15) (-67, -19) (-83, -20) (-86, -22) (-93, -22)
        (-108, -23) (-135, -26) (-148, -25) (-153, -28) (-167, -29) (-194, -31) (-213, -33) (-238, -34)
        (-251, -36) (-278, -38) (-306, -40) (-306, -39) (-328, -41) (-339, -42) (-370, -43) (-371, -42);
    /// Own pawn attacks their knight, bishop, rook, queen.
    PAWN_THREAT[4] = (64, 51) (66, 61) (66, 39) (64, 38);
    /// Own knight or bishop attacks their pawn, knight, bishop, rook, queen.
    MINOR_THREAT[5] = (5, 28) (12, 40) (28, 43) (47, 44) (58, 56);
    /// Own rook attacks their pawn, knight, bishop, rook, queen.
    ROOK_THREAT[5] = (3, 26) (13, 34) (14, 33) (4, 13) (60, 56);
    /// Own king attacks a piece of theirs that nothing defends.
    KING_THREAT[1] = (16, 52);
    /// A piece of theirs that is attacked and not defended.
    HANGING[1] = (21, 23);
    /// Own pawn can step to a safe square from which it attacks a piece.
    PUSH_THREAT[1] = (20, 20);
}
