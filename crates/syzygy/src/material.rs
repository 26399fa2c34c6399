//! What stands on the board: where the pieces are, and the material with the table name that goes
//! with it.

use std::{cmp::Ordering, fmt};

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// Most men (kings included) that a Syzygy table can hold.
pub const MAX_MEN: u32 = 7;

/// Piece types in the order in which table names list them after the king.
pub(crate) const NAME_ORDER: [Piece; 5] = [
    Piece::Queen,
    Piece::Rook,
    Piece::Bishop,
    Piece::Knight,
    Piece::Pawn,
];

/// Bits of one piece counter; three hold the at most five pieces of a side besides the king.
const COUNT_BITS: u32 = 3;
/// Bits of one side's five counters.
const SIDE_BITS: u32 = COUNT_BITS * 5;
const SIDE_MASK: u32 = (1 << SIDE_BITS) - 1;

/// The pieces of both sides besides the kings, as ten counters in one word.
///
/// Within a side the queen has the most significant counter, so that comparing two sides of equal
/// size as numbers says which one a table name puts first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material(u32);

impl Material {
    /// The material of a board, or `None` with more than [`MAX_MEN`] men.
    pub fn of(board: &Board) -> Option<Material> {
        Self::of_men(&Pieces::from(board))
    }

    /// The material of these men, or `None` with more than [`MAX_MEN`].
    #[inline]
    pub(crate) fn of_men(men: &Pieces) -> Option<Material> {
        let counts = |color| NAME_ORDER.map(|piece| men.of(color, piece).len());
        Self::from_counts(counts(Color::White), counts(Color::Black))
    }

    /// From counts in the order queen, rook, bishop, knight, pawn; `None` with more than
    /// [`MAX_MEN`] men.
    pub fn from_counts(white: [u32; 5], black: [u32; 5]) -> Option<Material> {
        let men: u32 = white.iter().chain(&black).sum::<u32>() + 2;
        let counts = white.into_iter().chain(black);
        (men <= MAX_MEN).then(|| Material(counts.fold(0, |key, count| key << COUNT_BITS | count)))
    }

    /// Reads a name such as `KQvKR`; the pieces of a side in the order K, Q, R, B, N, P, the sides
    /// in either order.
    pub fn parse(name: &str) -> Option<Material> {
        let (white, black) = name.split_once('v')?;
        Self::from_counts(parse_side(white)?, parse_side(black)?)
    }

    fn side(self, color: Color) -> u32 {
        match color {
            Color::White => self.0 >> SIDE_BITS,
            Color::Black => self.0 & SIDE_MASK,
        }
    }

    /// How many pieces of this kind and color there are; a side has one king.
    pub fn count(self, color: Color, piece: Piece) -> u32 {
        counter_shift(color, piece).map_or(1, |shift| self.0 >> shift & ((1 << COUNT_BITS) - 1))
    }

    /// Men of one side, the king included.
    pub fn side_men(self, color: Color) -> u32 {
        1 + NAME_ORDER
            .iter()
            .map(|&piece| self.count(color, piece))
            .sum::<u32>()
    }

    /// Pieces on the board, kings included.
    pub fn men(self) -> u32 {
        self.side_men(Color::White) + self.side_men(Color::Black)
    }

    /// True with a pawn of either side.
    pub fn has_pawns(self) -> bool {
        self.count(Color::White, Piece::Pawn) + self.count(Color::Black, Piece::Pawn) > 0
    }

    /// True if both sides have the same pieces.
    pub fn is_symmetric(self) -> bool {
        self.side(Color::White) == self.side(Color::Black)
    }

    /// The same material with the colors exchanged.
    #[must_use]
    pub fn swapped(self) -> Material {
        Material(self.side(Color::Black) << SIDE_BITS | self.side(Color::White))
    }

    /// The orientation that table names use: more men first, then the side with the better pieces.
    #[must_use]
    pub fn canonical(self) -> Material {
        let men = self
            .side_men(Color::White)
            .cmp(&self.side_men(Color::Black));
        match men.then(self.side(Color::White).cmp(&self.side(Color::Black))) {
            Ordering::Less => self.swapped(),
            _ => self,
        }
    }

    /// Every material of `men` men, in the orientation and order of table names.
    pub fn all(men: u32) -> Vec<Material> {
        let mut found = Vec::new();
        for white_men in 1..men {
            for white in sides(white_men - 1) {
                for black in sides(men - white_men - 1) {
                    let material = Material(white << SIDE_BITS | black);
                    if material.canonical() == material {
                        found.push(material);
                    }
                }
            }
        }
        found.sort_by(|a, b| b.cmp(a));
        found
    }
}

/// For the fence around pyrrhic-rs.
#[cfg(all(feature = "pyrrhic", not(target_arch = "aarch64")))]
impl Material {
    /// The material with one piece less, or `None` if there is none of it (or it is a king).
    fn without(self, color: Color, piece: Piece) -> Option<Material> {
        let shift = counter_shift(color, piece)?;
        (self.count(color, piece) > 0).then(|| Material(self.0 - (1 << shift)))
    }

    /// What one capture or capturing promotion leaves.
    pub(crate) fn successors(self) -> Vec<Material> {
        let mut found = Vec::new();
        for color in Color::ALL {
            for piece in NAME_ORDER {
                let Some(left) = self.without(!color, piece) else {
                    continue;
                };
                found.push(left);
                if let Some(pawnless) = left.without(color, Piece::Pawn) {
                    let officers = NAME_ORDER[..4].iter();
                    let add =
                        |&piece| Some(Material(pawnless.0 + (1 << counter_shift(color, piece)?)));
                    found.extend(officers.filter_map(add));
                }
            }
        }
        found
    }
}

/// Where the counter of this kind of piece sits in the word; a king has none.
fn counter_shift(color: Color, piece: Piece) -> Option<u32> {
    let at = NAME_ORDER.iter().position(|&p| p == piece)? as u32;
    let side = if color == Color::White { SIDE_BITS } else { 0 };
    Some(side + COUNT_BITS * (4 - at))
}

/// All packed sides with this many pieces besides the king.
fn sides(pieces: u32) -> impl Iterator<Item = u32> {
    let men = move |&side: &u32| Material(side).side_men(Color::Black);
    (0..=SIDE_MASK).filter(move |side| men(side) == 1 + pieces)
}

fn parse_side(text: &str) -> Option<[u32; 5]> {
    let mut counts = [0; 5];
    let mut last = 0;
    for letter in text.strip_prefix('K')?.chars() {
        let at = "QRBNP".find(letter)?;
        if at < last {
            return None;
        }
        last = at;
        counts[at] += 1;
    }
    Some(counts)
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (color, head) in [(Color::White, "K"), (Color::Black, "vK")] {
            f.write_str(head)?;
            for (piece, letter) in NAME_ORDER.iter().zip(["Q", "R", "B", "N", "P"]) {
                for _ in 0..self.count(color, *piece) {
                    f.write_str(letter)?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A position without clocks, castling rights and en passant: all that a WDL probe needs. Captures
/// are played on this instead of on a [`Board`], which would keep keys, pins and checkers that
/// nobody asks for.
#[derive(Clone, Copy)]
pub(crate) struct Pieces {
    pieces: [BitBoard; Piece::NUM],
    colors: [BitBoard; Color::NUM],
    mover: Color,
}

impl From<&Board> for Pieces {
    #[inline]
    fn from(board: &Board) -> Pieces {
        Pieces {
            pieces: Piece::ALL.map(|piece| board.pieces(piece)),
            colors: Color::ALL.map(|color| board.colors(color)),
            mover: board.side_to_move(),
        }
    }
}

impl Pieces {
    #[inline]
    pub(crate) fn mover(&self) -> Color {
        self.mover
    }

    /// All pieces of a kind and color.
    #[inline]
    pub(crate) fn of(&self, color: Color, piece: Piece) -> BitBoard {
        self.pieces[piece as usize] & self.colors[color as usize]
    }

    #[inline]
    pub(crate) fn side(&self, color: Color) -> BitBoard {
        self.colors[color as usize]
    }

    fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    pub(crate) fn count(&self) -> u32 {
        self.occupied().len()
    }

    #[inline]
    fn attacks(&self, piece: Piece, from: Square) -> BitBoard {
        let occupied = self.occupied();
        match piece {
            Piece::Pawn => get_pawn_attacks(from, self.mover),
            Piece::Knight => get_knight_moves(from),
            Piece::Bishop => get_bishop_moves(from, occupied),
            Piece::Rook => get_rook_moves(from, occupied),
            Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
            Piece::King => get_king_moves(from),
        }
    }

    /// True if the side that has just moved left its king in check.
    #[inline]
    fn king_is_capturable(&self) -> bool {
        let (us, them) = (self.mover, !self.mover);
        let Some(king) = self.of(them, Piece::King).next_square() else {
            return true;
        };
        let occupied = self.occupied();
        let hit = |attacks: BitBoard, piece| !(attacks & self.of(us, piece)).is_empty();
        let ours = self.side(us);
        let diagonal = self.pieces[Piece::Bishop as usize] | self.pieces[Piece::Queen as usize];
        let straight = self.pieces[Piece::Rook as usize] | self.pieces[Piece::Queen as usize];
        hit(get_king_moves(king), Piece::King)
            || hit(get_knight_moves(king), Piece::Knight)
            || hit(get_pawn_attacks(king, them), Piece::Pawn)
            || !(get_bishop_moves(king, occupied) & diagonal & ours).is_empty()
            || !(get_rook_moves(king, occupied) & straight & ours).is_empty()
    }

    /// The position after a piece of the side to move takes another.
    #[inline]
    fn after_capture(&self, piece: Piece, from: Square, to: Square, becomes: Piece) -> Pieces {
        let mut after = *self;
        let (from, to) = (from.bitboard(), to.bitboard());
        for pieces in &mut after.pieces {
            *pieces &= !to;
        }
        after.pieces[piece as usize] &= !from;
        after.pieces[becomes as usize] |= to;
        after.colors[self.mover as usize] = (self.side(self.mover) & !from) | to;
        after.colors[!self.mover as usize] &= !to;
        after.mover = !self.mover;
        after
    }

    /// Calls `visit` with the position after each legal capture (en passant apart), until it
    /// returns an error.
    #[inline]
    pub(crate) fn for_captures<E>(
        &self,
        mut visit: impl FnMut(&Pieces) -> Result<(), E>,
    ) -> Result<(), E> {
        const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
        let targets = self.side(!self.mover) & !self.of(!self.mover, Piece::King);
        let last = Rank::Eighth.relative_to(self.mover).bitboard();
        for piece in Piece::ALL {
            for from in self.of(self.mover, piece) {
                for to in self.attacks(piece, from) & targets {
                    let promotes = piece == Piece::Pawn && last.has(to);
                    let becomes = if promotes { &PROMOTIONS[..] } else { &[piece] };
                    for &becomes in becomes {
                        let after = self.after_capture(piece, from, to, becomes);
                        if after.king_is_capturable() {
                            break;
                        }
                        visit(&after)?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_find_their_canonical_form() {
        for (name, canonical) in [
            ("KQvKR", "KQvKR"),
            ("KRvKQ", "KQvKR"),
            ("KvKP", "KPvK"),
            ("KBNvK", "KBNvK"),
            ("KPPvKQ", "KPPvKQ"),
        ] {
            let material = Material::parse(name).unwrap();
            assert_eq!(material.to_string(), name);
            assert_eq!(material.canonical().to_string(), canonical);
        }
        for bad in "KQ,QvK,KNBvK,KQvKRx,KQQQvKQQQ,,vK,KKvK".split(',') {
            assert_eq!(Material::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn there_are_as_many_tables_as_the_field_counts() {
        let counts: Vec<usize> = (3..=7).map(|men| Material::all(men).len()).collect();
        assert_eq!(counts, [5, 30, 110, 365, 1001]);
    }

    #[cfg(all(feature = "pyrrhic", not(target_arch = "aarch64")))]
    #[test]
    fn captures_and_promotions_change_the_counters() {
        let found = Material::parse("KQPvKR").unwrap().successors();
        let names: Vec<String> = found.iter().map(|it| it.to_string()).collect();
        let expected = "KQPvK KQQvK KQRvK KQBvK KQNvK KPvKR KQvKR";
        assert_eq!(names.join(" "), expected);
    }
}
