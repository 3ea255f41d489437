//! The operator's colour in the pages.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use roadcall_platform::settings::Color;
use sha2::{Digest, Sha256};

/// The contrast between text and its background: level AA of WCAG 2.2.
const READABLE: f64 = 4.5;
/// The backgrounds of `tokens.css` on which the colour is hardest to read, by scheme.
const LIGHT: Color = Color::new(0xf5, 0xf6, 0xf8);
const DARK: Color = Color::new(0x23, 0x2b, 0x36);
/// The text on the colour itself, in the dark scheme.
const ON_COLOR: Color = Color::new(0x1c, 0x13, 0x04);

/// A style that goes into the head of each page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Style(String);

impl Style {
    /// Makes the style. The colour is darkened in the light scheme, or lightened in the dark one, if it could not be read
    /// otherwise.
    pub fn of(color: Color) -> Self {
        let light = color.readable_on(LIGHT, READABLE, Color::BLACK);
        let dark = color.readable_on(DARK, READABLE, Color::WHITE);
        let both = format!("light-dark({light}, {dark})");
        Self(format!(
            "html:root {{ --accent: {both}; --accent-ground: {both}; --on-accent: light-dark({}, {ON_COLOR}); }}",
            Color::WHITE
        ))
    }

    pub fn tag(&self) -> String {
        format!("<style>{}</style>", self.0)
    }

    /// Returns the source that allows the style in the policy.
    pub fn source(&self) -> String {
        format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(&self.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_color_is_readable_in_both_schemes_and_can_be_written_on() {
        let parts = [0, 51, 102, 153, 204, 255];
        for red in parts {
            for (green, blue) in parts.into_iter().flat_map(|green| parts.map(|blue| (green, blue))) {
                let style = Style::of(Color::new(red, green, blue)).0;
                let (_, schemes) = style.split_once("--accent: light-dark(").expect("both");
                let (schemes, _) = schemes.split_once(')').expect("an end");
                let colors: Vec<_> = schemes.split(", ").filter_map(Color::parse).collect();
                let [light, dark] = colors[..] else { panic!("{style}") };
                for (color, ground) in [(light, LIGHT), (light, Color::WHITE), (dark, DARK), (dark, ON_COLOR)]
                {
                    let contrast = color.contrast(ground);
                    assert!(contrast >= READABLE, "{color} on {ground}: {contrast}");
                }
            }
        }
    }

    #[test]
    fn the_policy_names_the_digest_of_the_tags_content() {
        let style = Style("a{}".to_owned());
        assert_eq!(style.tag(), "<style>a{}</style>");
        // printf 'a{}' | openssl dgst -sha256 -binary | base64
        assert_eq!(style.source(), "'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='");
    }
}
