//! Tunables that change nothing: what they belong to may be switched off, or may not matter to games
//! of so many nodes a move.

use sextant_cli::{failure::Failure, output};
use sextant_config::{Config, Parameter};
use sextant_search::{EngineSetup, bench};

use crate::keys;

/// Depth of the bench that must change; deep enough for what only deeper nodes do.
const DEPTH: u32 = 7;

/// Names the parameters whose extreme values leave all searches of a bench as they are.
///
/// # Errors
/// [`Failure`] if there is no engine.
pub(super) fn note(chosen: &[Parameter], player: &EngineSetup) -> Result<(), Failure> {
    let usual = nodes(player.config().clone(), player)?;
    let mut idle = Vec::new();
    for parameter in chosen {
        let Some(number) = parameter.number() else {
            continue;
        };
        let is_usual = |value| {
            let mut config = player.config().clone();
            parameter.set(&mut config, value).map_err(Failure::work)?;
            Ok::<_, Failure>(nodes(config, player)? == usual)
        };
        if is_usual(number.max)? && is_usual(number.min)? {
            idle.push(keys::name(parameter));
        }
    }
    if !idle.is_empty() {
        output::note(format_args!(
            "note: a bench of depth {DEPTH} is the same whatever the value of {}; if what that \
             belongs to is switched off, or a matter of the clock, games cannot tune it (--except \
             leaves it out)",
            idle.join(", ")
        ));
    }
    Ok(())
}

fn nodes(config: Config, player: &EngineSetup) -> Result<u64, Failure> {
    bench::nodes(DEPTH, &config, player.network().cloned()).map_err(Failure::work)
}
