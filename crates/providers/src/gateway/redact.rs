//! Removes personal data that the service does not need from a gateway's webhook, before it is stored and shown. Pure.
//!
//! Fields are found by their names, at any depth: payloads that the service does not read have them too.

use serde_json::Value;

/// The text that replaces a removed value.
pub const REMOVED: &str = "[removed]";
/// The name of an address's owner at the bank, which is needed once, to process the event.
const NAME_AT_BANK: &str = "registered_name";
/// The names of personal fields, in lower case. A more precise name ends with one of them (`customer_email`).
const PERSONAL: [&str; 10] =
    ["account_number", "address", "birthday", "contact", "email", "ip", "mobile", "name", "phone", "vpa"];

/// Returns an event's body as it is stored.
pub fn for_storage(mut body: Value) -> Value {
    remove(&mut body, &|field| field == NAME_AT_BANK);
    body
}

/// Returns the body of a stored event as it is kept once the event is settled.
pub fn settled(body: &str) -> serde_json::Result<String> {
    Ok(for_display(serde_json::from_str(body)?).to_string())
}

/// Returns the body of a stored event as it is kept once the event is settled; `None` if it is stored like that already.
pub fn at_settlement(body: Value) -> Option<String> {
    has_personal(&body).then(|| for_display(body).to_string())
}

/// Returns whether [`for_display`] would remove anything.
fn has_personal(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.iter().any(|(name, value)| match value {
            Value::Object(_) | Value::Array(_) if !is_personal(name) => has_personal(value),
            Value::Null => false,
            value => is_personal(name) && value != REMOVED,
        }),
        Value::Array(items) => items.iter().any(has_personal),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Returns an event's body as it is shown, and as it is kept once the event is settled.
pub fn for_display(mut body: Value) -> Value {
    remove(&mut body, &|_| false);
    body
}

fn remove(value: &mut Value, is_needed: &dyn Fn(&str) -> bool) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::Object(_) | Value::Array(_) if !is_personal(name) => remove(value, is_needed),
                    Value::Null => {}
                    _ if is_personal(name) && !is_needed(name) => *value = Value::from(REMOVED),
                    _ => {}
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| remove(item, is_needed)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_personal(field: &str) -> bool {
    let field = field.as_bytes();
    PERSONAL.iter().any(|name| {
        field
            .split_at_checked(field.len().wrapping_sub(name.len()))
            .is_some_and(|(before, end)| end.eq_ignore_ascii_case(name.as_bytes()) && is_qualifier(before))
    })
}

/// Returns whether a name with this beginning before a personal name is a more precise form of it.
fn is_qualifier(before: &[u8]) -> bool {
    before.is_empty() || before.ends_with(b"_")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn personal_fields_are_removed_at_any_depth_and_the_rest_stays() {
        let payment = json!({
            "id": "pay_1", "amount": 29900, "contact": "+919000090000", "email": "asha@example.com", "vpa": "asha@okbank",
            "card": {"id": "card_1", "name": "Asha Rao", "last4": "1111"}, "upi": {"vpa": "asha@okbank", "flow": "intent"},
            "bank": null, "notes": [{"customer_email": "asha@example.com"}], "error_description": "declined",
        });
        let shown =
            for_display(json!({"event": "payment.captured", "payload": {"payment": {"entity": payment}}}));
        let expected = json!({
            "id": "pay_1", "amount": 29900, "contact": REMOVED, "email": REMOVED, "vpa": REMOVED,
            "card": {"id": "card_1", "name": REMOVED, "last4": "1111"}, "upi": {"vpa": REMOVED, "flow": "intent"},
            "bank": null, "notes": [{"customer_email": REMOVED}], "error_description": "declined",
        });
        assert_eq!(shown["payload"]["payment"]["entity"], expected);
        assert_eq!(shown["event"], "payment.captured");
    }

    #[test]
    fn a_payment_address_is_removed_whole_and_the_banks_name_is_kept_until_it_is_read() {
        let body = json!({"entity": {
            "fund_account": {"account_type": "vpa", "vpa": {"username": "asha", "handle": "okbank"},
                "contact": {"id": "cont_1"}},
            "results": {"account_status": "active", "registered_name": "ASHA RAO"},
        }});
        let kept = for_storage(body.clone());
        assert_eq!(
            kept["entity"]["fund_account"],
            json!({"account_type": "vpa", "vpa": REMOVED, "contact": REMOVED})
        );
        assert_eq!(kept["entity"]["results"]["registered_name"], "ASHA RAO");
        let shown = for_display(body);
        assert_eq!(
            shown["entity"]["results"],
            json!({"account_status": "active", "registered_name": REMOVED})
        );
        assert_eq!(at_settlement(kept), Some(shown.to_string()));
        assert_eq!(at_settlement(shown), None, "nothing is left to remove");
    }
}
