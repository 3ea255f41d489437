//! Enums whose values have names on the wire and in rows.

/// An enum with a fixed list of named values, so that code for one of them works for all.
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

#[cfg(test)]
mod tests {
    use super::NamedEnum;
    use crate::{
        concern::Concern,
        dispatcher::explain::Unfit,
        eta::EtaSource,
        job::{
            fee::FeeReason,
            state::{Ineligibility, ItemKind, Outcome, Wanted},
        },
        mechanic::state::PointFault,
        settings::Strategy,
        status::{ItemStatus, OfferStatus, Status, Urgency},
        vehicle::VehicleType,
    };

    fn assert_named<T: NamedEnum + std::fmt::Debug>() {
        for value in T::VALUES {
            assert_eq!(T::from_name(value.name()), Some(*value));
        }
        assert_eq!(T::from_name("nothing of that name"), None);
    }

    #[test]
    fn every_name_is_read_back_as_its_value() {
        assert_named::<Concern>();
        assert_named::<EtaSource>();
        assert_named::<FeeReason>();
        assert_named::<Ineligibility>();
        assert_named::<ItemKind>();
        assert_named::<ItemStatus>();
        assert_named::<OfferStatus>();
        assert_named::<Outcome>();
        assert_named::<PointFault>();
        assert_named::<Status>();
        assert_named::<Strategy>();
        assert_named::<Unfit>();
        assert_named::<Urgency>();
        assert_named::<VehicleType>();
        assert_named::<Wanted>();
        assert_eq!(Status::parse("en_route"), Some(Status::EnRoute));
    }
}
