use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

/// A byte string, usually UTF-8, that many values share. Ordered by bytes, as Go orders strings.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Text(Rc<[u8]>);

impl Text {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// As UTF-8; what is not becomes U+FFFD, as where Go writes a string out by runes.
    pub fn to_str(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// As UTF-8, if it is.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        // Keys of maps are short and differ early: most comparisons are over before a call would be made.
        for (left, right) in self.0.iter().zip(&*other.0).take(8) {
            if left != right {
                return left.cmp(right);
            }
        }
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Text {
    fn default() -> Self {
        Self(Rc::from([]))
    }
}

impl Deref for Text {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Borrow<[u8]> for Text {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(text.into_bytes().into())
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        Self(text.as_bytes().into())
    }
}

impl From<Cow<'_, str>> for Text {
    fn from(text: Cow<'_, str>) -> Self {
        Self(text.as_bytes().into())
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl From<&Text> for Text {
    fn from(text: &Text) -> Self {
        text.clone()
    }
}

impl From<kapstan_document::Text> for Text {
    fn from(text: kapstan_document::Text) -> Self {
        Self(text.as_bytes().into())
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other.as_bytes()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == *other.as_bytes()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.to_str(), f)
    }
}
