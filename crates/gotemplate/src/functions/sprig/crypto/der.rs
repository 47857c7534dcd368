//! DER: writing and reading what keys and certificates are made of.

use num_bigint::BigUint;

pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const OCTET_STRING: u8 = 0x04;
pub(super) const SEQUENCE: u8 = 0x30;

/// An element with its tag and length.
pub(super) fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let mut out = vec![tag];
    if length < 0x80 {
        out.extend(u8::try_from(length));
    } else {
        let bytes = length.to_be_bytes();
        let digits = &bytes[bytes.iter().position(|byte| *byte != 0).unwrap_or(0)..];
        out.push(0x80 | u8::try_from(digits.len()).unwrap_or(0));
        out.extend_from_slice(digits);
    }
    out.extend_from_slice(content);
    out
}

/// Elements in a sequence.
pub(super) fn sequence(parts: &[Vec<u8>]) -> Vec<u8> {
    element(SEQUENCE, &parts.concat())
}

/// A number that is not negative.
pub(super) fn integer(number: &BigUint) -> Vec<u8> {
    let mut digits = number.to_bytes_be();
    if digits[0] >= 0x80 {
        digits.insert(0, 0);
    }
    element(INTEGER, &digits)
}

/// A small number.
pub(super) fn small_integer(number: u8) -> Vec<u8> {
    integer(&number.into())
}

/// Whole bytes as a string of bits.
pub(super) fn bit_string(bytes: &[u8]) -> Vec<u8> {
    element(BIT_STRING, &[&[0], bytes].concat())
}

/// An identifier, given as its encoded content.
pub(super) fn identifier(content: &[u8]) -> Vec<u8> {
    element(0x06, content)
}

/// Reads elements one after the other.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

/// An element that was read.
pub(super) struct Element<'a> {
    pub(super) tag: u8,
    pub(super) content: &'a [u8],
    /// With tag and length.
    pub(super) whole: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The next element; none at the end and where it is malformed.
    pub(super) fn next(&mut self) -> Option<Element<'a>> {
        let [tag, first, after @ ..] = self.0 else { return None };
        let (length, after) = if *first < 0x80 {
            (usize::from(*first), after)
        } else {
            let (digits, after) = after.split_at_checked(usize::from(first & 0x7F))?;
            if digits.is_empty() || digits.len() > 4 {
                return None;
            }
            let length = digits.iter().fold(0usize, |length, digit| length << 8 | usize::from(*digit));
            (length, after)
        };
        let (content, rest) = after.split_at_checked(length)?;
        let whole = &self.0[..self.0.len() - rest.len()];
        self.0 = rest;
        Some(Element { tag: *tag, content, whole })
    }

    /// The content of the next element, if it has that tag.
    pub(super) fn expect(&mut self, tag: u8) -> Option<&'a [u8]> {
        self.next().filter(|element| element.tag == tag).map(|element| element.content)
    }

    /// The next number, which is not negative.
    pub(super) fn number(&mut self) -> Option<BigUint> {
        let content = self.expect(INTEGER)?;
        if content.is_empty() || content[0] >= 0x80 {
            return None;
        }
        Some(BigUint::from_bytes_be(content))
    }
}
