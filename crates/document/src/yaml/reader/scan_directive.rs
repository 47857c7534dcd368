use super::characters::is_word;
use super::scanner::{Outcome, Scanner};
use super::token::{TagDirective, TokenKind};
use crate::yaml::Mark;

const DIRECTIVE: &str = "while scanning a directive";
const VERSION: &str = "while scanning a %YAML directive";

/// The most digits that a version number may have.
const MAX_DIGITS: u32 = 9;

impl<'a> Scanner<'a> {
    /// `%YAML 1.1` or `%TAG !handle! prefix`, with the rest of its line.
    pub(super) fn scan_directive(&mut self, start: Mark) -> Outcome<()> {
        self.cursor.skip(1);
        let name = self.scan_word();
        if name.is_empty() {
            return Err(self.error(DIRECTIVE, start, "could not find expected directive name"));
        }
        if !self.cursor.is_space_at(0) {
            return Err(self.error(DIRECTIVE, start, "found unexpected non-alphabetical character"));
        }
        let kind = match name {
            "YAML" => self.scan_version(start)?,
            "TAG" => self.scan_tag_directive(start)?,
            _ => return Err(self.error(DIRECTIVE, start, "found unknown directive name")),
        };
        let end = self.cursor.mark();
        self.cursor.skip_blanks();
        self.skip_comment();
        if !self.cursor.is_at_line_end() {
            return Err(self.error(DIRECTIVE, start, "did not find expected comment or line break"));
        }
        self.cursor.skip_break();
        self.push(kind, start, end);
        Ok(())
    }

    /// Letters, digits, `_` and `-`, as many as there are.
    pub(super) fn scan_word(&mut self) -> &'a str {
        let start = self.cursor.position();
        while is_word(self.cursor.byte()) {
            self.cursor.skip(1);
        }
        self.cursor.since(start)
    }

    fn scan_version(&mut self, start: Mark) -> Outcome<TokenKind<'a>> {
        self.cursor.skip_blanks();
        let major = self.scan_version_number(start)?;
        if self.cursor.byte() != b'.' {
            return Err(self.error(VERSION, start, "did not find expected digit or '.' character"));
        }
        self.cursor.skip(1);
        let minor = self.scan_version_number(start)?;
        Ok(TokenKind::VersionDirective(major, minor))
    }

    fn scan_version_number(&mut self, start: Mark) -> Outcome<u32> {
        let mut value = 0;
        let mut digits = 0;
        while self.cursor.byte().is_ascii_digit() {
            digits += 1;
            if digits > MAX_DIGITS {
                return Err(self.error(VERSION, start, "found extremely long version number"));
            }
            value = value * 10 + u32::from(self.cursor.byte() - b'0');
            self.cursor.skip(1);
        }
        if digits == 0 {
            return Err(self.error(VERSION, start, "did not find expected version number"));
        }
        Ok(value)
    }

    fn scan_tag_directive(&mut self, start: Mark) -> Outcome<TokenKind<'a>> {
        const CONTEXT: &str = "while scanning a %TAG directive";
        self.cursor.skip_blanks();
        let handle = self.scan_directive_handle(start)?.to_owned();
        if !matches!(self.cursor.byte(), b' ' | b'\t') {
            return Err(self.error(CONTEXT, start, "did not find expected whitespace"));
        }
        self.cursor.skip_blanks();
        let begin = self.cursor.position();
        let prefix = self.scan_uri(begin, super::scan_tag::UriPlace::Directive, start)?.into_owned();
        if !self.cursor.is_space_at(0) {
            return Err(self.error(CONTEXT, start, "did not find expected whitespace or line break"));
        }
        Ok(TokenKind::TagDirective(Box::new(TagDirective { handle, prefix })))
    }

    fn scan_directive_handle(&mut self, start: Mark) -> Outcome<&'a str> {
        if self.cursor.byte() != b'!' {
            return Err(self.error("while scanning a tag directive", start, "did not find expected '!'"));
        }
        let handle = self.scan_tag_handle();
        if handle.len() > 1 && !handle.ends_with('!') {
            return Err(self.error("while parsing a tag directive", start, "did not find expected '!'"));
        }
        Ok(handle)
    }
}
