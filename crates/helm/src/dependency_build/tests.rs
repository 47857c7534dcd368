use super::*;
use crate::{Limits, Profile};
use kapstan_diagnostic::Sources;
use kapstan_files::Memory;

fn run(files: &Memory, is_update: bool) -> (String, Result<DependencyChange>) {
    let sources = Sources::new();
    let options = DependencyOptions {
        load: LoadOptions { profile: Profile::V4_2, limits: Limits::default(), sources: &sources },
        is_debug: false,
        now: None,
        generated: "2024-05-06T07:08:09Z".to_owned(),
    };
    let mut said = String::new();
    let made =
        if is_update { dependency_update } else { dependency_build }(files, "web", &options, &mut said);
    (said, made)
}

fn web(dependencies: &str) -> Memory {
    Memory::new()
        .with(
            "web/Chart.yaml",
            format!("apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: {dependencies}\n"),
        )
        .with("lib/Chart.yaml", "apiVersion: v2\nname: lib\nversion: 0.2.0\n")
}

#[test]
fn folders_are_packed_and_locked() {
    let files = web(
        "[{name: lib, version: '>=0.1.0 <1', repository: 'file://../lib', import-values: [{child: a, parent: b}, data], \
         tags: [x]}, {name: lib, alias: lib2, version: 0.x, repository: 'file://../lib', condition: lib2.enabled}]",
    );
    let (said, made) = run(&files, false);
    let made = made.unwrap();
    assert_eq!(said, "Saving 2 charts\nDeleting outdated charts\n");
    let names: Vec<_> = made.archives.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(names, ["lib-0.2.0.tgz"]);
    let (name, text) = made.lock.unwrap();
    // The digest is the one that Helm 4.2.4 writes for such a chart.
    let digest = "sha256:d9089ca79ac8eb047e260c6a62f9956810e8868a6c24a1417a9c10e935480e82";
    let one = "- name: lib\n  repository: file://../lib\n  version: 0.2.0\n";
    assert_eq!(name, "Chart.lock");
    assert_eq!(
        text,
        format!("dependencies:\n{one}{one}digest: {digest}\ngenerated: \"2024-05-06T07:08:09Z\"\n")
    );
    let locked = files
        .with("web/Chart.lock", &text)
        .with("web/charts/lib-0.2.0.tgz", &made.archives[0].archive)
        .with("web/charts/old.tgz", &made.archives[0].archive)
        .with("web/charts/.note", "");
    for is_update in [false, true] {
        let (said, made) = run(&locked, is_update);
        let made = made.unwrap();
        let note = "Could not verify web/charts/.note for deletion: file 'web/charts/.note' does not appear to be a gzipped \
                    archive; got 'application/octet-stream' (Skipping)\n";
        assert_eq!(said, format!("Saving 2 charts\nDeleting outdated charts\n{note}"));
        assert_eq!(made.outdated, ["old.tgz"]);
        assert_eq!(made.lock, None);
    }
    let (_, failed) = run(&locked.with("web/Chart.lock", text.replace("0.2.0", "0.2.1")), false);
    assert!(failed.unwrap_err().text().starts_with("the lock file (Chart.lock) is out of sync"));
}

#[test]
fn what_cannot_be_had_is_an_error() {
    let error = |dependencies: &str| run(&web(dependencies), true).1.unwrap_err().text().to_owned();
    assert_eq!(error("[{name: x, version: 1, repository: 'file://../x'}]"), "directory x not found");
    assert_eq!(error("[{name: x, version: 1}]"), "directory web/charts/x not found");
    assert_eq!(
        error("[{name: x, version: a b, repository: 'file://../lib'}]"),
        "dependency \"x\" has an invalid version/constraint format: improper constraint: \"a b\""
    );
    assert!(error("[{name: lib, version: 1, repository: 'file://../lib'}]").starts_with(
        "can't get a valid version for 1 subchart(s): \"lib\" (repository \"file://../lib\", version \"1\")."
    ));
    assert!(
        error("[{name: x, version: 1, repository: 'https://example.com'}]").contains("needs the network")
    );
}
