//! `kapstan self`, `completions` and `man`: installations in folders, releases on servers of the tests.

mod install;
mod installation;
mod owners;
mod pages;
mod release;
mod remove;
mod server;
mod tampered;
mod trouble;
mod verify;

use std::sync::Arc;

use libtest_mimic::{Failed, Trial};

use crate::Failure;
use crate::program::Program;
use crate::robustness::{has_modes, small_disks_can_be_made};
use release::Kit;

/// One test: its name, what the machine must have for it, and what it does.
struct Test {
    name: &'static str,
    need: Need,
    run: fn(&'static Kit) -> Result<(), Failure>,
}

/// What not every machine has, or not for every program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Nothing.
    Nothing,
    /// The program can start programs of its kind, as it does with one that it has just unpacked.
    Starting,
    /// File modes and links.
    Modes,
    /// Both.
    ModesAndStarting,
    /// Both, and small disks.
    SmallDisks,
}

impl Need {
    /// What is missing, for those that read why a test was left out.
    fn reason(self) -> &'static str {
        match self {
            Self::Nothing => "needs nothing",
            Self::Starting => {
                "starts a program that it installed, which the kernel does not hand to the emulator"
            }
            Self::Modes => "needs modes and links",
            Self::ModesAndStarting => "needs modes and links, and starts a program that it installed",
            Self::SmallDisks => "needs a small disk, which a run under an emulator does not see",
        }
    }

    fn is_met(self, program: &Program) -> bool {
        let has_modes = has_modes(program);
        match self {
            Self::Nothing => true,
            Self::Starting => program.can_start_others(),
            Self::Modes => has_modes,
            Self::ModesAndStarting => has_modes && program.can_start_others(),
            // These runs are started without the emulator.
            Self::SmallDisks => has_modes && program.runs_by_itself() && small_disks_can_be_made(),
        }
    }
}

const fn test(name: &'static str, need: Need, run: fn(&'static Kit) -> Result<(), Failure>) -> Test {
    Test { name, need, run }
}

const TESTS: &[Test] = &[
    test("newest", Need::Starting, install::newest),
    test("named-older", Need::Starting, install::named_older),
    test("preview-channel", Need::Starting, install::preview_channel),
    test("up-to-date", Need::Nothing, install::up_to_date),
    test("newest-is-older", Need::Nothing, install::newest_is_older),
    test("same-again-by-force", Need::Starting, install::same_again_by_force),
    test("from-a-folder", Need::Starting, install::from_a_folder),
    test("redirected", Need::Starting, install::redirected),
    test("second-key", Need::Starting, install::second_key),
    test("key-in-a-file", Need::Starting, install::key_in_a_file),
    test("check", Need::Nothing, install::check),
    test("dry-run", Need::Nothing, install::dry_run),
    test("wrong-arguments", Need::Nothing, install::wrong_arguments),
    test("companions-are-renewed", Need::Starting, install::companions_are_renewed),
    test("proxy", Need::Nothing, install::proxy),
    test("through-a-link", Need::ModesAndStarting, install::through_a_link),
    test("mode-is-kept", Need::ModesAndStarting, install::mode_is_kept),
    test("tampered-archive", Need::Nothing, tampered::archive),
    test("tampered-sums", Need::Nothing, tampered::sums),
    test("tampered-manifest", Need::Nothing, tampered::manifest),
    test("wrong-key", Need::Nothing, tampered::wrong_key),
    test("project-key", Need::Nothing, tampered::project_key),
    test("no-signature", Need::Nothing, tampered::no_signature),
    test("broken-signature", Need::Nothing, tampered::broken_signature),
    test("signature-of-another-version", Need::Nothing, tampered::signature_of_another_version),
    test("signature-of-another-file", Need::Nothing, tampered::signature_of_another_file),
    test("program-of-another-version", Need::Starting, tampered::program_of_another_version),
    test("program-that-does-not-run", Need::Nothing, tampered::program_that_does_not_run),
    test("archive-without-program", Need::Nothing, tampered::archive_without_program),
    test("broken-archive", Need::Nothing, tampered::broken_archive),
    test("archive-bomb", Need::Nothing, tampered::archive_bomb),
    test("no-archive-for-the-target", Need::Nothing, tampered::no_archive_for_the_target),
    test("endless-manifest", Need::Nothing, tampered::endless_manifest),
    test("truncated-download", Need::Nothing, trouble::truncated_download),
    test("not-found", Need::Nothing, trouble::not_found),
    test("server-errors", Need::Nothing, trouble::server_errors),
    test("no-server", Need::Nothing, trouble::no_server),
    test("plain-http", Need::Nothing, trouble::plain_http),
    test("killed-half-way", Need::Starting, trouble::killed_half_way),
    test("two-at-once", Need::Nothing, trouble::two_at_once),
    test("no-permission", Need::Modes, trouble::no_permission),
    test("no-space", Need::SmallDisks, trouble::no_space),
    test("no-receipt", Need::Starting, owners::no_receipt),
    test("receipt-of-another-file", Need::Starting, owners::receipt_of_another_file),
    test("broken-receipt", Need::Nothing, owners::broken_receipt),
    test("package-managers", Need::Nothing, owners::package_managers),
    test("unmanaged", Need::Nothing, owners::unmanaged),
    test("container", Need::Starting, owners::container),
    test("copy", Need::Nothing, install::copy),
    test("rollback", Need::Starting, remove::rollback),
    test("rollback-without-previous", Need::Nothing, remove::rollback_without_previous),
    test("rollback-to-what-does-not-run", Need::Nothing, remove::rollback_to_what_does_not_run),
    test("uninstall", Need::Starting, remove::uninstall),
    test("uninstall-without-receipt", Need::Nothing, remove::uninstall_without_receipt),
    test("verify", Need::Nothing, verify::good),
    test("verify-what-was-changed", Need::Nothing, verify::changed),
    test("verify-something-else", Need::Nothing, verify::other),
    test("version", Need::Nothing, pages::version),
    test("completions", Need::Nothing, pages::completions),
    test("manual", Need::Nothing, pages::manual),
    test("outside-of-repositories", Need::Nothing, pages::outside_of_repositories),
];

/// The tests, and the names of those that cannot run on this machine.
pub fn trials(program: &Arc<Program>) -> (Vec<Trial>, Vec<String>) {
    let mut trials = Vec::new();
    let mut left_out = Vec::new();
    for test in TESTS {
        let name = format!("self/{}", test.name);
        if test.need.is_met(program) {
            let (program, run) = (program.clone(), test.run);
            trials.push(Trial::test(name, move || Kit::of(&program).and_then(run).map_err(Failed::from)));
        } else {
            left_out.push(format!("{name} ({})", test.need.reason()));
        }
    }
    (trials, left_out)
}
