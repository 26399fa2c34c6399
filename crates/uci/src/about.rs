//! The name, the terms, and how the program was built.

pub(crate) const fn name() -> &'static str {
    concat!("Sextant ", env!("CARGO_PKG_VERSION"))
}

/// A few lines for bug reports.
pub(crate) fn describe() -> String {
    format!(
        "{} by {}\nCompiler: {}\nTarget: {}\nProfile: {}\nCPU features: {}",
        name(),
        env!("CARGO_PKG_AUTHORS"),
        env!("SEXTANT_RUSTC"),
        env!("SEXTANT_TARGET"),
        env!("SEXTANT_PROFILE"),
        features()
    )
}

/// The terms of use.
pub(crate) const LICENSE: &str = "\
Sextant is free software: you may use, change and pass it on under the terms of the MIT license or of
the Apache License 2.0, as you like. The texts are in LICENSE-MIT and LICENSE-APACHE, what it is made
of is in NOTICE, beside the source or in the archive that the program came in.";

/// Those that matter for speed and that the binary cannot do without.
fn features() -> String {
    let known = [
        ("sse4.2", cfg!(target_feature = "sse4.2")),
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx512bw", cfg!(target_feature = "avx512bw")),
        ("neon", cfg!(target_feature = "neon")),
    ];
    let present = known.iter().filter(|(_, present)| *present);
    let names: Vec<_> = present.map(|(name, _)| *name).collect();
    match names.is_empty() {
        true => "baseline".to_owned(),
        false => names.join(" "),
    }
}
