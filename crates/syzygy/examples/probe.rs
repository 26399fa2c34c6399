//! Judges every move of an ending: `probe [FOLDER [FEN]]`.

use sextant_syzygy::{Backend, Tablebase};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");
    let folder = words.next().unwrap_or(own.to_owned());
    let fen = words
        .next()
        .unwrap_or("8/3r4/8/8/8/2k5/8/K6Q w - - 0 1".to_owned());
    let tables = Tablebase::open(folder, Backend::Native)?;
    for judged in tables.judge(&fen.parse()?).moves {
        let dtz = judged
            .after
            .dtz
            .map_or("?".to_owned(), |dtz| dtz.plies.to_string());
        println!(
            "{:6} opponent: {}, DTZ {dtz}",
            judged.san,
            judged.after.category_name()
        );
    }
    Ok(())
}
