//! Enums whose values have names on the wire and in rows.

/// An enum with a fixed list of named values; [`named_enum`] implements it.
pub trait NamedEnum: Copy + PartialEq + Sized + 'static {
    /// Every value, in the order of declaration.
    const VALUES: &'static [Self];

    /// The name on the wire and in rows.
    fn name(self) -> &'static str;

    /// The value with this name.
    fn from_name(name: &str) -> Option<Self> {
        Self::VALUES.iter().copied().find(|value| value.name() == name)
    }
}

/// Declares such an enum, with `ALL`, `as_str` and `parse` as inherent items too.
macro_rules! named_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: [$name; [$($text),+].len()] = [$($name::$variant),+];

            /// The name on the wire and in rows.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }

            /// The value with this name on the wire and in rows.
            pub fn parse(name: &str) -> Option<Self> {
                <Self as $crate::named::NamedEnum>::from_name(name)
            }
        }

        impl $crate::named::NamedEnum for $name {
            const VALUES: &'static [Self] = &Self::ALL;

            fn name(self) -> &'static str {
                self.as_str()
            }
        }
    };
}

pub(crate) use named_enum;
