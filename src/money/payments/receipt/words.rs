//! What stands on every receipt, in the languages that the apps have.

/// A receipt's own words. Names, descriptions and addresses are as people wrote them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Words {
    /// BCP 47.
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
    pub(super) method: &'static str,
    pub(super) gateway_payment: &'static str,
    pub(super) what: &'static str,
    pub(super) amount: &'static str,
    pub(super) base_price: &'static str,
    pub(super) travel: &'static str,
    pub(super) cancellation_fee: &'static str,
    /// `{job}`: its id, `{time}`: when.
    pub(super) cancelled: &'static str,
    pub(super) not_part: &'static str,
    pub(super) total: &'static str,
    pub(super) tax: &'static str,
    pub(super) refunded: &'static str,
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
    method: "Method",
    gateway_payment: "Gateway payment",
    what: "For",
    amount: "Amount",
    base_price: "Base price",
    travel: "Travel",
    cancellation_fee: "Cancellation fee",
    cancelled: "Job {job}, cancelled at {time}",
    not_part: "Not part of this payment",
    total: "Total paid",
    tax: "Includes tax",
    refunded: "Refunded or being refunded",
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
    method: "तरीका",
    gateway_payment: "गेटवे भुगतान",
    what: "किसके लिए",
    amount: "रकम",
    base_price: "मूल कीमत",
    travel: "आने का शुल्क",
    cancellation_fee: "रद्द करने का शुल्क",
    cancelled: "काम {job}, {time} पर रद्द हुआ",
    not_part: "इस भुगतान में शामिल नहीं",
    total: "कुल भुगतान",
    tax: "टैक्स शामिल",
    refunded: "लौटाया गया या लौटाया जा रहा है",
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
    method: "ವಿಧಾನ",
    gateway_payment: "ಗೇಟ್‌ವೇ ಪಾವತಿ",
    what: "ಯಾವುದಕ್ಕೆ",
    amount: "ಮೊತ್ತ",
    base_price: "ಮೂಲ ಬೆಲೆ",
    travel: "ಪ್ರಯಾಣ ಶುಲ್ಕ",
    cancellation_fee: "ರದ್ದತಿ ಶುಲ್ಕ",
    cancelled: "ಕೆಲಸ {job}, {time} ಕ್ಕೆ ರದ್ದಾಗಿದೆ",
    not_part: "ಈ ಪಾವತಿಯಲ್ಲಿ ಸೇರಿಲ್ಲ",
    total: "ಒಟ್ಟು ಪಾವತಿ",
    tax: "ತೆರಿಗೆ ಸೇರಿದೆ",
    refunded: "ಹಿಂತಿರುಗಿಸಲಾಗಿದೆ ಅಥವಾ ಹಿಂತಿರುಗಿಸಲಾಗುತ್ತಿದೆ",
};

impl Words {
    /// By a person's language tag (BCP 47); English for languages without texts.
    pub(super) fn of(tag: &str) -> &'static Self {
        let language = tag.split('-').next().unwrap_or_default();
        [&HINDI, &KANNADA]
            .into_iter()
            .find(|words| words.language.eq_ignore_ascii_case(language))
            .unwrap_or(&ENGLISH)
    }
}
