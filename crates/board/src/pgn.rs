//! Games as text: the Portable Game Notation (Edwards 1994), read leniently and written in its
//! export format, with all that is between the moves.

mod draft;
mod read;
mod scanner;
mod text;

use std::{
    borrow::Cow,
    fmt::{self, Write as _},
};

use cozy_chess::{Color, Move};

pub use self::{read::PgnReader, text::decode_pgn};
use crate::{Position, to_san};

/// Columns of the movetext in the export format.
const COLUMNS: usize = 80;

/// Why a text was rejected as PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: game {game}: {fault}")]
pub struct PgnError {
    /// Line of the text, from 1.
    line: usize,
    /// Number of the game, from 1.
    game: u64,
    fault: String,
}

/// What stands in the movetext. It belongs to the last move before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PgnItem {
    /// A move; `None` is the null move `--`, which only variations have.
    Move(Option<Move>),
    /// A numeric annotation glyph: 4 is `??`.
    Glyph(u32),
    /// The text of a comment, its line breaks made spaces.
    Comment(String),
    /// The rest of a line that begins with `%`.
    Escape(String),
    /// Moves instead of the last one.
    Variation(Vec<PgnItem>),
}

/// A game that was read.
#[derive(Clone, Debug)]
#[must_use]
pub struct PgnGame {
    /// Names and values, in the order of the text.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: Position,
    /// The movetext. The moves of the game itself are legal, and none of them is a null move.
    pub items: Vec<PgnItem>,
    /// How the movetext ends, if it says so: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: Option<String>,
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let found = tags.find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The moves of the game itself, without variations.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.items.iter().filter_map(|item| match item {
            PgnItem::Move(mv) => *mv,
            _ => None,
        })
    }

    /// The position before each move.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.start.clone();
        self.moves().map(move |mv| {
            let before = position.clone();
            position.play(mv);
            before
        })
    }

    /// The game as text. A result that was left out is taken from the tag, if that has one.
    pub fn to_text(&self) -> String {
        let tags = self.tags.iter();
        let tags: Vec<_> = tags
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let of_tag = || self.tag("Result").and_then(draft::result);
        let result = self.result.as_deref().or_else(of_tag).unwrap_or("*");
        write(&tags, &self.start, &self.items, result)
    }
}

/// Writes a game: its tags, an empty line, and the moves, each with a comment unless that is empty.
/// `end` is the result, perhaps with a comment before it.
///
/// ```
/// use sextant_board::{Position, parse_san, write_pgn};
///
/// let start = Position::startpos();
/// let e4 = parse_san(&start, "e4").unwrap();
/// let game = write_pgn(&[("White", "A \"B\"")], &start, [(e4, "best by test".into())], "*");
/// assert_eq!(game, "[White \"A \\\"B\\\"\"]\n\n1. e4 {best by test} *\n");
/// ```
pub fn write_pgn(
    tags: &[(&str, &str)],
    start: &Position,
    moves: impl IntoIterator<Item = (Move, String)>,
    end: &str,
) -> String {
    let mut items = Vec::new();
    for (mv, comment) in moves {
        items.push(PgnItem::Move(Some(mv)));
        items.extend((!comment.is_empty()).then_some(PgnItem::Comment(comment)));
    }
    write(tags, start, &items, end)
}

fn write(tags: &[(&str, &str)], start: &Position, items: &[PgnItem], end: &str) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let value = value.replace(char::is_control, " ");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    let mut movetext = Movetext::new(text, COLUMNS);
    movetext.items(start, items);
    movetext.words(end);
    movetext.end_line();
    movetext.text
}

/// Moves with their numbers in one line, as in `12... Kd4 13. Qh8+`.
pub fn numbered_san(start: &Position, moves: impl IntoIterator<Item = Move>) -> String {
    let moves = moves.into_iter().map(|mv| PgnItem::Move(Some(mv)));
    let mut movetext = Movetext::new(String::new(), usize::MAX);
    movetext.items(start, &moves.collect::<Vec<_>>());
    movetext.end_word();
    movetext.text
}

/// The number before a move, as in `12. ` and `12... `.
pub fn move_number(position: &Position) -> impl fmt::Display {
    let dots = match position.side_to_move() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", position.board().fullmove_number())
}

/// Words in lines.
struct Movetext {
    text: String,
    /// Letters of the last line.
    column: usize,
    width: usize,
    /// The last word, which is not written before it is known how long it gets.
    word: String,
    /// The next word continues the last one.
    is_glued: bool,
}

impl Movetext {
    fn new(text: String, width: usize) -> Movetext {
        Movetext {
            text,
            column: 0,
            width,
            word: String::new(),
            is_glued: false,
        }
    }

    fn items(&mut self, start: &Position, items: &[PgnItem]) {
        let mut position = Cow::Borrowed(start);
        let mut before = start.clone();
        let mut is_numbered = true;
        for item in items {
            match item {
                PgnItem::Move(mv) => {
                    if is_numbered || position.side_to_move() == Color::White {
                        self.word(&move_number(&position).to_string());
                    }
                    let (san, after) = match mv {
                        Some(mv) => (to_san(&position, *mv), Some(position.make(*mv).0)),
                        None => ("--".to_owned(), position.make_null()),
                    };
                    self.word(&san);
                    before = position.into_owned();
                    position = Cow::Owned(after.unwrap_or_else(|| before.clone()));
                }
                PgnItem::Glyph(number) => self.word(&format!("${number}")),
                // Only a comment to the end of a line may hold this.
                PgnItem::Comment(text) if text.contains('}') => self.line(&format!("; {text}")),
                PgnItem::Comment(text) => self.comment(text),
                PgnItem::Escape(text) => self.line(&format!("%{text}")),
                PgnItem::Variation(items) => {
                    self.word("(");
                    self.is_glued = true;
                    self.items(&before, items);
                    self.is_glued = true;
                    self.word(")");
                }
            }
            is_numbered = match item {
                PgnItem::Move(_) => false,
                PgnItem::Glyph(_) => is_numbered,
                _ => true,
            };
        }
    }

    /// A command such as `[%eval 0.31,18]` stays in one line.
    fn comment(&mut self, text: &str) {
        let (mut command, text) = (String::new(), format!("{{{text}}}"));
        for word in text.split_whitespace() {
            command.push_str(word);
            let is_open = command.rfind("[%") > command.rfind(']');
            if is_open && command.len() < COLUMNS / 2 {
                command.push(' ');
            } else {
                self.word(std::mem::take(&mut command).trim_end());
            }
        }
        self.words(&command);
    }

    fn words(&mut self, text: &str) {
        text.split_whitespace().for_each(|word| self.word(word));
    }

    fn word(&mut self, word: &str) {
        if !std::mem::take(&mut self.is_glued) {
            self.end_word();
        }
        self.word.push_str(word);
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        let length = word.chars().count();
        // A line of a comment must not look like the first one of a game.
        let breaks = self.column + 1 + length >= self.width && !word.starts_with("[Event");
        if self.column > 0 && length > 0 {
            self.text.push(if breaks { '\n' } else { ' ' });
            self.column = if breaks { 0 } else { self.column + 1 };
        }
        self.text.push_str(&word);
        self.column += length;
    }

    /// A line of its own.
    fn line(&mut self, text: &str) {
        self.end_line();
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn end_line(&mut self) {
        self.end_word();
        if self.column > 0 {
            self.text.push('\n');
        }
        self.column = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::to_fen;

    const TWO: &str = "\u{feff}[Event \"a ] b\"]\n[Result \"1-0\"]\n\n1. e4 {best (by test)} e5 2.Nf3!? (2. f4 exf4 \
        (2... d5 {no)}) 3. Nf3) 2... Nc6 $1 ; the rest\n% escaped\n3.Bb5 a6 4.Ba4 Nf6 5.0-0 1-0\n\n\
        [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 2. e4 *\n";

    fn all(text: &str) -> Result<Vec<PgnGame>, PgnError> {
        let mut games = PgnReader::new(text);
        std::iter::from_fn(|| games.next_game().transpose()).collect()
    }

    fn lengths(text: &str) -> Vec<usize> {
        let games = all(text).unwrap();
        games.iter().map(|game| game.moves().count()).collect()
    }

    #[test]
    fn moves_are_found_among_the_rest() {
        let games = all(TWO).unwrap();
        assert_eq!(lengths(TWO), [9, 2]);
        assert_eq!(games[0].tag("event"), Some("a ] b"));
        let before = |game: &PgnGame| to_fen(&game.positions().last().unwrap(), false);
        assert_eq!(
            before(&games[0]),
            "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5"
        );
        assert_eq!(before(&games[1]), "8/3k4/8/8/8/8/4P3/4K3 w - - 1 2");
        assert!(all("").unwrap().is_empty());
    }

    #[test]
    fn a_game_of_tags_alone_keeps_its_position_to_itself() {
        let text = "[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n[Event \"b\"]\n\n1. d4 *\n";
        assert_eq!(lengths(text), [0, 1]);
    }

    #[test]
    fn mistakes_are_found_by_game_and_line() {
        let error = |text: &str| all(text).unwrap_err().to_string();
        let wrong = error(&format!("{TWO}\n[White \"x\"]\n\n1. e4 e5\n2. Ke3 *"));
        let start = "line 16: game 3: \"Ke3\" is not exactly one legal move";
        assert!(wrong.starts_with(start), "{wrong}");
        for (text, fault) in [
            ("1. e4 {oh", "a comment has no end"),
            ("1. e4 (1. d4", "a variation has no end"),
            ("1. e4 (1. d4 {", "a comment has no end"),
            ("1. e4 ) d5", "never began"),
            ("(1. e4)", "before the move that it replaces"),
            ("1. -- e5", "a null move may stand in a variation only"),
            ("1. e4 $x e5", "a glyph is a dollar sign and a number"),
            ("[Event \"x]", "a tag has no end"),
            (
                "[White \"x\"]\n[FEN \"8/8\"]\n\n1. e4",
                "line 2: game 1: the tag FEN: ",
            ),
            (
                "[Variant \"Atomic\"]\n1. e4",
                "the variant \"Atomic\" is not played here",
            ),
        ] {
            assert!(error(text).contains(fault), "{text}: {}", error(text));
        }
        let depth = if cfg!(miri) { 300 } else { 100_000 };
        let deep = format!("1. e4 {}", "(1. d4 ".repeat(depth));
        assert!(error(&deep).contains("more than 200 deep"));
    }

    /// Each broken game is told of, and none of its neighbors is lost.
    #[test]
    fn after_a_broken_game_comes_the_next_one() {
        let good = "[Event \"good\"]\n[Site \"?\"]\n\n1. e4 {fine} e5 1-0\n\n";
        for broken in [
            "[Event \"x\"]\n[Site \"?\"]\n\n1. e4 e5 2. Ke3 {}\n2... d5 0-1\n\n",
            "[Event \"x\"]\n[FEN \"8/8\"]\n[Site \"?\"]\n\n1. e4 0-1\n\n",
            "[Event \"x]\n[Site \"?\"]\n\n1. e4 0-1\n\n",
            "[Event \"x\"]\n\n1. e4 {no end\ne5 0-1\n\n",
            "[Event \"x\"]\n\n1. e4 (1. d4 e5 0-1\n\n",
            "[Event \"x\"]\n[Variant \"Atomic\"]\n\n\n",
            "1. e4 e5 2. Ke3 0-1\n\n",
        ] {
            let text = format!("{good}{broken}{good}{broken}");
            let mut reader = PgnReader::new(&text);
            let games = std::iter::from_fn(|| reader.next_game().transpose());
            let read: Vec<_> = games
                .map(|game| {
                    game.map(|game| game.moves().count())
                        .map_err(|error| error.game)
                })
                .collect();
            assert_eq!(read, [Ok(2), Err(2), Ok(2), Err(4)], "{broken}");
        }
    }

    #[test]
    fn a_tag_in_a_comment_is_text() {
        let game =
            "1. e4 { comment with [Event \"fake\"]\n[Event \"fake2\"]\nstill comment } e5 *\n\n";
        assert_eq!(lengths(game), [2]);
        let next = format!("{game}[Event \"next\"]\n\n1. d4 {{fine}} *\n");
        assert_eq!(lengths(&next), [2, 1]);
        let read = all(game).unwrap().remove(0);
        let comment = "comment with [Event \"fake\"] [Event \"fake2\"] still comment";
        assert_eq!(read.items[1], PgnItem::Comment(comment.into()));
        assert_eq!(all(&read.to_text()).unwrap()[0].items, read.items);
    }

    /// Each looks for the end of its comment, all together read the text a few times only.
    #[test]
    fn many_comments_without_an_end_are_refused_one_by_one() {
        let count = if cfg!(miri) { 20 } else { 20_000 };
        for text in [
            "[White \"a\"]\n\n1. e4 {\n\n",
            "[Event \"a\"]\n\n1. e4 {\n\n",
        ] {
            let text = text.repeat(count);
            let mut reader = PgnReader::new(&text);
            let games = std::iter::from_fn(|| reader.next_game().transpose());
            assert_eq!(games.filter(Result::is_err).count(), count);
            assert_eq!(reader.number(), count as u64);
        }
    }

    #[test]
    fn brackets_of_variations_lie_within_the_columns() {
        let step = if cfg!(miri) { 15 } else { 1 };
        for filling in (0..COLUMNS - 4).step_by(step) {
            let comment = "x".repeat(filling);
            let text = format!("1. e4 {{{comment}}} (1. d4 d5 (1... Nf6 (1... e6))) 1... e5 *");
            let game = all(&text).unwrap().remove(0);
            let written = game.to_text();
            let longest = written.lines().map(str::len).max();
            assert!(longest <= Some(COLUMNS), "{written}");
            assert_eq!(all(&written).unwrap()[0].items, game.items);
        }
    }

    #[test]
    fn every_producer_s_notation_is_read() {
        use PgnItem::{Comment, Escape, Glyph, Move, Variation};
        let text = "1.e2-e4!? $14 e7e5 ; to the end }\n2 Ng1-f3 +- (2. -- d5 3.Z0 (3. d3)) Nb8-c6 {a\n\
            b} !! D\n%escaped\n3. Bb5 N a6 4.0-0 Nge7 5.b4 axb5 6.c4 bxc4 7.d4 cxd3e.p. (\n%in\n7...f5 1-0) 8. \
            Re1?! d2 9. Kh1 dxc1/Q 1\u{2013}0 {after} [Event \"next\"]";
        let game = all(text).unwrap().remove(0);
        assert_eq!(game.result.as_deref(), Some("1-0"));
        let moves = numbered_san(&game.start, game.moves());
        assert!(
            moves.ends_with("4. O-O Nge7 5. b4 axb5 6. c4 bxc4 7. d4 cxd3 8. Re1 d2 9. Kh1 dxc1=Q"),
            "{moves}"
        );
        let asides: Vec<_> = game
            .items
            .iter()
            .filter(|item| !matches!(item, Move(_)))
            .collect();
        let comment = |text: &str| Comment(text.to_owned());
        assert_eq!(
            asides[..4],
            [&Glyph(5), &Glyph(14), &comment("to the end }"), &Glyph(18)]
        );
        let Variation(null) = asides[4] else { panic!() };
        assert!(
            matches!(&null[..], [Move(None), _, Move(None), Variation(_)]),
            "{null:?}"
        );
        let rest = [
            comment("a b"),
            Glyph(3),
            Glyph(220),
            Escape("escaped".into()),
            Glyph(146),
        ];
        assert!(asides[5..10].iter().copied().eq(&rest), "{asides:?}");
        let Variation(ended) = asides[10] else {
            panic!()
        };
        assert_eq!(
            (&ended[0], &ended[2]),
            (&Escape("in".into()), &comment("1-0"))
        );
        assert_eq!(asides[11..], [&Glyph(6), &comment("after")]);
        assert!(game.to_text().contains("(\n%in\n7... f5 {1-0})"));
        let again = all(&game.to_text()).unwrap().remove(0);
        assert_eq!((again.items, again.result), (game.items, game.result));
    }

    #[test]
    fn files_may_be_in_any_encoding() {
        let name = |bytes: &[u8]| {
            let text = decode_pgn(bytes);
            let game = PgnReader::new(&text).next_game().unwrap().unwrap();
            (game.tags[0].1.clone(), game.moves().count())
        };
        let text = "[White \"M\u{fc}ller \u{2013} \u{20ac}\"]\r\n\r\n1. e4 *\r\n";
        let expected = ("M\u{fc}ller \u{2013} \u{20ac}".to_owned(), 1);
        assert_eq!(name(text.as_bytes()), expected);
        assert_eq!(
            name(b"[White \"M\xfcller \x96 \x80\"]\n\n1. e4 *"),
            expected
        );
        assert_eq!(name(&[b"\xef\xbb\xbf", text.as_bytes()].concat()), expected);
        let units = || text.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        assert_eq!(name(&[b"\xff\xfe", &little[..]].concat()), expected);
        assert_eq!(name(&[b"\xfe\xff", &big[..]].concat()), expected);
        assert_eq!(decode_pgn(b"a\rb\r\nc"), "a\nb\nc");
    }

    #[test]
    fn what_is_written_comes_back_in_short_lines() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        let text = format!("[FEN \"{fen}\"] 2... Nf6 3. Nc3 Ng8 4. Nb1 d5 5. Nc3 d4 6. Nb1 Qh4#");
        let game = all(&text).unwrap().remove(0);
        assert_eq!(
            numbered_san(&game.start, game.moves().take(3)),
            "2... Nf6 3. Nc3 Ng8"
        );
        let tags = [("Event", "a \\ \"test\""), ("Site", "a\nb"), ("FEN", fen)];
        let moves = game.moves().map(|mv| (mv, "+0.31/11 10003n".to_owned()));
        let written = write_pgn(&tags, &game.start, moves, "{checkmate} 0-1");
        assert!(written.lines().all(|line| line.len() < COLUMNS));
        assert!(
            written.contains("2... Nf6 {+0.31/11 10003n} 3. Nc3 {"),
            "{written}"
        );
        let end = written.trim_end().replace('\n', " ");
        assert!(end.ends_with(" {checkmate} 0-1"), "{written}");
        let again = all(&written).unwrap().remove(0);
        assert_eq!(again.tag("Event"), Some(r#"a \ "test""#));
        assert_eq!(again.tag("Site"), Some("a b"));
        assert!(again.moves().eq(game.moves()));
        assert_eq!(to_fen(&again.start, false), fen);
    }
}
