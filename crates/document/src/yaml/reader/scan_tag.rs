use super::scanner::{Outcome, Scanner};
use super::token::{Tag, TokenKind};
use crate::yaml::Mark;
use std::borrow::Cow;

const TAG: &str = "while scanning a tag";

/// Where a URI stands decides which characters it may have, and how errors call it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum UriPlace {
    /// Behind a handle.
    Suffix,
    /// Between `!<` and `>`.
    Verbatim,
    /// The prefix of a `%TAG` directive.
    Directive,
}

impl UriPlace {
    fn context(self) -> &'static str {
        if self == Self::Directive { "while parsing a %TAG directive" } else { "while parsing a tag" }
    }

    fn allows(self, byte: u8) -> bool {
        match byte {
            b',' | b'[' | b']' => self != Self::Suffix,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => true,
            _ => b"_-;/?:@&=+$.!~*'()%".contains(&byte),
        }
    }
}

impl<'a> Scanner<'a> {
    /// `&name` or `*name`.
    pub(super) fn scan_anchor(&mut self, start: Mark) -> Outcome<()> {
        let is_anchor = self.cursor.byte() == b'&';
        self.cursor.skip(1);
        let name = self.scan_word();
        let is_ended = self.cursor.is_space_at(0)
            || matches!(self.cursor.byte(), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if name.is_empty() || !is_ended {
            let context = if is_anchor { "while scanning an anchor" } else { "while scanning an alias" };
            return Err(self.error(context, start, "did not find expected alphabetic or numeric character"));
        }
        let kind = if is_anchor { TokenKind::Anchor(name) } else { TokenKind::Alias(name) };
        self.push_scanned(kind, start);
        Ok(())
    }

    /// `!<uri>`, `!suffix`, `!handle!suffix`, `!!suffix` or `!`.
    pub(super) fn scan_tag(&mut self, start: Mark) -> Outcome<()> {
        let tag = if self.cursor.byte_at(1) == b'<' {
            self.scan_verbatim_tag(start)?
        } else {
            self.scan_short_tag(start)?
        };
        let is_ended = self.cursor.is_space_at(0) || (self.in_flow() && self.cursor.byte() == b',');
        if !is_ended {
            return Err(self.error(TAG, start, "did not find expected whitespace or line break"));
        }
        self.push_scanned(TokenKind::Tag(Box::new(tag)), start);
        Ok(())
    }

    fn scan_verbatim_tag(&mut self, start: Mark) -> Outcome<Tag<'a>> {
        self.cursor.skip(2);
        let begin = self.cursor.position();
        let suffix = self.scan_uri(begin, UriPlace::Verbatim, start)?;
        if self.cursor.byte() != b'>' {
            return Err(self.error(TAG, start, "did not find the expected '>'"));
        }
        self.cursor.skip(1);
        Ok(Tag { handle: "", suffix })
    }

    fn scan_short_tag(&mut self, start: Mark) -> Outcome<Tag<'a>> {
        let begin = self.cursor.position();
        let handle = self.scan_tag_handle();
        if handle.len() > 1 && handle.ends_with('!') {
            let suffix = self.cursor.position();
            return Ok(Tag { handle, suffix: self.scan_uri(suffix, UriPlace::Suffix, start)? });
        }
        // It was no handle after all, but the beginning of a suffix.
        let suffix = self.scan_uri(begin, UriPlace::Suffix, start)?;
        let suffix = match suffix {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(1..).unwrap_or_default()),
            Cow::Owned(text) => Cow::Owned(text.get(1..).unwrap_or_default().to_owned()),
        };
        if suffix.is_empty() {
            return Ok(Tag { handle: "", suffix: Cow::Borrowed("!") });
        }
        Ok(Tag { handle: "!", suffix })
    }

    /// `!`, `!name!`, or `!name` where no second `!` follows. The cursor stands at a `!`.
    pub(super) fn scan_tag_handle(&mut self) -> &'a str {
        let start = self.cursor.position();
        self.cursor.skip(1);
        self.scan_word();
        if self.cursor.byte() == b'!' {
            self.cursor.skip(1);
        }
        self.cursor.since(start)
    }

    /// A URI that began at `begin`, with its escapes decoded. Ends before an escaped NUL, as libyaml's strings do.
    pub(super) fn scan_uri(&mut self, begin: usize, place: UriPlace, start: Mark) -> Outcome<Cow<'a, str>> {
        let mut decoded: Option<Vec<u8>> = None;
        while place.allows(self.cursor.byte()) {
            if self.cursor.byte() == b'%' {
                let mut octets =
                    decoded.take().unwrap_or_else(|| self.cursor.since(begin).as_bytes().to_vec());
                self.scan_escaped_character(&mut octets, place, start)?;
                decoded = Some(octets);
            } else {
                decoded.iter_mut().for_each(|octets| octets.push(self.cursor.byte()));
                self.cursor.skip(1);
            }
        }
        if self.cursor.position() == begin {
            return Err(self.error(place.context(), start, "did not find expected tag URI"));
        }
        let Some(mut octets) = decoded else {
            return Ok(Cow::Borrowed(self.cursor.since(begin)));
        };
        octets.truncate(memchr::memchr(0, &octets).unwrap_or(octets.len()));
        match String::from_utf8(octets) {
            Ok(uri) => Ok(Cow::Owned(uri)),
            // libyaml lets overlong sequences and surrogates pass here, and Python then fails to decode them.
            Err(_) => Err(self.error(place.context(), start, "found an incorrect UTF-8 sequence")),
        }
    }

    /// The escaped octets of one character: `%C3%A4`.
    fn scan_escaped_character(&mut self, octets: &mut Vec<u8>, place: UriPlace, start: Mark) -> Outcome<()> {
        let mut missing = 0;
        loop {
            let digits = [1, 2].map(|ahead| char::from(self.cursor.byte_at(ahead)).to_digit(16));
            let (b'%', [Some(high), Some(low)]) = (self.cursor.byte(), digits) else {
                return Err(self.error(place.context(), start, "did not find URI escaped octet"));
            };
            let octet = (high << 4 | low) as u8;
            if missing == 0 {
                missing = match octet {
                    0x00..=0x7F => 1,
                    0xC0..=0xDF => 2,
                    0xE0..=0xEF => 3,
                    0xF0..=0xF7 => 4,
                    _ => {
                        return Err(self.error(
                            place.context(),
                            start,
                            "found an incorrect leading UTF-8 octet",
                        ));
                    }
                };
            } else if octet & 0xC0 != 0x80 {
                return Err(self.error(place.context(), start, "found an incorrect trailing UTF-8 octet"));
            }
            octets.push(octet);
            self.cursor.skip(3);
            missing -= 1;
            if missing == 0 {
                return Ok(());
            }
        }
    }
}
