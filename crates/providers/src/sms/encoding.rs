//! How a phone network carries a text: in the GSM alphabet of 7 bits, or else in UCS-2 (3GPP TS 23.038).

/// The characters that take one septet.
const BASIC: &str = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/// The characters that take two septets, the first an escape.
const EXTENDED: &str = "\u{c}^{}\\[~]|€";

/// Counts the septets of the text in the GSM alphabet; `None` if it has other characters.
fn septets(text: &str) -> Option<usize> {
    text.chars()
        .map(|c| match c {
            _ if BASIC.contains(c) => Some(1),
            _ if EXTENDED.contains(c) => Some(2),
            _ => None,
        })
        .sum()
}

/// Returns whether the text needs UCS-2.
pub(super) fn is_unicode(text: &str) -> bool {
    septets(text).is_none()
}

/// Counts the messages that a text needs: one for up to 160 septets or 70 units of UCS-2, else parts with 153 or 67.
pub fn segments(text: &str) -> usize {
    let (units, whole, part) = match septets(text) {
        Some(septets) => (septets, 160, 153),
        None => (text.encode_utf16().count(), 70, 67),
    };
    if units <= whole { 1 } else { units.div_ceil(part) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_counted_as_networks_count_it() {
        assert_eq!(BASIC.chars().count(), 127);
        let cases = [
            ("a".repeat(160), 1, false),
            ("a".repeat(161), 2, false),
            ("€".repeat(80), 1, false),
            ("€".repeat(81), 2, false),
            ("न".repeat(70), 1, true),
            ("न".repeat(71), 2, true),
            (format!("{}ç", "a".repeat(69)), 1, true),
        ];
        for (text, count, unicode) in cases {
            assert_eq!((segments(&text), is_unicode(&text)), (count, unicode), "{text}");
        }
    }
}
