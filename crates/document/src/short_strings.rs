use crate::Text;
use rustc_hash::FxHashSet;

/// Longer strings are seldom repeated, so that looking for them would be wasted.
const SHORT: usize = 40;

/// Keys and short strings of a text, each kept once.
#[derive(Default)]
pub(crate) struct ShortStrings(FxHashSet<Text>);

impl ShortStrings {
    /// The string; a short one that was asked for before is the same one.
    pub(crate) fn share(&mut self, text: &str) -> Text {
        if text.len() > SHORT {
            return text.into();
        }
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let new = Text::from(text);
        self.0.insert(new.clone());
        new
    }
}
