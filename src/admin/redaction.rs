//! What must not stand in the trail, whoever wrote it there: telephone numbers and secrets. Pure.

use serde_json::Value;

/// In the place of what was taken out.
const HIDDEN: &str = "[hidden]";
/// Fields that hold a secret by their name.
const SECRETS: [&str; 7] = ["password", "token", "secret", "otp", "phone", "start_code", "vpa"];
/// Digits after the plus of an E.164 number.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;

/// The same without them.
pub fn redacted(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(without_local_numbers(&without_numbers(&text))),
        Value::Array(items) => items.into_iter().map(redacted).collect(),
        Value::Object(fields) => {
            let field = |(key, value): (String, Value)| {
                let is_secret = SECRETS.iter().any(|secret| key.contains(secret)) && !value.is_null();
                (key, if is_secret { HIDDEN.into() } else { redacted(value) })
            };
            Value::Object(fields.into_iter().map(field).collect())
        }
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_)) => plain,
    }
}

/// E.164 numbers in a free text, spaces and dashes within them included. A bank's reference, which has no plus, stays.
fn without_numbers(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('+') {
        let (before, number) = rest.split_at(at);
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')' | '.');
        let end = number[1..].find(|c: char| !is_part(c)).map_or(number.len(), |end| end + 1);
        let (number, after) = number.split_at(end);
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        shown.push_str(before);
        if DIGITS.contains(&digits) {
            shown.push_str(HIDDEN);
            shown.push_str(&number[number.trim_end().len()..]);
        } else {
            shown.push_str(number);
        }
        rest = after;
    }
    shown.push_str(rest);
    shown
}

/// Mobile numbers as they are written within India: ten digits, the first 6 to 9, which no letter or digit touches.
fn without_local_numbers(text: &str) -> String {
    let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    let shown = words.map(|word| {
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_number = digits.len() == 10
            && digits.bytes().all(|b| b.is_ascii_digit())
            && digits.starts_with(['6', '7', '8', '9']);
        if is_number { format!("{HIDDEN}{}", &word[digits.len()..]) } else { word.to_owned() }
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_and_secrets_are_taken_out_and_all_else_stays() {
        let cases = [
            (json!("call +919876543210 back"), json!("call [hidden] back")),
            (json!("+91 98765-43210"), json!("[hidden]")),
            (json!("+919876543210,+14155550100"), json!("[hidden],[hidden]")),
            (json!("2 + 2, 1+1"), json!("2 + 2, 1+1")),
            (json!("(+91)9876543210, or 9876543211."), json!("([hidden], or [hidden].")),
            (json!("98765432109 at 5550001234"), json!("98765432109 at 5550001234")),
            (json!("NEFT N004260001234"), json!("NEFT N004260001234")),
            (json!("2026-03-14T08:30:00.000+05:30"), json!("2026-03-14T08:30:00.000+05:30")),
            (json!({"phone": "x", "status": "paid"}), json!({"phone": "[hidden]", "status": "paid"})),
            (
                json!({"webhook_secret": 1, "token": null}),
                json!({"webhook_secret": "[hidden]", "token": null}),
            ),
            (json!([{"reason": "+919876543210"}, 7, null]), json!([{"reason": "[hidden]"}, 7, null])),
        ];
        for (value, expected) in cases {
            assert_eq!(redacted(value.clone()), expected, "{value}");
        }
    }
}
