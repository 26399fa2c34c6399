//! `import`: takes the result of a tuning run on OpenBench back into a config.

use std::{collections::BTreeMap, io::ErrorKind, path::PathBuf};

use clap::Args as ClapArgs;
use sextant_cli::{failure::Failure, files, output};
use sextant_config::{Config, ConfigError, Parameter, Preset, diff};

/// Takes `NAME, value` lines into a config.
#[derive(ClapArgs, Debug)]
pub(crate) struct Args {
    /// The lines, as OpenBench shows them under a finished run.
    #[arg(value_name = "FILE")]
    lines: PathBuf,
    /// The TOML file to change; its comments stay. A new one holds only what is imported.
    #[arg(long, value_name = "CONFIG")]
    into: PathBuf,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
enum LineError {
    #[error("there is no line `NAME, value`")]
    None,
    #[error("the form is `NAME, value`")]
    Form,
    /// No such parameter, or a value that it cannot have.
    #[error(transparent)]
    Value(#[from] ConfigError),
    /// Something that is no number.
    #[error("{name} is no number, so no run can have tuned it")]
    NoNumber { name: String },
    /// The same name with two values.
    #[error("{name} is {first} on line {line} already")]
    Twice {
        name: String,
        first: i32,
        /// The line, from 1.
        line: usize,
    },
}

/// Changes the config, and says what changed.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let into = args.into.display();
    if Preset::find(&args.into.to_string_lossy()).is_some() {
        return Err(Failure::usage(format!(
            "{into} is a preset, which cannot be changed; name a file, as in --into my.toml"
        )));
    }
    let lines = files::read_text(&args.lines, files::MIB)?;
    let old = match files::read_text(&args.into, files::MIB) {
        Err(error) if error.source.kind() == ErrorKind::NotFound => "version = 1\n".to_owned(),
        read => read?,
    };
    let origin = args.into.to_string_lossy();
    let before = Config::from_toml_str(&old, &origin).map_err(Failure::usage)?;
    let after = imported(&lines, &before).map_err(|(line, error)| {
        Failure::usage(format!(
            "{}:{line}: {error}; {into} is as it was",
            args.lines.display()
        ))
    })?;
    let differences = diff(&before, &after);
    if differences.is_empty() {
        return output::print(if args.into.exists() {
            format!("nothing changed: {into} has these values already\n")
        } else {
            format!("nothing changed: these are the defaults, so {into} is not written\n")
        });
    }
    let text = after.write_into(&old, &origin).map_err(Failure::usage)?;
    files::write(&args.into, text)
        .map_err(|error| Failure::from(error).advise("nothing was changed"))?;
    let lines: Vec<_> = differences.iter().map(|one| format!("{one}\n")).collect();
    output::print(lines.concat())
}

/// The config with all lines taken in, or the number of the first wrong line and what is wrong.
fn imported(lines: &str, before: &Config) -> Result<Config, (usize, LineError)> {
    let mut config = before.clone();
    let mut seen = BTreeMap::new();
    let lines = lines.trim_start_matches('\u{feff}');
    for (number, line) in (1..).zip(lines.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        take(line, number, &mut config, &mut seen).map_err(|error| (number, error))?;
    }
    if seen.is_empty() {
        return Err((1, LineError::None));
    }
    Ok(config)
}

fn take(
    line: &str,
    number: usize,
    config: &mut Config,
    seen: &mut BTreeMap<String, (usize, i32)>,
) -> Result<(), LineError> {
    let (name, value) = line.split_once(',').ok_or(LineError::Form)?;
    let (name, value) = (name.trim(), value.trim());
    // A line of the input of a run has more fields: its value is not a result.
    if value.contains(',') {
        return Err(LineError::Form);
    }
    let parameter = Parameter::find(name);
    if parameter.is_some_and(|parameter| parameter.number().is_none()) {
        return Err(LineError::NoNumber {
            name: name.to_owned(),
        });
    }
    config.set_uci(name, value)?;
    let Some((parameter, value)) = parameter.and_then(|p| Some((p, p.get(config)?))) else {
        return Ok(());
    };
    match seen.insert(parameter.uci_name(), (number, value)) {
        Some((line, first)) if first != value => Err(LineError::Twice {
            name: name.to_owned(),
            first,
            line,
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(lines: &str) -> String {
        let (line, error) = imported(lines, &Config::default()).unwrap_err();
        format!("{line}: {error}")
    }

    #[test]
    fn integers_are_stored_units() {
        let lines = "\u{feff}# a run\n\nExtensions_Recapture, 84\npruning_rfp_margin,71\r\n\
                     Extensions_Phase_3, -4\n";
        let config = imported(lines, &Config::default()).unwrap();
        assert_eq!(config.extensions.recapture, 84);
        assert_eq!(config.pruning.rfp_margin, 71);
        assert_eq!(config.extensions.phase, [0, 0, 0, -4, 0, 0, 0, 0]);
    }

    #[test]
    fn wrong_lines_are_named() {
        assert!(error("# nothing\n").contains("there is no line"));
        assert!(error("\nPruning_Rfp_Margn, 80").contains("did you mean \"Pruning_Rfp_Margin\"?"));
        assert!(error("\nPruning_Rfp_Margn, 80").starts_with("2: "));
        assert!(error("Pruning_Rfp_Margin 80").contains("the form is `NAME, value`"));
        assert!(error("Pruning_Rfp_Margin, int, 80, 10, 400, 8, 0.002").contains("the form is"));
        assert!(error("Pruning_Rfp_Margin, 80.5").contains("allowed: an integer from 10 to 400"));
        assert!(error("Pruning_Rfp_Margin, 8000").contains("allowed: an integer from 10 to 400"));
        assert!(error("SyzygyPath, x").contains("is no number"));
        let twice = error("Pruning_Rfp_Margin, 80\nPruning_Rfp_Margin, 81");
        assert_eq!(twice, "2: Pruning_Rfp_Margin is 80 on line 1 already");
    }
}
