//! What an emulator cannot run, by name and with its reason: `tests/emulators.toml`.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use crate::Failure;

/// A test's name to why it cannot run.
pub type Reasons = BTreeMap<String, String>;

/// What the emulator that `KAPSTAN_EMULATOR` names cannot run; nothing where there is none.
pub fn cannot_run() -> Result<Reasons, Failure> {
    let emulator = env::var("KAPSTAN_EMULATOR").unwrap_or_default();
    if emulator.is_empty() {
        return Ok(Reasons::new());
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("emulators.toml");
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut emulators: BTreeMap<String, Reasons> =
        toml::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))?;
    emulators.remove(&emulator).ok_or_else(|| format!("{} has no table `{emulator}`", file.display()))
}
