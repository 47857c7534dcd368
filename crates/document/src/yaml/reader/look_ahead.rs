//! How far libyaml has looked when it tells an event or an error.
//!
//! It decodes a text in pieces, and a piece when its scanner asks for characters that lie there. What cannot be decoded
//! is told before everything that libyaml finds out later, even if that stands further up. So a text with such a place
//! is scanned without shortcuts, and after each token it is noted which characters libyaml would have asked for: they
//! follow from where the token begins and ends.

use super::characters::{break_width, is_blank};
use super::error::Error;
use super::scanner::{Outcome, Scanner};
use crate::yaml::Mark;

/// A place, and whether the scanner has asked for what stands there.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookAhead {
    place: usize,
    is_reached: bool,
}

impl Scanner<'_> {
    /// From now on notes whether `place` is looked at.
    pub(super) fn watch(&mut self, place: usize) {
        self.look_ahead = Some(LookAhead { place, is_reached: false });
    }

    /// Whether the place that is watched has been looked at.
    pub(super) fn has_reached_watched(&self) -> bool {
        self.look_ahead.is_some_and(|watched| watched.is_reached)
    }

    /// libyaml looks at `count` characters from `position` on.
    #[inline]
    pub(super) fn note_look(&mut self, position: usize, count: usize) {
        if self.look_ahead.is_some() {
            self.note_look_at(position, count);
        }
    }

    #[cold]
    fn note_look_at(&mut self, position: usize, count: usize) {
        let Some(LookAhead { place, is_reached: false }) = self.look_ahead else { return };
        let end = self.cursor.bytes().len();
        let before = &self.cursor.bytes()[position.min(place).min(end)..place.min(end)];
        let is_reached = before.iter().filter(|&byte| byte & 0xC0 != 0x80).take(count).count() < count;
        self.look_ahead = Some(LookAhead { place, is_reached });
    }

    /// Notes what libyaml has looked at while it scanned the token at `start`, up to the cursor.
    #[inline]
    pub(super) fn note_token(&mut self, start: Mark, outcome: &Outcome<()>) {
        if self.look_ahead.is_some() {
            self.note_token_at(start, outcome.as_ref().err());
        }
    }

    #[cold]
    fn note_token_at(&mut self, mark: Mark, error: Option<&Error>) {
        let bytes = self.cursor.bytes();
        let (start, end) = (mark.offset, self.cursor.position());
        let is_escape = error.is_some_and(|error| error.problem.ends_with("octet"));
        match bytes.get(start) {
            Some(b'"' | b'\'') => self.note_quoted(start, end),
            Some(b'!' | b'%') if is_escape => self.note_look(end, 3),
            // A line break is asked for together with what stands behind it; nothing else is asked for then.
            Some(b'%') if error.is_none() && bytes[..end].ends_with(b"\r\n") => {}
            Some(b'!' | b'%' | b'&' | b'*' | b'|' | b'>') => self.note_look(end, 1),
            Some(b'[' | b']' | b'{' | b'}' | b',') => {}
            // Where a scalar of three characters stood there would be no space behind it.
            Some(b'-' | b'.') if mark.column == 0 && end == start + 3 && self.cursor.is_space_at(0) => {}
            // Plain scalars, and indicators, which are shorter than what is always looked at.
            _ => self.note_plain(start, end),
        }
    }

    /// In scalars, four characters are asked for at the start and behind all white space, because they may be a
    /// document indicator; and two behind every other character.
    fn note_plain(&mut self, start: usize, end: usize) {
        let bytes = self.cursor.bytes();
        let mut at = start;
        loop {
            self.note_look(at, 4);
            while at < end && space_width(bytes, at) == 0 {
                at += 1;
            }
            self.note_look(at, 2);
            if at >= end {
                return;
            }
            at = end_of_space(bytes, at, end);
            self.note_look(at, 1);
            let is_inside = self.in_flow() || i64::from(self.cursor.column()) > self.indent;
            if at >= end && (!is_inside || bytes.get(end) == Some(&b'\t')) {
                return;
            }
        }
    }

    fn note_quoted(&mut self, start: usize, end: usize) {
        let bytes = self.cursor.bytes();
        let quote = bytes[start];
        let mut at = start + 1;
        while at < end {
            self.note_look(at, 4);
            while at < end && space_width(bytes, at) == 0 {
                match bytes[at..] {
                    [b'\\', ..] if quote == b'"' && break_width(bytes, at + 1) > 0 => {
                        self.note_look(at, 3);
                        at += 1;
                        break;
                    }
                    [b'\\', code, ..] if quote == b'"' => {
                        let digits = match code {
                            b'x' => 2,
                            b'u' => 4,
                            b'U' => 8,
                            _ => 0,
                        };
                        self.note_look(at + 2, digits);
                        at += 2 + digits;
                    }
                    [b'\'', b'\'', ..] if quote == b'\'' => at += 2,
                    _ if bytes[at] == quote => {
                        self.note_look(at, 2);
                        return;
                    }
                    _ => at += 1,
                }
            }
            if at <= end {
                self.note_look(at, 2);
            }
            if at >= end {
                return;
            }
            at = end_of_space(bytes, at, end);
            self.note_look(at, 1);
        }
        self.note_look(at, 4);
    }
}

fn space_width(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at).is_some_and(|&byte| is_blank(byte)) { 1 } else { break_width(bytes, at) }
}

fn end_of_space(bytes: &[u8], start: usize, end: usize) -> usize {
    let mut at = start;
    while at < end && space_width(bytes, at) > 0 {
        at += space_width(bytes, at);
    }
    at
}
