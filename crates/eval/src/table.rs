//! The weights: (middlegame, endgame) centipawns for the side that has the feature.
//!
//! `scripts/fit-eval/fit.py` rewrites the numbers in this file and nothing else in it.

use crate::{
    pair::Pair,
    weights::{Term, weights},
};

weights! {
    /// A pawn, knight, bishop, rook, queen.
    MATERIAL[5] = (82, 104) (335, 300) (350, 318) (475, 545) (980, 1000);
    /// Pawn on each square: rank by rank from the owner's first, files a to d (the other wing is
    /// its mirror image); so for the other men.
    PAWN_SQUARE[32] =
        (0, 0) (0, 0) (0, 0) (0, 0)
        (-14, -2) (-10, -3) (-8, -4) (-14, -6)
        (-12, -2) (-8, -3) (-6, -4) (0, -6)
        (-4, 2) (0, 1) (8, 0) (18, -2)
        (4, 10) (8, 9) (10, 8) (26, 6)
        (18, 24) (18, 23) (18, 22) (18, 20)
        (30, 42) (30, 41) (30, 40) (30, 38)
        (0, 0) (0, 0) (0, 0) (0, 0);
    /// Knight on each square.
    KNIGHT_SQUARE[32] =
        (-62, -50) (-53, -41) (-44, -32) (-33, -23)
        (-43, -35) (-34, -26) (-25, -17) (-14, -8)
        (-26, -24) (-17, -15) (-8, -6) (3, 3)
        (-13, -11) (-4, -2) (5, 7) (16, 16)
        (-7, -9) (2, 0) (11, 9) (22, 18)
        (-16, -22) (-7, -13) (2, -4) (13, 5)
        (-37, -37) (-28, -28) (-19, -19) (-8, -10)
        (-72, -54) (-63, -45) (-54, -36) (-43, -27);
    /// Bishop on each square.
    BISHOP_SQUARE[32] =
        (-18, -16) (-15, -13) (-13, -10) (-10, -7)
        (-3, -11) (7, -8) (2, -5) (5, -2)
        (-3, -7) (0, -4) (3, -1) (5, 2)
        (0, -3) (3, 0) (5, 3) (8, 6)
        (0, -3) (3, 0) (5, 3) (8, 6)
        (-5, -7) (-2, -4) (1, -1) (3, 2)
        (-13, -11) (-11, -8) (-8, -5) (-5, -2)
        (-24, -16) (-21, -13) (-19, -10) (-16, -7);
    /// Rook on each square.
    ROOK_SQUARE[32] =
        (-6, -4) (-2, -4) (4, -5) (10, -6)
        (-20, -4) (-12, -4) (-6, -5) (0, -6)
        (-18, -2) (-10, -2) (-4, -3) (2, -4)
        (-16, 2) (-8, 2) (-2, 1) (4, 0)
        (-12, 6) (-4, 6) (2, 5) (8, 4)
        (-6, 8) (2, 8) (8, 7) (14, 6)
        (6, 12) (14, 12) (20, 11) (26, 10)
        (-2, 10) (6, 10) (12, 9) (18, 8);
    /// Queen on each square.
    QUEEN_SQUARE[32] =
        (-6, -30) (-4, -23) (-2, -16) (0, -9)
        (-2, -23) (0, -16) (2, -9) (4, -2)
        (-2, -12) (0, -5) (2, 2) (4, 9)
        (-4, 1) (-2, 8) (0, 15) (2, 22)
        (-6, 3) (-4, 10) (-2, 17) (0, 24)
        (-6, -6) (-4, 1) (-2, 8) (0, 15)
        (-12, -15) (-10, -8) (-8, -1) (-6, 6)
        (-8, -24) (-6, -17) (-4, -10) (-2, -3);
    /// King on each square.
    KING_SQUARE[32] =
        (16, -54) (34, -43) (-2, -32) (-14, -21)
        (2, -37) (20, -26) (-10, -15) (-28, -4)
        (-24, -22) (-6, -11) (-36, 0) (-54, 11)
        (-42, -5) (-24, 6) (-54, 17) (-72, 28)
        (-52, -1) (-34, 10) (-64, 21) (-82, 32)
        (-58, -12) (-40, -1) (-70, 10) (-88, 21)
        (-62, -31) (-44, -20) (-74, -9) (-92, 2)
        (-62, -56) (-44, -45) (-74, -34) (-92, -23);
    /// Knight, by squares it can go to.
    MOBILITY_KNIGHT[9] =
        (-44, -44) (-22, -22) (-13, -13) (-6, -6) (0, 0) (5, 5) (10, 10) (14, 14)
        (18, 18);
    /// Bishop, by squares it can go to.
    MOBILITY_BISHOP[14] =
        (-49, -59) (-29, -35) (-21, -25) (-14, -17) (-9, -11) (-4, -5) (0, 0) (4, 5)
        (8, 9) (11, 13) (14, 17) (17, 21) (20, 24) (23, 28);
    /// Rook, by squares it can go to.
    MOBILITY_ROOK[15] =
        (-37, -79) (-23, -49) (-17, -37) (-13, -27) (-9, -19) (-6, -12) (-3, -6) (0, 0)
        (3, 5) (5, 11) (7, 15) (9, 20) (11, 25) (13, 29) (15, 33);
    /// Queen, by squares it can go to.
    MOBILITY_QUEEN[28] =
        (-31, -90) (-22, -64) (-18, -53) (-16, -45) (-13, -38) (-11, -32) (-9, -26) (-7, -21)
        (-6, -17) (-4, -12) (-3, -8) (-1, -4) (0, 0) (1, 4) (2, 7) (4, 11)
        (5, 14) (6, 17) (7, 20) (8, 23) (9, 26) (10, 29) (11, 32) (12, 35)
        (13, 37) (14, 40) (15, 43) (16, 45);
    /// Both bishops.
    BISHOP_PAIR[1] = (28, 52);
    /// Bishop, per own pawn on squares of its colour.
    BISHOP_PAWNS[1] = (-3, -6);
    /// Knight, bishop on ranks 4 to 6, held by a pawn and out of reach of theirs.
    OUTPOST[2] = (28, 18) (20, 8);
    /// Rook on a file without own pawns: one of theirs there, none there.
    ROOK_FILE[2] = (14, 8) (34, 10);
    /// Pawn without friends on the neighbouring files: its file closed, open to their rooks.
    ISOLATED[2] = (-8, -10) (-14, -16);
    /// Pawn with an own pawn ahead on its file.
    DOUBLED[1] = (-8, -20);
    /// Pawn that cannot be supported and cannot safely advance: its file closed, open.
    BACKWARD[2] = (-6, -8) (-14, -14);
    /// Pawn beside or supported by another, by rank.
    CONNECTED[8] = (0, 0) (3, 0) (6, 4) (10, 8) (20, 22) (40, 46) (60, 70) (0, 0);
    /// Passed pawn, by rank.
    PASSED[8] = (0, 0) (0, 10) (0, 14) (4, 32) (22, 60) (56, 108) (100, 168) (0, 0);
    /// Passed pawn with the square before it empty, by rank.
    PASSED_FREE[8] = (0, 0) (0, 2) (0, 4) (2, 8) (6, 20) (12, 38) (20, 56) (0, 0);
    /// Passed pawn with no square up to promotion occupied or attacked by them, by rank.
    PASSED_SAFE[8] = (0, 0) (0, 2) (0, 4) (2, 10) (8, 24) (18, 52) (30, 84) (0, 0);
    /// Passed pawn on ranks 4 to 7, by distance of the own king from the square before it.
    PASSED_OWN_KING[8] = (0, 30) (0, 26) (0, 14) (0, 4) (0, -4) (0, -8) (0, -12) (0, -14);
    /// Passed pawn on ranks 4 to 7, by distance of their king from the square before it.
    PASSED_THEIR_KING[8] = (0, -34) (0, -28) (0, -8) (0, 10) (0, 24) (0, 34) (0, 40) (0, 42);
    /// Each of the three files at the king: own pawn one, two, more ranks before it, none.
    SHELTER[4] = (22, -2) (12, -2) (2, 0) (-16, 2);
    /// Each of the three files at the king: their pawn level or one, two, three, more ranks before
    /// it, none.
    STORM[5] = (-4, 0) (-22, 0) (-10, 0) (0, 0) (-4, 2);
    /// Danger to the own king, by attack units.
    KING_DANGER[32] =
        (0, 0) (-2, -1) (-4, -3) (-7, -4) (-11, -6) (-15, -7) (-20, -8) (-26, -10)
        (-33, -11) (-40, -13) (-48, -14) (-57, -15) (-66, -17) (-76, -18) (-87, -20) (-99, -21)
        (-111, -22) (-124, -24) (-138, -25) (-153, -27) (-168, -28) (-184, -29) (-201, -31) (-218, -32)
        (-236, -34) (-255, -35) (-275, -36) (-295, -38) (-316, -39) (-338, -41) (-360, -42) (-383, -43);
    /// Own pawn attacks their knight, bishop, rook, queen.
    PAWN_THREAT[4] = (56, 44) (58, 52) (74, 40) (70, 38);
    /// Own knight or bishop attacks their pawn, knight, bishop, rook, queen.
    MINOR_THREAT[5] = (2, 12) (22, 28) (26, 30) (52, 36) (48, 44);
    /// Own rook attacks their pawn, knight, bishop, rook, queen.
    ROOK_THREAT[5] = (0, 14) (20, 24) (22, 24) (4, 6) (52, 46);
    /// Own king attacks a man of theirs that nothing defends.
    KING_THREAT[1] = (10, 34);
    /// A man of theirs that is attacked and not defended.
    HANGING[1] = (30, 18);
    /// Own pawn can step to a safe square from which it attacks a piece.
    PUSH_THREAT[1] = (18, 14);
}
