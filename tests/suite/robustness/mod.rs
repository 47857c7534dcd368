//! What a case's folder cannot say: times of files, interruption, a full disk, hostile sizes.

mod disk;
mod hostile;
mod interruption;
mod outputs;
mod repository;

pub use disk::small_disks_can_be_made;

use std::sync::Arc;

use libtest_mimic::{Failed, Trial};

use crate::Failure;
use crate::program::Program;

/// One test: its name, whether this machine can run it, and what it does.
struct Test {
    name: &'static str,
    possible: fn(&Program) -> bool,
    run: fn(&Program) -> Result<(), Failure>,
}

const TESTS: &[Test] = &[
    Test { name: "closed-pipe-is-success", possible: always, run: outputs::closed_pipe_is_success },
    Test {
        name: "unchanged-files-keep-their-time",
        possible: always,
        run: outputs::unchanged_files_keep_their_time,
    },
    Test {
        name: "same-tree-at-any-parallelism",
        possible: always,
        run: outputs::same_tree_at_any_parallelism,
    },
    Test { name: "two-runs-at-once", possible: always, run: interruption::two_runs_at_once },
    Test { name: "killed-at-any-instant", possible: always, run: interruption::killed_at_any_instant },
    Test { name: "unreadable-template", possible: has_modes, run: disk::unreadable_template },
    Test { name: "unreadable-class", possible: has_modes, run: disk::unreadable_class },
    Test { name: "unwritable-folder", possible: has_modes, run: disk::unwritable_folder },
    Test { name: "file-size-limit", possible: on_unix, run: disk::file_size_limit },
    Test { name: "full-disk", possible: |_| small_disks_can_be_made(), run: disk::full_disk },
    Test { name: "alias-bomb", possible: always, run: hostile::alias_bomb },
    Test { name: "reference-bomb", possible: always, run: hostile::reference_bomb },
    Test { name: "deep-flow-sequences", possible: always, run: hostile::deep_flow_sequences },
    Test { name: "deep-block-mappings", possible: always, run: hostile::deep_block_mappings },
    Test { name: "long-class-chain", possible: always, run: hostile::long_class_chain },
    Test { name: "deep-references", possible: always, run: hostile::deep_references },
    Test { name: "deep-jinja2-expression", possible: always, run: hostile::deep_jinja2_expression },
    Test { name: "deep-jsonnet-expression", possible: always, run: hostile::deep_jsonnet_expression },
    Test { name: "endless-jinja2-loop", possible: always, run: hostile::endless_jinja2_loop },
];

fn always(_: &Program) -> bool {
    true
}

/// What needs files that may not be read: Windows has no modes, whatever runs the program.
pub fn has_modes(program: &Program) -> bool {
    on_unix(program) && !program.is_for_windows()
}

/// What needs a Unix to run on, be it with wine.
fn on_unix(_: &Program) -> bool {
    cfg!(unix)
}

/// The tests, and the names of those that cannot run on this machine.
pub fn trials(program: &Arc<Program>) -> (Vec<Trial>, Vec<String>) {
    let mut trials = Vec::new();
    let mut left_out = Vec::new();
    for test in TESTS {
        let name = format!("robustness/{}", test.name);
        if (test.possible)(program) {
            let (program, run) = (program.clone(), test.run);
            trials.push(Trial::test(name, move || run(&program).map_err(Failed::from)));
        } else {
            left_out.push(format!("{name} (needs modes, or a small disk)"));
        }
    }
    (trials, left_out)
}
