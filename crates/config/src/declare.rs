//! The macro that turns the list of tunables into everything else.

use crate::{
    Config,
    value::{Kind, Value},
};

/// What the declaration of one tunable says.
#[derive(Debug)]
pub struct Spec {
    /// The section of the file that holds it.
    pub section: &'static str,
    /// The key within its section.
    pub name: &'static str,
    /// The UCI name that the field has agreed on, where there is one.
    pub alias: Option<&'static str>,
    /// Its type with the range and the unit.
    pub kind: Kind,
    /// Whether the value can change what a search finds at fixed nodes, and so belongs to
    /// [`Config::hash`].
    pub hashed: bool,
    pub(crate) doc: &'static str,
    pub(crate) load: fn(&Config) -> Value,
    pub(crate) store: fn(&mut Config, Value),
}

/// The Rust type of a field.
macro_rules! field_type {
    (phases $args:tt) => {
        [i32; $crate::value::PHASES]
    };
    (switch $args:tt) => {
        bool
    };
    (choice ($type:ident)) => {
        $crate::choices::$type
    };
    (file $args:tt) => {
        String
    };
    (folders $args:tt) => {
        String
    };
    ($number:ident $args:tt) => {
        i32
    };
}

/// Range, precision and unit of a numeric kind.
macro_rules! number {
    (int ($min:literal ..= $max:literal, $unit:literal $(, step $step:literal)?)) => {
        $crate::value::Number::new(($min as f64, $max as f64), 0.0 $(+ $step as f64)?, 1, $unit)
    };
    (sx ($min:literal ..= $max:literal, step $step:literal)) => {
        $crate::value::Number::new(($min, $max), $step, 16, "SX")
    };
    (ratio ($min:literal ..= $max:literal, step $step:literal)) => {
        $crate::value::Number::new(($min, $max), $step, 64, "")
    };
    (phases $args:tt) => { number!(sx $args) };
}

/// The [`Kind`] of a declaration.
macro_rules! kind {
    (phases $args:tt) => { $crate::value::Kind::Phases(number!(phases $args)) };
    (switch ()) => { $crate::value::Kind::Bool };
    (choice ($type:ident)) => { $crate::value::Kind::Choice($crate::choices::$type::WORDS) };
    (file ()) => { $crate::value::Kind::File };
    (folders ()) => { $crate::value::Kind::Folders };
    ($kind:ident $args:tt) => { $crate::value::Kind::Number(number!($kind $args)) };
}

/// The default of a declaration; numbers are converted and checked by the compiler.
macro_rules! default_value {
    (phases $args:tt $default:expr) => {
        *(const { &number!(phases $args).default_values($default) })
    };
    (switch $args:tt $default:expr) => { $default };
    (choice $args:tt $default:expr) => { $default };
    (file $args:tt $default:expr) => { String::from($default) };
    (folders $args:tt $default:expr) => { String::from($default) };
    ($kind:ident $args:tt $default:expr) => {
        const { number!($kind $args).default_value($default as f64) }
    };
}

/// Whether a section's values belong to the hash of the configuration.
macro_rules! hashed {
    (search) => {
        true
    };
    (host) => {
        false
    };
}

/// Declares the sections, their fields and [`SPECS`](crate::SPECS).
///
/// `section: Type, search|host { name: kind(range, unit, step) as "UCI name" = default; }`
macro_rules! tunables {
    ($(
        $(#[doc = $section_doc:literal])+
        $section:ident: $type:ident, $role:ident {
            $(
                $(#[doc = $doc:literal])+
                $name:ident: $kind:ident $args:tt $(as $alias:literal)? = $default:expr;
            )+
        }
    )+) => {
        $(
            $(#[doc = $section_doc])+
            #[derive(Clone, Debug, PartialEq, Eq)]
            pub struct $type {
                $($(#[doc = $doc])+ pub $name: field_type!($kind $args),)+
            }

            impl Default for $type {
                fn default() -> Self {
                    Self { $($name: default_value!($kind $args $default),)+ }
                }
            }
        )+

        /// The whole configuration, one field per section of the file.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Config {
            $($(#[doc = $section_doc])+ pub $section: $type,)+
        }

        /// Name and description of each section, in the order of the file.
        pub const SECTIONS: &[(&str, &str)] =
            &[$((stringify!($section), concat!($($section_doc),+).trim_ascii_start())),+];

        /// Every tunable, in the order of the file.
        pub static SPECS: &[$crate::declare::Spec] = &[$($(
            $crate::declare::Spec {
                section: stringify!($section),
                name: stringify!($name),
                alias: [$(Some($alias),)? None][0],
                kind: kind!($kind $args),
                hashed: hashed!($role),
                doc: concat!($($doc),+),
                load: |config| $crate::value::Field::load(&config.$section.$name),
                store: |config, value| {
                    $crate::value::Field::store(&mut config.$section.$name, value);
                },
            },
        )+)+];
    };
}
