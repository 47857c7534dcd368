use super::Failure;
use super::arguments::LintArguments;
use super::context::Context;
use super::exit::Exit;
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_files::{Kind, slashed};
use kapstan_lint::{check_form, files_below, unused_classes, unused_references};
use std::io;
use std::path::{Path, PathBuf};

/// Checks the form of inventory files, and looks for classes and references that nothing uses.
///
/// Behaviour: Kapitan's `lint`: everything is told on standard error, and only `--fail-on-warning` makes it a failure.
pub(crate) fn run(context: &Context<'_>, arguments: &LintArguments) -> Result<(), Failure> {
    let section = context.dotfile.section("lint");
    let skips_classes = arguments.skip_class_checks || section.flag("skip-class-checks");
    let skips_form = arguments.skip_yamllint || section.flag("skip-yamllint");
    let searches_secrets = arguments.search_secrets || section.flag("search-secrets");
    let note = |text: &str| context.reporter.note(text);
    if skips_classes && skips_form && !searches_secrets {
        note("Nothing to check. Remove --skip-class-checks or add --search-secrets to lint secrets");
        return Err(Failure::Silent(Exit::Input));
    }
    let path = |given: &Option<PathBuf>, flag: &str, default: &str| -> Result<PathBuf, Failure> {
        let from_dotfile = section.path(flag)?;
        Ok(given.clone().or(from_dotfile).unwrap_or_else(|| default.into()))
    };
    let inventory = context.inventory_path(arguments.inventory_path.as_ref(), section)?;
    let mut count = 0;
    if is_folder(context, &inventory) {
        if !skips_form {
            note("\nRunning yamllint on all inventory files...\n");
            count += lint_form(context, &inventory)?;
        }
        if !skips_classes {
            note("\nChecking for orphan classes in inventory...\n");
            if !is_folder(context, &inventory.join("classes")) {
                let message = format!("`{}` has no folder `classes`", inventory.display());
                return Err(vec![Diagnostic::error("lint::no-classes", message)].into());
            }
            let unused = unused_classes(&*context.files, &inventory)
                .map_err(|error| unreadable(&inventory, &error))?;
            count += tell_unused(context, "classes", &unused);
        }
    } else {
        note("\nInventory path is invalid or not provided, skipping yamllint and orphan class checks\n");
    }
    if searches_secrets {
        note("\nChecking for orphan secrets files...\n");
        let references = path(&arguments.refs_path, "refs-path", "./refs")?;
        let compiled = path(&arguments.compiled_path, "compiled-path", "./compiled")?;
        let unused = unused_references(&*context.files, &compiled, &references)
            .map_err(|error| unreadable(&references, &error))?;
        count += tell_unused(context, "secrets files", &unused);
    }
    let fails = arguments.fail_on_warning || section.flag("fail-on-warning");
    if fails && count > 0 { Err(Failure::Silent(Exit::Input)) } else { Ok(()) }
}

fn lint_form(context: &Context<'_>, inventory: &Path) -> Result<usize, Failure> {
    if matches!(context.files.kind(Path::new(".yamllint")), Ok(Some(Kind::File))) {
        let message = "`.yamllint` is not read: only duplicate keys, octal numbers and syntax are checked";
        context.reporter.report(&Diagnostic::warning("lint::own-rules", message));
    } else {
        context.reporter.note(".yamllint not found. Using default values");
    }
    let mut count = 0;
    for path in files_below(&*context.files, inventory).map_err(|error| unreadable(inventory, &error))? {
        let shown = slashed(&path);
        if !(shown.ends_with(".yml") || shown.ends_with(".yaml")) {
            continue;
        }
        let text = context.files.read(&path).map_err(|error| unreadable(&path, &error))?;
        let findings = check_form(&text);
        let source = context.sources.add(&*shown, text.clone());
        if !findings.is_empty() {
            context.reporter.note(&format!("File {shown} has the following issues:"));
        }
        for finding in &findings {
            let code = match finding.rule {
                "key-duplicates" => "lint::duplicate-key",
                "octal-values" => "lint::octal-value",
                _ => "lint::syntax",
            };
            let place = Span::new(source, finding.offset, finding.offset);
            let warning = Diagnostic::warning(code, &*finding.message).at(place);
            context.reporter.finding(&format!("\t{finding}"), &warning);
        }
        count += findings.len();
    }
    if count > 0 {
        context.reporter.note(&format!("\nTotal yamllint issues found: {count}"));
    }
    Ok(count)
}

/// Names what nothing uses, as Python prints a sorted set, and tells how many there are.
fn tell_unused(context: &Context<'_>, what: &str, names: &[String]) -> usize {
    const WIDTH: usize = 80;
    if !names.is_empty() {
        let quoted: Vec<String> = names.iter().map(|name| kapstan_document::python::repr_str(name)).collect();
        let on_one_line = format!("{{{}}}", quoted.join(", "));
        let set = if on_one_line.chars().count() <= WIDTH {
            on_one_line
        } else {
            format!("{{{}}}", quoted.join(",\n "))
        };
        context.reporter.note(&format!("No usage found for the following {} {what}:\n{set}\n", names.len()));
        if context.reporter.is_json() {
            for name in names {
                let message = format!("nothing uses `{name}`, one of the {what}");
                context.reporter.report(&Diagnostic::warning("lint::unused", message));
            }
        }
    }
    names.len()
}

fn is_folder(context: &Context<'_>, path: &Path) -> bool {
    matches!(context.files.kind(path), Ok(Some(Kind::Folder)))
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    vec![Diagnostic::error("lint::unreadable", format!("cannot read `{}`: {error}", path.display()))].into()
}
