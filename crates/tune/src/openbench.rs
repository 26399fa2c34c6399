//! `openbench`: tunables in the words of the tools that tune on many machines; `import`: the way
//! back.

use std::{collections::BTreeMap, io::ErrorKind, path::PathBuf};

use clap::Args as ClapArgs;
use serde_json::{Map, Value, json};
use sextant_cli::{failure::Failure, files, output};
use sextant_config::{Config, Parameter, Preset, diff};

use crate::{args::rate, keys};

#[derive(ClapArgs, Debug)]
pub(crate) struct Args {
    /// The tunables, as in 'pruning.*'; may be repeated. `*` and `?` are wildcards.
    #[arg(long, value_name = "PATTERN", required = true)]
    keys: Vec<String>,
    /// Tunables that are left out although --keys names them; may be repeated.
    #[arg(long, value_name = "PATTERN")]
    except: Vec<String>,
    /// The preset or TOML file that the run begins with.
    #[arg(long, value_name = "CONFIG", default_value = "default")]
    config: String,
    /// Learning rate at the end of the run, OpenBench's R_end.
    #[arg(long, value_name = "RATE", default_value_t = 0.002, value_parser = rate())]
    r_end: f64,
    /// Print the `config.json` of weather-factory instead of OpenBench's lines.
    #[arg(long)]
    weather_factory: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let chosen = keys::choose(&args.keys, &args.except)?;
    let config = Config::load(&args.config).map_err(Failure::usage)?;
    if args.weather_factory {
        return output::print(format_args!("{:#}\n", weather_factory(&chosen, &config)));
    }
    let lines = chosen
        .iter()
        .filter_map(|parameter| parameter.spsa_line(&config, args.r_end));
    output::print(lines.map(|line| line + "\n").collect::<String>())
}

/// One object for each parameter, by name.
fn weather_factory(chosen: &[Parameter], config: &Config) -> Value {
    let objects = chosen.iter().filter_map(|parameter| {
        let number = parameter.number()?;
        let object = json!({
            "value": parameter.get(config)?,
            "min_value": number.min,
            "max_value": number.max,
            "step": number.step,
        });
        Some((parameter.uci_name(), object))
    });
    Value::Object(objects.collect::<Map<_, _>>())
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ImportArgs {
    /// The lines, as OpenBench shows them under a finished run.
    #[arg(value_name = "FILE")]
    lines: PathBuf,
    /// The TOML file to change; its comments stay. A new one holds only what is imported.
    #[arg(long, value_name = "CONFIG")]
    into: PathBuf,
}

pub(crate) fn import(args: &ImportArgs) -> Result<(), Failure> {
    let (into, origin) = (args.into.display(), args.into.to_string_lossy());
    if Preset::find(&origin).is_some() {
        return Err(Failure::usage(format!(
            "{into} is a preset, which cannot be changed; name a file, as in --into my.toml"
        )));
    }
    let lines = files::read_text(&args.lines, files::MIB)?;
    let old = match files::read_text(&args.into, files::MIB) {
        Err(error) if error.source.kind() == ErrorKind::NotFound => "version = 1\n".to_owned(),
        read => read?,
    };
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
fn imported(lines: &str, before: &Config) -> Result<Config, (usize, String)> {
    let mut config = before.clone();
    let mut seen = BTreeMap::new();
    let lines = lines.trim_start_matches('\u{feff}');
    for (number, line) in (1..).zip(lines.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let taken = take(line, &mut config).and_then(|(name, value)| {
            match seen.insert(name.clone(), (number, value)) {
                Some((line, first)) if first != value => {
                    Err(format!("{name} is {first} on line {line} already"))
                }
                _ => Ok(()),
            }
        });
        taken.map_err(|error| (number, error))?;
    }
    if seen.is_empty() {
        return Err((1, "there is no line `NAME, value`".to_owned()));
    }
    Ok(config)
}

/// Takes a line, and returns the option and its stored value.
fn take(line: &str, config: &mut Config) -> Result<(String, i32), String> {
    let parts = line.split_once(',');
    // A line of the input of a run has more fields: its value is not a result.
    let parts = parts.filter(|(_, value)| !value.contains(','));
    let (name, value) = parts.ok_or("the form is `NAME, value`")?;
    let parameter = Parameter::find(name.trim());
    if parameter.is_some_and(|parameter| parameter.number().is_none()) {
        let name = name.trim();
        return Err(format!("{name} is no number, so no run can have tuned it"));
    }
    let set = config.set_uci(name, value);
    set.map_err(|error| error.to_string())?;
    let set = parameter.and_then(|one| Some((one.uci_name(), one.get(config)?)));
    set.ok_or_else(|| "the form is `NAME, value`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_stored_units() {
        let lines = "\u{feff}# a run\n\nExtensions_Recapture, 84\npruning_rfp_margin,71\r\n\
                     Extensions_Phase_3, -4\nPruning_Rfp_Margin, 71\n";
        let config = imported(lines, &Config::default()).unwrap();
        assert_eq!(config.extensions.recapture, 84);
        assert_eq!(config.pruning.rfp_margin, 71);
        assert_eq!(config.extensions.phase, [0, 0, 0, -4, 0, 0, 0, 0]);
    }

    #[test]
    fn wrong_lines_are_named() {
        for (lines, number, message) in [
            ("# nothing\n", 1, "there is no line"),
            ("Pruning_Rfp_Margin 80", 1, "the form is `NAME, value`"),
            (
                "Pruning_Rfp_Margin, int, 80, 10, 400, 8, 0.002",
                1,
                "the form is",
            ),
            ("SyzygyPath, x", 1, "SyzygyPath is no number"),
            (
                "Pruning_Rfp_Margin, 80\npruning_rfp_margin, 81",
                2,
                "Pruning_Rfp_Margin is 80 on line 1 already",
            ),
        ] {
            let (line, error) = imported(lines, &Config::default()).unwrap_err();
            assert!(line == number && error.contains(message), "{line}: {error}");
        }
    }
}
