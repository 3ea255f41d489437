//! The words on every receipt, in the languages that the apps have.

use chrono::{DateTime, Datelike, FixedOffset, Timelike};

/// A receipt's own words. Names, descriptions and addresses are as people wrote them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Words {
    /// The language's tag (BCP 47).
    pub(super) language: &'static str,
    pub(super) receipt: &'static str,
    pub(super) number: &'static str,
    pub(super) seller: &'static str,
    pub(super) paid_at: &'static str,
    pub(super) paid_by: &'static str,
    pub(super) customer: &'static str,
    pub(super) mechanic: &'static str,
    pub(super) vehicle: &'static str,
    pub(super) service: &'static str,
    pub(super) pickup: &'static str,
    pub(super) paid: &'static str,
    pub(super) in_cash: &'static str,
    pub(super) online: &'static str,
    /// The part that an organisation pays by its bill.
    pub(super) on_account: &'static str,
    pub(super) method: &'static str,
    /// The gateway's names of methods, each with the name that people use; other methods are shown as the gateway names
    /// them.
    pub(super) methods: &'static [(&'static str, &'static str)],
    pub(super) gateway_payment: &'static str,
    pub(super) what: &'static str,
    pub(super) amount: &'static str,
    pub(super) base_price: &'static str,
    pub(super) travel: &'static str,
    pub(super) towing: &'static str,
    pub(super) cancellation_fee: &'static str,
    /// The note about a cancelled job, with `{job}` for its id and `{time}` for the time.
    pub(super) cancelled: &'static str,
    pub(super) not_part: &'static str,
    pub(super) total: &'static str,
    pub(super) tax: &'static str,
    pub(super) refunded: &'static str,
    /// The abbreviated names of the months, from January.
    pub(super) months: [&'static str; 12],
    pub(super) am_pm: [&'static str; 2],
}

pub(super) const ENGLISH: Words = Words {
    language: "en",
    receipt: "Receipt",
    number: "Receipt number",
    seller: "Sold by",
    paid_at: "Paid at",
    paid_by: "Paid by",
    customer: "Customer",
    mechanic: "Mechanic",
    vehicle: "Vehicle",
    service: "Service",
    pickup: "Pickup",
    paid: "Paid",
    in_cash: "In cash",
    online: "Online",
    on_account: "On account",
    method: "Method",
    methods: &[
        ("upi", "UPI"),
        ("card", "Card"),
        ("netbanking", "Net banking"),
        ("wallet", "Wallet"),
        ("emi", "EMI"),
        ("paylater", "Pay later"),
    ],
    gateway_payment: "Gateway payment",
    what: "For",
    amount: "Amount",
    base_price: "Help on the spot",
    travel: "Travel",
    towing: "Towing to the destination",
    cancellation_fee: "Cancellation fee",
    cancelled: "Job {job}, cancelled at {time}",
    not_part: "Not part of this payment",
    total: "Total paid",
    tax: "Includes tax",
    refunded: "Refunded or being refunded",
    months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    am_pm: ["am", "pm"],
};

const HINDI: Words = Words {
    language: "hi",
    receipt: "रसीद",
    number: "रसीद संख्या",
    seller: "विक्रेता",
    paid_at: "भुगतान का समय",
    paid_by: "भुगतान करने वाले",
    customer: "ग्राहक",
    mechanic: "मैकेनिक",
    vehicle: "वाहन",
    service: "सेवा",
    pickup: "जगह",
    paid: "भुगतान",
    in_cash: "नकद",
    online: "ऑनलाइन",
    on_account: "खाते पर",
    method: "तरीका",
    methods: &[
        ("upi", "UPI"),
        ("card", "कार्ड"),
        ("netbanking", "नेट बैंकिंग"),
        ("wallet", "वॉलेट"),
        ("emi", "EMI"),
        ("paylater", "बाद में भुगतान"),
    ],
    gateway_payment: "गेटवे भुगतान",
    what: "किसके लिए",
    amount: "रकम",
    base_price: "मौके पर मदद",
    travel: "आने-जाने का",
    towing: "गंतव्य तक टोइंग",
    cancellation_fee: "रद्द करने का शुल्क",
    cancelled: "काम {job}, {time} पर रद्द हुआ",
    not_part: "इस भुगतान में शामिल नहीं",
    total: "कुल भुगतान",
    tax: "टैक्स शामिल",
    refunded: "लौटाया गया या लौटाया जा रहा है",
    months: ["जन॰", "फ़र॰", "मार्च", "अप्रैल", "मई", "जून", "जुल॰", "अग॰", "सित॰", "अक्टू॰", "नव॰", "दिस॰"],
    am_pm: ["am", "pm"],
};

const KANNADA: Words = Words {
    language: "kn",
    receipt: "ರಸೀದಿ",
    number: "ರಸೀದಿ ಸಂಖ್ಯೆ",
    seller: "ಮಾರಾಟಗಾರರು",
    paid_at: "ಪಾವತಿಸಿದ ಸಮಯ",
    paid_by: "ಪಾವತಿಸಿದವರು",
    customer: "ಗ್ರಾಹಕರು",
    mechanic: "ಮೆಕ್ಯಾನಿಕ್",
    vehicle: "ವಾಹನ",
    service: "ಸೇವೆ",
    pickup: "ಸ್ಥಳ",
    paid: "ಪಾವತಿ",
    in_cash: "ನಗದು",
    online: "ಆನ್‌ಲೈನ್",
    on_account: "ಖಾತೆಯ ಮೇಲೆ",
    method: "ವಿಧಾನ",
    methods: &[
        ("upi", "UPI"),
        ("card", "ಕಾರ್ಡ್"),
        ("netbanking", "ನೆಟ್ ಬ್ಯಾಂಕಿಂಗ್"),
        ("wallet", "ವಾಲೆಟ್"),
        ("emi", "EMI"),
        ("paylater", "ನಂತರ ಪಾವತಿ"),
    ],
    gateway_payment: "ಗೇಟ್‌ವೇ ಪಾವತಿ",
    what: "ಯಾವುದಕ್ಕೆ",
    amount: "ಮೊತ್ತ",
    base_price: "ಸ್ಥಳದಲ್ಲಿ ಸಹಾಯ",
    travel: "ಪ್ರಯಾಣ",
    towing: "ತಲುಪುವ ಸ್ಥಳಕ್ಕೆ ಟೋಯಿಂಗ್",
    cancellation_fee: "ರದ್ದತಿ ಶುಲ್ಕ",
    cancelled: "ಕೆಲಸ {job}, {time} ಕ್ಕೆ ರದ್ದಾಗಿದೆ",
    not_part: "ಈ ಪಾವತಿಯಲ್ಲಿ ಸೇರಿಲ್ಲ",
    total: "ಒಟ್ಟು ಪಾವತಿ",
    tax: "ತೆರಿಗೆ ಸೇರಿದೆ",
    refunded: "ಹಿಂತಿರುಗಿಸಲಾಗಿದೆ ಅಥವಾ ಹಿಂತಿರುಗಿಸಲಾಗುತ್ತಿದೆ",
    months: ["ಜನ", "ಫೆಬ್ರ", "ಮಾರ್ಚ್", "ಏಪ್ರಿ", "ಮೇ", "ಜೂನ್", "ಜುಲೈ", "ಆಗ", "ಸೆಪ್ಟೆಂ", "ಅಕ್ಟೋ", "ನವೆಂ", "ಡಿಸೆಂ"],
    am_pm: ["ಪೂರ್ವಾಹ್ನ", "ಅಪರಾಹ್ನ"],
};

impl Words {
    /// Returns the name that people use for a method of the gateway.
    pub(super) fn method_name<'a>(&self, method: &'a str) -> &'a str {
        let known = self.methods.iter().find(|(of_gateway, _)| *of_gateway == method);
        known.map_or(method, |(_, name)| name)
    }

    /// Writes a time, for example "24 Nov 2026, 6:24 pm UTC+05:30". Where clocks change, two times of a receipt may
    /// have different offsets.
    pub(super) fn minute(&self, at: DateTime<FixedOffset>) -> String {
        let (is_pm, hour) = at.hour12();
        let (month, half) = (self.months[at.month0() as usize], self.am_pm[usize::from(is_pm)]);
        format!("{} {month} {}, {hour}:{:02} {half} UTC{}", at.day(), at.year(), at.minute(), at.offset())
    }

    /// Returns the words for a person's language tag (BCP 47); English for languages without texts.
    pub(super) fn of(tag: &str) -> &'static Self {
        let language = tag.split('-').next().unwrap_or_default();
        [&HINDI, &KANNADA]
            .into_iter()
            .find(|words| words.language.eq_ignore_ascii_case(language))
            .unwrap_or(&ENGLISH)
    }
}
