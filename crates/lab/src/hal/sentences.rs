//! The English that HAL understands: the sentences of the paper, moves, and a few of ours.

use std::str::FromStr;

use thiserror::Error;

use super::Reading;

/// Full-width depths that can be asked for.
pub const SKILLS: std::ops::RangeInclusive<u32> = 1..=7;

/// What a sentence means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// "Attempt quiescence optimization", and with "do not" in front its opposite.
    QuietFirst(bool),
    /// "Play with skill level 5".
    Skill(u32),
    /// "Report game statistics", or not.
    Statistics(bool),
    /// "Search as meant": which reading of the paper is used.
    Reading(Reading),
    /// A move such as "e2-e4", "b4xa5", "e7-e8q" or "0-0", still as written.
    Move(String),
    /// "New game".
    NewGame,
    /// "Goodbye".
    Quit,
}

/// A sentence that HAL does not understand.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Misunderstood {
    /// None of the known sentences.
    #[error(
        "I do not understand \"{0}\"; I understand: \"attempt quiescence optimization\", \"do not \
         attempt quiescence optimization\", \"skill level 5\", \"report game statistics\", \
         \"search as printed\" (or \"as meant\", \"as described\"), \"new game\", \"goodbye\", and \
         moves such as e2-e4, b4xa5, e7-e8q, 0-0"
    )]
    Sentence(String),
    /// A skill level that is not offered.
    #[error("skill level {0} is not offered; choose {low} to {high}", low = SKILLS.start(), high = SKILLS.end())]
    Skill(String),
}

impl FromStr for Request {
    type Err = Misunderstood;

    fn from_str(sentence: &str) -> Result<Request, Misunderstood> {
        let words = words(sentence);
        let negated = has(&words, "not") || has(&words, "don't") || has(&words, "without");
        if has(&words, "quiescence") && words.iter().any(|word| word.starts_with("optimi")) {
            return Ok(Request::QuietFirst(!negated));
        }
        if has(&words, "statistics") {
            return Ok(Request::Statistics(!negated));
        }
        if has(&words, "skill") {
            let level = words.last().cloned().unwrap_or_default();
            let number = level.parse().ok().filter(|number| SKILLS.contains(number));
            return number
                .map(Request::Skill)
                .ok_or(Misunderstood::Skill(level));
        }
        if let Some(reading) = Reading::ALL
            .into_iter()
            .find(|r| ends_with(&words, r.words()))
        {
            return Ok(Request::Reading(reading));
        }
        match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["new", "game"] => Ok(Request::NewGame),
            ["goodbye" | "bye" | "quit" | "exit"] => Ok(Request::Quit),
            [.., mv] if looks_like_a_move(mv) => Ok(Request::Move((*mv).to_owned())),
            _ => Err(Misunderstood::Sentence(sentence.trim().to_owned())),
        }
    }
}

/// Lower-case words without punctuation, and without the name by which HAL is addressed.
fn words(sentence: &str) -> Vec<String> {
    let trimmed = sentence.split_whitespace().map(|word| {
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .replace('\u{2019}', "'")
            .to_lowercase()
    });
    trimmed
        .filter(|word| !word.is_empty() && word != "hal" && word != "please")
        .collect()
}

fn has(words: &[String], wanted: &str) -> bool {
    words.iter().any(|word| word == wanted)
}

fn ends_with(words: &[String], phrase: &str) -> bool {
    words.join(" ").ends_with(phrase)
}

fn looks_like_a_move(word: &str) -> bool {
    let castling = ["0-0", "0-0-0", "o-o", "o-o-o"].contains(&word);
    let squares: String = word.chars().filter(|c| !matches!(c, '-' | 'x')).collect();
    let bytes = squares.as_bytes();
    let square = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|file| (b'a'..=b'h').contains(file))
            && bytes
                .get(at + 1)
                .is_some_and(|rank| (b'1'..=b'8').contains(rank))
    };
    castling || (matches!(bytes.len(), 4 | 5) && square(0) && square(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(sentence: &str) -> Request {
        sentence
            .parse()
            .unwrap_or_else(|error| panic!("{sentence}: {error}"))
    }

    #[test]
    fn the_sentences_of_the_paper_are_understood() {
        assert_eq!(
            meaning("HAL, attempt quiescence optimization."),
            Request::QuietFirst(true)
        );
        let negative = "HAL, do not attempt quiescence optimization.";
        assert_eq!(meaning(negative), Request::QuietFirst(false));
        assert_eq!(
            meaning("HAL, report game statistics."),
            Request::Statistics(true)
        );
        assert_eq!(meaning("skill level 5"), Request::Skill(5));
        assert_eq!(
            meaning("Please play with skill level 3."),
            Request::Skill(3)
        );
    }

    #[test]
    fn moves_are_understood_as_the_paper_writes_them() {
        for written in ["e2-e4", "b4xa5", "e7e8q", "0-0", "O-O-O"] {
            assert_eq!(meaning(written), Request::Move(written.to_lowercase()));
        }
        assert_eq!(meaning("I play d4xf3!"), Request::Move("d4xf3".to_owned()));
    }

    #[test]
    fn readings_can_be_chosen() {
        assert_eq!(
            meaning("search as described"),
            Request::Reading(Reading::AsDescribed)
        );
        assert_eq!(meaning("New game"), Request::NewGame);
        assert_eq!(meaning("Goodbye, HAL."), Request::Quit);
    }

    #[test]
    fn what_is_not_understood_is_answered_with_what_would_be() {
        let error = "please make some tea"
            .parse::<Request>()
            .unwrap_err()
            .to_string();
        assert!(error.contains("please make some tea") && error.contains("skill level 5"));
        for bad in ["skill level 99", "skill level high", "skill", "e9-e4", ""] {
            assert!(bad.parse::<Request>().is_err(), "{bad}");
        }
    }
}
