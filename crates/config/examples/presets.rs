//! In what the presets differ from the default.

use sextant_config::{Config, PRESETS, diff};

fn main() -> Result<(), sextant_config::ConfigError> {
    let default = Config::default();
    for preset in PRESETS {
        println!("{}", preset.name);
        for difference in diff(&default, &Config::preset(preset.name)?) {
            println!("  {difference}");
        }
    }
    Ok(())
}
