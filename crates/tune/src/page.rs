//! States that are replaced whole while a tool works. Their text is canonical: whatever a person or
//! a disk changed in it is refused, since results of games are believed only if every part fits.

use std::path::Path;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sextant_cli::failure::Failure;

use crate::hash::{fnv, hex};

/// A state as its file has it.
pub(crate) trait Page: Serialize + DeserializeOwned {
    /// What it is, as in `state of a match`.
    const KIND: &'static str;
    /// The meaning of the file changes with this number.
    const VERSION: u32;

    /// FNV-1a of the page with nothing here.
    fn hash(&mut self) -> &mut String;

    fn print(&self) -> Result<String, String>;

    fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String>;

    /// The text of the file.
    ///
    /// # Errors
    /// If the format has no such value.
    fn text(&mut self) -> Result<String, Failure> {
        self.hash().clear();
        let open = self.print().map_err(Failure::work)?;
        *self.hash() = hex(fnv(open.as_bytes()));
        self.print().map_err(Failure::work)
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
        let mut page: Self = Self::parse(text).map_err(foreign)?;
        if page.text()? != text {
            let changed = "was changed after it had been written; bring back what was written";
            return Err(refused(changed.to_owned()));
        }
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Count {
        version: u32,
        wins: u64,
        hash: String,
    }

    impl Page for Count {
        const KIND: &'static str = "count";
        const VERSION: u32 = 3;

        fn hash(&mut self) -> &mut String {
            &mut self.hash
        }

        fn print(&self) -> Result<String, String> {
            toml::to_string(self).map_err(|error| error.to_string())
        }

        fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
            toml::from_str(text).map_err(|error| error.to_string())
        }
    }

    #[test]
    fn a_page_comes_back_and_every_change_of_it_is_refused() {
        let mut page = Count {
            version: 3,
            wins: 5,
            hash: String::new(),
        };
        let text = page.text().unwrap();
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
    }
}
