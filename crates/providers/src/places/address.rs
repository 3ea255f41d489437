//! Writes an address on one line: from the place to its town. Pure.

/// The maximum number of characters of a line.
const MAX_LINE: usize = 300;
/// The maximum number of characters of a part; a longer part is left out.
const MAX_PART: usize = 120;

/// The known parts of a place's address; empty parts are left out.
#[derive(Debug, Default)]
pub(super) struct AddressParts<'a> {
    pub name: &'a str,
    pub house: &'a str,
    pub street: &'a str,
    /// A part of the town.
    pub area: &'a str,
    pub town: &'a str,
    pub postcode: &'a str,
    /// Used if there is no town.
    pub region: &'a str,
}

impl AddressParts<'_> {
    /// Returns the name, or a substitute for it, and the whole line; `None` if there is nothing to show.
    pub fn written(&self) -> Option<(String, String)> {
        let [name, house, street] = [self.name, self.house, self.street].map(plain);
        let [area, town, postcode, region] = [self.area, self.town, self.postcode, self.region].map(plain);
        let door = joined(", ", [house, street]);
        let town = if town.is_empty() { region } else { town };
        let end = joined(" ", [town.clone(), postcode]);
        let mut line: Vec<String> = Vec::new();
        let mut length = 0;
        for (part, said) in [(&name, &name), (&door, &door), (&area, &area), (&end, &town)] {
            let is_new = !part.is_empty() && !line.iter().any(|before| is_alike(before, said));
            if is_new && length + part.chars().count() + 2 <= MAX_LINE {
                length += part.chars().count() + 2;
                line.push(part.clone());
            }
        }
        Some((line.first()?.clone(), line.join(", ")))
    }
}

/// Puts a text of other services on one line; a text that is too long becomes empty.
pub(super) fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let text = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if text.chars().count() <= MAX_PART { text } else { String::new() }
}

fn joined(between: &str, parts: [String; 2]) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(between)
}

fn is_alike(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_from_the_place_to_its_town() {
        let whole = AddressParts {
            name: "Toit",
            house: "298",
            street: "100 Feet Road",
            area: "Indiranagar",
            town: "Bengaluru",
            postcode: "560038",
            region: "Karnataka",
        };
        let line = "Toit, 298, 100 Feet Road, Indiranagar, Bengaluru 560038";
        assert_eq!(whole.written(), Some(("Toit".to_owned(), line.to_owned())));
        let house = AddressParts { name: "", area: "", postcode: "", ..whole };
        let line = "298, 100 Feet Road, Bengaluru";
        assert_eq!(house.written(), Some(("298, 100 Feet Road".to_owned(), line.to_owned())));
    }

    #[test]
    fn no_part_is_repeated_and_odd_parts_are_left_out() {
        let town =
            AddressParts { name: "Bengaluru", town: "bengaluru", postcode: "560001", ..Default::default() };
        assert_eq!(town.written().map(|(_, line)| line).as_deref(), Some("Bengaluru"));
        let odd = AddressParts { name: " MG\u{7}\n Road ", region: "Karnataka", ..Default::default() };
        assert_eq!(odd.written().map(|(_, line)| line).as_deref(), Some("MG Road, Karnataka"));
        let endless = "x".repeat(MAX_PART + 1);
        assert_eq!(AddressParts { name: &endless, ..Default::default() }.written(), None);
        let long = "y".repeat(MAX_PART);
        let parts = AddressParts {
            name: &long,
            street: "A Road",
            area: &"z".repeat(MAX_PART),
            town: &"t".repeat(MAX_PART),
            ..Default::default()
        };
        assert!(parts.written().is_some_and(|(_, line)| line.chars().count() <= MAX_LINE));
    }
}
