//! How the one table of weights is declared, named and indexed.
//!
//! The numbers themselves live in [`super::table`], which a script may rewrite. Every term of the
//! evaluation names its weight through a [`Term`], so that the same code can either add the number
//! up or record how often it was used (see [`Tally`]).

use super::pair::Pair;

/// A named run of weights in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    first: usize,
    len: usize,
}

impl Term {
    pub(crate) const fn new(first: usize, len: usize) -> Term {
        Term { first, len }
    }

    /// Index in the table of the first weight of this term.
    #[must_use]
    pub const fn first(self) -> usize {
        self.first
    }

    /// How many weights the term has.
    #[must_use]
    pub const fn count(self) -> usize {
        self.len
    }

    /// The `i`-th weight of the term.
    #[inline]
    pub(crate) const fn at(self, i: usize) -> Weight {
        debug_assert!(i < self.len);
        Weight(self.first + i)
    }

    /// The only weight of the term.
    #[inline]
    pub(crate) const fn it(self) -> Weight {
        self.at(0)
    }
}

/// Index of one weight in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weight(pub(crate) usize);

/// Where the terms of one side go.
pub(crate) trait Tally: Default {
    /// The side earns `weight`, `count` times.
    fn add(&mut self, weight: Weight, count: i32);
}

/// The engine's tally: the sum.
impl Tally for Pair {
    #[inline]
    fn add(&mut self, weight: Weight, count: i32) {
        *self += super::table::WEIGHTS[weight.0] * count;
    }
}

/// Declares the terms, in the order of the table.
macro_rules! weights {
    ($($(#[$doc:meta])+ $name:ident [$len:literal] = $(($mg:literal, $eg:literal))+ ;)+) => {
        // The layout of the table; only its field offsets are used.
        #[repr(C)]
        #[allow(non_snake_case)]
        struct Layout { $($name: [Pair; $len],)+ }

        $($(#[$doc])+ pub(crate) const $name: Term = {
            assert!([$(Pair::new($mg, $eg)),+].len() == $len);
            Term::new(std::mem::offset_of!(Layout, $name) / size_of::<Pair>(), $len)
        };)+

        /// How many weights there are.
        pub const COUNT: usize = size_of::<Layout>() / size_of::<Pair>();

        /// All weights, term after term.
        pub static WEIGHTS: [Pair; COUNT] = [$($(Pair::new($mg, $eg),)+)+];

        /// Every term by name, in the order of the table.
        pub const TERMS: &[(&str, Term)] = &[$((stringify!($name), $name)),+];
    };
}
pub(crate) use weights;
