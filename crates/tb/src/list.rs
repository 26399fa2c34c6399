//! What is installed, what is refused, what is missing.

use serde::Serialize;
use sextant_cli::{failure::Failure, output};
use sextant_syzygy::{Inventory, MAX_MEN, Material, TableId, TableKind, Tablebase};

use crate::cli::ListArgs;
use crate::{exit, json_text};

/// Missing tables of a set that the overview names.
const NAMED: usize = 4;

/// One line of the overview.
#[derive(Serialize)]
struct Set {
    men: u32,
    wdl: usize,
    dtz: usize,
    of: usize,
    bytes: u64,
    /// Tables that the set lacks, if it has some.
    #[serde(skip)]
    lacks: Vec<TableId>,
}

#[derive(Serialize)]
struct RefusedFile {
    path: String,
    reason: String,
}

#[derive(Serialize)]
struct Report {
    folders: Vec<String>,
    unreadable: Vec<RefusedFile>,
    sets: Vec<Set>,
    refused: Vec<RefusedFile>,
    missing: Vec<String>,
}

fn report(inventory: &Inventory, missing: Option<u32>, wdl_only: bool) -> Report {
    let lacks = |men| {
        let mut lacks = inventory.missing(men);
        lacks.retain(|id| !wdl_only || id.kind == TableKind::Wdl);
        lacks
    };
    let set = |men| {
        let tables: Vec<_> = inventory
            .tables()
            .filter(|(id, _)| id.material.men() == men)
            .collect();
        let count = |kind| tables.iter().filter(|(id, _)| id.kind == kind).count();
        Set {
            men,
            wdl: count(TableKind::Wdl),
            dtz: count(TableKind::Dtz),
            of: Material::all(men).len(),
            bytes: tables.iter().map(|(_, file)| file.bytes).sum(),
            lacks: if tables.is_empty() {
                Vec::new()
            } else {
                lacks(men)
            },
        }
    };
    let file = |path: &std::path::Path, reason: String| RefusedFile {
        path: path.display().to_string(),
        reason,
    };
    Report {
        folders: inventory
            .folders()
            .iter()
            .map(|folder| folder.display().to_string())
            .collect(),
        unreadable: inventory
            .unreadable_folders()
            .iter()
            .map(|(path, why)| file(path, why.clone()))
            .collect(),
        sets: (3..=MAX_MEN).map(set).collect(),
        refused: inventory
            .refused()
            .iter()
            .map(|refused| file(&refused.path, refused.reason.to_string()))
            .collect(),
        missing: missing.map_or(Vec::new(), |men| {
            lacks(men).iter().map(ToString::to_string).collect()
        }),
    }
}

pub(crate) fn run(tables: &Tablebase, args: &ListArgs, wdl_only: bool) -> Result<u8, Failure> {
    let report = report(tables.inventory(), args.missing, wdl_only);
    if args.json {
        output::print(json_text(&report))?;
    } else {
        output::print(words(&report, args.missing))?;
    }
    let none = report.sets.iter().all(|set| set.wdl + set.dtz == 0);
    Ok(if none { exit::NOT_COVERED } else { 0 })
}

fn words(report: &Report, missing: Option<u32>) -> String {
    let mut lines = Vec::new();
    let folders = report.folders.iter();
    lines.extend(folders.map(|folder| format!("Folder {folder}")));
    let unreadable = report.unreadable.iter();
    lines.extend(unreadable.map(|file| format!("Unreadable {}: {}", file.path, file.reason)));
    let row = |men: &str, wdl: &str, dtz: &str, size: &str| {
        format!("{men:>4} {wdl:>12} {dtz:>12} {size:>14}")
    };
    lines.push(row("men", "WDL", "DTZ", "size"));
    for set in &report.sets {
        let of = |found: usize| format!("{found}/{}", set.of);
        let (wdl, dtz) = (of(set.wdl), of(set.dtz));
        lines.push(row(&set.men.to_string(), &wdl, &dtz, &size(set.bytes)));
    }
    for set in report.sets.iter().filter(|set| !set.lacks.is_empty()) {
        let first = set
            .lacks
            .iter()
            .take(NAMED)
            .map(ToString::to_string)
            .collect::<Vec<_>>();
        let (men, count, first) = (set.men, set.lacks.len(), first.join(", "));
        lines.push(match count > NAMED {
            false => format!("Missing of {men} men: {first}"),
            true => format!(
                "Missing of {men} men: {first} and {} more (--missing {men})",
                count - NAMED
            ),
        });
    }
    if !report.refused.is_empty() {
        lines.push(format!("Refused ({}):", report.refused.len()));
        let refused = report.refused.iter();
        lines.extend(refused.map(|file| format!("  {}: {}", file.path, file.reason)));
    }
    if let Some(men) = missing {
        lines.push(format!("Missing of {men} men ({}):", report.missing.len()));
        lines.extend(report.missing.iter().map(|name| format!("  {name}")));
    }
    lines.join("\n") + "\n"
}

/// Bytes in the largest fitting unit.
fn size(bytes: u64) -> String {
    let units = [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => format!("{bytes} B"),
    }
}
