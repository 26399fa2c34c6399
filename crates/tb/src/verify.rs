//! Headers and checksums of all installed tables.

use rayon::prelude::*;
use sextant_cli::{failure::Failure, output, progress::Progress};
use sextant_syzygy::{Material, TableId, Tablebase};

use crate::cli::VerifyArgs;
use crate::exit;

pub(crate) fn run(tables: &Tablebase, args: &VerifyArgs) -> Result<u8, Failure> {
    let only = args.material.as_deref().map(material).transpose()?;
    let wanted = |material: Material| only.is_none_or(|only| only == material);
    let chosen: Vec<(TableId, u64)> = tables
        .inventory()
        .tables()
        .filter(|(id, _)| wanted(id.material))
        .map(|(id, file)| (id, file.bytes))
        .collect();
    let total = chosen.iter().map(|(_, bytes)| bytes).sum();
    let progress = Progress::new("verifying", Some(total)).in_bytes();
    let damaged: Vec<String> = chosen
        .par_iter()
        .filter_map(|&(id, bytes)| {
            let result = tables.verify(id);
            progress.advance(bytes);
            result?.err().map(|error| (id, error))
        })
        .map(|(id, error)| {
            let path = tables
                .inventory()
                .get(id)
                .map(|file| file.path.display().to_string());
            format!("{}: {error}", path.unwrap_or_else(|| id.to_string()))
        })
        .collect();
    progress.finish();
    let refused = tables.inventory().refused().iter();
    let refused = refused
        .filter(|file| only.is_none() || file.id.is_some_and(|id| wanted(id.material)))
        .map(|file| format!("{}: {}", file.path.display(), file.reason));
    let bad: Vec<String> = damaged.into_iter().chain(refused).collect();
    let all_read = tables.inventory().unreadable_folders().is_empty();
    let mut text: String = bad.iter().map(|line| format!("{line}\n")).collect();
    text += &format!("{} tables checked, {} bad\n", chosen.len(), bad.len());
    output::print(text)?;
    if chosen.is_empty() {
        output::note(
            "none of these tables is here: `sextant-tb list --missing 5` names what is missing",
        );
    }
    Ok(match (bad.is_empty(), chosen.is_empty() || !all_read) {
        (false, _) => exit::CORRUPT,
        (true, true) => exit::NOT_COVERED,
        (true, false) => 0,
    })
}

/// A material from its name; sides, pieces and case may come in any order.
fn material(name: &str) -> Result<Material, Failure> {
    let wrong = || {
        Failure::usage(format!(
            "\"{name}\" is no material; write something like KRPvKR: 3 to 7 men, a king on each side"
        ))
    };
    let upper = name.to_ascii_uppercase();
    let (one, other) = upper.split_once('V').ok_or_else(wrong)?;
    let [one, other] = [one, other].map(|side| {
        let mut pieces: Vec<char> = side.chars().collect();
        pieces.sort_by_key(|piece| "KQRBNP".find(*piece));
        String::from_iter(pieces)
    });
    let material = Material::parse(&format!("{one}v{other}"));
    let material = material
        .filter(|material| material.men() > 2)
        .ok_or_else(wrong)?;
    Ok(material.canonical())
}
