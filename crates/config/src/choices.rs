//! The tunables whose value is one of a few words.

use crate::value::{Field, Value};

/// Declares an enum together with the word that stands for each variant in files and options.
macro_rules! choices {
    ($(
        $(#[$meta:meta])+
        pub enum $name:ident { $($(#[$variant_meta:meta])+ $variant:ident = $word:literal,)+ }
    )+) => {
        $(
            $(#[$meta])+
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $name { $($(#[$variant_meta])+ $variant,)+ }

            impl $name {
                /// The words, in the order of the variants.
                pub const WORDS: &'static [&'static str] = &[$($word),+];

                /// The word for this variant.
                pub const fn word(self) -> &'static str {
                    match self { $(Self::$variant => $word,)+ }
                }
            }

            impl Field for $name {
                fn load(&self) -> Value {
                    Value::Choice(self.word())
                }

                fn store(&mut self, value: Value) {
                    match value {
                        $(Value::Choice($word) => *self = Self::$variant,)+
                        _ => {}
                    }
                }
            }
        )+
    };
}

choices! {
    /// How the imbalance of the two budgets prolongs a line.
    pub enum CouplingRule {
        /// A side's dull replies are refunded only as far as the other side has been forcing.
        Forcing = "forcing",
        /// The line goes on while either budget is positive (Levy, Broughton and Taylor 1989).
        Paper = "paper",
    }

    /// Which moves put their mover ahead in the budgets, or behind.
    pub enum Lead {
        /// Every move whose price is not nominal.
        Price = "price",
        /// Only what forces: checks, captures, promotions, passed pawns, only replies. What other
        /// moves cost is borne by both sides alike.
        Initiative = "initiative",
    }

    /// Which score the gap between a quiet move and its best sibling is measured in.
    pub enum GapSource {
        /// The score that the move picker sorts by.
        Order = "order",
        /// The static evaluation after the move, as Cyrus 68K did.
        Eval = "eval",
    }

    /// Where quiescence tries a quiet move before the captures (Wheeler 2024).
    pub enum QuietFirst {
        /// Nowhere: captures only.
        Off = "off",
        /// At nodes with an effective depth above 0 and up to 1.
        Frontier = "frontier",
        /// At leaves whose stand-pat score misses alpha by less than a margin.
        Leaf = "leaf",
    }

    /// Which code reads the tablebases.
    pub enum SyzygyBackend {
        /// The pyrrhic-rs crate behind our own inventory.
        Pyrrhic = "pyrrhic",
        /// Our own decoder, which checks every read.
        Native = "native",
    }

    /// Which evaluation scores a position.
    pub enum EvalKind {
        /// The small hand-made evaluation.
        Classical = "classical",
        /// The neural network (NNUE).
        Nnue = "nnue",
    }
}
