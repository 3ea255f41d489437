//! How phone numbers without a country are read: `[phone]`.

use std::str::FromStr;

use rlibphonenumber::{PHONE_NUMBER_UTIL, Region};
use serde::Deserialize;

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhoneSettings {
    pub region: PhoneRegion,
}

/// A country or territory that has phone numbers, by its ISO 3166-1 code of two letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PhoneRegion {
    iso: Region,
    calling_code: i32,
}

impl PhoneRegion {
    pub fn iso(self) -> Region {
        self.iso
    }

    /// Returns the digits after the `+` in its numbers. Some countries share a calling code.
    pub fn calling_code(self) -> i32 {
        self.calling_code
    }

    /// Returns the number for an ambulance, which in many countries is also that of the police and the fire brigade. For a region
    /// without an entry it is 112, which mobile phones everywhere treat as a call for help (3GPP TS 22.101).
    pub fn emergency_number(self) -> &'static str {
        match self.iso {
            Region::AE => "998",
            Region::BD | Region::GB => "999",
            Region::LK => "1990",
            Region::NP => "102",
            Region::PK => "1122",
            Region::SG => "995",
            Region::US | Region::CA => "911",
            _ => "112",
        }
    }
}

impl FromStr for PhoneRegion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Region::from_code(text).ok().filter(|region| *region != Region::World);
        let known = named.and_then(|iso| Some((iso, PHONE_NUMBER_UTIL.get_country_code_for_region(iso)?)));
        let (iso, calling_code) = known
            .ok_or_else(|| format!("{text:?} is no country's ISO 3166 code of two letters, such as IN"))?;
        Ok(Self { iso, calling_code })
    }
}

impl TryFrom<String> for PhoneRegion {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
