//! Enums whose values have names on the wire and in rows.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserializer,
    de::{self, Unexpected, Visitor},
};

/// An enum with a fixed list of named values, so that code for one of them works for all.
pub trait NamedEnum: Copy + PartialEq + Sized + 'static {
    /// Every value, in the order of declaration.
    const VALUES: &'static [Self];

    /// Returns the name on the wire and in rows.
    fn name(self) -> &'static str;

    /// Returns the value with this name.
    fn from_name(name: &str) -> Option<Self> {
        Self::VALUES.iter().copied().find(|value| value.name() == name)
    }
}

/// Reads a value by its name.
pub(crate) fn deserialize<'de, T: NamedEnum, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_str(OfName(PhantomData))
}

struct OfName<T>(PhantomData<T>);

impl<T: NamedEnum> Visitor<'_> for OfName<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = T::VALUES.iter().map(|value| value.name()).collect();
        write!(f, "one of {}", names.join(", "))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        T::from_name(name).ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
    }
}

/// Declares a named enum, with `ALL`, `as_str` and `parse` as inherent items too. It is serialised by the value's
/// name.
macro_rules! named_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: [$name; [$($text),+].len()] = [$($name::$variant),+];

            /// Returns the name on the wire and in rows.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }

            /// Returns the value with this name on the wire and in rows.
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

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::named::deserialize(from)
            }
        }
    };
}

pub(crate) use named_enum;

#[cfg(test)]
mod tests {
    use std::fmt;

    use serde::{Serialize, de::DeserializeOwned};

    use super::NamedEnum;
    use crate::{
        concern::Concern,
        dispatcher::explain::Unfit,
        eta::EtaSource,
        job::{
            fee::FeeReason,
            state::{BrokenRule, EventName, Ineligibility, ItemKind, LeaveReason, Outcome, Wanted},
        },
        mechanic::state::PointFault,
        outbound::WaitReason,
        settings::Strategy,
        status::{ItemStatus, OfferStatus, Status, Urgency},
        vehicle::VehicleType,
    };

    fn assert_named<T: NamedEnum + fmt::Debug + Serialize + DeserializeOwned>() {
        for value in T::VALUES {
            assert_eq!(T::from_name(value.name()), Some(*value));
            let json = format!("\"{}\"", value.name());
            assert_eq!(serde_json::to_string(value).unwrap(), json);
            assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value);
        }
        assert_eq!(T::from_name("nothing of that name"), None);
        let unknown = serde_json::from_str::<T>("\"nothing of that name\"").unwrap_err().to_string();
        assert!(unknown.contains(T::VALUES[0].name()), "{unknown}");
    }

    #[test]
    fn every_name_is_read_back_as_its_value() {
        assert_named::<BrokenRule>();
        assert_named::<Concern>();
        assert_named::<EtaSource>();
        assert_named::<EventName>();
        assert_named::<FeeReason>();
        assert_named::<Ineligibility>();
        assert_named::<ItemKind>();
        assert_named::<ItemStatus>();
        assert_named::<LeaveReason>();
        assert_named::<OfferStatus>();
        assert_named::<Outcome>();
        assert_named::<PointFault>();
        assert_named::<Status>();
        assert_named::<Strategy>();
        assert_named::<Unfit>();
        assert_named::<Urgency>();
        assert_named::<VehicleType>();
        assert_named::<WaitReason>();
        assert_named::<Wanted>();
        assert_eq!(Status::parse("en_route"), Some(Status::EnRoute));
    }
}
