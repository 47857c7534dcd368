//! Keys, certificates and passwords.

mod certificates;
mod der;
mod keys;
mod passwords;
mod pem;
mod rsa;

use crate::functions::Function;
use crate::value::{ANY_LIST, Type};
use Type::{Int, String as Str, Uint32};

const CERTIFICATE: Type = Type::Object("sprig.certificate");
const LISTS: Type = Type::List(&ANY_LIST);

pub(super) const ROWS: &[Function] = &[
    Function::new("genPrivateKey", &[Str], Str, keys::generate),
    Function::new("genCA", &[Str, Int], CERTIFICATE, certificates::authority),
    Function::new("genCAWithKey", &[Str, Int, Str], CERTIFICATE, certificates::authority_with_key),
    Function::new("genSelfSignedCert", &[Str, LISTS, LISTS, Int], CERTIFICATE, certificates::self_signed),
    Function::new(
        "genSelfSignedCertWithKey",
        &[Str, LISTS, LISTS, Int, Str],
        CERTIFICATE,
        certificates::self_signed_with_key,
    ),
    Function::new("genSignedCert", &[Str, LISTS, LISTS, Int, CERTIFICATE], CERTIFICATE, certificates::signed),
    Function::new(
        "genSignedCertWithKey",
        &[Str, LISTS, LISTS, Int, CERTIFICATE, Str],
        CERTIFICATE,
        certificates::signed_with_key,
    ),
    Function::new("buildCustomCert", &[Str, Str], CERTIFICATE, certificates::build_custom),
    Function::new("bcrypt", &[Str], Str, passwords::bcrypt),
    Function::new("htpasswd", &[Str, Str], Str, passwords::htpasswd),
    Function::new("derivePassword", &[Uint32, Str, Str, Str, Str], Str, passwords::derive),
    Function::new("encryptAES", &[Str, Str], Str, passwords::encrypt),
    Function::new("decryptAES", &[Str, Str], Str, passwords::decrypt),
];
