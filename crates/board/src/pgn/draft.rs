//! A game as it is read, part by part.

use cozy_chess::Move;

use super::{PgnGame, PgnItem, scanner::Token};
use crate::{Position, fen::parse_fen_dropping_rights, parse_san, parse_uci_move, san::SanError};

/// Variations within variations. More is no annotation, and would take stack without end.
const DEEPEST: usize = 200;

/// What programs write for glyphs, longest first where one ends another.
const SYMBOLS: &[(&str, u32)] = &[
    ("+/-", 16),
    ("-/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("+-", 18),
    ("-+", 19),
    ("+=", 14),
    ("=+", 15),
    ("!", 1),
    ("?", 2),
    ("=", 10),
    ("□", 7),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
];
/// The same, as words of their own only: as an ending they might be a promotion.
const LETTERS: &[(&str, u32)] = &[("N", 146), ("TN", 146), ("D", 220)];

/// The moves between two brackets, or those of the game itself.
struct Level {
    items: Vec<PgnItem>,
    position: Position,
    /// The position before the last move.
    before: Option<Position>,
}

/// What is read of a game.
#[derive(Default)]
pub(super) struct Draft {
    /// Its first tag or move was seen.
    pub(super) is_begun: bool,
    /// Names, values and places in the text.
    pub(super) tags: Vec<(String, String, usize)>,
    /// Comments and escaped lines before and among the tags.
    early: Vec<PgnItem>,
    /// The game itself and the variations that are open, once the tags are over.
    levels: Vec<Level>,
    start: Option<Position>,
    result: Option<String>,
    /// What follows is of the next game.
    pub(super) is_over: bool,
}

impl Draft {
    /// Does a tag of this name belong to this game, or is it of the next one?
    pub(super) fn takes_tag(&self, name: &str) -> bool {
        let is_event = name.eq_ignore_ascii_case("Event");
        self.levels.is_empty() && !(is_event && self.tag("Event").is_some())
    }

    /// The value of a tag and its place in the text.
    fn tag(&self, wanted: &str) -> Option<(&str, usize)> {
        let mut tags = self.tags.iter();
        let found = tags.find(|(name, ..)| name.eq_ignore_ascii_case(wanted));
        found.map(|(_, value, at)| (value.as_str(), *at))
    }

    /// Is a variation open?
    pub(super) fn is_in_variation(&self) -> bool {
        self.levels.len() > 1
    }

    /// The tags are over, if they were not before.
    pub(super) fn begin(&mut self) -> Result<(), (usize, String)> {
        if !self.levels.is_empty() {
            return Ok(());
        }
        if let Some((variant, at)) = self.tag("Variant")
            && !is_chess(variant)
        {
            let fault = format!(
                "the variant {variant:?} is not played here; allowed are standard chess and Chess960"
            );
            return Err((at, fault));
        }
        let start = match self.tag("FEN") {
            Some((fen, at)) if !fen.is_empty() => {
                let read = parse_fen_dropping_rights(fen);
                read.map_err(|error| (at, format!("the tag FEN: {error}")))?
                    .0
            }
            _ => Position::startpos(),
        };
        self.start = Some(start.clone());
        self.levels.push(Level {
            items: std::mem::take(&mut self.early),
            position: start,
            before: None,
        });
        Ok(())
    }

    /// Takes what is no tag; true if it ends the game.
    pub(super) fn take(&mut self, token: Token<'_>) -> Result<bool, String> {
        let item = match token {
            Token::Comment(text) => {
                let words: Vec<_> = text.split_whitespace().collect();
                PgnItem::Comment(words.join(" "))
            }
            Token::Escape(text) => PgnItem::Escape(text.trim_end().to_owned()),
            Token::Glyph(number) => PgnItem::Glyph(number),
            Token::Open => return self.open(),
            Token::Close => return self.close(),
            Token::Word(word) => match (result(word), self.levels.len()) {
                (Some(result), 0 | 1) => {
                    self.result = Some(result.to_owned());
                    return Ok(true);
                }
                (Some(result), _) => PgnItem::Comment(result.to_owned()),
                (None, _) => return self.word(word),
            },
            Token::Tag(..) => return Ok(false),
        };
        match self.levels.last_mut() {
            Some(level) => level.items.push(item),
            None => self.early.push(item),
        }
        Ok(false)
    }

    fn open(&mut self) -> Result<bool, String> {
        let before = self.levels.last().and_then(|level| level.before.clone());
        let position = before.ok_or("a variation stands before the move that it replaces")?;
        if self.levels.len() > DEEPEST {
            return Err(format!(
                "variations lie more than {DEEPEST} deep in each other"
            ));
        }
        self.levels.push(Level {
            items: Vec::new(),
            position,
            before: None,
        });
        Ok(false)
    }

    fn close(&mut self) -> Result<bool, String> {
        if let [.., outer, closed] = &mut self.levels[..] {
            let items = std::mem::take(&mut closed.items);
            outer.items.push(PgnItem::Variation(items));
            self.levels.pop();
            return Ok(false);
        }
        Err("a variation ends that never began".to_owned())
    }

    /// A move with its number and its marks, or some of these alone.
    fn word(&mut self, word: &str) -> Result<bool, String> {
        let is_game = self.levels.len() == 1;
        let Some(level) = self.levels.last_mut() else {
            return Ok(false);
        };
        let (text, glyphs) = without_marks(without_number(word));
        let is_silent = text.bytes().all(|byte| b"+#.".contains(&byte));
        if is_null(text) {
            let after = level.position.make_null().filter(|_| !is_game);
            let fault = "a null move may stand in a variation only, and not in check";
            level.play(None, after.ok_or(fault)?);
        } else if !is_silent && !matches!(text, "e.p." | "ep") {
            let mv = read_move(&level.position, text).map_err(|error| error.to_string())?;
            let after = level.position.make(mv).0;
            level.play(Some(mv), after);
        }
        level.items.extend(glyphs.into_iter().map(PgnItem::Glyph));
        Ok(false)
    }

    pub(super) fn finish(self) -> PgnGame {
        let items = self.levels.into_iter().next().map(|level| level.items);
        PgnGame {
            tags: self
                .tags
                .into_iter()
                .map(|(name, value, _)| (name, value))
                .collect(),
            start: self.start.unwrap_or_else(Position::startpos),
            items: items.unwrap_or_default(),
            result: self.result,
        }
    }
}

impl Level {
    fn play(&mut self, mv: Option<Move>, after: Position) {
        self.before = Some(std::mem::replace(&mut self.position, after));
        self.items.push(PgnItem::Move(mv));
    }
}

/// A move in short notation or in one of the long ones: `Ng1-f3`, `e2e4`, `e7-e8/Q`.
fn read_move(position: &Position, text: &str) -> Result<Move, SanError> {
    parse_san(position, text).or_else(|error| {
        let bare = text.replace(['-', 'x', ':', '/', '=', '+', '#', '(', ')'], "");
        let short = parse_san(position, &bare);
        short.or_else(|_| parse_uci_move(position, &bare).map_err(|_| error))
    })
}

fn is_null(word: &str) -> bool {
    matches!(word, "--" | "Z0" | "0000" | "@@@@" | "null" | "pass")
}

/// Does a tag `Variant` name a game with the rules of chess?
fn is_chess(variant: &str) -> bool {
    let variant = variant.to_ascii_lowercase();
    let names = [
        "standard",
        "normal",
        "chess",
        "960",
        "fischer",
        "from position",
    ];
    let other = [
        "atomic",
        "crazyhouse",
        "antichess",
        "three",
        "horde",
        "hill",
        "racing",
    ];
    names.iter().any(|name| variant.contains(name))
        && !other.iter().any(|name| variant.contains(name))
}

/// The result that a word is.
pub(super) fn result(word: &str) -> Option<&'static str> {
    match word {
        "1-0" | "1–0" | "1:0" => Some("1-0"),
        "0-1" | "0–1" | "0:1" => Some("0-1"),
        "1/2-1/2" | "1/2–1/2" | "½-½" | "½–½" | "1/2" => Some("1/2-1/2"),
        "*" => Some("*"),
        _ => None,
    }
}

/// The rest of a word such as `12.Nf3`. Castling may be written with zeros, which are no number.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let bare = rest.trim_start_matches(['.', '…']);
    if bare.len() < rest.len() || rest.is_empty() && !is_null(word) {
        bare
    } else {
        word
    }
}

/// A move without its marks, and these as glyphs.
fn without_marks(mut word: &str) -> (&str, Vec<u32>) {
    if let Some((_, glyph)) = LETTERS.iter().find(|(letters, _)| *letters == word) {
        return ("", vec![*glyph]);
    }
    let mut glyphs = Vec::new();
    while let Some((bare, glyph)) = SYMBOLS
        .iter()
        .find_map(|(symbol, glyph)| Some((word.strip_suffix(symbol)?, *glyph)))
    {
        word = bare;
        glyphs.insert(0, glyph);
    }
    (word, glyphs)
}
