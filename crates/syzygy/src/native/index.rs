//! From the men's squares to a position's index in a stream (sections 3 and 4).

use arrayvec::ArrayVec;
use cozy_chess::{BitBoard, Color, Piece};

use super::{
    body::Reader,
    squares::{
        BELOW_DIAGONAL, CHOOSE, KING_PAIRS, SENIORITY, TRIANGLE, TRIPLES, king_pair,
        leading_pawn_size, leading_pawn_start, off_diagonal, reflect,
    },
};
use crate::{
    error::TableError,
    material::{MAX_MEN, Material, Pieces},
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

    fn pieces(&self, (color, piece): Man) -> BitBoard {
        let color = if self.swap { !color } else { color };
        let pieces = self.men.of(color, piece);
        if self.mirror {
            pieces.flip_ranks()
        } else {
            pieces
        }
    }
}

/// A kind of man as a piece list names it.
type Man = (Color, Piece);

fn man_of(nibble: u8) -> Option<Man> {
    let piece = Piece::try_index(usize::from(nibble & 7).checked_sub(1)?)?;
    Some((Color::index(usize::from(nibble >> 3)), piece))
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

    /// Number of ways to place the group, its pawns with the leader on this file.
    fn size(self, file: usize) -> u64 {
        match self {
            Leading::Kings => KING_PAIRS,
            Leading::Three => TRIPLES,
            Leading::Pawns(pawns) => leading_pawn_size(pawns, file),
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
    /// Color of the leading pawns.
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
        let officers = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
        let lonely = officers.into_iter().any(|piece| {
            Color::ALL
                .map(|color| material.count(color, piece))
                .contains(&1)
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
                let pawns = perspective.pieces((self.pawn_color, Piece::Pawn));
                let files = pawns.iter().map(|square| square.file() as usize);
                files.map(|file| file.min(7 - file)).min().unwrap_or(0)
            }
            _ => 0,
        }
    }
}

/// One side's piece list: turns positions into indexes.
#[derive(Debug)]
pub(super) struct PieceList {
    men: ArrayVec<Man, MEN>,
    leading: Leading,
    leading_factor: u64,
    groups: ArrayVec<Group, MEN>,
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
        let men = nibbles.iter().map(|&nibble| man_of(nibble));
        let men = men.collect::<Option<ArrayVec<_, MEN>>>();
        let men = men.ok_or("the piece list holds something that is not a piece")?;
        check_men(shape, &men)?;
        let second = shape.second_pawns > 0;
        let mut groups = ArrayVec::<_, MEN>::new();
        let mut sizes = ArrayVec::<u64, MEN>::new();
        let mut start = shape.leading.men();
        while start < men.len() {
            let behind = men[start..].iter();
            let run = behind.take_while(|&&man| man == men[start]).count();
            let (base, free) = match groups.is_empty() && second {
                true => (8, 48 - start),
                false => (0, 64 - start),
            };
            sizes.push(CHOOSE[run][free].into());
            start += run;
            groups.push(Group {
                end: start,
                factor: 0,
                base,
            });
        }
        let mut list = PieceList {
            men,
            leading: shape.leading,
            leading_factor: 0,
            groups,
            size: 1,
        };
        // A group's factor is the product of the sizes before it, in the order that the ranks
        // demand.
        let mut others = usize::from(second)..sizes.len();
        for position in 0..=sizes.len() {
            let has_rank = |at: usize| ranks.get(at).copied().map(usize::from) == Some(position);
            let (factor, size) = if has_rank(0) {
                (&mut list.leading_factor, shape.leading.size(file))
            } else {
                let group = if has_rank(1) { Some(0) } else { others.next() };
                let group = group.ok_or("the groups' order names a group that does not exist")?;
                (&mut list.groups[group].factor, sizes[group])
            };
            *factor = list.size;
            list.size *= size;
        }
        Ok(list)
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
        while filled < self.men.len() {
            let pieces = perspective.pieces(self.men[filled]);
            if pieces.is_empty() || pieces.len() as usize > self.men.len() - filled {
                return None;
            }
            for (slot, square) in squares[filled..].iter_mut().zip(pieces) {
                *slot = square as u8;
            }
            filled += pieces.len() as usize;
        }
        let squares = &mut squares[..self.men.len()];
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
        for group in &self.groups {
            index += group.factor * combination(squares, start, group.end, group.base);
            start = group.end;
        }
        Some(index)
    }
}

/// The list must hold exactly the men of the table's name, in an order that the leading group
/// allows.
fn check_men(shape: &Shape, men: &[Man]) -> Result<(), &'static str> {
    let listed = |man: &Man| men.iter().filter(|other| *other == man).count();
    for color in Color::ALL {
        for piece in Piece::ALL {
            if listed(&(color, piece)) != shape.material.count(color, piece) as usize {
                return Err("the pieces are not those of the file's name");
            }
        }
    }
    let (head, rest) = men.split_at(shape.leading.men());
    let pawns = |men: &[Man], color| men.iter().all(|man| *man == (color, Piece::Pawn));
    let in_order = match shape.leading {
        Leading::Kings => head.iter().all(|man| man.1 == Piece::King),
        Leading::Three => head.iter().all(|man| listed(man) == 1),
        Leading::Pawns(_) => {
            pawns(head, shape.pawn_color) && pawns(&rest[..shape.second_pawns], !shape.pawn_color)
        }
    };
    let runs = men.chunk_by(|a, b| a == b);
    if in_order && runs.into_iter().all(|run| run.len() == listed(&run[0])) {
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
mod tests {
    //! The index of five to seven men, for which real files are few or not at hand: it must stay
    //! below the number of positions, be the same for positions that a symmetry of the board maps
    //! on each other, and differ for all others.

    use std::{collections::HashMap, iter::repeat_n};

    use cozy_chess::{BoardBuilder, Square};
    use sextant_board::Random;

    use super::*;

    /// Men in an order that a table could list them in, with the ranks of its groups last first.
    fn list_order(shape: &Shape, material: Material) -> Vec<Man> {
        let pieces = Piece::ALL.into_iter().rev();
        let kinds = pieces.flat_map(|piece| Color::ALL.map(|color| (color, piece)));
        let count = |(color, piece)| material.count(color, piece) as usize;
        let mut men: Vec<Man> = kinds.flat_map(|man| repeat_n(man, count(man))).collect();
        // Single men first, so that the leading three are single; kings first of all.
        men.sort_by_key(|&man| match man {
            (color, Piece::Pawn) => (false, color != shape.pawn_color),
            _ => (true, count(man) > 1),
        });
        men
    }

    fn nibble((color, piece): Man) -> u8 {
        1 + piece as u8 + 8 * color as u8
    }

    fn place(men: &[Man], squares: &[Square]) -> Option<Pieces> {
        let mut builder = BoardBuilder::empty();
        for (&(color, piece), &square) in men.iter().zip(squares) {
            let before = builder.square_mut(square).replace((piece, color));
            if before.is_some() {
                return None;
            }
        }
        builder.build().ok().map(|board| Pieces::from(&board))
    }

    /// The squares of a position in the least of its symmetric forms.
    fn canonical(men: &[Man], squares: &[Square], pawns: bool) -> Vec<(u8, u8)> {
        let symmetries = if pawns { 2 } else { 8 };
        let images = (0..symmetries).map(|symmetry: u8| {
            let image = |square: Square| {
                let mut square = square as u8;
                square ^= if symmetry & 1 != 0 { 7 } else { 0 };
                square ^= if symmetry & 2 != 0 { 56 } else { 0 };
                if symmetry & 4 != 0 {
                    (square & 7) << 3 | square >> 3
                } else {
                    square
                }
            };
            let mut placed: Vec<(u8, u8)> = men
                .iter()
                .zip(squares)
                .map(|(&man, &square)| (nibble(man), image(square)))
                .collect();
            placed.sort_unstable();
            placed
        });
        images.min().unwrap_or_default()
    }

    /// Every way to move one man of a random position, with the index it has: (list, index) to
    /// canonical position.
    fn check(name: &str) {
        let material = Material::parse(name).unwrap();
        let shape = Shape::new(material);
        let men = list_order(&shape, material);
        let nibbles: Vec<u8> = men.iter().copied().map(nibble).collect();
        let ranks: &[u8] = if shape.second_pawns > 0 {
            &[1, 0]
        } else {
            &[0]
        };
        let lists: Vec<PieceList> = (0..shape.lists())
            .map(|file| PieceList::build(&shape, file, ranks, &nibbles).unwrap())
            .collect();
        let mut random = Random::new(1);
        let mut known: HashMap<(usize, u64), Vec<(u8, u8)>> = HashMap::new();
        let mut seen = 0;
        while seen < 20_000 {
            let base: Vec<_> = men
                .iter()
                .map(|_| Square::index(random.below(64)))
                .collect();
            for moved in 0..men.len() {
                for square in Square::ALL {
                    let mut squares = base.clone();
                    squares[moved] = square;
                    let Some(placed) = place(&men, &squares) else {
                        continue;
                    };
                    let perspective = Perspective::new(&placed, false, material.has_pawns());
                    let list = shape.list_of(&perspective);
                    let Some(index) = lists[list].index(&perspective) else {
                        continue;
                    };
                    assert!(index < lists[list].size(), "{name} {squares:?}");
                    let form = canonical(&men, &squares, material.has_pawns());
                    let first = known.entry((list, index)).or_insert_with(|| form.clone());
                    assert_eq!(*first, form, "{name}: two positions share index {index}");
                    seen += 1;
                }
            }
        }
        let mut forms: Vec<_> = known.values().collect();
        forms.sort_unstable();
        forms.dedup();
        // One position may have two indexes only where the symmetry leaves a choice (a leading pawn
        // with a mirror twin, or three men of whom none decides); that is rare.
        let (forms, known) = (forms.len(), known.len());
        assert!(forms * 100 >= known * 97, "{name}: {forms} of {known}");
    }

    #[test]
    fn five_to_seven_men() {
        for name in [
            "KRNvKR", "KNNvKN", "KNNvKNN", "KQRBvKRN", "KQRBvKNN", "KBBBvKNN", "KNNNNNvK",
            "KQPvKP", "KPPvKPP", "KPPPvKPP", "KPPPPvKP", "KPPPPPvK", "KRPPvKRP", "KNNPvKNN",
        ] {
            check(name);
        }
    }
}
