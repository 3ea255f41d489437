//! The body of a webhook: the event and its payload, read as leniently as its sender can expect. Pure.

use std::borrow::Cow;

use serde_json::{Number, Value};

/// The mark that some programs put before their UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
/// The size in bytes up to which a body is stored whole. Texts and lists of a larger body are cut: none that is used is
/// that long.
const MAX_WHOLE: usize = 65_536;
const MAX_TEXT: usize = 2_000;
const MAX_LIST: usize = 64;
/// The limit up to which doubles hold every whole number.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// An event as it was sent.
#[derive(Debug, PartialEq)]
pub struct SentEvent {
    pub name: String,
    pub body: Value,
}

/// Reads `{event: string, payload: object}`; the error says what the body has instead. A body with more than 127
/// levels, or with a number that no double holds, is refused in the parser's words.
pub fn read_event(bytes: &[u8]) -> Result<SentEvent, Cow<'static, str>> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if bytes.is_empty() {
        return Err("is missing".into());
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "is not UTF-8")?;
    let parsed: Result<Value, _> = serde_json::from_str(&with_whole_characters(text));
    let mut body = parsed.map_err(|why| format!("can't be read as JSON: {why}"))?;
    let name = body.get("event").and_then(Value::as_str).ok_or("has no event")?.to_owned();
    if !body.get("payload").is_some_and(Value::is_object) {
        return Err("has no payload".into());
    }
    make_whole(&mut body);
    if bytes.len() > MAX_WHOLE {
        cut(&mut body);
    }
    Ok(SentEvent { name, body })
}

fn cut(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some((at, _)) = text.char_indices().nth(MAX_TEXT) {
                text.truncate(at);
            }
        }
        Value::Array(items) => {
            items.truncate(MAX_LIST);
            items.iter_mut().for_each(cut);
        }
        Value::Object(fields) => fields.values_mut().for_each(cut),
        _ => {}
    }
}

/// Makes whole numbers integers, however they are written: 2.9900e4 is 29900.
fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().filter(|n| n.fract() == 0.0 && n.abs() <= EXACT);
            if let Some(whole) = whole {
                *number = Number::from(whole as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_whole),
        Value::Object(fields) => fields.values_mut().for_each(make_whole),
        _ => {}
    }
}

/// Replaces half characters by U+FFFD. JSON may name one, `\ud83d` without its other half, which Rust's texts can't
/// hold.
fn with_whole_characters(text: &str) -> Cow<'_, str> {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return text.into();
    }
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match (code_unit(escape), escape.get(6..).and_then(code_unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(_), _) => 6,
            // In `\\` and the like, the escaped character begins no escape.
            (None, _) => 1 + escape[1..].chars().next().map_or(0, char::len_utf8),
        };
        let is_half = length == 6 && matches!(code_unit(escape), Some(0xd800..=0xdfff));
        whole.push_str(if is_half { "\\ufffd" } else { &escape[..length] });
        rest = &escape[length..];
    }
    whole.push_str(rest);
    whole.into()
}

/// Returns the code unit of an escape at the beginning of a text.
fn code_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        u16::from_str_radix(digits, 16).ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn note(text: &str) -> Result<Value, Cow<'static, str>> {
        let body = format!(r#"{{"event": "payment.captured", "payload": {{"note": {text}}}}}"#);
        read_event(body.as_bytes()).map(|event| event.body["payload"]["note"].clone())
    }

    #[test]
    fn long_texts_and_lists_of_a_large_body_are_cut() {
        let large =
            json!(["é".repeat(60_000), vec![1; 60_000], {"amount": 29_900, "note": "ü".repeat(2_000)}]);
        let kept = note(&large.to_string()).expect("an event");
        assert_eq!(
            (kept[0].as_str().map(|text| text.chars().count()), kept[1].as_array().map(Vec::len)),
            (Some(2_000), Some(64))
        );
        assert_eq!((&kept[2], kept[3].clone()), (&large[2], Value::Null));
        let small = json!("é".repeat(20_000));
        assert_eq!(note(&small.to_string()), Ok(small));
    }

    fn nested(levels: usize) -> String {
        format!("{}{}", "[".repeat(levels), "]".repeat(levels))
    }

    #[test]
    fn every_form_that_json_allows_is_read() {
        for (text, value) in [
            ("2.9900e4", json!(29_900)),
            ("29900.0", json!(29_900)),
            ("1e-2", json!(0.01)),
            ("1E300", json!(1e300)),
            (r#""\ud83d\ude97""#, json!("🚗")),
            (r#""\ud83d""#, json!("\u{fffd}")),
            (r#""\uDE97 and \ud83dx""#, json!("\u{fffd} and \u{fffd}x")),
            (r#""\ud83d\ud83d\ude97""#, json!("\u{fffd}🚗")),
            (r#""\\ud83d""#, json!("\\ud83d")),
            (r#""\\\ud83d""#, json!("\\\u{fffd}")),
            (r#""\u0000é""#, json!("\0é")),
        ] {
            assert_eq!(note(text), Ok(value), "{text}");
        }
        // The body and its payload are levels, too.
        assert!(note(&nested(125)).is_ok());
        let marked = [BYTE_ORDER_MARK, br#"{"event": "a", "payload": {}}"#].concat();
        assert_eq!(read_event(&marked).map(|event| event.name), Ok("a".to_owned()));
    }

    #[test]
    fn the_refusal_of_a_body_says_why() {
        let why = |body: &[u8]| read_event(body).expect_err("a refusal").into_owned();
        for (body, expected) in [
            ("", "is missing"),
            ("\u{feff}", "is missing"),
            ("{}", "has no event"),
            (r#"{"event": 1}"#, "has no event"),
            ("[]", "has no event"),
            (r#"{"event": "a"}"#, "has no payload"),
            (r#"{"event": "a", "payload": []}"#, "has no payload"),
        ] {
            assert_eq!(why(body.as_bytes()), expected, "{body}");
        }
        assert_eq!(why(b"\xff"), "is not UTF-8");
        for (text, part) in [
            (nested(126).as_str(), "recursion limit"),
            ("1e400", "number out of range"),
            (r#""\uD8""#, "invalid escape"),
            (r#""\u12"#, ""),
            ("nul", ""),
        ] {
            let why = note(text).expect_err("a refusal");
            assert!(why.starts_with("can't be read as JSON: ") && why.contains(part), "{text}: {why}");
        }
    }

    proptest! {
        #[test]
        fn whole_texts_stay_as_they_are(text in "\\PC*") {
            let quoted = json!(text).to_string();
            prop_assert_eq!(note(&quoted), Ok(json!(text)));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in r#"([\\u0-9dDeE"]|ud[89a-f][0-9a-f]{2}|é){0,40}"#) {
            // Both results are fine: read, or refused.
            let _ = read_event(text.as_bytes());
            let _ = note(&format!("\"{text}\""));
        }
    }
}
