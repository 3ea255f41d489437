//! The desks at which admins work. Each desk decides about its own matters; a super-admin is at every desk, and so is
//! an admin without a restriction. A handler names the desk that it needs in its signature: `Admin<desk::Money>`.

use roadcall_http::text_enum;
use roadcall_platform::error::{ApiError, ApiResult, Code};
use serde::{Serialize, Serializer};

use super::principal::Role;

text_enum! {
    /// A desk of the console.
    Desk {
        /// Jobs under way, the map, callers.
        Dispatch = "dispatch",
        /// Payments, refunds, payouts, disputes, no-shows, fees.
        Money = "money",
        /// Mechanics' papers, suspensions, ratings, limits of customers.
        People = "people",
        /// Categories, workshops, how jobs are dispatched, the servers.
        Settings = "settings",
    }
}

/// The desks of one person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Desks(u8);

impl Desks {
    const NONE: Self = Self(0);

    /// Returns the desks of a role; an admin may be restricted to some.
    pub fn of(role: Role, narrowed: Option<&[Desk]>) -> Self {
        match (role, narrowed) {
            (Role::Customer, _) => Self::NONE,
            (Role::Admin, Some(some)) => Self::from_list(some),
            (Role::Admin, None) | (Role::SuperAdmin, _) => Self::from_list(Desk::ALL),
        }
    }

    fn from_list(desks: &[Desk]) -> Self {
        desks.iter().fold(Self::NONE, |all, desk| Self(all.0 | 1 << *desk as u8))
    }

    pub fn has(self, desk: Desk) -> bool {
        self.0 & 1 << desk as u8 != 0
    }

    /// Returns the desks in the order of the documents.
    pub fn list(self) -> Vec<Desk> {
        Desk::ALL.iter().copied().filter(|desk| self.has(*desk)).collect()
    }

    /// Returns the desks as an account stores them: `None` for every desk, so that it includes the desks of later
    /// releases.
    pub fn narrowed(desks: &[Desk]) -> Option<Vec<Desk>> {
        let list = Self::from_list(desks).list();
        (list.len() < Desk::ALL.len()).then_some(list)
    }

    /// Checks that the desks meet `D`: else 403 DESK_NEEDED, which names the missing desks.
    pub fn check<D: AtDesk>(self) -> ApiResult<()> {
        let mut needed = D::DESKS.iter();
        let is_met = match D::NEEDS_EACH {
            true => needed.all(|desk| self.has(*desk)),
            false => needed.any(|desk| self.has(*desk)),
        };
        if is_met { Ok(()) } else { Err(needs::<D>()) }
    }
}

/// The desks that a handler needs. The handler's signature enforces them, and its declaration has them as `x-desks`:
/// they serialize as the document shows them.
pub trait AtDesk: Copy + Default + Serialize + 'static {
    const DESKS: &'static [Desk];
    /// Whether each of the desks is needed; otherwise any of them is enough.
    const NEEDS_EACH: bool;
}

/// Serializes the need for these desks.
fn shown<D: AtDesk, S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    let way = if D::NEEDS_EACH { "each_of" } else { "one_of" };
    serializer.collect_map([(way, D::DESKS)])
}

macro_rules! desks {
    ($needs_each:literal: $($(#[$doc:meta])* $name:ident = $desks:expr,)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $name;

        impl AtDesk for $name {
            const DESKS: &'static [Desk] = $desks;
            const NEEDS_EACH: bool = $needs_each;
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                shown::<Self, S>(serializer)
            }
        }
    )*};
}

desks! {
    false:
    Dispatch = &[Desk::Dispatch],
    Money = &[Desk::Money],
    People = &[Desk::People],
    Settings = &[Desk::Settings],
    /// Admins who answer for a job or a person have to read about both.
    Cases = &[Desk::Dispatch, Desk::Money, Desk::People],
    /// Customers are found, and entered, by the admin who talks to them.
    Callers = &[Desk::Dispatch, Desk::People],
    /// The dispatch settings are read by the admins who dispatch and by those who set them.
    Tuning = &[Desk::Dispatch, Desk::Settings],
    /// Figures that name nobody.
    Any = Desk::ALL,
}

desks! {
    true:
    /// The need for every desk.
    Every = Desk::ALL,
}

fn needs<D: AtDesk>() -> ApiError {
    let names: Vec<&str> = D::DESKS.iter().map(|desk| desk.as_str()).collect();
    let message = match names.as_slice() {
        [one] => format!("This needs the {one} desk. Ask a super-admin for it."),
        [firsts @ .., last] if D::NEEDS_EACH => {
            let firsts = firsts.join(", ");
            format!("This needs all desks: {firsts} and {last}. Ask a super-admin for those that you lack.")
        }
        [firsts @ .., last] => {
            format!(
                "This needs one of these desks: {} or {last}. Ask a super-admin for one.",
                firsts.join(", ")
            )
        }
        [] => "This is for no desk.".to_owned(),
    };
    ApiError::new(Code::DeskNeeded, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_admin_is_narrowed_and_a_list_of_every_desk_narrows_nothing() {
        use Desk::{Dispatch, Money, People, Settings};
        let some = [Settings, Money, Money];
        assert_eq!(Desks::of(Role::Admin, Some(&some)).list(), [Money, Settings]);
        assert_eq!(Desks::of(Role::Admin, None).list(), Desk::ALL);
        assert_eq!(Desks::of(Role::SuperAdmin, Some(&some)).list(), Desk::ALL);
        assert_eq!(Desks::of(Role::Customer, None).list(), []);
        assert_eq!(Desks::narrowed(&some), Some(vec![Money, Settings]));
        assert_eq!(Desks::narrowed(&[Settings, People, Money, Dispatch]), None);
    }

    #[test]
    fn a_refusal_names_the_desk_that_is_needed() {
        let at = |desks: &[Desk]| Desks::of(Role::Admin, Some(desks));
        assert!(at(&[Desk::Money]).check::<Money>().is_ok());
        assert!(at(&[Desk::People]).check::<Cases>().is_ok());
        assert!(at(Desk::ALL).check::<Every>().is_ok());
        let refused = |outcome: ApiResult<()>| {
            let refusal = outcome.expect_err("refused");
            assert_eq!(refusal.code, Code::DeskNeeded);
            refusal.message.into_owned()
        };
        let one = refused(at(&[Desk::People]).check::<Money>());
        assert_eq!(one, "This needs the money desk. Ask a super-admin for it.");
        let several = refused(at(&[Desk::Settings]).check::<Cases>());
        assert!(
            several.starts_with("This needs one of these desks: dispatch, money or people."),
            "{several}"
        );
        let all = refused(at(&[Desk::Money, Desk::People]).check::<Every>());
        assert!(all.starts_with("This needs all desks: dispatch, money, people and settings."), "{all}");
    }
}
