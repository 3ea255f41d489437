//! Signatures of webhooks and checkouts: hex HMAC-SHA256.

use hmac::{Hmac, KeyInit, Mac};
use roadcall_platform::{keys::KeyRing, settings::Secret};
use sha2::Sha256;

use super::settings::GatewaySettings;

/// The secrets that webhooks are signed with: the one in use and, while it is being replaced, the previous or the next one.
#[derive(derive_more::Debug, Clone)]
#[debug("WebhookKeys(..)")]
pub struct WebhookKeys(KeyRing<Vec<u8>>);

impl WebhookKeys {
    /// Reads the keys from the settings; `generated` serves if the settings name no secret.
    pub fn new(settings: &GatewaySettings, generated: &KeyRing<String>) -> Self {
        let ring = ring(&settings.webhook_secret, generated);
        let previous = Some(&settings.webhook_secret_previous.0).filter(|secret| !secret.is_empty());
        let accepted =
            ring.accepted().iter().cloned().chain(previous.map(|secret| secret.as_bytes().to_vec()));
        Self(KeyRing::new(ring.current().clone(), accepted.collect()))
    }

    /// Returns the signature of `body` under the secret in use.
    pub fn sign(&self, body: &[u8]) -> String {
        signature(self.0.current(), body)
    }

    /// Returns whether `signature` (hex, in either case) signs `body` under any of the secrets. Compares in constant time.
    pub fn is_genuine(&self, body: &[u8], signature: &str) -> bool {
        let Some(tag) = from_hex(signature) else { return false };
        self.0.any(|key| mac(key, body).verify_slice(&tag).is_ok())
    }
}

/// The key's secret. The gateway signs with it what a checkout hands to the app: `{order_id}|{attempt_id}`.
#[derive(derive_more::Debug, Clone)]
#[debug("CheckoutKey(..)")]
pub struct CheckoutKey(KeyRing<Vec<u8>>);

impl CheckoutKey {
    /// Reads the key from the settings; `generated` serves if the settings name no secret.
    pub fn new(settings: &GatewaySettings, generated: &KeyRing<String>) -> Self {
        Self(ring(&settings.key_secret, generated))
    }

    pub fn sign(&self, order_id: &str, attempt_id: &str) -> String {
        signature(self.0.current(), format!("{order_id}|{attempt_id}").as_bytes())
    }

    /// Returns whether the gateway signed this checkout. Compares in constant time.
    pub fn is_genuine(&self, order_id: &str, attempt_id: &str, signature: &str) -> bool {
        let Some(tag) = from_hex(signature) else { return false };
        let signed = format!("{order_id}|{attempt_id}");
        self.0.any(|key| mac(key, signed.as_bytes()).verify_slice(&tag).is_ok())
    }
}

/// Returns the secret of the settings alone, or else the generated ones.
fn ring(given: &Secret, generated: &KeyRing<String>) -> KeyRing<Vec<u8>> {
    match given.0.as_bytes() {
        [] => generated.map(|key| key.as_bytes().to_vec()),
        given => KeyRing::alone(given.to_vec()),
    }
}

fn signature(key: &[u8], body: &[u8]) -> String {
    hex::encode(mac(key, body).finalize().into_bytes())
}

fn mac(key: &[u8], body: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(body);
    mac
}

/// Decodes the hex form of 32 bytes; anything else is `None`.
pub fn from_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use roadcall_platform::settings::testing::default_of;

    use super::*;

    fn generated(key: &str) -> KeyRing<String> {
        KeyRing::alone(key.to_owned())
    }

    fn keys(current: &str, previous: &str) -> WebhookKeys {
        let gateway = GatewaySettings {
            webhook_secret: Secret(current.to_owned()),
            webhook_secret_previous: Secret(previous.to_owned()),
            ..default_of("gateway")
        };
        WebhookKeys::new(&gateway, &generated("generated"))
    }

    #[test]
    fn a_signature_agrees_with_the_standard() {
        // RFC 4231, test case 2.
        let signature = keys("Jefe", "").sign(b"what do ya want for nothing?");
        assert_eq!(signature, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    #[test]
    fn a_checkout_is_genuine_for_its_own_order_alone() {
        let gateway = GatewaySettings {
            key_secret: Secret("EnLs21M47BllR3X8PSFtjtbd".to_owned()),
            ..default_of("gateway")
        };
        let key = CheckoutKey::new(&gateway, &generated("generated"));
        let signature = key.sign("order_IEIaMR65cu6nz3", "pay_IH4NVgf4Dreq1l");
        // The example is from the documentation of Razorpay's SDKs.
        assert_eq!(signature, "0d4e745a1838664ad6c9c9902212a32d627d68e917290b0ad5f08ff4561bc50f");
        assert!(key.is_genuine("order_IEIaMR65cu6nz3", "pay_IH4NVgf4Dreq1l", &signature));
        for (order, attempt) in
            [("order_IEIaMR65cu6nz4", "pay_IH4NVgf4Dreq1l"), ("order_IEIaMR65cu6nz3", "pay_x")]
        {
            assert!(!key.is_genuine(order, attempt, &signature));
        }
        assert!(!CheckoutKey::new(&default_of("gateway"), &generated("x")).is_genuine(
            "order_IEIaMR65cu6nz3",
            "pay_IH4NVgf4Dreq1l",
            &signature
        ));
    }

    #[test]
    fn generated_secrets_are_replaced_with_the_services_own() {
        let gateway = default_of("gateway");
        let ring = KeyRing::new("new".to_owned(), vec!["old".to_owned()]);
        let (old, new) = (generated("old"), generated("new"));
        let webhooks = WebhookKeys::new(&gateway, &ring);
        assert!(webhooks.is_genuine(b"{}", &WebhookKeys::new(&gateway, &old).sign(b"{}")));
        assert_eq!(webhooks.sign(b"{}"), WebhookKeys::new(&gateway, &new).sign(b"{}"));
        let checkout = CheckoutKey::new(&gateway, &ring);
        assert!(checkout.is_genuine("o", "a", &CheckoutKey::new(&gateway, &old).sign("o", "a")));
        assert!(!CheckoutKey::new(&gateway, &old).is_genuine("o", "a", &checkout.sign("o", "a")));
    }

    #[test]
    fn the_previous_secret_holds_while_rotating() {
        let (old, new) = (keys("old", ""), keys("new", "old"));
        assert!(new.is_genuine(b"{}", &old.sign(b"{}")) && new.is_genuine(b"{}", &new.sign(b"{}")));
        assert!(!old.is_genuine(b"{}", &new.sign(b"{}")));
        assert!(!new.is_genuine(b"{} ", &new.sign(b"{}")));
        assert!(new.is_genuine(b"{}", &new.sign(b"{}").to_uppercase()));
        for odd in ["", "00", "zz", "é".repeat(32).as_str(), &"0".repeat(64)] {
            assert!(!new.is_genuine(b"{}", odd), "{odd}");
        }
    }
}
