//! Encrypts messages for a single browser (RFC 8291, in one record of `aes128gcm`, RFC 8188). Pure.

use aws_lc_rs::{
    aead::{AES_128_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    agreement::{ECDH_P256, ParsedPublicKey, PrivateKey, UnparsedPublicKey, agree},
    error::Unspecified,
    hkdf::{HKDF_SHA256, KeyType, Prk, Salt},
};

/// The size that push services have to accept (RFC 8291, 4).
const MAX_BYTES: usize = 4096;
/// The salt, the size of the record, the length of the key, and the key.
const HEAD_BYTES: usize = 16 + 4 + 1 + POINT_BYTES;
/// The delimiter of the last record, and the tag.
const TAIL_BYTES: usize = 1 + 16;
/// The longest message.
pub(super) const MAX_PLAIN_BYTES: usize = MAX_BYTES - HEAD_BYTES - TAIL_BYTES;

/// The size of an uncompressed point of P-256.
pub const POINT_BYTES: usize = 65;
/// The size of the secret that a browser shares with those who push to it.
pub const AUTH_BYTES: usize = 16;

/// Returns whether these bytes are an uncompressed point of P-256.
pub(super) fn is_point(bytes: &[u8]) -> bool {
    let point = UnparsedPublicKey::new(&ECDH_P256, bytes);
    bytes.len() == POINT_BYTES && ParsedPublicKey::try_from(point).is_ok_and(|key| key.alg() == &ECDH_P256)
}

/// Makes a key pair of P-256 from random bytes; very few seeds give none.
pub(super) fn key_pair(seed: &[u8; 32]) -> Option<(PrivateKey, [u8; POINT_BYTES])> {
    let private = PrivateKey::from_private_key(&ECDH_P256, seed).ok()?;
    let public = private.compute_public_key().ok()?.as_ref().try_into().ok()?;
    Some((private, public))
}

/// Seals the body of a push. `pair` and `salt` must be used for this message alone.
pub(super) fn seal(
    message: &[u8],
    (p256dh, auth): (&[u8; POINT_BYTES], &[u8; AUTH_BYTES]),
    pair: &(PrivateKey, [u8; POINT_BYTES]),
    salt: &[u8; 16],
) -> Result<Vec<u8>, Unspecified> {
    if message.len() > MAX_PLAIN_BYTES {
        return Err(Unspecified);
    }
    let (private, public) = pair;
    let peer = UnparsedPublicKey::new(&ECDH_P256, p256dh.as_slice());
    let shared =
        agree(private, peer, Unspecified, |secret| Ok(Salt::new(HKDF_SHA256, auth).extract(secret)))?;
    let material: [u8; 32] = expand(&shared, &[b"WebPush: info\0", p256dh, public])?;
    let pseudorandom = Salt::new(HKDF_SHA256, salt).extract(&material);
    let key: [u8; 16] = expand(&pseudorandom, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce: [u8; NONCE_LEN] = expand(&pseudorandom, &[b"Content-Encoding: nonce\0"])?;
    let mut record = [message, &[2]].concat();
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?);
    key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut record)?;
    let size = u32::try_from(MAX_BYTES).unwrap_or_default().to_be_bytes();
    let length = u8::try_from(public.len()).unwrap_or_default();
    Ok([salt.as_slice(), &size, &[length], public, &record].concat())
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn expand<const N: usize>(key: &Prk, info: &[&[u8]]) -> Result<[u8; N], Unspecified> {
    let mut bytes = [0; N];
    key.expand(info, Length(N))?.fill(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

    use super::*;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        URL_SAFE_NO_PAD.decode(text).expect(text).try_into().expect("the length")
    }

    /// The example of RFC 8291, appendix A.
    #[test]
    fn the_example_of_the_standard_is_sealed_to_the_same_bytes() {
        let pair = key_pair(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")).expect("a key");
        let public =
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
        assert_eq!(pair.1, bytes(public));
        let p256dh =
            bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4");
        let (auth, salt) = (bytes("BTBZMqHH6r4Tts7J_aSIgg"), bytes("DGv6ra1nlYgDCS1FRnbzlw"));
        let sealed = seal(b"When I grow up, I want to be a watermelon", (&p256dh, &auth), &pair, &salt);
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz\
            AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(URL_SAFE_NO_PAD.encode(sealed.expect("sealed")), expected);
    }

    #[test]
    fn a_body_is_no_larger_than_push_services_have_to_accept() {
        let (pair, auth, salt) = (key_pair(&[7; 32]).expect("a key"), [1; 16], [2; 16]);
        let seal = |length: usize| seal(&vec![b'x'; length], (&pair.1, &auth), &pair, &salt);
        assert_eq!(seal(MAX_PLAIN_BYTES).expect("sealed").len(), MAX_BYTES);
        assert!(seal(MAX_PLAIN_BYTES + 1).is_err());
    }

    #[test]
    fn only_points_of_the_curve_are_keys() {
        let public = key_pair(&[7; 32]).expect("a key").1;
        let mut beside = public;
        beside[64] ^= 1;
        assert!(is_point(&public));
        assert!(!is_point(&beside) && !is_point(&public[..64]) && !is_point(&[0; POINT_BYTES]));
        assert!(key_pair(&[0; 32]).is_none() && key_pair(&[255; 32]).is_none());
    }
}
