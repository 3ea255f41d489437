//! Texts with placeholders, such as `{to}`.

use std::borrow::Cow;

/// A section of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    /// The name between braces.
    Placeholder(&'a str),
}

/// Splits a template. Braces around anything but a name (`a` to `z`, and `_`) are text.
fn parts(template: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        let inside = &rest[start + 1..];
        let end = inside.find(|c: char| !(c.is_ascii_lowercase() || c == '_')).unwrap_or(inside.len());
        if end > 0 && inside[end..].starts_with('}') {
            parts.extend([Part::Text(&rest[..start]), Part::Placeholder(&inside[..end])]);
            rest = &inside[end + 1..];
        } else {
            parts.push(Part::Text(&rest[..=start]));
            rest = inside;
        }
    }
    parts.push(Part::Text(rest));
    parts
}

/// Returns the names of the placeholders.
pub fn placeholders(template: &str) -> impl Iterator<Item = &str> {
    parts(template).into_iter().filter_map(|part| match part {
        Part::Placeholder(name) => Some(name),
        Part::Text(_) => None,
    })
}

/// Returns the template with each placeholder replaced by its value; a placeholder without a value stays. Values are not
/// searched for placeholders.
pub fn fill<'a>(template: &str, value: impl Fn(&str) -> Option<Cow<'a, str>>) -> String {
    let mut filled = String::with_capacity(template.len());
    for part in parts(template) {
        match part {
            Part::Text(text) => filled.push_str(text),
            Part::Placeholder(name) => match value(name) {
                Some(value) => filled.push_str(&value),
                None => filled.extend(["{", name, "}"]),
            },
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_are_placeholders_and_all_else_is_text() {
        let template = r#"{"to": "{to}", "a": {}, "x": "{text}{To}{a b}{"}"#;
        assert_eq!(placeholders(template).collect::<Vec<_>>(), ["to", "text"]);
        let filled = fill(template, |name| (name == "to").then(|| "{text}".into()));
        assert_eq!(filled, r#"{"to": "{text}", "a": {}, "x": "{text}{To}{a b}{"}"#);
        assert_eq!(fill("{to}", |_| Some("1".into())), "1");
        assert_eq!(fill("रु{to}", |_| Some("{to}".into())), "रु{to}");
    }
}
