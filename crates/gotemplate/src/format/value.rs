use super::{MOST_BYTES, Printer};
use crate::value::{Kind, List, MAX_DEPTH, Map, ObjectRef, Type, Value};

/// What `%p` shows: where Go has things would differ from run to run.
const ADDRESS: u64 = 0xc0_0000_0000;

impl Printer {
    /// An argument of a call.
    pub(super) fn argument(&mut self, value: &Value, verb: char) {
        match (value, verb) {
            (Value::Absent | Value::Nil, 'T' | 'v') => self.padded(b"<nil>"),
            (_, 'T') => {
                self.string(value.type_name().as_bytes(), 's');
            }
            (Value::List(_) | Value::Map(_) | Value::Bytes(_), 'p') => self.pointer(),
            (Value::Object(object), 'p') if object.kind() == Kind::Pointer => self.pointer(),
            (_, 'p' | 'w') => self.bad_verb(value, verb),
            (Value::Bytes(bytes), _) => self.byte_slice(bytes, verb, "[]byte", 0),
            _ => self.value(value, verb, 0),
        }
    }

    fn pointer(&mut self) {
        let sharp = self.flags.sharp;
        self.flags.sharp = !sharp;
        self.integer(ADDRESS, 'x');
        self.flags.sharp = sharp;
    }

    /// `%!d(string=x)`
    pub(super) fn bad_verb(&mut self, value: &Value, verb: char) {
        self.is_erroring = true;
        self.push_str("%!");
        self.push_char(verb);
        self.out.push(b'(');
        if value.is_nil() {
            self.push_str("<nil>");
        } else {
            self.push_str(value.type_name());
            self.out.push(b'=');
            self.argument(value, 'v');
        }
        self.out.push(b')');
        self.is_erroring = false;
    }

    /// A value at some depth. Within a list or map of `interface {}` nil reads the same for every verb.
    fn value(&mut self, value: &Value, verb: char, depth: usize) {
        if depth > MAX_DEPTH || self.out.len() > MOST_BYTES {
            self.is_too_big = true;
            return;
        }
        let is_fine = match value {
            Value::Absent | Value::Nil if depth > 0 => {
                self.push_str(if self.flags.sharp_v { "interface {}(nil)" } else { "<nil>" });
                true
            }
            Value::Absent | Value::Nil => false,
            Value::Bool(value) if matches!(verb, 't' | 'v') => {
                self.padded(if *value { b"true" } else { b"false" });
                true
            }
            Value::Bool(_) => false,
            Value::Int(value) | Value::Int64(value) => self.integer(*value, verb),
            Value::Byte(value) => self.integer(u64::from(*value), verb),
            Value::Uint64(value) => self.integer(*value, verb),
            Value::Float64(value) => self.float(*value, verb),
            Value::Complex(real, imaginary) => self.complex(*real, *imaginary, verb),
            Value::Str(text) => self.string(text, verb),
            Value::Bytes(bytes) => {
                self.byte_slice(bytes, verb, "[]uint8", depth);
                true
            }
            Value::List(list) => {
                self.list(list, verb, depth);
                true
            }
            Value::Map(map) => {
                self.map(map, verb, depth);
                true
            }
            Value::Object(object) => self.object(object, verb, depth),
        };
        if !is_fine {
            self.bad_verb(value, verb);
        }
    }

    fn separator(&mut self, index: usize) {
        if index > 0 {
            self.push_str(if self.flags.sharp_v { ", " } else { " " });
        }
    }

    fn byte_slice(&mut self, bytes: &[u8], verb: char, type_name: &str, depth: usize) {
        if matches!(verb, 's' | 'q' | 'x' | 'X') {
            self.string(bytes, verb);
            return;
        }
        let is_syntax = self.flags.sharp_v;
        self.push_str(if is_syntax { type_name } else { "" });
        self.out.push(if is_syntax { b'{' } else { b'[' });
        for (index, byte) in bytes.iter().enumerate() {
            self.separator(index);
            self.value(&Value::Byte(*byte), verb, depth + 1);
        }
        self.out.push(if is_syntax { b'}' } else { b']' });
    }

    fn list(&mut self, list: &List, verb: char, depth: usize) {
        let is_syntax = self.flags.sharp_v;
        if is_syntax {
            self.push_str(list.list_type().name);
            if list.is_nil() {
                return self.push_str("(nil)");
            }
        }
        self.out.push(if is_syntax { b'{' } else { b'[' });
        for (index, item) in list.iter().enumerate() {
            self.separator(index);
            self.value(item, verb, depth + 1);
        }
        self.out.push(if is_syntax { b'}' } else { b']' });
    }

    fn map(&mut self, map: &Map, verb: char, depth: usize) {
        let is_syntax = self.flags.sharp_v;
        if is_syntax {
            self.push_str(map.map_type().name);
            if map.is_nil() {
                return self.push_str("(nil)");
            }
        } else {
            self.push_str("map");
        }
        self.out.push(if is_syntax { b'{' } else { b'[' });
        for (index, (key, value)) in map.entries().iter().enumerate() {
            self.separator(index);
            if !self.string(key, verb) {
                self.bad_verb(&Value::Str(key.clone()), verb);
            }
            self.out.push(b':');
            self.value(value, verb, depth + 1);
        }
        self.out.push(if is_syntax { b'}' } else { b']' });
    }

    /// False where the verb is none for it.
    fn object(&mut self, object: &ObjectRef, verb: char, depth: usize) -> bool {
        if !self.is_erroring
            && !self.flags.sharp_v
            && matches!(verb, 'v' | 's' | 'x' | 'X' | 'q')
            && let Some(text) = object.string()
        {
            return self.string(&text, verb);
        }
        if self.flags.sharp_v
            && let Some(text) = object.go_text()
        {
            self.push_str(&text.to_str());
            return true;
        }
        // Months and durations are numbers with a name.
        if matches!(object.kind(), Kind::Int | Kind::Int64) {
            self.value(&object.json().into_value(), verb, depth + 1);
            return true;
        }
        let is_pointer = object.kind() == Kind::Pointer;
        if is_pointer && depth > 0 {
            self.pointer();
            return true;
        }
        self.push_str(if is_pointer { "&" } else { "" });
        if self.flags.sharp_v {
            self.push_str(Type::Object(object.type_name()).name().trim_start_matches('*'));
        }
        self.out.push(b'{');
        for (index, (name, value)) in object.fields().iter().enumerate() {
            self.separator(index);
            if self.flags.plus_v || self.flags.sharp_v {
                self.push_str(name);
                self.out.push(b':');
            }
            self.value(value, verb, depth + 1);
        }
        self.out.push(b'}');
        true
    }
}
