//! The numberings of squares and pairs on which the indexes rest (section 4), computed at compile
//! time.

/// Number of ways to place two kings, symmetry removed.
pub(super) const KING_PAIRS: u64 = 462;
/// Number of ways to place three different men, symmetry removed.
pub(super) const TRIPLES: u64 = 31_332;
/// Marks squares and pairs without a number.
const NONE: u16 = u16::MAX;

const fn file(square: usize) -> usize {
    square % 8
}

const fn rank(square: usize) -> usize {
    square / 8
}

/// Binomial coefficients `CHOOSE[k][n]`; with at most six of a kind on 64 squares they fit 32 bits.
pub(super) const CHOOSE: [[u32; 65]; 7] = {
    let mut table = [[0; 65]; 7];
    let mut n = 0;
    while n < 65 {
        table[0][n] = 1;
        let mut k = 1;
        while k < 7 && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The ten squares of the triangle a1-d1-d4: first the six below the diagonal, then the four on it.
pub(super) const TRIANGLE: [u8; 64] = {
    let mut table = [0; 64];
    let (mut below, mut on, mut square) = (0, 6, 0);
    while square < 64 {
        if file(square) < 4 && rank(square) < file(square) {
            table[square] = below;
            below += 1;
        } else if file(square) < 4 && rank(square) == file(square) {
            table[square] = on;
            on += 1;
        }
        square += 1;
    }
    table
};

/// The 28 squares below the diagonal a1-h8, rank by rank.
pub(super) const BELOW_DIAGONAL: [u8; 64] = {
    let mut table = [0; 64];
    let (mut number, mut square) = (0, 0);
    while square < 64 {
        if rank(square) < file(square) {
            table[square] = number;
            number += 1;
        }
        square += 1;
    }
    table
};

/// Positive above the diagonal a1-h8, negative below, 0 on it.
pub(super) const fn off_diagonal(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

/// The square reflected in the diagonal a1-h8.
pub(super) const fn reflect(square: u8) -> u8 {
    (square & 7) << 3 | square >> 3
}

const fn adjacent_or_same(a: usize, b: usize) -> bool {
    file(a).abs_diff(file(b)) <= 1 && rank(a).abs_diff(rank(b)) <= 1
}

/// `KINGS[triangle number of the first][second]`: the number of a pair of kings.
static KINGS: [[u16; 64]; 10] = {
    let mut table = [[NONE; 64]; 10];
    let mut number = 0;
    let mut both_on_diagonal = 0;
    while both_on_diagonal < 2 {
        let mut triangle = 0;
        while triangle < 10 {
            let mut first = 0;
            while !(TRIANGLE[first] == triangle && file(first) < 4 && rank(first) <= file(first)) {
                first += 1;
            }
            let mut second = 0;
            while second < 64 {
                let on_diagonal = rank(first) == file(first);
                let pair_on_diagonal = on_diagonal && rank(second) == file(second);
                let above = on_diagonal && rank(second) > file(second);
                if !adjacent_or_same(first, second)
                    && !above
                    && pair_on_diagonal == (both_on_diagonal == 1)
                {
                    table[triangle as usize][second] = number;
                    number += 1;
                }
                second += 1;
            }
            triangle += 1;
        }
        both_on_diagonal += 1;
    }
    assert!(number as u64 == KING_PAIRS);
    table
};

/// The number of a pair of kings, the first in the triangle; `None` for kings that touch.
pub(super) fn king_pair(first: u8, second: u8) -> Option<u64> {
    let number = KINGS[usize::from(TRIANGLE[usize::from(first & 63)])][usize::from(second & 63)];
    (number != NONE).then_some(u64::from(number))
}

/// Seniority of the 48 pawn squares: edge files first, low ranks first, the left wing before the
/// right.
pub(super) const SENIORITY: [u8; 64] = {
    let mut table = [0; 64];
    let mut square = 8;
    while square < 56 {
        let right = file(square) > 3;
        let from_edge = if right {
            7 - file(square)
        } else {
            file(square)
        };
        let junior = 12 * from_edge + 2 * (rank(square) - 1) + if right { 1 } else { 0 };
        table[square] = 47 - junior as u8;
        square += 1;
    }
    table
};

/// `LEADING_PAWNS[n - 1][square]` where the leading one of `n` pawns stands on `square`: the first
/// number that such a set can have; and in `LEADING_PAWN_SIZES[n - 1][file]` how many sets there
/// are.
static LEADING_PAWNS: [[u32; 64]; 6] = leading_pawns().0;
static LEADING_PAWN_SIZES: [[u32; 4]; 6] = leading_pawns().1;

const fn leading_pawns() -> ([[u32; 64]; 6], [[u32; 4]; 6]) {
    let mut starts = [[0; 64]; 6];
    let mut sizes = [[0; 4]; 6];
    let mut others = 0;
    while others < 6 {
        let mut file = 0;
        while file < 4 {
            let mut sum = 0;
            let mut rank = 1;
            while rank < 7 {
                let square = rank * 8 + file;
                starts[others][square] = sum;
                sum += CHOOSE[others][SENIORITY[square] as usize];
                rank += 1;
            }
            sizes[others][file] = sum;
            file += 1;
        }
        others += 1;
    }
    (starts, sizes)
}

/// First number of a set of `pawns` leading pawns whose leader stands on `square` (files a to d).
pub(super) fn leading_pawn_start(pawns: usize, square: u8) -> u64 {
    u64::from(LEADING_PAWNS[pawns - 1][usize::from(square & 63)])
}

/// How many sets of `pawns` leading pawns have their leader on this file (0 to 3).
pub(super) fn leading_pawn_size(pawns: usize, file: usize) -> u64 {
    u64::from(LEADING_PAWN_SIZES[pawns - 1][file])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numberings_are_dense() {
        let mut kings: Vec<u16> = KINGS
            .iter()
            .flatten()
            .copied()
            .filter(|&n| n != NONE)
            .collect();
        kings.sort_unstable();
        assert_eq!(kings, (0..462).collect::<Vec<u16>>());
        let mut pawns: Vec<u8> = SENIORITY[8..56].to_vec();
        pawns.sort_unstable();
        assert_eq!(pawns, (0..48).collect::<Vec<u8>>());
        assert_eq!(TRIPLES, 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + 4 * 7 * 6);
        assert_eq!(CHOOSE[3][8], 56);
        // One leading pawn: every square of the file is one set. Two: all pairs up to mirroring, of
        // which the 24 mirror-symmetric ones have no partner.
        assert_eq!(leading_pawn_size(1, 0), 6);
        let two: u64 = (0..4).map(|file| leading_pawn_size(2, file)).sum();
        assert_eq!(two, (u64::from(CHOOSE[2][48]) + 24) / 2);
    }
}
