//! The name, the terms, and how the program was built.

pub(crate) const fn name() -> &'static str {
    concat!("Sextant ", env!("CARGO_PKG_VERSION"))
}

/// A few lines for bug reports.
pub(crate) fn describe() -> String {
    format!(
        "{} by {}\nCompiler: {}\nTarget: {}\nProfile: {}\nCPU features: {}\nKernels: {}",
        name(),
        env!("CARGO_PKG_AUTHORS"),
        env!("SEXTANT_RUSTC"),
        env!("SEXTANT_TARGET"),
        env!("SEXTANT_PROFILE"),
        env!("SEXTANT_FEATURES"),
        sextant_eval::nnue::kernels()
    )
}

/// The terms of use.
pub(crate) const LICENSE: &str = "\
Sextant is free software: you may use, change and pass it on under the terms of the MIT license or of
the Apache License 2.0, as you like. The texts are in LICENSE-MIT and LICENSE-APACHE, what it is made
of is in NOTICE, beside the source or in the archive that the program came in.";
