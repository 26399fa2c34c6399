//! What the evaluations say of the moves: marks, better lines, and an accuracy for each side.
//! `docs/how-to/annotate.md` defines them.

use std::slice::Iter;

use sextant_board::{
    Color, Move, PgnGame, PgnItem, Position, Score, cozy_chess::GameStatus, has_only_move,
};
use sextant_search::wdl;

use super::work::Evaluation;

/// Plies of a better line.
const LINE: usize = 10;
/// Lost winning chances, in percent, that make the accuracy of a move half as good.
const HALF: f64 = 15.0;

/// The marks: glyph, sign, and the winning chances in percent that a move loses at least.
const MARKS: [(u32, &str, f64); 3] = [(4, "??", 30.0), (2, "?", 20.0), (6, "?!", 10.0)];

/// A move and what the engine says of it.
pub(super) struct JudgedMove {
    mover: Color,
    /// White's winning chances after it, in percent.
    pub(super) white: f64,
    /// Nodes of the search before it.
    pub(super) nodes: u64,
    /// `[%eval ...]`; `None` after checkmate.
    eval: Option<String>,
    /// Winning chances in percent that it lost, unless it was the only one.
    pub(super) lost: Option<f64>,
    /// The better line and its evaluation, where the loss deserves a mark.
    better: Option<(Vec<Move>, String)>,
}

impl JudgedMove {
    /// Its place in [`MARKS`], if it deserves one.
    pub(super) fn mark(&self) -> Option<usize> {
        self.better.as_ref()?;
        mark_of(self.lost?)
    }
}

fn mark_of(lost: f64) -> Option<usize> {
    MARKS.iter().position(|&(_, _, least)| lost >= least)
}

/// A game with the engine's notes in it.
pub(super) struct Judged {
    /// Its number in the file, from 1.
    pub(super) number: u64,
    pub(super) game: PgnGame,
    /// Its moves; `None` where nothing was searched.
    pub(super) moves: Vec<Option<JudgedMove>>,
    sides: [Side; 2],
}

/// The moves of a side in numbers.
#[derive(Clone, Copy, Default)]
struct Side {
    judged: u32,
    /// The sum of the accuracies of its judged moves.
    accuracy: f64,
    /// As in [`MARKS`].
    marks: [u32; MARKS.len()],
}

impl Side {
    fn accuracy(&self) -> Option<String> {
        (self.judged > 0).then(|| format!("{:.1}", self.accuracy / f64::from(self.judged)))
    }

    fn take(&mut self, judged: &JudgedMove) {
        if let Some(lost) = judged.lost {
            self.judged += 1;
            self.accuracy += 100.0 * (-lost / HALF).exp2();
        }
        if let Some(count) = judged.mark().and_then(|mark| self.marks.get_mut(mark)) {
            *count += 1;
        }
    }
}

impl Judged {
    /// Judges the moves behind the first `skip` of each side, whose evaluations come next.
    pub(super) fn new(
        (number, mut game): (u64, PgnGame),
        skip: usize,
        evaluations: &mut Iter<'_, Evaluation>,
    ) -> Judged {
        let moves: Vec<Move> = game.moves().collect();
        let positions: Vec<Position> = game.positions().collect();
        let mut judged: Vec<Option<JudgedMove>> = Vec::new();
        let mut before = None;
        for (ply, (mv, position)) in moves.iter().zip(&positions).enumerate() {
            if ply < 2 * skip {
                judged.push(None);
                continue;
            }
            let searched = before.take().or_else(|| evaluations.next());
            let after = evaluations.next();
            judged.push(searched.zip(after).map(|pair| judge(position, *mv, pair)));
            before = after;
        }
        let mut sides = [Side::default(); 2];
        for judged in judged.iter().flatten() {
            let [white, black] = &mut sides;
            let side = if judged.mover == Color::White {
                white
            } else {
                black
            };
            side.take(judged);
        }
        game.items = annotated(std::mem::take(&mut game.items), &judged);
        let [white, black] = sides.map(|side| side.accuracy());
        set_tag(&mut game.tags, "WhiteAccuracy", white);
        set_tag(&mut game.tags, "BlackAccuracy", black);
        if game.tag("Annotator").is_none() {
            let name = format!("Sextant {}", env!("CARGO_PKG_VERSION"));
            set_tag(&mut game.tags, "Annotator", Some(name));
        }
        Judged {
            number,
            game,
            moves: judged,
            sides,
        }
    }

    /// As PGN, with the seven tags that every game must have.
    pub(super) fn to_text(&self) -> String {
        self.game.to_text()
    }

    /// One line for a person.
    pub(super) fn summary(&self) -> String {
        let name = |tag| self.game.tag(tag).unwrap_or("?");
        let [white, black] = self.sides.map(|side| {
            let marks = MARKS.iter().zip(side.marks).rev();
            let marks: Vec<_> = marks
                .map(|((_, sign, _), count)| format!("{count} {sign}"))
                .collect();
            match side.accuracy() {
                Some(accuracy) => format!("{accuracy} % ({})", marks.join(", ")),
                None => "no move judged".to_owned(),
            }
        });
        let number = self.number;
        format!(
            "{number:>4}  {} {white}; {} {black}",
            name("White"),
            name("Black")
        )
    }
}

/// Replaces the value of a tag of ours, or adds it.
fn set_tag(tags: &mut Vec<(String, String)>, name: &str, value: Option<String>) {
    let Some(value) = value else { return };
    match tags.iter_mut().find(|(tag, _)| tag == name) {
        Some((_, old)) => *old = value,
        None => tags.push((name.to_owned(), value)),
    }
}

/// Judges a move by the evaluations of the positions before and after it.
fn judge(position: &Position, mv: Move, (before, after): (&Evaluation, &Evaluation)) -> JudgedMove {
    let mover = position.side_to_move();
    let now = chances(-after.score(), position);
    let best = before.line(position);
    let is_best = best.first() == Some(&mv);
    let lost = match is_best {
        true => 0.0,
        // The men before the move count for both.
        false => (chances(before.score(), position) - now).max(0.0),
    };
    let is_only = has_only_move(position);
    let next = position.make(mv).0;
    let is_mate = next.board().status() == GameStatus::Won;
    let better = best
        .get(..LINE.min(best.len()))
        .unwrap_or_default()
        .to_vec();
    JudgedMove {
        mover,
        white: if mover == Color::White {
            now
        } else {
            100.0 - now
        },
        nodes: before.nodes,
        eval: (!is_mate).then(|| eval(after, next.side_to_move())),
        lost: (!is_only).then_some(lost),
        better: mark_of(lost).map(|_| (better, eval(before, mover))),
    }
}

/// The expected result of a score for the side to move, in percent: a win and half a draw.
fn chances(score: Score, position: &Position) -> f64 {
    let [win, draw, _] = wdl(score, position).map(f64::from);
    (win + draw / 2.0) / 10.0
}

/// A score from White's view, in pawns or moves to mate, and its depth.
fn eval(evaluation: &Evaluation, mover: Color) -> String {
    let sign = if mover == Color::White { 1 } else { -1 };
    let score = match evaluation.score().mate_in() {
        Some(moves) => format!("#{}", sign * moves),
        None => format!("{:.2}", f64::from(sign * evaluation.score().raw()) / 100.0),
    };
    format!("[%eval {score},{}]", evaluation.depth)
}

/// The items of a game with the engine's among them: mark and evaluation behind each move and its
/// glyphs, the better line behind all that belongs to the move.
fn annotated(items: Vec<PgnItem>, judged: &[Option<JudgedMove>]) -> Vec<PgnItem> {
    let mut annotated = Vec::with_capacity(2 * items.len());
    let mut judged = judged.iter();
    let (mut notes, mut better) = (None, None);
    for item in items {
        let is_move = matches!(item, PgnItem::Move(_));
        if !matches!(item, PgnItem::Glyph(_)) {
            annotate(&mut annotated, notes.take());
        }
        if is_move {
            annotated.extend(better.take());
            notes = judged.next().and_then(Option::as_ref);
            better = notes.and_then(better_line);
        }
        annotated.push(item);
    }
    annotate(&mut annotated, notes);
    annotated.extend(better);
    annotated
}

/// A game's own glyph for the quality of the move stays the only one: what the engine thinks instead
/// stands in the comment then.
fn annotate(items: &mut Vec<PgnItem>, judged: Option<&JudgedMove>) {
    let Some(judged) = judged else { return };
    let own = items.iter().rev().map_while(|item| match item {
        PgnItem::Glyph(number) => Some(*number),
        _ => None,
    });
    let own: Vec<u32> = own.filter(|glyph| (1..=6).contains(glyph)).collect();
    let mark = judged.mark().and_then(|mark| MARKS.get(mark));
    let mut comment = judged.eval.clone().unwrap_or_default();
    match mark {
        Some((glyph, ..)) if own.is_empty() => items.push(PgnItem::Glyph(*glyph)),
        Some((glyph, sign, _)) if !own.contains(glyph) => {
            comment = format!("{comment} Sextant: {sign}");
        }
        _ => {}
    }
    items.extend((!comment.is_empty()).then_some(PgnItem::Comment(comment)));
}

fn better_line(judged: &JudgedMove) -> Option<PgnItem> {
    let (line, eval) = judged.better.as_ref()?;
    let mut moves = line.iter().map(|mv| PgnItem::Move(Some(*mv)));
    let mut items = vec![moves.next()?, PgnItem::Comment(eval.clone())];
    items.extend(moves);
    Some(PgnItem::Variation(items))
}

#[cfg(test)]
mod tests {
    use sextant_board::PgnReader;

    use super::*;

    fn evaluation(score: i32, line: &[&str]) -> Evaluation {
        let line = line.iter().map(|mv| (*mv).to_owned()).collect();
        Evaluation::new(score, 9, line)
    }

    /// White has thrown a queen away, or so the evaluations say.
    fn movetext(move_with_glyphs: &str) -> String {
        let text = format!("1. {move_with_glyphs} e5 *");
        let game = PgnReader::new(&text).next_game().unwrap().unwrap();
        let found = [
            evaluation(30, &["d2d4"]),
            evaluation(900, &["e7e5"]),
            evaluation(-900, &["g1f3"]),
        ];
        let text = Judged::new((1, game), 0, &mut found.iter()).to_text();
        text.split_once("\n\n").unwrap().1.replace('\n', " ")
    }

    #[test]
    fn a_move_has_one_glyph_for_its_quality() {
        for (own, expected) in [
            ("e4", "e4 $4 {[%eval -9.00,9]} (1. d4"),
            ("e4 $14", "e4 $14 $4 {[%eval -9.00,9]} (1. d4"),
            ("e4??", "e4 $4 {[%eval -9.00,9]} (1. d4"),
            ("e4!", "e4 $1 {[%eval -9.00,9] Sextant: ??} (1. d4"),
            ("e4? $14", "e4 $2 $14 {[%eval -9.00,9] Sextant: ??} (1. d4"),
        ] {
            assert!(movetext(own).contains(expected), "{}", movetext(own));
        }
    }

    #[test]
    fn a_blunder_gets_its_mark_behind_what_was_there_and_costs_accuracy() {
        let text = "[White \"A\"]\n\n1. e4 e5 2. Qh5 $6 {early} (2. Nf3 Nc6) Ke7 {oh} 3. Qxe5# 1-0";
        let game = PgnReader::new(text).next_game().unwrap().unwrap();
        let found = [
            evaluation(30, &["e7e5"]),
            evaluation(40, &["g1f3", "b8c6"]),
            evaluation(0, &["b8c6"]),
            evaluation(Score::mates_at(sextant_board::Ply(1)).raw(), &["h5e5"]),
            evaluation(Score::mated_at(sextant_board::Ply(0)).raw(), &[]),
        ];
        // The first move of each side is skipped, so the first two evaluations are not there.
        let judged = Judged::new((7, game), 1, &mut found[1..].iter());
        let expected = "2. Qh5 $6 {[%eval 0.00,9]} {early} (2. Nf3 Nc6) 2... Ke7 $4 {[%eval #1,9]} {oh} \
                        (2... Nc6 {[%eval 0.00,9]}) 3. Qxe5# 1-0";
        let movetext = judged.to_text().replace('\n', " ");
        assert!(movetext.contains(expected), "{movetext}");
        // How much the 40 centipawns of 2. Qh5 cost depends on the curves of `UCI_ShowWDL`.
        let accuracy = judged.game.tag("WhiteAccuracy").unwrap();
        assert!((80.0..95.0).contains(&accuracy.parse::<f64>().unwrap()));
        assert_eq!(
            judged.summary(),
            format!("   7  A {accuracy} % (0 ?!, 0 ?, 0 ??); ? 9.9 % (0 ?!, 0 ?, 1 ??)")
        );
    }
}
