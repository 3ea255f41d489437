//! Checks the input of the gateway's webhook: a signature in a header, and a body.

use crate::{
    money::payments::inbox::read_event,
    platform::keys::KeyRing,
    providers::gateway::{WebhookKeys, from_hex},
    service::settings::Settings,
};

pub fn check(signature: &str, body: &[u8]) {
    let generated = KeyRing::alone("a secret that was generated".to_owned());
    let keys = WebhookKeys::new(&Settings::defaults().gateway, &generated);
    let is_taken = keys.is_genuine(body, signature);
    assert!(!is_taken || signature.eq_ignore_ascii_case(&keys.sign(body)), "a body has one signature");
    let genuine = keys.sign(body);
    assert!(keys.is_genuine(body, &genuine) && keys.is_genuine(body, &genuine.to_uppercase()));
    if let Some(bytes) = from_hex(signature) {
        assert!(hex::encode(bytes).eq_ignore_ascii_case(signature));
    }
    if let Ok(event) = read_event(body) {
        assert_eq!(event.body["event"], event.name);
        assert!(event.body["payload"].is_object());
        let again = serde_json::to_vec(&event.body).expect("a value can be written");
        assert!(read_event(&again).is_ok_and(|again| again.name == event.name), "what is kept can be read");
    }
}
