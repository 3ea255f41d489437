//! A subscribed browser and its push service, on a port of its own. It answers as RFC 8030 says, checks the sender (RFC
//! 8292) and decrypts pushes (RFC 8291) by these standards, and not with the code under test.

use std::sync::{Arc, Mutex};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{KeepAlive, StatusCode},
    web::{self, Bytes},
};
use aws_lc_rs::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree},
    hmac,
    signature::{self, ECDSA_P256_SHA256_FIXED},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::within;

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

/// A subscribed browser. It ends with the test.
pub struct Browser {
    port: u16,
    state: Arc<State>,
    server: ServerHandle,
    heard: watch::Receiver<usize>,
}

struct State {
    private: PrivateKey,
    public: Vec<u8>,
    auth: [u8; 16],
    books: Mutex<Books>,
    heard: watch::Sender<usize>,
}

#[derive(Default)]
struct Books {
    /// The answers to the next pushes, the last first: status and Retry-After. Later pushes get 201.
    answers: Vec<(u16, Option<&'static str>)>,
    pushed: Vec<Pushed>,
    faults: Vec<String>,
}

impl Browser {
    pub async fn start() -> Self {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (heard, hears) = watch::channel(0);
        let private = PrivateKey::generate(&ECDH_P256).unwrap();
        let public = private.compute_public_key().unwrap().as_ref().to_vec();
        let state = Arc::new(State { private, public, auth: [5; 16], books: Mutex::default(), heard });
        let shared = state.clone();
        let server = HttpServer::new(move || {
            App::new().app_data(web::Data::from(shared.clone())).default_service(web::to(receive))
        });
        let server = server.keep_alive(KeepAlive::Disabled).workers(1).disable_signals();
        let server = server.listen(listener).unwrap().run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { port, state, server: handle, heard: hears }
    }

    /// Returns the body that registers it.
    pub fn registration(&self, device_id: &str) -> Value {
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let keys = json!({"p256dh": encode(&self.state.public), "auth": encode(&self.state.auth)});
        let endpoint = format!("http://127.0.0.1:{}/send/{device_id}", self.port);
        json!({"token": endpoint, "platform": "web", "keys": keys, "device_id": device_id})
    }

    /// Sets the answer to the next push, which comes before those set earlier.
    pub fn answer_next(&self, status: u16, retry_after: Option<&'static str>) {
        self.state.books.lock().unwrap().answers.push((status, retry_after));
    }

    /// Returns everything that arrived and could be read, with any answer.
    pub fn pushed(&self) -> Vec<Pushed> {
        self.state.books.lock().unwrap().pushed.clone()
    }

    pub fn faults(&self) -> Vec<String> {
        self.state.books.lock().unwrap().faults.clone()
    }

    /// Waits until so many pushes of a type have arrived.
    pub async fn until_pushed(&self, kind: &str, count: usize) -> Vec<Pushed> {
        let mut heard = self.heard.clone();
        within(&format!("{count} of {kind} are pushed"), async {
            loop {
                let all = self.pushed().into_iter().filter(|pushed| pushed.content["type"] == kind);
                let found: Vec<Pushed> = all.collect();
                if found.len() >= count {
                    return found;
                }
                assert_eq!(self.faults(), Vec::<String>::new());
                heard.changed().await.unwrap();
            }
        })
        .await
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

async fn receive(request: HttpRequest, body: Bytes, state: web::Data<State>) -> HttpResponse {
    let read = read(&request, &body, &state);
    let answer = {
        let mut books = state.books.lock().unwrap();
        match read {
            Ok(pushed) => books.pushed.push(pushed),
            Err(why) => books.faults.push(why),
        }
        books.answers.pop()
    };
    state.heard.send_modify(|heard| *heard += 1);
    let (status, retry_after) = answer.unwrap_or((201, None));
    let mut response = HttpResponse::build(StatusCode::from_u16(status).unwrap());
    if let Some(after) = retry_after {
        response.insert_header(("retry-after", after));
    }
    response.finish()
}

fn read(request: &HttpRequest, body: &[u8], state: &State) -> Result<Pushed, String> {
    let header = |name: &str| {
        let value = request.headers().get(name).and_then(|value| value.to_str().ok());
        value.map(str::to_owned).ok_or_else(|| format!("no {name}"))
    };
    if request.method() != "POST" || header("content-encoding")? != "aes128gcm" || body.len() > 4096 {
        return Err(format!("{} of {} bytes", request.method(), body.len()));
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

fn opened(body: &[u8], state: &State) -> Result<Vec<u8>, String> {
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
