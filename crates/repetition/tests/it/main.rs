//! Integration tests: the rules on short lines, and random lines against a plain scan.

mod model;
mod rate;
mod rules;
