//! From the men's squares to a position's index in a stream (sections 3 and 4).

use cozy_chess::{BitBoard, Color, Piece};

use super::{
    reader::Reader,
    squares::{
        BELOW_DIAGONAL, CHOOSE, KING_PAIRS, SENIORITY, TRIANGLE, TRIPLES, king_pair,
        leading_pawn_size, leading_pawn_start, off_diagonal, reflect,
    },
};
use crate::{
    error::TableError,
    material::{MAX_MEN, Material},
    pieces::Pieces,
};

const MEN: usize = MAX_MEN as usize;

/// A position as a table sees it: colors exchanged and mirrored where the table wants that.
#[derive(Clone, Copy)]
pub(super) struct Perspective<'a> {
    men: &'a Pieces,
    /// The table's White is the position's Black.
    swap: bool,
    /// XORed to ranks: with pawns, exchanging colors turns the board around.
    mirror: bool,
}

impl<'a> Perspective<'a> {
    pub(super) fn new(men: &'a Pieces, swap: bool, has_pawns: bool) -> Self {
        Perspective {
            men,
            swap,
            mirror: swap && has_pawns,
        }
    }

    fn pieces(&self, man: Kind) -> BitBoard {
        let color = if self.swap { !man.color } else { man.color };
        let pieces = self.men.of(color, man.piece);
        if self.mirror {
            pieces.flip_ranks()
        } else {
            pieces
        }
    }
}

/// A kind of man as a piece list names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kind {
    color: Color,
    piece: Piece,
}

impl Kind {
    fn from_nibble(nibble: u8) -> Option<Kind> {
        let color = if nibble & 8 == 0 {
            Color::White
        } else {
            Color::Black
        };
        let piece = match nibble & 7 {
            1 => Piece::Pawn,
            2 => Piece::Knight,
            3 => Piece::Bishop,
            4 => Piece::Rook,
            5 => Piece::Queen,
            6 => Piece::King,
            _ => return None,
        };
        Some(Kind { color, piece })
    }
}

/// How the leading group is numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leading {
    Kings,
    Three,
    /// So many pawns.
    Pawns(usize),
}

impl Leading {
    fn men(self) -> usize {
        match self {
            Leading::Kings => 2,
            Leading::Three => 3,
            Leading::Pawns(pawns) => pawns,
        }
    }
}

/// A run of equal men behind the leading group.
#[derive(Clone, Copy, Default, Debug)]
struct Group {
    /// Index just past the run's last man.
    end: usize,
    factor: u64,
    /// Subtracted from each square: 8 for pawns, who have no first rank.
    base: u8,
}

/// What a table's name settles about its piece lists.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    material: Material,
    leading: Leading,
    /// Colour of the leading pawns.
    pawn_color: Color,
    /// Pawns of the other color; 0 unless both sides have some.
    second_pawns: usize,
}

impl Shape {
    pub(super) fn new(material: Material) -> Shape {
        let white = material.count(Color::White, Piece::Pawn) as usize;
        let black = material.count(Color::Black, Piece::Pawn) as usize;
        let black_leads = black > 0 && (white == 0 || white > black);
        let (pawn_color, lead, second) = if black_leads {
            (Color::Black, black, white)
        } else {
            (Color::White, white, black)
        };
        let lonely = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight]
            .iter()
            .any(|&piece| {
                Color::ALL
                    .iter()
                    .any(|&color| material.count(color, piece) == 1)
            });
        let leading = match (lead, lonely) {
            (0, false) => Leading::Kings,
            (0, true) => Leading::Three,
            _ => Leading::Pawns(lead),
        };
        Shape {
            material,
            leading,
            pawn_color,
            second_pawns: second,
        }
    }

    /// Number of piece lists.
    pub(super) fn lists(&self) -> usize {
        if self.material.has_pawns() { 4 } else { 1 }
    }

    /// The list that a position belongs to: the leading pawn's distance from the edge.
    #[inline]
    pub(super) fn list_of(&self, perspective: &Perspective) -> usize {
        match self.leading {
            Leading::Pawns(_) => {
                let man = Kind {
                    color: self.pawn_color,
                    piece: Piece::Pawn,
                };
                let files = perspective
                    .pieces(man)
                    .iter()
                    .map(|square| square.file() as usize);
                files.map(|file| file.min(7 - file)).min().unwrap_or(0)
            }
            _ => 0,
        }
    }
}

/// One side's piece list: turns positions into indexes.
#[derive(Debug)]
pub(super) struct PieceList {
    men: [Kind; MEN],
    count: usize,
    leading: Leading,
    leading_factor: u64,
    groups: [Group; MEN],
    group_count: usize,
    size: u64,
}

impl PieceList {
    /// Reads the lists of both sides; the second is meaningless where a file stores one.
    pub(super) fn read(
        reader: &mut Reader,
        shape: &Shape,
        file: usize,
        sides: usize,
    ) -> Result<Vec<PieceList>, TableError> {
        let ranks = if shape.second_pawns > 0 { 2 } else { 1 };
        let at = reader.at();
        let bytes = reader.take(ranks + shape.material.men() as usize)?;
        let mut lists = Vec::new();
        for side in 0..sides {
            let nibbles: Vec<u8> = bytes.iter().map(|byte| byte >> (4 * side) & 15).collect();
            let (ranks, men) = nibbles.split_at(ranks);
            let list = Self::build(shape, file, ranks, men);
            lists.push(list.map_err(|what| TableError::Header { at, what })?);
        }
        Ok(lists)
    }

    fn build(
        shape: &Shape,
        file: usize,
        ranks: &[u8],
        nibbles: &[u8],
    ) -> Result<PieceList, &'static str> {
        let count = nibbles.len();
        let mut men = [Kind {
            color: Color::White,
            piece: Piece::King,
        }; MEN];
        for (man, &nibble) in men.iter_mut().zip(nibbles) {
            *man = Kind::from_nibble(nibble)
                .ok_or("the piece list holds something that is not a piece")?;
        }
        let men_used = &men[..count];
        check_men(shape, men_used)?;
        let mut ends = Vec::new();
        let mut end = shape.leading.men();
        if shape.second_pawns > 0 {
            end += shape.second_pawns;
            ends.push(end);
        }
        while end < count {
            let first = men_used[end];
            end += men_used[end..]
                .iter()
                .take_while(|&&man| man == first)
                .count();
            ends.push(end);
        }
        let mut list = PieceList {
            men,
            count,
            leading: shape.leading,
            leading_factor: 0,
            groups: [Group::default(); MEN],
            group_count: ends.len(),
            size: 0,
        };
        list.set_factors(shape, file, ranks, &ends)?;
        Ok(list)
    }

    /// Multiplies the group sizes in the order that the ranks demand.
    fn set_factors(
        &mut self,
        shape: &Shape,
        file: usize,
        ranks: &[u8],
        ends: &[usize],
    ) -> Result<(), &'static str> {
        let leading = self.leading.men();
        let second = usize::from(shape.second_pawns > 0);
        let mut size = 1;
        let mut next = second;
        let (mut led, mut seconded) = (false, second == 0);
        for position in 0..=ends.len() {
            if position == usize::from(ranks[0]) {
                led = true;
                self.leading_factor = size;
                size *= match self.leading {
                    Leading::Kings => KING_PAIRS,
                    Leading::Three => TRIPLES,
                    Leading::Pawns(pawns) => leading_pawn_size(pawns, file),
                };
            } else if second == 1 && position == usize::from(ranks[1]) {
                seconded = true;
                self.groups[0] = Group {
                    end: ends[0],
                    factor: size,
                    base: 8,
                };
                size *= u64::from(CHOOSE[shape.second_pawns][48 - leading]);
            } else if next < ends.len() {
                let start = if next == 0 { leading } else { ends[next - 1] };
                self.groups[next] = Group {
                    end: ends[next],
                    factor: size,
                    base: 0,
                };
                size *= u64::from(CHOOSE[ends[next] - start][64 - start]);
                next += 1;
            }
        }
        self.size = size;
        let complete = led && seconded && next == ends.len();
        if complete {
            Ok(())
        } else {
            Err("the groups' order names a group that does not exist")
        }
    }

    /// Number of positions in the stream.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Index of a position, below [`PieceList::size`]; `None` for kings that touch and for other
    /// material.
    #[inline]
    pub(super) fn index(&self, perspective: &Perspective) -> Option<u64> {
        let mut squares = [0u8; MEN];
        let mut filled = 0;
        while filled < self.count {
            let pieces = perspective.pieces(self.men[filled]);
            if pieces.is_empty() || pieces.len() as usize > self.count - filled {
                return None;
            }
            for (slot, square) in squares[filled..].iter_mut().zip(pieces) {
                *slot = square as u8;
            }
            filled += pieces.len() as usize;
        }
        let squares = &mut squares[..self.count];
        let number = match self.leading {
            Leading::Pawns(pawns) => leading_pawns(squares, pawns),
            Leading::Kings => {
                remove_symmetry(squares, 2);
                king_pair(squares[0], squares[1])?
            }
            Leading::Three => {
                remove_symmetry(squares, 3);
                triple(squares[0], squares[1], squares[2])
            }
        };
        let mut index = number * self.leading_factor;
        let mut start = self.leading.men();
        for group in &self.groups[..self.group_count] {
            index += group.factor * combination(squares, start, group.end, group.base);
            start = group.end;
        }
        Some(index)
    }
}

/// The list must hold exactly the men of the table's name, in an order that the leading group
/// allows.
fn check_men(shape: &Shape, men: &[Kind]) -> Result<(), &'static str> {
    for color in Color::ALL {
        for piece in Piece::ALL {
            let listed = men
                .iter()
                .filter(|man| **man == Kind { color, piece })
                .count();
            if listed != shape.material.count(color, piece) as usize {
                return Err("the pieces are not those of the file's name");
            }
        }
    }
    let pawns = |color| {
        move |man: &Kind| {
            *man == Kind {
                color,
                piece: Piece::Pawn,
            }
        }
    };
    let (head, rest) = men.split_at(shape.leading.men());
    let unique = |man: &Kind| men.iter().filter(|other| *other == man).count() == 1;
    let in_order = match shape.leading {
        Leading::Kings => head.iter().all(|man| man.piece == Piece::King),
        Leading::Three => head.iter().all(unique),
        Leading::Pawns(_) => {
            head.iter().all(pawns(shape.pawn_color))
                && rest[..shape.second_pawns]
                    .iter()
                    .all(pawns(!shape.pawn_color))
        }
    };
    let mut runs: Vec<Kind> = men.to_vec();
    runs.dedup();
    let together = runs
        .iter()
        .all(|man| runs.iter().filter(|other| *other == man).count() == 1);
    if in_order && together {
        Ok(())
    } else {
        Err("the pieces are in an impossible order")
    }
}

/// Moves the first man into the triangle and the leading group below the diagonal.
#[inline]
fn remove_symmetry(squares: &mut [u8], leading: usize) {
    let mut flip = 0;
    if squares[0] & 4 != 0 {
        flip |= 7;
    }
    if squares[0] & 32 != 0 {
        flip |= 56;
    }
    for square in squares.iter_mut() {
        *square ^= flip;
    }
    let side = squares[..leading]
        .iter()
        .map(|&square| off_diagonal(square))
        .find(|&off| off != 0);
    if side.is_some_and(|off| off > 0) {
        for square in squares.iter_mut() {
            *square = reflect(*square);
        }
    }
}

/// Number of three different men after [`remove_symmetry`].
#[inline]
fn triple(x: u8, y: u8, z: u8) -> u64 {
    let y_less = u64::from(y > x);
    let z_less = u64::from(z > x) + u64::from(z > y);
    let below = |square: u8| u64::from(BELOW_DIAGONAL[usize::from(square & 63)]);
    // On the diagonal the rank numbers the square.
    let diagonal = |square: u8| u64::from(square >> 3);
    const BEFORE_Y: u64 = 6 * 63 * 62;
    const BEFORE_Z: u64 = BEFORE_Y + 4 * 28 * 62;
    const BEFORE_NONE: u64 = BEFORE_Z + 4 * 7 * 28;
    if off_diagonal(x) != 0 {
        let first = u64::from(TRIANGLE[usize::from(x & 63)]);
        first * 63 * 62 + (u64::from(y) - y_less) * 62 + u64::from(z) - z_less
    } else if off_diagonal(y) != 0 {
        BEFORE_Y + diagonal(x) * 28 * 62 + below(y) * 62 + u64::from(z) - z_less
    } else if off_diagonal(z) != 0 {
        BEFORE_Z + diagonal(x) * 7 * 28 + (diagonal(y) - y_less) * 28 + below(z)
    } else {
        BEFORE_NONE + diagonal(x) * 7 * 6 + (diagonal(y) - y_less) * 6 + diagonal(z) - z_less
    }
}

/// Orders the leading pawns by seniority, mirrors the board so that the leader is on files a to d,
/// and numbers the set.
#[inline]
fn leading_pawns(squares: &mut [u8], pawns: usize) -> u64 {
    let seniority = |square: u8| SENIORITY[usize::from(square & 63)];
    let mut leader = 0;
    for at in 1..pawns {
        if seniority(squares[at]) > seniority(squares[leader]) {
            leader = at;
        }
    }
    squares.swap(0, leader);
    if squares[0] & 4 != 0 {
        for square in squares.iter_mut() {
            *square ^= 7;
        }
    }
    squares[1..pawns].sort_unstable_by_key(|&square| std::cmp::Reverse(seniority(square)));
    let others = squares[1..pawns].iter().enumerate();
    leading_pawn_start(pawns, squares[0])
        + others
            .map(|(at, &square)| u64::from(CHOOSE[pawns - 1 - at][usize::from(seniority(square))]))
            .sum::<u64>()
}

/// Number of a set of equal men on the squares that the men before them left free.
#[inline]
fn combination(squares: &mut [u8], start: usize, end: usize, base: u8) -> u64 {
    let (before, rest) = squares.split_at_mut(start);
    let group = &mut rest[..end - start];
    if group.len() > 1 {
        group.sort_unstable();
    }
    let mut number = 0;
    for (at, &square) in group.iter().enumerate() {
        let passed = before.iter().filter(|&&other| other < square).count() as u8;
        number += u64::from(CHOOSE[at + 1][usize::from((square - passed).wrapping_sub(base) & 63)]);
    }
    number
}

#[cfg(test)]
mod tests;
