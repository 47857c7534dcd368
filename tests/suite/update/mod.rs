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

use std::sync::Arc;

use libtest_mimic::{Failed, Trial};

use crate::Failure;
use crate::program::Program;
use crate::robustness::{always, on_unix};
use release::Kit;

/// One test: its name, whether this machine can run it, and what it does.
struct Test {
    name: &'static str,
    possible: fn() -> bool,
    run: fn(&'static Kit) -> Result<(), Failure>,
}

const fn test(name: &'static str, run: fn(&'static Kit) -> Result<(), Failure>) -> Test {
    Test { name, possible: always, run }
}

const TESTS: &[Test] = &[
    test("newest", install::newest),
    test("named-older", install::named_older),
    test("preview-channel", install::preview_channel),
    test("up-to-date", install::up_to_date),
    test("newest-is-older", install::newest_is_older),
    test("same-again-by-force", install::same_again_by_force),
    test("from-a-folder", install::from_a_folder),
    test("redirected", install::redirected),
    test("second-key", install::second_key),
    test("key-in-a-file", install::key_in_a_file),
    test("check", install::check),
    test("dry-run", install::dry_run),
    test("wrong-arguments", install::wrong_arguments),
    test("companions-are-renewed", install::companions_are_renewed),
    test("proxy", install::proxy),
    Test { name: "through-a-link", possible: on_unix, run: install::through_a_link },
    Test { name: "mode-is-kept", possible: on_unix, run: install::mode_is_kept },
    test("tampered-archive", tampered::archive),
    test("tampered-sums", tampered::sums),
    test("tampered-manifest", tampered::manifest),
    test("wrong-key", tampered::wrong_key),
    test("project-key", tampered::project_key),
    test("no-signature", tampered::no_signature),
    test("broken-signature", tampered::broken_signature),
    test("signature-of-another-version", tampered::signature_of_another_version),
    test("signature-of-another-file", tampered::signature_of_another_file),
    test("program-of-another-version", tampered::program_of_another_version),
    test("program-that-does-not-run", tampered::program_that_does_not_run),
    test("archive-without-program", tampered::archive_without_program),
    test("broken-archive", tampered::broken_archive),
    test("archive-bomb", tampered::archive_bomb),
    test("no-archive-for-the-target", tampered::no_archive_for_the_target),
    test("endless-manifest", tampered::endless_manifest),
    test("truncated-download", trouble::truncated_download),
    test("not-found", trouble::not_found),
    test("server-errors", trouble::server_errors),
    test("no-server", trouble::no_server),
    test("plain-http", trouble::plain_http),
    test("killed-half-way", trouble::killed_half_way),
    test("two-at-once", trouble::two_at_once),
    Test { name: "no-permission", possible: on_unix, run: trouble::no_permission },
    Test { name: "no-space", possible: crate::robustness::small_disks_can_be_made, run: trouble::no_space },
    test("no-receipt", owners::no_receipt),
    test("receipt-of-another-file", owners::receipt_of_another_file),
    test("broken-receipt", owners::broken_receipt),
    test("package-managers", owners::package_managers),
    test("unmanaged", owners::unmanaged),
    test("container", owners::container),
    test("copy", install::copy),
    test("rollback", remove::rollback),
    test("rollback-without-previous", remove::rollback_without_previous),
    test("rollback-to-what-does-not-run", remove::rollback_to_what_does_not_run),
    test("uninstall", remove::uninstall),
    test("uninstall-without-receipt", remove::uninstall_without_receipt),
    test("version", pages::version),
    test("completions", pages::completions),
    test("manual", pages::manual),
    test("outside-of-repositories", pages::outside_of_repositories),
];

/// The tests, and the names of those that cannot run on this machine.
pub fn trials(program: &Arc<Program>) -> (Vec<Trial>, Vec<String>) {
    let mut trials = Vec::new();
    let mut left_out = Vec::new();
    let can_update = program.can_start_others();
    for test in TESTS {
        let name = format!("self/{}", test.name);
        if can_update && (test.possible)() {
            let (program, run) = (program.clone(), test.run);
            trials.push(Trial::test(name, move || Kit::of(&program).and_then(run).map_err(Failed::from)));
        } else {
            left_out.push(name);
        }
    }
    (trials, left_out)
}
