//! The learning rate over a run.

/// A linear warm-up, then a cosine decay to the last rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    pub(super) rate: f32,
    pub(super) last_rate: f32,
    /// Batches of the warm-up, and of the whole run.
    pub(super) warm_up: u64,
    pub(super) batches: u64,
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
        for (batch, rate) in [(0, 0.1), (9, 1.0), (10, 1.0), (60, 0.55), (110, 0.1)] {
            assert!((schedule.at(batch) - rate).abs() < 1e-6, "{batch}");
        }
        assert!((10..109).all(|batch| schedule.at(batch) >= schedule.at(batch + 1)));
        // A run may be shorter than its warm-up.
        let short = Schedule {
            batches: 3,
            ..schedule
        };
        assert!((0..20).all(|batch| short.at(batch).is_finite()));
    }
}
