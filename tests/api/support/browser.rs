//! A subscribed browser and its push service. It answers as RFC 8030 says, checks the sender (RFC 8292) and decrypts pushes (RFC
//! 8291) by these standards, and not with the code under test.

use actix_web::HttpResponse;
use aws_lc_rs::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree},
    hmac,
    signature::{self, ECDSA_P256_SHA256_FIXED},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::peer::{Manner, Peer, PeerRequest, Provider};

/// A push that arrived and was decrypted.
#[derive(Debug, Clone, PartialEq)]
pub struct Pushed {
    pub content: Value,
    pub ttl_s: u64,
    pub urgency: String,
    pub topic: String,
    /// The signer's key, in base64url.
    pub public_key: String,
    pub claims: Value,
}

pub struct Subscription {
    private: PrivateKey,
    public: Vec<u8>,
    auth: [u8; 16],
    pushed: Vec<Pushed>,
    faults: Vec<String>,
}

pub type Browser = Peer<Subscription>;

impl Default for Subscription {
    fn default() -> Self {
        let private = PrivateKey::generate(&ECDH_P256).unwrap();
        let public = private.compute_public_key().unwrap().as_ref().to_vec();
        Self { private, public, auth: [5; 16], pushed: Vec::new(), faults: Vec::new() }
    }
}

impl Provider for Subscription {
    /// Reads a push, with any answer.
    fn receive(&mut self, request: &PeerRequest) -> Option<Manner> {
        match read(request, self) {
            Ok(pushed) => self.pushed.push(pushed),
            Err(why) => self.faults.push(why),
        }
        None
    }

    fn answer(&mut self, _request: &PeerRequest) -> HttpResponse {
        HttpResponse::Created().finish()
    }
}

impl Browser {
    /// Returns the body that registers it.
    pub fn registration(&self, device_id: &str) -> Value {
        let (endpoint, subscription) = (format!("{}/send/{device_id}", self.url()), self.provider());
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let keys = json!({"p256dh": encode(&subscription.public), "auth": encode(&subscription.auth)});
        json!({"token": endpoint, "platform": "web", "keys": keys, "device_id": device_id})
    }

    /// Returns everything that arrived and could be read, with any answer.
    pub fn pushed(&self) -> Vec<Pushed> {
        self.provider().pushed.clone()
    }

    pub fn faults(&self) -> Vec<String> {
        self.provider().faults.clone()
    }

    /// Waits until so many pushes of a type have arrived.
    pub async fn until_pushed(&self, kind: &str, count: usize) -> Vec<Pushed> {
        let look = || {
            assert_eq!(self.faults(), Vec::<String>::new());
            let all = self.pushed().into_iter().filter(|pushed| pushed.content["type"] == kind);
            Some(all.collect::<Vec<_>>()).filter(|found| found.len() >= count)
        };
        self.until(&format!("{count} of {kind} are pushed"), look).await
    }
}

fn read(request: &PeerRequest, state: &Subscription) -> Result<Pushed, String> {
    let header = |name: &str| request.header(name).map(str::to_owned).ok_or_else(|| format!("no {name}"));
    let body = &request.body;
    if request.method != "POST" || header("content-encoding")? != "aes128gcm" || body.len() > 4096 {
        return Err(format!("{} of {} bytes", request.method, body.len()));
    }
    let (public_key, claims) = signer(&header("authorization")?)?;
    Ok(Pushed {
        content: serde_json::from_slice(&opened(body, state)?).map_err(|why| why.to_string())?,
        ttl_s: header("ttl")?.parse().map_err(|_| "a TTL that is no number".to_owned())?,
        urgency: header("urgency")?,
        topic: header("topic")?,
        public_key,
        claims,
    })
}

/// Returns the signer's key, and the signed claims.
fn signer(authorization: &str) -> Result<(String, Value), String> {
    let parts = authorization.strip_prefix("vapid t=").and_then(|rest| rest.split_once(", k="));
    let (token, key) = parts.ok_or("another scheme than vapid")?;
    let (signed, signature) = token.rsplit_once('.').ok_or("no JWT")?;
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).map_err(|why| why.to_string());
    let public = signature::UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(key)?);
    let signature = decode(signature)?;
    public.verify(signed.as_bytes(), &signature).map_err(|_| "a bad signature")?;
    let (head, claims) = signed.split_once('.').ok_or("no JWT")?;
    let head: Value = serde_json::from_slice(&decode(head)?).map_err(|why| why.to_string())?;
    if head != json!({"typ": "JWT", "alg": "ES256"}) {
        return Err(head.to_string());
    }
    Ok((key.to_owned(), serde_json::from_slice(&decode(claims)?).map_err(|why| why.to_string())?))
}

fn mac(key: &[u8], message: &[u8]) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), message).as_ref().to_vec()
}

fn opened(body: &[u8], state: &Subscription) -> Result<Vec<u8>, String> {
    let (head, record) = body.split_at_checked(86).ok_or("too short")?;
    let (salt, sender) = (&head[..16], &head[21..]);
    if head[16..21] != [0, 0, 16, 0, 65] {
        return Err(format!("another head: {:?}", &head[16..21]));
    }
    let peer = UnparsedPublicKey::new(&ECDH_P256, sender);
    let secret = agree(&state.private, peer, "no point".to_owned(), |secret| Ok(secret.to_vec()))?;
    let info = [b"WebPush: info\0", state.public.as_slice(), sender, &[1]].concat();
    let key = mac(salt, &mac(&mac(&state.auth, &secret), &info));
    let expand = |info: &[u8]| mac(&key, &[info, &[0, 1]].concat());
    let aes = &expand(b"Content-Encoding: aes128gcm")[..16];
    let nonce = Nonce::try_assume_unique_for_key(&expand(b"Content-Encoding: nonce")[..12]).unwrap();
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, aes).unwrap());
    let mut record = record.to_vec();
    let plain = key.open_in_place(nonce, Aad::empty(), &mut record).map_err(|_| "not for this browser")?;
    let end = plain.iter().rposition(|byte| *byte != 0).ok_or("only padding")?;
    if plain[end] == 2 { Ok(plain[..end].to_vec()) } else { Err("not the last record".to_owned()) }
}
