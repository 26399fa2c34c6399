//! How the learning rate goes over a run.

use serde::{Deserialize, Serialize};

/// A short linear rise, then half a wave of the cosine down to the last rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Schedule {
    /// Rate after the rise.
    pub(crate) rate: f32,
    /// Rate at the end.
    pub(crate) last_rate: f32,
    /// Batches of the rise.
    pub(crate) warm_up: u64,
    /// Batches of the whole run.
    pub(crate) batches: u64,
}

impl Schedule {
    /// The rate of batch number `batch`, counted from 0.
    pub(super) fn at(&self, batch: u64) -> f32 {
        if batch < self.warm_up {
            return self.rate * (batch + 1) as f32 / self.warm_up as f32;
        }
        let falling = (self.batches - self.warm_up.min(self.batches)).max(1);
        let done = ((batch - self.warm_up) as f32 / falling as f32).min(1.0);
        let share = 0.5 * (1.0 + (done * std::f32::consts::PI).cos());
        self.last_rate + (self.rate - self.last_rate) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_rises_and_falls() {
        let schedule = Schedule {
            rate: 1.0,
            last_rate: 0.1,
            warm_up: 10,
            batches: 110,
        };
        assert!((schedule.at(0) - 0.1).abs() < 1e-6);
        assert!((schedule.at(9) - 1.0).abs() < 1e-6);
        assert!((schedule.at(10) - 1.0).abs() < 1e-6);
        assert!((schedule.at(60) - 0.55).abs() < 1e-6);
        assert!((schedule.at(110) - 0.1).abs() < 1e-6);
        assert!((10..109).all(|batch| schedule.at(batch) >= schedule.at(batch + 1)));
    }

    #[test]
    fn a_run_shorter_than_its_rise_is_no_fault() {
        let schedule = Schedule {
            rate: 1.0,
            last_rate: 0.1,
            warm_up: 10,
            batches: 3,
        };
        assert!((0..20).all(|batch| schedule.at(batch).is_finite()));
    }
}
