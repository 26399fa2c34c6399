//! Looks for the best move of a position, and tells how it goes.

use sextant_board::parse_fen;
use sextant_config::Config;
use sextant_search::{Engine, Event, Game, Limits};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut engine = Engine::new(Config::default())?;
    let game = Game::new(parse_fen("6k1/5ppp/8/3p4/8/1B6/8/R5K1 w - - 0 1")?);
    let limits = Limits {
        depth: Some(8),
        ..Limits::default()
    };
    engine.signals().arm(false);
    let outcome = engine.go(&game, &limits, 1, &mut |event| {
        if let Event::Info(info) = event {
            let (depth, nodes) = (info.depth, info.totals.nodes);
            println!("depth {depth}: {} after {nodes} nodes", info.score.raw());
        }
    });
    println!(
        "best: {}",
        outcome.best.map_or("none".to_owned(), |mv| mv.to_string())
    );
    Ok(())
}
