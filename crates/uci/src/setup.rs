//! `--config` and `--option`: the settings that every task starts from.

use sextant_config::Config;

use crate::{error::Failure, options::Settings};

/// What every task starts from.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Setup {
    /// A preset (see `sextant config list`) or a TOML file.
    #[arg(long, value_name = "FILE|PRESET", global = true)]
    pub(crate) config: Option<String>,
    /// A UCI option, such as Hash=64; may be repeated.
    #[arg(long = "option", short = 'o', value_name = "NAME=VALUE", global = true)]
    pub(crate) options: Vec<String>,
}

impl Setup {
    /// The settings asked for.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        let config = match &self.config {
            Some(name) => Config::load(name)?,
            None => Config::default(),
        };
        let mut settings = Settings::new(config);
        for option in &self.options {
            let (name, value) = option
                .split_once('=')
                .ok_or_else(|| format!("--option {option}: the form is NAME=VALUE"))?;
            (settings, _) = settings.with(name.trim(), Some(value.trim()))?;
        }
        Ok(settings)
    }
}
