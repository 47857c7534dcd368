use super::error::Error;
use crate::yaml::Mark;

/// The tokens that may turn out to be keys without `?`: one candidate in the block context, and one in each flow
/// collection around the cursor.
#[derive(Debug)]
pub(super) struct SimpleKeys {
    levels: Vec<SimpleKey>,
    /// Candidates below this level are known to be none. A candidate further out stands earlier in the text, and so
    /// goes stale no later: there is never a need to look at all of them.
    oldest: usize,
    /// How many candidates there are. Mostly none, and then there is nothing to do.
    candidates: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SimpleKey {
    possible: bool,
    /// In the block context, at the column of the mapping: nothing but a key may stand there.
    required: bool,
    /// Found by its `:`, but not waited for.
    unnoticed: bool,
    pub(super) token_number: usize,
    pub(super) mark: Mark,
}

/// A simple key stands in one line and is no longer than this.
pub(super) const MAX_LENGTH: u32 = 1024;

impl SimpleKeys {
    pub(super) fn new() -> Self {
        Self { levels: vec![SimpleKey::default()], oldest: 0, candidates: 0 }
    }

    /// How many flow collections are open.
    pub(super) fn flow_level(&self) -> usize {
        self.levels.len() - 1
    }

    pub(super) fn open_flow(&mut self) {
        self.levels.push(SimpleKey::default());
    }

    pub(super) fn close_flow(&mut self) {
        if self.levels.len() > 1 {
            let key = self.levels.pop();
            self.candidates -= usize::from(key.is_some_and(|key| key.possible));
            self.oldest = self.oldest.min(self.levels.len() - 1);
        }
    }

    /// Notes a candidate at `mark`, in place of the one before.
    pub(super) fn save(&mut self, required: bool, token_number: usize, mark: Mark) -> Result<(), Error> {
        self.remove(mark)?;
        *self.innermost() = SimpleKey { possible: true, required, unnoticed: false, token_number, mark };
        self.candidates += 1;
        Ok(())
    }

    /// Drops the innermost candidate.
    #[inline]
    pub(super) fn remove(&mut self, now: Mark) -> Result<(), Error> {
        if self.candidates == 0 {
            return Ok(());
        }
        match self.take() {
            Some(key) if key.required => Err(missing_value(key.mark, now)),
            _ => Ok(()),
        }
    }

    /// Lets nothing wait for what comes of the innermost candidate, if it is the token with this number.
    pub(super) fn overlook(&mut self, token_number: usize) {
        let key = self.innermost();
        key.unnoticed = key.possible && key.token_number == token_number;
    }

    /// Takes the innermost candidate where it has not gone stale unnoticed.
    pub(super) fn take_fresh(&mut self, now: Mark) -> Result<Option<SimpleKey>, Error> {
        match self.take() {
            Some(key) if key.unnoticed && is_stale(key.mark, now) => {
                if key.required {
                    Err(missing_value(key.mark, now))
                } else {
                    Ok(None)
                }
            }
            key => Ok(key),
        }
    }

    /// Takes the innermost candidate: a `:` has been found behind it.
    pub(super) fn take(&mut self) -> Option<SimpleKey> {
        let key = self.innermost();
        let found = key.possible.then_some(*key)?;
        key.possible = false;
        self.candidates -= 1;
        Some(found)
    }

    /// Drops the candidates that can no longer be keys because the cursor has gone too far.
    #[inline]
    pub(super) fn drop_stale(&mut self, now: Mark) -> Result<(), Error> {
        if self.candidates == 0 { Ok(()) } else { self.drop_stale_from_oldest(now) }
    }

    fn drop_stale_from_oldest(&mut self, now: Mark) -> Result<(), Error> {
        while let Some(key) = self.levels.get_mut(self.oldest) {
            if key.possible && !key.unnoticed {
                if !is_stale(key.mark, now) {
                    break;
                }
                if key.required {
                    return Err(missing_value(key.mark, now));
                }
                key.possible = false;
                self.candidates -= 1;
            }
            if self.oldest + 1 == self.levels.len() {
                break;
            }
            self.oldest += 1;
        }
        Ok(())
    }

    /// Whether the token with this number may turn out to be a key. Stale candidates have to be dropped before.
    pub(super) fn may_be_key(&self, token_number: usize) -> bool {
        // Tokens do not leave the queue while they are candidates, so only the oldest one can be at its head.
        if self.candidates == 0 {
            return false;
        }
        let key = &self.levels[self.oldest];
        key.possible && !key.unnoticed && key.token_number == token_number
    }

    fn innermost(&mut self) -> &mut SimpleKey {
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }
}

/// Whether what begins at `key` can no longer be a simple key when its value has not begun `now`.
pub(super) fn is_stale(key: Mark, now: Mark) -> bool {
    key.line != now.line || now.column - key.column > MAX_LENGTH
}

pub(super) const MISSING_VALUE: &str = "could not find expected ':'";

fn missing_value(key: Mark, now: Mark) -> Error {
    Error::new(MISSING_VALUE, now).within("while scanning a simple key", key)
}
