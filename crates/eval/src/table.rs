//! The weights: (middlegame, endgame) centipawns for the side that has the feature.
//!
//! `scripts/fit-eval/fit.py` rewrites the numbers in this file and nothing else in it.

use crate::{
    pair::Pair,
    weights::{Term, weights},
};

weights! {
    /// A pawn, knight, bishop, rook, queen.
    MATERIAL[5] = (63, 105) (298, 340) (340, 391) (443, 581) (983, 963);
    /// Pawn on each square: rank by rank from the owner's first, files a to d (the other wing is
    /// its mirror image); so for the other men.
    PAWN_SQUARE[32] =
        (0, 0) (0, 0) (0, 0) (0, 0)
        (-13, 0) (-6, -1) (-6, -2) (-16, -6)
        (-8, 1) (-7, -3) (-8, -5) (-4, -9)
        (-2, 3) (-1, 1) (5, -3) (17, -4)
        (3, 10) (5, 7) (9, 7) (25, 4)
        (17, 23) (16, 22) (17, 21) (18, 19)
        (29, 41) (30, 40) (29, 39) (30, 38)
        (0, 0) (0, 0) (0, 0) (0, 0);
    /// Knight on each square.
    KNIGHT_SQUARE[32] =
        (-61, -50) (-53, -41) (-44, -32) (-34, -24)
        (-41, -34) (-33, -26) (-25, -17) (-18, -11)
        (-25, -23) (-15, -14) (-9, -7) (2, 2)
        (-11, -10) (-3, -1) (8, 9) (13, 14)
        (-6, -8) (3, 1) (12, 10) (22, 19)
        (-15, -21) (-6, -12) (3, -3) (13, 6)
        (-37, -37) (-27, -27) (-19, -18) (-8, -10)
        (-72, -54) (-63, -45) (-54, -36) (-43, -27);
    /// Bishop on each square.
    BISHOP_SQUARE[32] =
        (-18, -16) (-15, -13) (-15, -11) (-11, -8)
        (-3, -11) (7, -8) (2, -5) (4, -2)
        (-3, -7) (0, -4) (4, -1) (5, 2)
        (1, -2) (4, 0) (5, 3) (8, 6)
        (1, -2) (4, 1) (5, 3) (8, 6)
        (-4, -6) (-1, -3) (2, -1) (3, 2)
        (-13, -11) (-11, -8) (-7, -4) (-4, -1)
        (-24, -16) (-21, -13) (-19, -10) (-15, -6);
    /// Rook on each square.
    ROOK_SQUARE[32] =
        (-6, -4) (-4, -5) (2, -6) (11, -6)
        (-20, -4) (-13, -5) (-7, -6) (0, -6)
        (-19, -2) (-10, -2) (-5, -4) (1, -5)
        (-15, 2) (-8, 2) (-2, 1) (4, 0)
        (-12, 6) (-4, 6) (2, 5) (8, 4)
        (-6, 8) (2, 8) (8, 7) (14, 6)
        (6, 12) (14, 12) (20, 11) (26, 10)
        (-1, 11) (6, 10) (12, 9) (18, 8);
    /// Queen on each square.
    QUEEN_SQUARE[32] =
        (-6, -30) (-4, -23) (-2, -16) (0, -9)
        (-2, -23) (0, -16) (2, -9) (4, -2)
        (-2, -12) (0, -5) (2, 2) (4, 9)
        (-4, 1) (-2, 8) (-1, 15) (2, 22)
        (-6, 3) (-4, 10) (-2, 17) (0, 24)
        (-6, -6) (-4, 1) (-2, 8) (0, 15)
        (-12, -15) (-10, -8) (-8, -1) (-6, 6)
        (-8, -24) (-6, -17) (-4, -10) (-2, -3);
    /// King on each square.
    KING_SQUARE[32] =
        (12, -55) (36, -42) (-2, -31) (-14, -21)
        (2, -37) (18, -26) (-6, -13) (-25, -2)
        (-24, -22) (-5, -11) (-35, 1) (-53, 10)
        (-42, -6) (-24, 5) (-54, 16) (-74, 25)
        (-52, -1) (-34, 10) (-64, 20) (-83, 31)
        (-58, -12) (-40, -1) (-69, 10) (-88, 21)
        (-62, -31) (-43, -19) (-73, -8) (-92, 2)
        (-61, -55) (-43, -44) (-73, -33) (-91, -23);
    /// Knight, by squares it can go to.
    MOBILITY_KNIGHT[9] =
        (-44, -44) (-22, -22) (-13, -13) (-5, -6) (2, 0) (3, 4) (10, 10) (13, 14)
        (18, 18);
    /// Bishop, by squares it can go to.
    MOBILITY_BISHOP[14] =
        (-50, -60) (-32, -37) (-23, -26) (-16, -18) (-9, -12) (-4, -6) (2, 2) (5, 6)
        (10, 11) (13, 15) (15, 18) (18, 22) (20, 24) (23, 28);
    /// Rook, by squares it can go to.
    MOBILITY_ROOK[15] =
        (-38, -81) (-26, -53) (-17, -39) (-13, -28) (-7, -19) (-5, -12) (-3, -5) (-1, -1)
        (4, 7) (5, 13) (8, 19) (10, 23) (12, 27) (14, 31) (14, 30);
    /// Queen, by squares it can go to.
    MOBILITY_QUEEN[28] =
        (-31, -90) (-22, -64) (-18, -53) (-16, -45) (-14, -39) (-12, -32) (-9, -26) (-6, -20)
        (-5, -16) (-3, -11) (-2, -7) (0, -3) (1, 2) (2, 5) (2, 7) (4, 12)
        (5, 15) (6, 17) (6, 19) (7, 22) (9, 25) (10, 28) (11, 31) (12, 34)
        (13, 36) (14, 39) (15, 43) (16, 45);
    /// Both bishops.
    BISHOP_PAIR[1] = (26, 48);
    /// Bishop, per own pawn on squares of its colour.
    BISHOP_PAWNS[1] = (-1, -4);
    /// Knight, bishop on ranks 4 to 6, held by a pawn and out of reach of theirs.
    OUTPOST[2] = (33, 21) (25, 10);
    /// Rook on a file without own pawns: one of theirs there, none there.
    ROOK_FILE[2] = (15, 9) (37, 10);
    /// Pawn without friends on the neighbouring files: its file closed, open to their rooks.
    ISOLATED[2] = (-7, -8) (-13, -13);
    /// Pawn with an own pawn ahead on its file.
    DOUBLED[1] = (-7, -18);
    /// Pawn that cannot be supported and cannot safely advance: its file closed, open.
    BACKWARD[2] = (-6, -8) (-14, -13);
    /// Pawn beside or supported by another, by rank.
    CONNECTED[8] = (0, 0) (6, 1) (6, 3) (8, 4) (18, 18) (39, 42) (58, 66) (0, 0);
    /// Passed pawn, by rank.
    PASSED[8] = (0, 0) (3, 14) (6, 23) (7, 30) (21, 61) (55, 104) (99, 168) (0, 0);
    /// Passed pawn with the square before it empty, by rank.
    PASSED_FREE[8] = (0, 0) (0, 2) (1, 6) (3, 8) (6, 21) (12, 39) (21, 58) (0, 0);
    /// Passed pawn with no square up to promotion occupied or attacked by them, by rank.
    PASSED_SAFE[8] = (0, 0) (1, 4) (1, 7) (3, 15) (10, 30) (20, 59) (32, 91) (0, 0);
    /// Passed pawn on ranks 4 to 7, by distance of the own king from the square before it.
    PASSED_OWN_KING[8] = (0, 31) (0, 27) (0, 13) (0, 2) (0, -6) (0, -9) (0, -13) (0, -14);
    /// Passed pawn on ranks 4 to 7, by distance of their king from the square before it.
    PASSED_THEIR_KING[8] = (-1, -39) (-1, -35) (0, -10) (0, 10) (0, 27) (0, 37) (1, 44) (0, 44);
    /// Each of the three files at the king: own pawn one, two, more ranks before it, none.
    SHELTER[4] = (19, -3) (7, -4) (5, 1) (-11, 4);
    /// Each of the three files at the king: their pawn level or one, two, three, more ranks before
    /// it, none.
    STORM[5] = (-3, 1) (-21, 1) (-9, 1) (-1, -1) (-5, 1);
    /// Danger to the own king, by attack units.
    KING_DANGER[32] =
        (-15, -3) (-9, -3) (-4, -4) (-7, -5) (-10, -6) (-14, -7) (-11, -8) (-30, -11)
        (-27, -11) (-42, -13) (-54, -14) (-56, -14) (-63, -16) (-75, -17) (-83, -19) (-95, -20)
        (-113, -22) (-120, -23) (-136, -24) (-147, -26) (-167, -28) (-185, -29) (-201, -31) (-217, -32)
        (-233, -34) (-254, -35) (-274, -36) (-296, -38) (-317, -39) (-336, -41) (-359, -42) (-382, -43);
    /// Own pawn attacks their knight, bishop, rook, queen.
    PAWN_THREAT[4] = (56, 44) (58, 53) (74, 40) (69, 38);
    /// Own knight or bishop attacks their pawn, knight, bishop, rook, queen.
    MINOR_THREAT[5] = (7, 15) (21, 27) (26, 30) (52, 35) (48, 44);
    /// Own rook attacks their pawn, knight, bishop, rook, queen.
    ROOK_THREAT[5] = (3, 18) (23, 27) (23, 26) (5, 7) (53, 47);
    /// Own king attacks a man of theirs that nothing defends.
    KING_THREAT[1] = (11, 36);
    /// A man of theirs that is attacked and not defended.
    HANGING[1] = (29, 17);
    /// Own pawn can step to a safe square from which it attacks a piece.
    PUSH_THREAT[1] = (21, 16);
}
