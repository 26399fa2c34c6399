//! Integration tests: the rules on short lines, and random lines against a plain scan.

mod model;
mod naive;
mod rate;
mod rules;

use sextant_repetition::History;
