//! `openbench`: tunables in the words of the tools that tune on many machines.

use clap::Args as ClapArgs;
use serde_json::{Map, Value, json};
use sextant_cli::{failure::Failure, output};
use sextant_config::{Config, Parameter};

use crate::{keys, spsa};

/// Prints tunables for OpenBench or weather-factory.
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
    #[arg(long, value_name = "RATE", default_value_t = 0.002, value_parser = spsa::rate)]
    r_end: f64,
    /// Print the `config.json` of weather-factory instead of OpenBench's lines.
    #[arg(long)]
    weather_factory: bool,
}

/// Prints them.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let chosen = keys::choose(&args.keys, &args.except).map_err(Failure::usage)?;
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
