//! JSON from outside, bounded while it is read: the cost of refusing a text does not grow with the text.

use std::{
    cell::{Cell, RefCell},
    fmt,
};

use deserr::ValuePointerRef;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::read::ValidationErrors;

/// The number of items of one array: more than any field accepts. The field's own type has its own limit.
pub const MAX_ITEMS: usize = 1_000;
/// The number of values of one text, including those within others.
pub const MAX_VALUES: usize = 8_192;

/// Returns the value of a JSON text, or its one fault: malformed, an array that is too long, or too many values in
/// total. A whole number is an integer however it is written, as in JSON Schema: 7.0 is 7.
pub fn read_json(text: &[u8]) -> Result<Value, ValidationErrors> {
    let budget = Budget { left: Cell::new(MAX_VALUES), fault: RefCell::default() };
    let mut parser = serde_json::Deserializer::from_slice(text);
    let at = ValuePointerRef::Origin;
    let read = Reader { budget: &budget, at }.deserialize(&mut parser);
    let read = read.and_then(|value| parser.end().map(|()| value));
    read.map_err(|why| {
        let fault = budget.fault.take();
        fault.unwrap_or_else(|| ValidationErrors::one(at, format!("is not valid JSON: {why}")))
    })
}

/// The number of values that may still be read, and the reason why reading stopped.
struct Budget {
    left: Cell<usize>,
    fault: RefCell<Option<ValidationErrors>>,
}

impl Budget {
    fn refuse<E: Error>(&self, fault: ValidationErrors) -> E {
        self.fault.replace(Some(fault));
        E::custom("too much")
    }
}

/// Reads one value; the parser bounds the depth.
#[derive(Clone, Copy)]
struct Reader<'a> {
    budget: &'a Budget,
    at: ValuePointerRef<'a>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<Value, D::Error> {
        let Some(left) = self.budget.left.get().checked_sub(1) else {
            let why = format!("must contain at most {MAX_VALUES} values");
            return Err(self.budget.refuse(ValidationErrors::one(ValuePointerRef::Origin, why)));
        };
        self.budget.left.set(left);
        parser.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        /// The largest number below which doubles hold every whole number.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if value.fract() == 0.0 && value.abs() <= EXACT {
            return Ok((value as i64).into());
        }
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parser: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        loop {
            let at = self.at.push_index(items.len());
            let Some(item) = parser.next_element_seed(Reader { at, ..self })? else {
                return Ok(Value::Array(items));
            };
            if items.len() == MAX_ITEMS {
                let why = format!("must have at most {MAX_ITEMS} items");
                return Err(self.budget.refuse(ValidationErrors::one(self.at, why)));
            }
            items.push(item);
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parser: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = parser.next_key::<String>()? {
            let value = parser.next_value_seed(Reader { at: self.at.push_key(&key), ..self })?;
            fields.insert(key, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn faults_of(text: &str) -> Vec<String> {
        read_json(text.as_bytes()).err().map(|faults| faults.0.into_keys().collect()).unwrap_or_default()
    }

    #[test]
    fn any_json_is_read_unchanged() {
        let text = r#"{"a": [1, -2, 7.0, 9007199254740992.0, 0.5, 18446744073709551615, 1e300, "ü\n", null, true], "b": {"c": {}}}"#;
        let value = json!({"a": [1, -2, 7, 9007199254740992_i64, 0.5, 18446744073709551615_u64, 1e300, "ü\n", null, true], "b": {"c": {}}});
        assert_eq!(read_json(text.as_bytes()), Ok(value));
        for malformed in ["", "{", "{} {}", "[1,]", "nul", "\u{1}", &"[".repeat(200)] {
            assert_eq!(faults_of(malformed), ["body"], "{malformed}");
        }
    }

    #[test]
    fn an_array_is_read_no_further_than_any_field_accepts() {
        let list = |count: usize| vec!["0"; count].join(",");
        assert_eq!(faults_of(&format!("[{}]", list(MAX_ITEMS))), Vec::<String>::new());
        // The rest is not even JSON.
        assert_eq!(faults_of(&format!(r#"{{"a":{{"b":[{}, nonsense"#, list(MAX_ITEMS + 1))), ["a.b"]);
    }

    #[test]
    fn a_text_is_read_no_further_than_the_limit_of_values() {
        let fields = (0..MAX_VALUES - 1).map(|n| format!(r#""{n}":0"#)).collect::<Vec<_>>().join(",");
        assert_eq!(faults_of(&format!("{{{fields}}}")), Vec::<String>::new());
        assert_eq!(faults_of(&format!(r#"{{{fields},"more":0, nonsense"#)), ["body"]);
    }
}
