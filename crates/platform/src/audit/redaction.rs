//! Keeps telephone numbers and secrets out of the audit log. Pure.

use serde_json::Value;

/// Replaces what was taken out.
const HIDDEN: &str = "[hidden]";
/// Parts of the names of fields that hold a secret.
const SECRETS: [&str; 7] = ["password", "token", "secret", "otp", "phone", "start_code", "vpa"];
/// How many digits follow the plus of an E.164 number.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// Prefixes of a number within India, the longest first.
const PREFIXES: [&str; 4] = ["0091", "91", "0", ""];
/// How many digits such a number has if it is written as one word, without a prefix.
const PLAIN: usize = 10;

/// Returns the value without telephone numbers and secrets.
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

/// Hides E.164 numbers in a text, with the spaces and dashes within them. A bank's reference, which has no plus, stays.
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

/// Hides mobile numbers as they are written within India: ten digits, the first 6 to 9, that no letter or digit
/// touches. A prefix may precede them, and one space or dash may follow the prefix and the fifth digit.
fn without_local_numbers(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let (mut rest, mut at) = (text, 0);
    while let Some(next) = rest.chars().next() {
        let length = local_number(&text[..at], rest);
        match length {
            Some(_) => shown.push_str(HIDDEN),
            None => shown.push(next),
        }
        at += length.unwrap_or(next.len_utf8());
        rest = &text[at..];
    }
    shown
}

/// Returns how many bytes at the start of `text`, which follows `before`, are a number of that kind.
fn local_number(before: &str, text: &str) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric();
    if before.ends_with(is_part) || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let length = PREFIXES.iter().find_map(|prefix| {
        let number = text.strip_prefix(prefix)?;
        let number = if prefix.is_empty() { number } else { without_gap(number) };
        let behind = behind_number(number)?;
        (!behind.starts_with(is_part)).then(|| text.len() - behind.len())
    })?;
    let after = &text[length..];
    // Next to a point, the digits are part of a decimal number, and next to a dash, of an id.
    let in_decimal = touches(before, '.', after, |c| c.is_ascii_digit());
    let in_id = length > PLAIN && touches(before, '-', after, is_part);
    (!in_decimal && !in_id).then_some(length)
}

/// Returns whether `mark` joins the text before or after it to something of that kind.
fn touches(before: &str, mark: char, after: &str, kind: impl Fn(char) -> bool) -> bool {
    before.strip_suffix(mark).is_some_and(|before| before.ends_with(&kind))
        || after.strip_prefix(mark).is_some_and(|after| after.starts_with(&kind))
}

/// Returns the text after the ten digits; `None` if there are no ten digits.
fn behind_number(text: &str) -> Option<&str> {
    let (first, rest) = five_digits(text)?;
    let (last, behind) = five_digits(without_gap(rest))?;
    // "from 60000-75000" is about money.
    let is_range = !rest.starts_with(last) && [first, last].iter().all(|half| half.ends_with("000"));
    (first.starts_with(['6', '7', '8', '9']) && !is_range).then_some(behind)
}

fn five_digits(text: &str) -> Option<(&str, &str)> {
    let (digits, rest) = text.split_at_checked(5)?;
    digits.bytes().all(|b| b.is_ascii_digit()).then_some((digits, rest))
}

fn without_gap(text: &str) -> &str {
    text.strip_prefix([' ', '-']).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_and_secrets_are_hidden_and_all_else_stays() {
        let cases = [
            (json!("call +919876543210 back"), json!("call [hidden] back")),
            (json!("+91 98765-43210"), json!("[hidden]")),
            (json!("+919876543210,+14155550100"), json!("[hidden],[hidden]")),
            (json!("2 + 2, 1+1"), json!("2 + 2, 1+1")),
            (json!("(+91)9876543210, or 9876543211."), json!("([hidden], or [hidden].")),
            (json!("98765432109 at 5550001234"), json!("98765432109 at 5550001234")),
            (json!("98123 45678"), json!("[hidden]")),
            (json!("98123-45678, call."), json!("[hidden], call.")),
            (json!("at 09812345678 or 919812345678"), json!("at [hidden] or [hidden]")),
            (json!("91 98123 45678/0-9812345679"), json!("[hidden]/[hidden]")),
            (json!("9198123 45678;00919812345678"), json!("[hidden];[hidden]")),
            (json!("9812345678,9812345679"), json!("[hidden],[hidden]")),
            (json!("₹98123 पर 98123 45678।"), json!("₹98123 पर [hidden]।")),
            (json!("91981234567, 0981234567, 909812345678"), json!("91981234567, 0981234567, 909812345678")),
            (json!("60000-75000 paise, 98123.45"), json!("60000-75000 paise, 98123.45")),
            (json!("12.9715987654, 9812345678.50"), json!("12.9715987654, 9812345678.50")),
            (json!("019b7876-a4c0-7a10-8d21-919812345678"), json!("019b7876-a4c0-7a10-8d21-919812345678")),
            (json!("98123 45678 90"), json!("[hidden] 90")),
            (json!("1712345678901"), json!("1712345678901")),
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
