//! What the curves say about the claim.

use super::{Curves, ENGINE, PLAIN, PLAIN_TUNED, QUIESCENT, QUIESCENT_TUNED};
use crate::experiments::prelude::*;

pub(super) fn growth(curves: &Curves) -> Vec<Finding> {
    let asymmetry = |curve: usize| curves.all[curve].asymmetry();
    let Some(plain) = asymmetry(PLAIN) else {
        return Vec::new();
    };
    let nearer_to_1 = |value: f64| value.ln().abs() < plain.ln().abs();
    let mut findings = vec![tested!(
        plain > 1.0,
        "Plain alpha-beta: steps to odd depths grow {plain:.2} times as much as steps to even \
         depths."
    )];
    findings.extend(asymmetry(QUIESCENT).map(|quiescent| {
        let nearer = nearer_to_1(quiescent);
        let words = if nearer { "nearer" } else { "not nearer" };
        let text = format!(
            "With quiescence that ratio is {quiescent:.2}, {words} to 1 than {plain:.2} (below 1 \
             it is the steps to even depths that cost more)."
        );
        Finding::tested(nearer, text)
    }));
    findings.extend(asymmetry(ENGINE).map(|engine| {
        let text = format!("In the full engine it is {engine:.2}.");
        Finding::tested(nearer_to_1(engine), text)
    }));
    findings
}

pub(super) fn swings(curves: &Curves) -> Vec<Finding> {
    let swing = |curve: usize| curves.all[curve].swing();
    let mut findings = Vec::new();
    if let (Some(bare), Some(tuned)) = (swing(PLAIN), swing(PLAIN_TUNED)) {
        findings.push(tested!(
            bare.mean > 0.0 && bare.significant(),
            "Without a tempo bonus plain alpha-beta's scores are {:.0} centipawns higher at \
             odd depths ({:.0} to {:.0}).",
            bare.mean,
            bare.interval.0,
            bare.interval.1
        ));
        findings.push(tested!(
            tuned.mean.abs() < bare.mean.abs() / 2.0,
            "A tempo bonus of {} centipawns brings that to {:.0} ({:.0} to {:.0}).",
            curves.tempo,
            tuned.mean,
            tuned.interval.0,
            tuned.interval.1
        ));
    }
    if let (Some(bare), Some(tuned)) = (swing(QUIESCENT), swing(QUIESCENT_TUNED)) {
        findings.push(tested!(
            tuned.mean.abs() < bare.mean.abs() / 2.0,
            "With quiescence the swing is {:.1} centipawns, and a tempo bonus of {} brings it \
             to {:.1}.",
            bare.mean,
            curves.quiescent_tempo,
            tuned.mean
        ));
    }
    if let Some(engine) = swing(ENGINE) {
        findings.push(noted!(
            "The full engine swings by {:.1} centipawns ({:.1} to {:.1}).",
            engine.mean,
            engine.interval.0,
            engine.interval.1
        ));
    }
    findings
}
