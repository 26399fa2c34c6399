//! From a score to the chances of a win, a draw and a loss.

use sextant_board::{Board, Piece, Position, Score};

/// Men on the board in pawns' worth at the beginning of a game: 16 pawns, and 3, 3, 5 and 9 for
/// knights, bishops, rooks and queens.
const FULL_MATERIAL: u32 = 78;

/// How scores become results: a logistic curve for the win, the same one mirrored for the loss, and
/// the draw between them.
///
/// The logarithms of the score that wins every second game (`middle`) and of the width of the curve
/// (`spread`), both in centipawns, are polynomials of the material that is left. (Stockfish's model
/// has polynomials of the score itself, which may fall below 0.) `sextant-tune data wdl` fits their
/// coefficients to games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel {
    pub middle: Polynomial,
    pub spread: Polynomial,
}

/// The coefficients of the powers, from 0 on, of the share of the pieces that are left
/// ([`WdlModel::powers`]).
pub type Polynomial = [f64; TERMS];

const TERMS: usize = 3;

impl WdlModel {
    /// The model that the engine answers with, fitted to 1,400 games of the network v14 and of those
    /// it is the mean of, at 20,000 nodes a move (`docs/log/networks.md`).
    pub const ENGINE: WdlModel = WdlModel {
        middle: [5.756, -1.022, 0.158],
        spread: [3.934, 1.992, -1.089],
    };

    /// How much of the pieces at the beginning is left, 0 to 1: its powers.
    pub fn powers(material: u32) -> Polynomial {
        let share = f64::from(material.min(FULL_MATERIAL)) / f64::from(FULL_MATERIAL);
        std::array::from_fn(|power| share.powi(power as i32))
    }

    /// Middle and spread of the curve with this much material on the board, in centipawns.
    pub fn curve(&self, material: u32) -> [f64; 2] {
        let powers = WdlModel::powers(material);
        let at = |polynomial: Polynomial| {
            polynomial
                .iter()
                .zip(powers)
                .map(|(a, x)| a * x)
                .sum::<f64>()
                .exp()
        };
        [self.middle, self.spread].map(at)
    }

    /// Chances of a win and of a loss (0 to 1, their sum below 1) of a score in centipawns with
    /// this much material on the board.
    pub fn win_and_loss(&self, cp: f64, material: u32) -> [f64; 2] {
        let [middle, spread] = self.curve(material);
        [cp, -cp].map(|cp| 1.0 / (1.0 + ((middle - cp) / spread).exp()))
    }
}

/// The men on the board in pawns' worth, both sides together.
pub fn material(board: &Board) -> u32 {
    let men = |piece: Piece| board.pieces(piece).len();
    men(Piece::Pawn)
        + 3 * (men(Piece::Knight) + men(Piece::Bishop))
        + 5 * men(Piece::Rook)
        + 9 * men(Piece::Queen)
}

/// Chances of a win, a draw and a loss for the side to move, per mille; their sum is 1000 and the
/// loss of a score is the win of its negative.
pub fn wdl(score: Score, position: &Position) -> [u16; 3] {
    if score.is_win() {
        return [1000, 0, 0];
    }
    if score.is_loss() {
        return [0, 0, 1000];
    }
    let material = material(position.board());
    let chances = WdlModel::ENGINE.win_and_loss(f64::from(score.raw()), material);
    let [win, loss] = chances.map(|chance| (1000.0 * chance).round() as u16);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use sextant_board::parse_fen;

    use super::*;

    #[test]
    fn whatever_the_score_the_chances_are_whole_and_symmetric() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1",
            "qqqqk3/qqqqq3/8/8/8/8/QQQQQ3/QQQQK3 w - - 0 1",
        ] {
            let position = parse_fen(fen).unwrap();
            let mut before = 0;
            for cp in -3000..=3000 {
                let [win, draw, loss] = wdl(Score::new(cp), &position);
                assert_eq!(win + draw + loss, 1000, "{fen} {cp}");
                assert_eq!(wdl(Score::new(-cp), &position), [loss, draw, win]);
                assert!(win >= before, "{fen} {cp}: more is never worse");
                before = win;
            }
        }
    }
}
