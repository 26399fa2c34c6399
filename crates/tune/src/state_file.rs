//! States that are replaced whole while a tool works. Their text is canonical: whatever a person or
//! a disk changed in it is refused, since results of games are believed only if every part fits.

use std::path::Path;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sextant_cli::failure::Failure;

use crate::hash::{fnv, hex};

/// What a file has besides the state.
#[derive(Serialize, Deserialize)]
struct Sealed<T> {
    version: u32,
    /// FNV-1a of the text with nothing here.
    hash: String,
    #[serde(flatten)]
    state: T,
}

/// A state as its file has it.
pub(crate) trait StateFile: Serialize + DeserializeOwned {
    /// What it is, as in `state of a match`.
    const KIND: &'static str;
    /// The meaning of the file changes with this number.
    const VERSION: u32;

    fn print(value: &impl Serialize) -> Result<String, String>;

    fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String>;

    /// Says what in it no run can have come to. A seal alone says only that the text is whole.
    fn check(&self) -> Result<(), String>;

    fn text(&self) -> Result<String, Failure> {
        let mut sealed = Sealed {
            version: Self::VERSION,
            hash: String::new(),
            state: self,
        };
        let open = Self::print(&sealed).map_err(Failure::work)?;
        sealed.hash = hex(fnv(open.as_bytes()));
        Self::print(&sealed).map_err(Failure::work)
    }

    /// Reads the text of the file at `path`.
    fn read(text: &str, path: &Path) -> Result<Self, Failure> {
        /// What a file of any version has.
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }

        let refused = |why: String| Failure::usage(format!("{} {why}", path.display()));
        let foreign = |error| refused(format!("is no {}: {error}", Self::KIND));
        let Version { version } = Self::parse(text).map_err(foreign)?;
        if version != Self::VERSION {
            return Err(refused(format!(
                "has version {version}; this program reads version {}",
                Self::VERSION
            )));
        }
        let Sealed { state, .. } = Self::parse::<Sealed<Self>>(text).map_err(foreign)?;
        if state.text()? != text {
            let changed = "was changed after it had been written; bring back what was written";
            return Err(refused(changed.to_owned()));
        }
        let wrong = |why| refused(format!("contradicts itself: {why}"));
        state.check().map_err(wrong)?;
        Ok(state)
    }

    /// For fuzzing: the text as it is, then what it says with a seal that fits.
    #[cfg(fuzzing)]
    fn fuzz(text: &str) {
        let path = Path::new("state");
        if let Ok(state) = Self::read(text, path) {
            assert_eq!(state.text().expect("it was read"), text);
        }
        if let Ok(Sealed { state, .. }) = Self::parse::<Sealed<Self>>(text)
            && state.check().is_ok()
            && let Ok(text) = state.text()
        {
            let again = Self::read(&text, path).expect("what was written is read");
            assert_eq!(again.text().expect("as before"), text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Count {
        wins: u64,
    }

    impl StateFile for Count {
        const KIND: &'static str = "count";
        const VERSION: u32 = 3;

        fn print(value: &impl Serialize) -> Result<String, String> {
            toml::to_string(value).map_err(|error| error.to_string())
        }

        fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
            toml::from_str(text).map_err(|error| error.to_string())
        }

        fn check(&self) -> Result<(), String> {
            let is_possible = self.wins < 1_000;
            is_possible.then_some(()).ok_or("too many".to_owned())
        }
    }

    #[test]
    fn a_state_comes_back_and_every_change_of_it_is_refused() {
        let text = Count { wins: 5 }.text().unwrap();
        let read = |text: &str| Count::read(text, Path::new("count.toml"));
        assert_eq!(read(&text).unwrap().wins, 5);
        for (old, new, message) in [
            ("wins = 5", "wins = 6", "was changed"),
            ("wins = 5", "wins =  5", "was changed"),
            ("wins = 5", "wins = 5\nlosses = 1", "was changed"),
            ("hash = \"", "hash = \"0", "was changed"),
            ("version = 3", "version = 2", "has version 2"),
            ("wins = 5", "wins =", "count.toml is no count: "),
            ("wins = 5\n", "", "missing field `wins`"),
        ] {
            let forged = text.replacen(old, new, 1);
            let error = read(&forged).err().expect(new).to_string();
            assert!(forged != text && error.contains(message), "{new}: {error}");
        }
        let sealed = Count { wins: 1_000 }.text().unwrap();
        let error = read(&sealed).err().unwrap().to_string();
        assert!(error.contains("contradicts itself: too many"), "{error}");
    }
}
