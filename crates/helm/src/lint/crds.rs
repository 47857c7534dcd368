use super::Linter;
use super::templates::{Object, documents};
use kapstan_files::Kind;

const FOLDER: &str = "crds/";

/// Whether the files under `crds/` are CRDs.
pub(super) fn check(linter: &mut Linter<'_>) {
    let kind = linter.files.kind(&linter.folder.join("crds")).ok().flatten();
    let Some(kind) = kind else { return };
    if !linter.error(FOLDER, (kind != Kind::Folder).then(|| "not a directory".to_owned())) {
        return;
    }
    let loaded = linter.chart();
    if !linter.error(FOLDER, loaded.as_ref().err().map(|error| error.text().to_owned())) {
        return;
    }
    let Ok(chart) = loaded else { return };
    for file in crate::render::crd_files(&chart) {
        for document in documents(&String::from_utf8_lossy(&file.data)) {
            let read = Object::read(document, linter.options);
            let problem = read.as_ref().err().map(|problem| format!("unable to parse YAML: {problem}"));
            if !linter.error(&file.name, problem) {
                return;
            }
            let Ok(Some(object)) = read else { continue };
            let is_api = object.api_version.starts_with("apiextensions.k8s.io");
            linter.error(
                &file.name,
                (!is_api).then(|| "apiVersion is not in 'apiextensions.k8s.io'".to_owned()),
            );
            let is_crd = object.kind == "CustomResourceDefinition";
            linter.error(
                &file.name,
                (!is_crd).then(|| "object kind is not 'CustomResourceDefinition'".to_owned()),
            );
        }
    }
}
