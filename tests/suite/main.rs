//! The black-box suite: one test for every folder under `tests/cases`, and the tests of what a folder cannot say.
//!
//! `KAPSTAN_BIN` names the binary to test (default: the one just built), `KAPSTAN_RUNNER` what runs it, and
//! `KAPSTAN_EMULATOR` the table of `tests/emulators.toml` that says which tests that runner cannot run.
//! `KAPSTAN_BLESS=1` rewrites what is expected; read the difference before committing it.
//! `KAPSTAN_ORACLE` names a peer, `kapitan`, `helm4` or `helm3`: the real one (`KAPSTAN_PEER`, or the one on `PATH`) is run on
//! the cases that may be compared with it, beside the usual tests; blessing then takes trees and standard output from the
//! peer, and only from there.

mod case;
mod check;
mod emulator;
mod program;
mod robustness;
mod text;
mod tree;
mod update;

use std::path::Path;
use std::process::ExitCode;
use std::{env, sync::Arc};

use case::{Case, Need, Peer};
use check::Side;
use libtest_mimic::{Arguments, Failed, Trial};
use program::Program;

/// Why a case did not pass, as text for its reader.
pub type Failure = String;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (trials, left_out) = match trials() {
        Ok(found) => found,
        Err(message) => {
            eprintln!("the suite cannot start: {message}");
            return ExitCode::FAILURE;
        }
    };
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !left_out.is_empty() {
        println!(
            "{} tests left out, for they need what is not there:\n    {}",
            left_out.len(),
            left_out.join("\n    ")
        );
    }
    conclusion.exit_code()
}

/// The tests, and the names of the cases that cannot run here.
fn trials() -> Result<(Vec<Trial>, Vec<String>), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("cases");
    let program = Arc::new(Program::under_test()?);
    let bless = env::var("KAPSTAN_BLESS").is_ok_and(|value| value == "1");
    let peer = match env::var("KAPSTAN_ORACLE").ok().as_deref() {
        None | Some("") => None,
        Some(name) => {
            let peer =
                Peer::named(name).ok_or_else(|| format!("KAPSTAN_ORACLE is `{name}`, which is no peer"))?;
            Some((peer, Arc::new(Program::peer(peer.name())?)))
        }
    };
    let mut trials = Vec::new();
    let mut left_out = Vec::new();
    for case in Case::read_all(&root)? {
        if case.requires.contains(&Need::Unix) && (cfg!(not(unix)) || program.is_for_windows()) {
            left_out.push(format!("{} (needs what only Unix has: modes, links, a shell)", case.name));
            continue;
        }
        let compared = |(peer, _): &(Peer, _)| case.oracle == Some(*peer) && case.oracle_differs.is_none();
        if let Some((peer, program)) = peer.clone().filter(compared) {
            let name = format!("{}: {}", peer.name(), case.name);
            trials.push(trial(&name, case.clone(), program, Side::Peer(peer), bless));
        }
        if peer.is_none() || !bless {
            trials.push(trial(&case.name.clone(), case, program.clone(), Side::Ours, bless));
        }
    }
    if !bless {
        let (tests, cannot_run) = robustness::trials(&program);
        trials.extend(tests);
        left_out.extend(cannot_run);
        let (tests, cannot_run) = update::trials(&program);
        trials.extend(tests);
        left_out.extend(cannot_run);
    }
    let cannot_run = emulator::cannot_run()?;
    if let Some(unknown) = cannot_run.keys().find(|name| !trials.iter().any(|trial| trial.name() == *name)) {
        return Err(format!("tests/emulators.toml names `{unknown}`, which is no test here"));
    }
    trials.retain(|trial| !cannot_run.contains_key(trial.name()));
    left_out.extend(cannot_run.into_iter().map(|(name, reason)| format!("{name} ({reason})")));
    Ok((trials, left_out))
}

fn trial(name: &str, case: Case, program: Arc<Program>, side: Side, bless: bool) -> Trial {
    Trial::test(name, move || check::check(&case, &program, side, bless).map_err(Failed::from))
}
