//! Passwords: bcrypt, htpasswd, the Master Password algorithm, and texts encrypted with one.

use super::super::give;
use super::super::host::with_random;
use crate::functions::{Call, CallError, Outcome};
use crate::standard::base64;
use aes::Aes256;
use aes::cipher::{BlockDecrypt, BlockEncrypt, KeyInit};
use blowfish::Blowfish;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// The default of Go's bcrypt.
const COST: u32 = 10;

pub(super) fn bcrypt(call: &mut Call<'_>) -> Outcome {
    give(bcrypt_text(call, call.text(0))?)
}

pub(super) fn htpasswd(call: &mut Call<'_>) -> Outcome {
    let (user, password) = (call.text(0), call.text(1));
    if user.contains(&b':') {
        return give([b"invalid username: ", user].concat());
    }
    give([user, b":", bcrypt_text(call, password)?.as_bytes()].concat())
}

fn bcrypt_text(call: &Call<'_>, password: &[u8]) -> Result<String, CallError> {
    if password.len() > 72 {
        let why = "bcrypt: password length exceeds 72 bytes";
        return Ok(format!("failed to encrypt string with bcrypt: {why}"));
    }
    let salt = with_random(call, |random| random.bytes::<16>())?;
    Ok(bcrypt_hash(password, &salt, COST))
}

/// A hash of version `2a`.
fn bcrypt_hash(password: &[u8], salt: &[u8; 16], cost: u32) -> String {
    let key = [password, &[0]].concat();
    let mut state: Blowfish = Blowfish::bc_init_state();
    state.salted_expand_key(salt, &key);
    for _ in 0..1u32 << cost {
        state.bc_expand_key(&key);
        state.bc_expand_key(salt);
    }
    let mut digest = Vec::with_capacity(24);
    for block in b"OrpheanBeholderScryDoubt".chunks_exact(8) {
        let half =
            |from: usize| block[from..from + 4].iter().fold(0u32, |half, byte| half << 8 | u32::from(*byte));
        let encrypted = (0..64).fold([half(0), half(4)], |halves, _| state.bc_encrypt(halves));
        digest.extend(encrypted.iter().flat_map(|half| half.to_be_bytes()));
    }
    // The last byte has never been part of it.
    format!("$2a${cost:02}${}{}", bcrypt_base64(salt), bcrypt_base64(&digest[..23]))
}

fn bcrypt_base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..=group.len() {
            out.push(char::from(DIGITS[(bits >> (18 - 6 * place) & 63) as usize]));
        }
    }
    out
}

/// The kinds of passwords; each letter of a template stands for a set of characters.
const TEMPLATES: &[(&[u8], &[&str])] = &[
    (b"maximum", &["anoxxxxxxxxxxxxxxxxx", "axxxxxxxxxxxxxxxxxno"]),
    (
        b"long",
        &[
            "CvcvnoCvcvCvcv",
            "CvcvCvcvnoCvcv",
            "CvcvCvcvCvcvno",
            "CvccnoCvcvCvcv",
            "CvccCvcvnoCvcv",
            "CvccCvcvCvcvno",
            "CvcvnoCvccCvcv",
            "CvcvCvccnoCvcv",
            "CvcvCvccCvcvno",
            "CvcvnoCvcvCvcc",
            "CvcvCvcvnoCvcc",
            "CvcvCvcvCvccno",
            "CvccnoCvccCvcv",
            "CvccCvccnoCvcv",
            "CvccCvccCvcvno",
            "CvcvnoCvccCvcc",
            "CvcvCvccnoCvcc",
            "CvcvCvccCvccno",
            "CvccnoCvcvCvcc",
            "CvccCvcvnoCvcc",
            "CvccCvcvCvccno",
        ],
    ),
    (b"medium", &["CvcnoCvc", "CvcCvcno"]),
    (b"short", &["Cvcn"]),
    (b"basic", &["aaanaaan", "aannaaan", "aaannaaa"]),
    (b"pin", &["nnnn"]),
];

fn characters(letter: u8) -> &'static [u8] {
    match letter {
        b'C' => b"BCDFGHJKLMNPQRSTVWXYZ",
        b'v' => b"aeiou",
        b'c' => b"bcdfghjklmnpqrstvwxyz",
        b'a' => b"AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz",
        b'n' => b"0123456789",
        b'o' => b"@&%?,=[]_:-+*$#!'^~;()/.",
        _ => b"AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()",
    }
}

/// `derivePassword`: version 1 of the Master Password algorithm.
pub(super) fn derive(call: &mut Call<'_>) -> Outcome {
    const SCOPE: &[u8] = b"com.lyndir.masterpassword";
    let counter = match call.arg(0) {
        crate::value::Value::Uint64(counter) => *counter as u32,
        _ => 0,
    };
    let (kind, password, user, site) = (call.text(1), call.text(2), call.text(3), call.text(4));
    let Some((_, templates)) = TEMPLATES.iter().find(|(name, _)| *name == kind) else {
        return give([b"cannot find password template ", kind].concat());
    };
    let length = |text: &[u8]| (text.len() as u32).to_be_bytes();
    let salt = [SCOPE, &length(user), user].concat();
    let mut key = [0; 64];
    let refused = |_| CallError::new("the parameters of scrypt are refused");
    let params = scrypt::Params::new(15, 8, 2, 64).map_err(refused)?;
    scrypt::scrypt(password, &salt, &params, &mut key)
        .map_err(|_| CallError::new("the length of the key is refused"))?;
    let mut hmac =
        <Hmac<Sha256> as Mac>::new_from_slice(&key).map_err(|_| CallError::new("the key is refused"))?;
    hmac.update(&[SCOPE, &length(site), site, &counter.to_be_bytes()].concat());
    let seed = hmac.finalize().into_bytes();
    let template = templates[usize::from(seed[0]) % templates.len()].as_bytes();
    let derived = template.iter().zip(&seed[1..]).map(|(letter, seed)| {
        let characters = characters(*letter);
        characters[usize::from(*seed) % characters.len()]
    });
    give(derived.collect::<Vec<u8>>())
}

/// A cipher whose key is the password, cut or filled up with zeros.
fn cipher(password: &[u8]) -> Aes256 {
    let mut key = [0; 32];
    let length = password.len().min(key.len());
    key[..length].copy_from_slice(&password[..length]);
    Aes256::new(&key.into())
}

pub(super) fn encrypt(call: &mut Call<'_>) -> Outcome {
    let text = call.text(1);
    if text.is_empty() {
        return give("");
    }
    let cipher = cipher(call.text(0));
    let mut block: [u8; 16] = with_random(call, |random| random.bytes())?;
    let mut out = block.to_vec();
    let padding = 16 - text.len() % 16;
    let padded = [text, &vec![u8::try_from(padding).unwrap_or(16); padding]].concat();
    for plain in padded.chunks_exact(16) {
        for (byte, plain) in block.iter_mut().zip(plain) {
            *byte ^= plain;
        }
        let mut encrypted = block.into();
        cipher.encrypt_block(&mut encrypted);
        block = encrypted.into();
        out.extend_from_slice(&block);
    }
    give(base64::encode(&out))
}

pub(super) fn decrypt(call: &mut Call<'_>) -> Outcome {
    let text = call.text(1);
    if text.is_empty() {
        return give("");
    }
    let bytes = base64::decode(text)?;
    let Some((mut before, encrypted)) = bytes.split_at_checked(16) else {
        let capacity = text.len() / 4 * 3;
        return Err(format!("runtime error: slice bounds out of range [:16] with capacity {capacity}").into());
    };
    if encrypted.len() % 16 != 0 {
        return Err("crypto/cipher: input not full blocks".into());
    }
    let cipher = cipher(call.text(0));
    let mut out = Vec::with_capacity(encrypted.len());
    for block in encrypted.chunks_exact(16) {
        let mut plain = *aes::Block::from_slice(block);
        cipher.decrypt_block(&mut plain);
        out.extend(plain.iter().zip(before).map(|(byte, before)| byte ^ before));
        before = block;
    }
    let padding = out.last().copied().ok_or("runtime error: index out of range [-1]")?;
    let Some(length) = out.len().checked_sub(usize::from(padding)) else {
        let end = out.len() as i64 - i64::from(padding);
        return Err(format!("runtime error: slice bounds out of range [:{end}]").into());
    };
    out.truncate(length);
    give(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::sprig::functions;
    use crate::value::Value;

    #[test]
    fn hashes_as_bcrypt_does() {
        let salt = [[0x10, 0x41, 0x04]; 6].concat()[..16].try_into().unwrap();
        assert_eq!(
            bcrypt_hash(b"U*U", &salt, 5),
            "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
        );
    }

    #[test]
    fn derives_and_decrypts() {
        let call = |name, args: &[Value]| {
            functions().call(name, args).map(|value| value.as_text().unwrap().to_str().into_owned())
        };
        let texts = |texts: [&str; 4]| texts.map(Value::str).to_vec();
        let derived =
            |texts: Vec<Value>| call("derivePassword", &[vec![Value::Uint64(1)], texts].concat()).unwrap();
        assert_eq!(derived(texts(["long", "password", "user", "example.com"])), "ZedaFaxcZaso9*");
        assert_eq!(derived(texts(["odd", "", "", ""])), "cannot find password template odd");
        let encrypted =
            call("encryptAES", &[Value::str("key"), Value::str("plain text of some length")]).unwrap();
        let decrypted = |text: &str| call("decryptAES", &[Value::str("key"), Value::str(text)]);
        assert_eq!(decrypted(&encrypted).unwrap(), "plain text of some length");
        let error = decrypted("YWJj").unwrap_err();
        assert_eq!(error.message(), "runtime error: slice bounds out of range [:16] with capacity 3");
    }
}
