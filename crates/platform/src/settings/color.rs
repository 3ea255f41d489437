//! Colours, and whether they can be read.

/// The red, green and blue of sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, derive_more::Display)]
#[display("#{:02x}{:02x}{:02x}", self.0[0], self.0[1], self.0[2])]
pub struct Color([u8; 3]);

impl Color {
    pub const BLACK: Self = Self([0; 3]);
    pub const WHITE: Self = Self([255; 3]);

    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue])
    }

    /// Reads `#rrggbb`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
        let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        let is_hex = digits.chars().all(|digit| digit.is_ascii_hexdigit());
        is_hex.then(|| Some(Self([part(0)?, part(2)?, part(4)?])))?
    }

    /// Returns the contrast, from 1 (equal) to 21 (black and white):
    /// <https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio>.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// Returns the nearest colour, on the way to `end`, that has this contrast to the ground; `end` if none has.
    pub fn readable_on(self, ground: Self, contrast: f64, end: Self) -> Self {
        let steps = (0..=100).map(|percent| self.mixed(end, percent));
        steps.into_iter().find(|step| step.contrast(ground) >= contrast).unwrap_or(end)
    }

    fn mixed(self, end: Self, percent: u32) -> Self {
        let mix = |from: u8, to: u8| (u32::from(from) * (100 - percent) + u32::from(to) * percent) / 100;
        let [red, green, blue] = std::array::from_fn(|at| mix(self.0[at], end.0[at]));
        let byte = |part: u32| u8::try_from(part).unwrap_or(u8::MAX);
        Self([byte(red), byte(green), byte(blue)])
    }

    /// Returns the relative luminance: <https://www.w3.org/TR/WCAG22/#dfn-relative-luminance>.
    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_six_hexadecimal_digits_are_a_color() {
        assert_eq!(Color::parse("#B45309").map(|color| color.to_string()).as_deref(), Some("#b45309"));
        for wrong in ["", "b45309", "#b4530", "#b453099", "#+45309", "#b4530g", "#b4é09", "red", "#fff"] {
            assert_eq!(Color::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_contrast_follows_wcag() {
        let ratio = Color::BLACK.contrast(Color::WHITE);
        assert!((ratio - 21.0).abs() < 1e-9, "{ratio}");
        let grey = Color::new(0x76, 0x76, 0x76).contrast(Color::WHITE);
        assert!((grey - 4.54).abs() < 0.01, "{grey}");
    }

    #[test]
    fn a_readable_color_stays_and_another_is_changed_as_little_as_possible() {
        let dark = Color::new(0xb4, 0x53, 0x09);
        assert_eq!(dark.readable_on(Color::WHITE, 4.5, Color::BLACK), dark);
        let yellow = Color::new(0xff, 0xdd, 0x00);
        let readable = yellow.readable_on(Color::WHITE, 4.5, Color::BLACK);
        let ratio = readable.contrast(Color::WHITE);
        assert!((4.5..4.8).contains(&ratio), "{readable}: {ratio}");
    }
}
