//! The reference page, generated from the declarations.

use crate::{
    Config, PRESETS, Parameter, SECTIONS, SPECS, Spec,
    value::{Kind, Number},
};

const HEADER: &str = "\
# Configuration reference

Generated from the declarations in `crates/config/src/tunables.rs`; edit those, not this page.
`SEXTANT_BLESS=1 cargo test -p sextant-config` rewrites it.

All four programs read the same TOML file, given as `--config FILE` or, in UCI, as the option
`ConfigFile`. A file may leave out whatever it does not change. `extends = \"cyrus68k\"`, or another
file's path, says what it starts from; relative paths start at the file's folder. `version = 1`
names the format. An unknown key or a value that is not allowed is refused with its line and column.

Costs are written in SX, eight of which are one nominal ply, as decimals in sixteenths; ratios in
64ths. UCI options and SPSA see the same numbers as integers, so `recapture = 5.25` is
`Extensions_Recapture` 84.
";

/// The text of `docs/config-reference.md`.
pub fn reference() -> String {
    let mut page = String::from(HEADER);
    page.push_str("\n## Presets\n\nA preset's name works wherever a file name does.\n\n");
    page.push_str("| preset | what it is for |\n| --- | --- |\n");
    for preset in PRESETS {
        page.push_str(&format!(
            "| `{}` | {} |\n",
            preset.name,
            cell(&preset.summary())
        ));
    }
    for (section, meaning) in SECTIONS {
        page.push_str(&format!("\n## [{section}]\n\n{}\n\n", meaning.trim()));
        page.push_str("| key | default | allowed | UCI option | SPSA step | meaning |\n");
        page.push_str("| --- | --- | --- | --- | --- | --- |\n");
        for spec in SPECS.iter().filter(|spec| spec.section == *section) {
            page.push_str(&row(spec));
        }
    }
    page
}

fn row(spec: &'static Spec) -> String {
    let default = spec.text(&Config::default());
    let allowed = cell(&spec.kind.allowed());
    let (name, option, meaning) = (spec.name, option_name(spec), cell(spec.doc()));
    let step = step(&spec.kind);
    format!("| `{name}` | `{default}` | {allowed} | {option} | {step} | {meaning} |\n")
}

fn option_name(spec: &'static Spec) -> String {
    match spec.kind {
        Kind::Phases(_) => {
            let first = Parameter {
                spec,
                phase: Some(0),
            }
            .name();
            format!("`{first}` and so on")
        }
        _ => format!("`{}`", Parameter { spec, phase: None }.uci_name()),
    }
}

/// The SPSA step as the file would show it; empty for what games do not tune.
fn step(kind: &Kind) -> String {
    match kind {
        Kind::Number(number) | Kind::Phases(number) if number.step > 0 => {
            Number::text(number, number.step)
        }
        _ => String::new(),
    }
}

/// Text that does not break out of a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}
