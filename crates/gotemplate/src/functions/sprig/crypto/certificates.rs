//! X.509 certificates: authorities, and what they or their owners sign.

use super::super::host::{clock, with_random};
use super::der::{
    BIT_STRING, Element, INTEGER, OCTET_STRING, Reader, SEQUENCE, bit_string, element, identifier, integer,
    sequence, small_integer,
};
use super::keys::PrivateKey;
use super::pem;
use crate::format::quote;
use crate::functions::{Call, CallError, Outcome};
use crate::standard::base64;
use crate::standard::time::{Location, Time};
use crate::value::{List, Object, Value};
use num_bigint::BigUint;
use sha2::{Digest, Sha256};
use std::net::IpAddr;

/// The end of identifiers of extensions: `2.5.29.N`.
const KEY_USAGE: u8 = 15;
const ALTERNATIVE_NAMES: u8 = 17;
const BASIC_CONSTRAINTS: u8 = 19;
const EXTENDED_KEY_USAGE: u8 = 37;
const SUBJECT_KEY: u8 = 14;
const AUTHORITY_KEY: u8 = 35;

const UTF8_STRING: u8 = 0x0C;
const PRINTABLE_STRING: u8 = 0x13;

/// A certificate and its key, both in PEM: what the functions give and take.
pub(super) struct Certificate {
    pub(super) certificate: String,
    pub(super) key: String,
}

impl Object for Certificate {
    fn type_name(&self) -> &'static str {
        "sprig.certificate"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("Cert", self.certificate.as_str().into()), ("Key", self.key.as_str().into())]
    }

    fn is_equal(&self, other: &dyn Object) -> bool {
        let other: &dyn std::any::Any = other;
        other
            .downcast_ref::<Self>()
            .is_some_and(|other| self.certificate == other.certificate && self.key == other.key)
    }
}

/// What a new certificate says.
struct Template {
    common_name: Vec<u8>,
    addresses: Vec<IpAddr>,
    names: Vec<Vec<u8>>,
    serial: BigUint,
    from: Time,
    until: Time,
    is_authority: bool,
}

/// Who signs.
struct Issuer<'a> {
    subject: Vec<u8>,
    key_id: Option<Vec<u8>>,
    key: &'a PrivateKey,
}

/// What is asked of a certificate that was read.
struct Parsed {
    subject: Vec<u8>,
    public_info: Vec<u8>,
    key_id: Option<Vec<u8>>,
}

pub(super) fn build_custom(call: &mut Call<'_>) -> Outcome {
    let certificate = base64::decode(call.text(0)).map_err(|_| "unable to decode base64 certificate")?;
    let key = base64::decode(call.text(1)).map_err(|_| "unable to decode base64 private key")?;
    let block = pem::decode(&certificate).ok_or("unable to decode certificate")?;
    parse(&block.bytes).ok_or("error parsing certificate: decodedCert.Bytes: x509: malformed certificate")?;
    PrivateKey::from_pem(&key).map_err(|why| format!("error parsing private key: {why}"))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Value::object(Certificate { certificate: text(certificate), key: text(key) }))
}

/// `genCA`.
pub(super) fn authority(call: &mut Call<'_>) -> Outcome {
    let key = with_random(call, PrivateKey::for_certificate)?;
    self_signed_with(template(call, None, None, 1, true)?, &key)
}

/// `genCAWithKey`.
pub(super) fn authority_with_key(call: &mut Call<'_>) -> Outcome {
    let key = given_key(call, 2)?;
    self_signed_with(template(call, None, None, 1, true)?, &key)
}

/// `genSelfSignedCert`.
pub(super) fn self_signed(call: &mut Call<'_>) -> Outcome {
    let key = with_random(call, PrivateKey::for_certificate)?;
    self_signed_with(template(call, Some(1), Some(2), 3, false)?, &key)
}

/// `genSelfSignedCertWithKey`.
pub(super) fn self_signed_with_key(call: &mut Call<'_>) -> Outcome {
    let key = given_key(call, 4)?;
    self_signed_with(template(call, Some(1), Some(2), 3, false)?, &key)
}

/// `genSignedCert`.
pub(super) fn signed(call: &mut Call<'_>) -> Outcome {
    let key = with_random(call, PrivateKey::for_certificate)?;
    signed_with(call, &key)
}

/// `genSignedCertWithKey`.
pub(super) fn signed_with_key(call: &mut Call<'_>) -> Outcome {
    let key = given_key(call, 5)?;
    signed_with(call, &key)
}

fn given_key(call: &Call<'_>, index: usize) -> Result<PrivateKey, CallError> {
    PrivateKey::from_pem(call.text(index)).map_err(|why| format!("parsing private key: {why}").into())
}

fn self_signed_with(template: Template, key: &PrivateKey) -> Outcome {
    let issuer = Issuer { subject: name(&template.common_name), key_id: None, key };
    create(&template, key, &issuer)
}

fn signed_with(call: &Call<'_>, key: &PrivateKey) -> Outcome {
    let authority = call.arg(4).as_object::<Certificate>();
    let authority = authority.ok_or("runtime error: invalid memory address or nil pointer dereference")?;
    let block = pem::decode(authority.certificate.as_bytes()).ok_or("unable to decode certificate")?;
    let parsed = parse(&block.bytes)
        .ok_or("error parsing certificate: decodedSignerCert.Bytes: x509: malformed certificate")?;
    let signer = PrivateKey::from_pem(authority.key.as_bytes())
        .map_err(|why| format!("error parsing private key: {why}"))?;
    let template = template(call, Some(1), Some(2), 3, false)?;
    if signer.public_info().is_some_and(|public| public != parsed.public_info) {
        return Err(uncreated("x509: provided PrivateKey doesn't match parent's PublicKey"));
    }
    create(&template, key, &Issuer { subject: parsed.subject, key_id: parsed.key_id, key: &signer })
}

fn uncreated(why: &str) -> CallError {
    format!("error creating certificate: {why}").into()
}

/// What the arguments ask for; the places of addresses and names, where there are some, and that of the days.
fn template(
    call: &Call<'_>,
    addresses: Option<usize>,
    names: Option<usize>,
    days: usize,
    is_authority: bool,
) -> Result<Template, CallError> {
    let list = |index: Option<usize>| index.map_or_else(|| List::new(Vec::new()), |index| call.list(index));
    let addresses = parse_addresses(&list(addresses))?;
    let names = parse_names(&list(names))?;
    let from = Time::now(clock(call)).within(Location::Utc);
    let until = from.plus(call.int(days).wrapping_mul(86_400_000_000_000));
    let serial = with_random(call, |random| random.bytes::<16>())?;
    Ok(Template {
        common_name: call.text(0).to_vec(),
        addresses,
        names,
        serial: BigUint::from_bytes_be(&serial),
        from,
        until,
        is_authority,
    })
}

fn parse_addresses(list: &List) -> Result<Vec<IpAddr>, CallError> {
    list.iter()
        .map(|item| {
            let Some(text) = item.as_text() else {
                let shown = super::super::values::printed(item)?;
                return Err(format!("error parsing ip: {shown} is not a string").into());
            };
            let address = text.as_str().and_then(|text| text.parse().ok());
            address.ok_or_else(|| format!("error parsing ip: {text}").into())
        })
        .collect()
}

fn parse_names(list: &List) -> Result<Vec<Vec<u8>>, CallError> {
    list.iter()
        .map(|item| match item.as_text() {
            Some(text) => Ok(text.to_vec()),
            None => {
                let shown = super::super::values::printed(item)?;
                Err(format!("error processing alternate dns name: {shown} is not a string").into())
            }
        })
        .collect()
}

/// A distinguished name of nothing but a common name.
fn name(common_name: &[u8]) -> Vec<u8> {
    if common_name.is_empty() {
        return sequence(&[]);
    }
    let printable =
        common_name.iter().all(|byte| byte.is_ascii_alphanumeric() || b" '()+,-./:=?".contains(byte));
    let tag = if printable { PRINTABLE_STRING } else { UTF8_STRING };
    let attribute = sequence(&[identifier(&[0x55, 0x04, 0x03]), element(tag, common_name)]);
    sequence(&[element(0x31, &attribute)])
}

fn create(template: &Template, key: &PrivateKey, issuer: &Issuer<'_>) -> Outcome {
    let algorithm = issuer
        .key
        .signature_algorithm()
        .ok_or_else(|| uncreated("x509: certificate private key does not implement crypto.Signer"))?;
    let public =
        key.public_info().ok_or_else(|| uncreated("x509: unsupported public key type: *dsa.PublicKey"))?;
    let subject = name(&template.common_name);
    let body = sequence(&[
        element(0xA0, &small_integer(2)),
        integer(&template.serial),
        algorithm.clone(),
        issuer.subject.clone(),
        sequence(&[moment(&template.from)?, moment(&template.until)?]),
        subject.clone(),
        public,
        element(0xA3, &sequence(&extensions(template, key, issuer, &subject)?)),
    ]);
    let signature =
        issuer.key.sign(&body).ok_or_else(|| uncreated("crypto/rsa: message too long for RSA key size"))?;
    let certificate = sequence(&[body, algorithm, bit_string(&signature)]);
    Ok(Value::object(Certificate {
        certificate: pem::encode("CERTIFICATE", &certificate),
        key: key.to_pem(),
    }))
}

/// Two digits for the year up to 2049.
fn moment(time: &Time) -> Result<Vec<u8>, CallError> {
    let year = time.format(b"2006");
    let year: i64 = std::str::from_utf8(&year).ok().and_then(|year| year.parse().ok()).unwrap_or(-1);
    match year {
        1950..2050 => Ok(element(0x17, &time.format(b"060102150405Z"))),
        0..10_000 => Ok(element(0x18, &time.format(b"20060102150405Z"))),
        _ => Err(uncreated("asn1: structure error: cannot represent time as GeneralizedTime")),
    }
}

fn extension(number: u8, critical: bool, content: &[u8]) -> Vec<u8> {
    let mut parts = vec![identifier(&[0x55, 0x1D, number])];
    if critical {
        parts.push(vec![0x01, 0x01, 0xFF]);
    }
    parts.push(element(OCTET_STRING, content));
    sequence(&parts)
}

/// In the order in which Go writes them.
fn extensions(
    template: &Template,
    key: &PrivateKey,
    issuer: &Issuer<'_>,
    subject: &[u8],
) -> Result<Vec<Vec<u8>>, CallError> {
    // Signatures and key encipherment; an authority also signs certificates.
    let usage: &[u8] = if template.is_authority { &[2, 0xA4] } else { &[5, 0xA0] };
    // Of servers and of clients.
    let purposes = [1, 2].map(|purpose| identifier(&[0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, purpose]));
    let constraints: &[Vec<u8>] = if template.is_authority { &[vec![0x01, 0x01, 0xFF]] } else { &[] };
    let mut all = vec![
        extension(KEY_USAGE, true, &element(BIT_STRING, usage)),
        extension(EXTENDED_KEY_USAGE, false, &sequence(&purposes)),
        extension(BASIC_CONSTRAINTS, true, &sequence(constraints)),
    ];
    if template.is_authority
        && let Some(bits) = key.public_bits()
    {
        let id = element(OCTET_STRING, &Sha256::digest(bits)[..20]);
        all.push(extension(SUBJECT_KEY, false, &id));
    }
    if let Some(id) = issuer.key_id.as_ref().filter(|_| issuer.subject != subject) {
        all.push(extension(AUTHORITY_KEY, false, &sequence(&[element(0x80, id)])));
    }
    let mut names = Vec::new();
    for name in &template.names {
        if !name.is_ascii() {
            return Err(uncreated(&format!("x509: {} cannot be encoded as an IA5String", quote(name))));
        }
        names.push(element(0x82, name));
    }
    names.extend(template.addresses.iter().map(|address| match address.to_canonical() {
        IpAddr::V4(address) => element(0x87, &address.octets()),
        IpAddr::V6(address) => element(0x87, &address.octets()),
    }));
    if !names.is_empty() {
        let is_critical = template.common_name.is_empty();
        all.push(extension(ALTERNATIVE_NAMES, is_critical, &sequence(&names)));
    }
    Ok(all)
}

fn parse(bytes: &[u8]) -> Option<Parsed> {
    let mut body = Reader(Reader(Reader(bytes).expect(SEQUENCE)?).expect(SEQUENCE)?);
    let mut next = body.next()?;
    if next.tag == 0xA0 {
        next = body.next()?;
    }
    if next.tag != INTEGER {
        return None;
    }
    let mut of_sequence =
        || body.next().filter(|element| element.tag == SEQUENCE).map(|element| element.whole);
    let (_algorithm, _issuer, _validity) = (of_sequence()?, of_sequence()?, of_sequence()?);
    let (subject, public_info) = (of_sequence()?.to_vec(), of_sequence()?.to_vec());
    let mut key_id = None;
    while let Some(part) = body.next() {
        if part.tag == 0xA3 {
            key_id = subject_key_id(&part);
        }
    }
    Some(Parsed { subject, public_info, key_id })
}

fn subject_key_id(extensions: &Element<'_>) -> Option<Vec<u8>> {
    let mut all = Reader(Reader(extensions.content).expect(SEQUENCE)?);
    while let Some(extension) = all.expect(SEQUENCE) {
        let mut parts = Reader(extension);
        if parts.expect(0x06)? == [0x55, 0x1D, SUBJECT_KEY] {
            let mut content = parts.next()?;
            if content.tag != OCTET_STRING {
                content = parts.next()?;
            }
            return Reader(content.content).expect(OCTET_STRING).map(<[u8]>::to_vec);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::functions::sprig::functions;
    use crate::value::{List, Value};

    #[test]
    fn an_authority_signs_for_servers() {
        let call = |name, args: &[Value]| functions().call(name, args);
        let key = call("genPrivateKey", &[Value::str("ecdsa")]).unwrap();
        let authority = call("genCAWithKey", &[Value::str("ca"), Value::Int(1), key.clone()]).unwrap();
        let addresses: Value = List::strings(["10.0.0.1", "::1"]).into();
        let names: Value = List::strings(["a.example"]).into();
        let server = |authority: &Value, addresses: &Value| {
            let args = [
                Value::str("server"),
                addresses.clone(),
                names.clone(),
                Value::Int(1),
                authority.clone(),
                key.clone(),
            ];
            call("genSignedCertWithKey", &args)
        };
        let certificate = server(&authority, &addresses).unwrap();
        let certificate = certificate.as_object::<super::Certificate>().unwrap();
        let parsed =
            super::parse(&super::pem::decode(certificate.certificate.as_bytes()).unwrap().bytes).unwrap();
        assert_eq!(parsed.subject, super::name(b"server"));
        assert!(certificate.key.starts_with("-----BEGIN EC PRIVATE KEY-----\n"));

        let error = server(&authority, &List::strings(["10.0.0"]).into()).unwrap_err();
        assert_eq!(error.message(), "error parsing ip: 10.0.0");
        let other = call("genPrivateKey", &[Value::str("ed25519")]).unwrap();
        let other = call("genCAWithKey", &[Value::str("ca"), Value::Int(1), other]).unwrap();
        let (one, two) = (
            authority.as_object::<super::Certificate>().unwrap(),
            other.as_object::<super::Certificate>().unwrap(),
        );
        let mixed = super::Certificate { certificate: one.certificate.clone(), key: two.key.clone() };
        let error = server(&Value::object(mixed), &addresses).unwrap_err();
        let expected =
            "error creating certificate: x509: provided PrivateKey doesn't match parent's PublicKey";
        assert_eq!(error.message(), expected);
    }

    #[test]
    fn keys_come_back() {
        for kind in ["ecdsa", "ed25519"] {
            let key = functions().call("genPrivateKey", &[Value::str(kind)]).unwrap();
            let text = key.as_text().unwrap();
            let read = super::PrivateKey::from_pem(text).unwrap();
            assert_eq!(text, &read.to_pem().as_str(), "{kind}");
        }
        for (text, expected) in [
            ("", "no PEM data in input"),
            ("-----BEGIN X-----\nYQ==\n-----END X-----\n", "no private key data in PEM block of type X"),
            (
                "-----BEGIN X PRIVATE KEY-----\nYQ==\n-----END X PRIVATE KEY-----\n",
                "invalid private key type X",
            ),
        ] {
            assert_eq!(super::PrivateKey::from_pem(text.as_bytes()).err().unwrap(), expected);
        }
    }
}
