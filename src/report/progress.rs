use super::Reporter;
use kapstan_compile::Progress;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Tells how a compile run goes on, in Kapitan's words.
pub(crate) struct CompileProgress<'r> {
    reporter: &'r Reporter,
    is_quiet: bool,
    cpus: usize,
    started: Instant,
    state: Mutex<State>,
}

struct State {
    phase_started: Instant,
    targets: HashMap<String, Instant>,
}

impl<'r> CompileProgress<'r> {
    /// Begins to count time.
    pub(crate) fn new(reporter: &'r Reporter, is_quiet: bool, cpus: usize) -> Self {
        let now = Instant::now();
        let state = Mutex::new(State { phase_started: now, targets: HashMap::new() });
        Self { reporter, is_quiet, cpus, started: now, state }
    }

    fn say(&self, text: &str) {
        if !self.is_quiet {
            self.reporter.note(text);
        }
    }

    fn with_state<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Progress for CompileProgress<'_> {
    fn discovered(&self, targets: usize) {
        let seconds = self.started.elapsed().as_secs_f64();
        self.say(&format!("Rendered inventory ({seconds:.2}s): discovered {targets} targets."));
    }

    fn begins(&self, selected: usize, discovered: usize, parallelism: usize) {
        self.with_state(|state| state.phase_started = Instant::now());
        self.say(&format!(
            "Compiling {selected}/{discovered} targets using {parallelism} concurrent threads: ({} CPU available)",
            self.cpus
        ));
    }

    fn target_begins(&self, path: &str) {
        if !self.is_quiet {
            self.with_state(|state| state.targets.insert(path.to_owned(), Instant::now()));
        }
    }

    fn target_done(&self, path: &str) {
        if self.is_quiet {
            return;
        }
        let begun = self.with_state(|state| state.targets.remove(path));
        let seconds = begun.map_or(0.0, |begun| begun.elapsed().as_secs_f64());
        self.say(&format!("Compiled {path} ({seconds:.2}s)"));
    }

    fn done(&self, selected: usize) {
        let seconds = self.with_state(|state| state.phase_started.elapsed().as_secs_f64());
        self.say(&format!("Compiled {selected} targets in {seconds:.2}s"));
    }
}
