//! Names that a file or a GUI may still use, and what stands in their place.

use crate::error::{Fault, clip};

/// A key or a word of a key that is gone.
struct Removed {
    key: &'static str,
    /// The word of the key, if the key itself is still there.
    word: Option<&'static str>,
    instead: &'static str,
}

const REMOVED: [Removed; 4] = [
    Removed {
        key: "extensions.coupling_rule",
        word: Some("strict"),
        instead: "write \"paper\" and a negative coupling",
    },
    Removed {
        key: "root_bonus.underpromotion",
        word: None,
        instead: "write underpromoting, a bonus: what was 50 is -50",
    },
    Removed {
        key: "root_bonus.trivial_draw_capture",
        word: None,
        instead: "write capturing_in_trivial_draw",
    },
    Removed {
        key: "root_bonus.tablebase_draw_sacrifice",
        word: None,
        instead: "write sacrificing_in_tabled_draw; a penalty, as Ronald de Man has it, is negative",
    },
];

/// Why a key of a file or an option of UCI is refused that is gone; `None` if it never was one.
/// `kind` says what it is.
pub(crate) fn removed_name(kind: &str, name: &str) -> Option<Fault> {
    let gone = find(name, |gone| gone.word.is_none())?;
    Some(Fault::Removed {
        what: format!("{kind} {}", clip(name)),
        instead: gone.instead,
    })
}

/// What to write in place of a word of a key or option; `None` if it never was one.
pub(crate) fn removed_word(name: &str, word: &str) -> Option<&'static str> {
    let is_word = |gone: &str| gone.eq_ignore_ascii_case(word);
    Some(find(name, |gone| gone.word.is_some_and(is_word))?.instead)
}

fn find(name: &str, wanted: impl Fn(&Removed) -> bool) -> Option<&'static Removed> {
    // An option is called as its key, with another separator and case.
    let name = name.replace('.', "_");
    REMOVED
        .iter()
        .find(|gone| wanted(gone) && gone.key.replace('.', "_").eq_ignore_ascii_case(&name))
}
