//! Decides which numbers may get text messages.

use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumber, PhoneNumberType, Region};
use roadcall_platform::{
    error::{ApiError, ApiResult},
    settings::{CoreSettings, PhoneRegion},
};

use super::settings::SmsSettings;

/// The regions that text messages go to.
#[derive(Debug, Clone)]
pub struct ServedRegions {
    /// Empty if the settings list none.
    listed: Vec<PhoneRegion>,
    /// The only region if none is listed; `None` if messages then go everywhere.
    alone: Option<PhoneRegion>,
}

impl ServedRegions {
    pub fn of(sms: &SmsSettings, core: &CoreSettings) -> Self {
        let alone = core.is_production().then_some(core.phone.region);
        Self { listed: sms.regions.clone(), alone }
    }

    fn contain(&self, region: Option<Region>) -> bool {
        if !self.listed.is_empty() {
            return region.is_some_and(|region| self.listed.iter().any(|served| served.iso() == region));
        }
        self.alone.is_none_or(|alone| region == Some(alone.iso()))
    }
}

/// A number that text messages may go to. A [`TextMessage`](super::TextMessage) takes no other, so every sender passes the checks
/// of [`TextNumber::of`].
#[derive(derive_more::Debug, Clone, PartialEq, Eq)]
#[debug("TextNumber {{ country: {country:?}, .. }}")]
pub struct TextNumber {
    e164: String,
    country: String,
}

impl TextNumber {
    /// Checks `phone`, which is in E.164. Returns 422 that names `field` for a number that gets no texts or is outside
    /// `sms.regions`, whether the number has an account or not.
    pub fn of(served: &ServedRegions, field: &str, phone: &str) -> ApiResult<Self> {
        let refused = |why: &str| Err(ApiError::invalid(field, why));
        let number = PHONE_NUMBER_UTIL.parse(phone, None).ok();
        let Some(number) = number else { return refused("is no phone number any more") };
        // The region is checked first, since the library then need not load the rules of most countries.
        let region = region_of(&number);
        if !served.contain(region) {
            return refused("is of a country that we send no text messages to");
        }
        if !may_get_texts(&number) {
            return refused("can't get text messages: it is a landline or a service. Give a mobile number");
        }
        let country = region.map_or_else(|| number.country_code.to_string(), |region| region.to_string());
        Ok(Self { e164: phone.to_owned(), country })
    }

    pub fn e164(&self) -> &str {
        &self.e164
    }

    /// Returns the country's ISO 3166 code, or the calling code of a number without a country (+883).
    pub fn country(&self) -> &str {
        &self.country
    }
}

/// Returns whether the number may get texts: not if the library is sure that no phone shows them, or that they earn its owner
/// money. A number that the library does not know may be of a new range.
fn may_get_texts(number: &PhoneNumber) -> bool {
    use PhoneNumberType::{
        FixedLine, FixedLineOrMobile, Mobile, Pager, PersonalNumber, PremiumRate, SharedCost, TollFree, UAN,
        Unknown, VoIP, VoiceMail,
    };
    match number.get_type() {
        Mobile | FixedLineOrMobile | VoIP | Unknown => true,
        FixedLine | TollFree | PremiumRate | SharedCost | PersonalNumber | Pager | UAN | VoiceMail => false,
    }
}

/// Returns the number's region. If several countries share a calling code, an unknown number counts for the country that runs the
/// numbering plan: the others have few ranges, which the library recognises by their first digits.
fn region_of(number: &PhoneNumber) -> Option<Region> {
    let region = number.get_region_code();
    let region = region.or_else(|| PHONE_NUMBER_UTIL.get_region_for_country_code(number.country_code));
    region.filter(|region| *region != Region::World)
}

#[cfg(test)]
mod tests {
    use roadcall_platform::settings::{
        Environment,
        testing::{default_core, default_of},
    };

    use super::*;

    /// Returns the country of a number that may get texts, or why it may not.
    fn country(served: &ServedRegions, phone: &str) -> Result<String, String> {
        let number = TextNumber::of(served, "phone", phone);
        number.map(|number| number.country).map_err(|refused| refused.errors["phone"].join("; "))
    }

    #[test]
    fn texts_go_only_to_phones_that_show_them_and_earn_nobody_money() {
        let served = ServedRegions::of(&default_of("sms"), &default_core());
        let cases = [
            ("+919876543210", Some("IN")),
            ("+447911123457", Some("GG")),
            ("+447700900123", Some("GB")),
            ("+14155550100", Some("US")),
            ("+15550100000", Some("US")),
            ("+525512345678", Some("MX")),
            ("+883510012345678", Some("883")),
            // Landlines, if they can be told from mobile numbers.
            ("+912223456789", None),
            ("+442079460958", None),
            ("+4930123456", None),
            ("+97142345678", None),
            // Toll-free, premium-rate, shared-cost and personal numbers, a number of a whole company, and one without a country.
            ("+18002345678", None),
            ("+911800114000", None),
            ("+19002345678", None),
            ("+449012345678", None),
            ("+499001234567", None),
            ("+33899123456", None),
            ("+9118601234567", None),
            ("+491801234567", None),
            ("+447012345678", None),
            ("+971600540000", None),
            ("+80012345678", None),
            ("+979123456789", None),
            // A stored number that has since ceased to be a number.
            ("+999123456789", None),
        ];
        for (phone, expected) in cases {
            assert_eq!(country(&served, phone).ok().as_deref(), expected, "{phone}");
        }
    }

    #[test]
    fn texts_go_to_the_regions_of_the_settings_by_region_and_not_by_calling_code() {
        let served = |regions: &[&str], phone: &str| {
            let mut sms: SmsSettings = default_of("sms");
            sms.regions = regions.iter().map(|iso| iso.parse().expect("a region")).collect();
            country(&ServedRegions::of(&sms, &default_core()), phone).is_ok()
        };
        let cases: [(&[&str], &str, bool); 12] = [
            (&["US"], "+14155550100", true),
            (&["US"], "+18765550100", false),
            (&["US"], "+14035550100", false),
            (&["US", "JM"], "+18765550100", true),
            (&["JM"], "+14155550100", false),
            (&["RU"], "+79161234567", true),
            (&["RU"], "+77012345678", false),
            (&["KZ"], "+77012345678", true),
            (&["GB"], "+447700900123", true),
            (&["JE"], "+447700900123", false),
            (&["IN"], "+915550000001", true),
            (&["IN"], "+883510012345678", false),
        ];
        for (regions, phone, expected) in cases {
            assert_eq!(served(regions, phone), expected, "{phone} to {regions:?}");
        }
        assert!(served(&[], "+18765550100"), "development has no list");
    }

    #[test]
    fn production_without_a_list_texts_only_its_own_country() {
        let core = CoreSettings { environment: Environment::Production, ..default_core() };
        let served = ServedRegions::of(&default_of("sms"), &core);
        assert!(country(&served, "+919876543210").is_ok());
        assert!(country(&served, "+14155550100").is_err_and(|why| why.contains("country")));
    }
}
