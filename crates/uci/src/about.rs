//! The name, the terms, and how the program was built.

/// `0.2.0 (288fe30bc, x86_64-unknown-linux-gnu)`; without a repository the target alone is known.
pub(crate) const VERSION: &str = env!("SEXTANT_VERSION");

pub(crate) const fn name() -> &'static str {
    concat!("Sextant ", env!("SEXTANT_VERSION"))
}

/// A few lines for bug reports.
pub(crate) fn describe() -> String {
    format!(
        "{} by {}\nCommit: {}\nCompiler: {}\nTarget: {}\nProfile: {}\nCPU features: {}\nKernels: {}",
        name(),
        env!("CARGO_PKG_AUTHORS"),
        commit(),
        env!("SEXTANT_RUSTC"),
        env!("SEXTANT_TARGET"),
        env!("SEXTANT_PROFILE"),
        env!("SEXTANT_FEATURES"),
        sextant_eval::nnue::kernels()
    )
}

fn commit() -> &'static str {
    match env!("SEXTANT_COMMIT") {
        "" => "unknown",
        commit => commit,
    }
}

/// The terms of use.
pub(crate) const LICENSE: &str = "\
Sextant is free software: you may use, change and pass it on under the terms of the MIT license or of
the Apache License 2.0, as you like. The texts are in LICENSE-MIT and LICENSE-APACHE, what it is made
of is in NOTICE, beside the source or in the archive that the program came in.";
