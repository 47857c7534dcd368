use super::{MOST_BYTES, Printer};
use crate::format::flags::Flags;
use crate::unicode::decode;
use crate::value::Value;

/// The largest width, precision or argument number.
const MOST: i64 = 1_000_000;

/// Where a format is being read.
struct Cursor<'a> {
    format: &'a [u8],
    at: usize,
    args: &'a [Value],
    /// The argument that the next verb takes.
    next: usize,
    /// Whether some verb named its argument: then unused ones are not counted.
    is_reordered: bool,
    /// Whether the numbers of the verb at hand made sense.
    is_good: bool,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Digits as a number; none where there are none, and where they are too many.
    fn number(&mut self) -> Option<usize> {
        let start = self.at;
        let mut value = 0i64;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            if value > MOST {
                // Go gives up in the middle of the number and takes the rest of the format as it comes.
                self.at = self.format.len();
                return None;
            }
            value = value * 10 + i64::from(digit - b'0');
            self.at += 1;
        }
        if self.at == start { None } else { usize::try_from(value).ok() }
    }

    /// `[3]`, if one stands here; whether it did.
    fn argument_number(&mut self) -> bool {
        if self.peek() != Some(b'[') {
            return false;
        }
        self.is_reordered = true;
        let rest = &self.format[self.at..];
        let Some(end) = memchr::memchr(b']', rest).filter(|_| rest.len() >= 3) else {
            self.at += 1;
            self.is_good = false;
            return false;
        };
        let digits = std::str::from_utf8(&rest[1..end]).ok();
        let number = digits
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|digits| digits.parse::<i64>().ok())
            .filter(|number| *number <= MOST * 10 + 9);
        self.at += end + 1;
        let index = number.and_then(|number| usize::try_from(number - 1).ok());
        match index.filter(|index| *index < self.args.len()) {
            Some(index) => self.next = index,
            None => self.is_good = false,
        }
        number.is_some()
    }

    /// The argument of a `*`; none where it is no integer or too large.
    fn integer(&mut self) -> Option<i64> {
        let arg = self.args.get(self.next)?;
        self.next += 1;
        let number = match arg {
            Value::Int(value) | Value::Int64(value) => *value,
            Value::Byte(value) => i64::from(*value),
            Value::Uint64(value) => i64::try_from(*value).ok()?,
            _ => return None,
        };
        (-MOST..=MOST).contains(&number).then_some(number)
    }
}

impl Printer {
    /// A format and its arguments.
    pub(super) fn format(&mut self, format: &[u8], args: &[Value]) {
        let mut cursor = Cursor { format, at: 0, args, next: 0, is_reordered: false, is_good: true };
        while cursor.at < format.len() && self.out.len() <= MOST_BYTES {
            let rest = &format[cursor.at..];
            let text = memchr::memchr(b'%', rest).unwrap_or(rest.len());
            self.out.extend_from_slice(&rest[..text]);
            cursor.at += text;
            if !cursor.take(b'%') {
                break;
            }
            self.directive(&mut cursor);
        }
        if !cursor.is_reordered && cursor.next < args.len() {
            self.extra(&args[cursor.next..]);
        }
    }

    /// What follows a `%`.
    fn directive(&mut self, cursor: &mut Cursor<'_>) {
        cursor.is_good = true;
        self.flags = Flags::default();
        while let Some(byte) = cursor.peek() {
            match byte {
                b'#' => self.flags.sharp = true,
                b'0' => self.flags.zero = true,
                b'+' => self.flags.plus = true,
                b'-' => self.flags.minus = true,
                b' ' => self.flags.space = true,
                _ => break,
            }
            cursor.at += 1;
        }
        let mut is_after_number = cursor.argument_number();
        self.width(cursor, &mut is_after_number);
        self.precision(cursor, &mut is_after_number);
        if !is_after_number {
            cursor.argument_number();
        }
        let Some((verb, length)) = decode(&cursor.format[cursor.at.min(cursor.format.len())..]) else {
            return self.push_str("%!(NOVERB)");
        };
        cursor.at += length;
        self.verb(cursor, verb);
    }

    fn width(&mut self, cursor: &mut Cursor<'_>, is_after_number: &mut bool) {
        if !cursor.take(b'*') {
            self.flags.width = cursor.number();
            if *is_after_number && self.flags.width.is_some() {
                cursor.is_good = false;
            }
            return;
        }
        match cursor.integer() {
            None => self.push_str("%!(BADWIDTH)"),
            Some(width) => {
                self.flags.width = usize::try_from(width.unsigned_abs()).ok();
                if width < 0 {
                    self.flags.minus = true;
                    self.flags.zero = false;
                }
            }
        }
        *is_after_number = false;
    }

    fn precision(&mut self, cursor: &mut Cursor<'_>, is_after_number: &mut bool) {
        // A point that ends the format is a verb.
        if cursor.at + 1 >= cursor.format.len() || !cursor.take(b'.') {
            return;
        }
        if *is_after_number {
            cursor.is_good = false;
        }
        *is_after_number = cursor.argument_number();
        if !cursor.take(b'*') {
            self.flags.precision = Some(cursor.number().unwrap_or(0));
            return;
        }
        self.flags.precision = cursor.integer().and_then(|precision| usize::try_from(precision).ok());
        if self.flags.precision.is_none() {
            self.push_str("%!(BADPREC)");
        }
        *is_after_number = false;
    }

    fn verb(&mut self, cursor: &mut Cursor<'_>, verb: char) {
        if verb == '%' {
            return self.out.push(b'%');
        }
        let problem = match cursor.args.get(cursor.next) {
            _ if !cursor.is_good => "(BADINDEX)",
            None => "(MISSING)",
            Some(arg) => {
                cursor.next += 1;
                if matches!(verb, 'v' | 'w') {
                    self.flags.sharp_v = std::mem::take(&mut self.flags.sharp);
                    self.flags.plus_v = std::mem::take(&mut self.flags.plus);
                }
                return self.argument(arg, verb);
            }
        };
        self.push_str("%!");
        self.push_char(verb);
        self.push_str(problem);
    }

    /// `%!(EXTRA int=1, string=x)`
    fn extra(&mut self, args: &[Value]) {
        self.flags = Flags::default();
        self.push_str("%!(EXTRA ");
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                self.push_str(", ");
            }
            if arg.is_nil() {
                self.push_str("<nil>");
            } else {
                self.push_str(arg.type_name());
                self.out.push(b'=');
                self.argument(arg, 'v');
            }
        }
        self.out.push(b')');
    }
}
