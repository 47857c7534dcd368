use super::dotfile::Dotfile;
use super::exit::Exit;
use super::{Failure, Persona};
use crate::program;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::python;
use std::cmp::Ordering;
use std::io::Write;

/// The release of Kapitan whose behaviour this version has.
pub(crate) const KAPITAN: &str = "0.36.3";

/// What `--version` prints.
pub(crate) fn text(persona: Persona) -> String {
    match persona {
        Persona::Kapstan => program::name_and_version().to_owned(),
        Persona::Kapitan => KAPITAN.to_owned(),
    }
}

/// Compares the version that `.kapitan` asks for with the release of Kapitan that is reproduced.
///
/// Under Kapitan's name, what it prints goes to standard output as there.
pub(crate) fn check(dotfile: &Dotfile, persona: Persona) -> Result<(), Failure> {
    let Some(wanted) = dotfile.version() else { return Ok(()) };
    let text = python::str(&wanted.value);
    let order = compare(&text, KAPITAN);
    if persona == Persona::Kapitan && order != Ordering::Equal {
        write!(std::io::stdout(), "{}", notice(&text, order))?;
        return Err(Failure::Silent(Exit::Input));
    }
    let hint = match order {
        Ordering::Equal => return Ok(()),
        Ordering::Greater => {
            "the repository wants a later release: update kapstan, or pass --ignore-version-check"
        }
        Ordering::Less => {
            "set the version in `.kapitan` to the one that kapstan reproduces and compile again, or pass --ignore-version-check"
        }
    };
    let message = format!("`.kapitan` asks for Kapitan {text}; kapstan reproduces Kapitan {KAPITAN}");
    Err(vec![Diagnostic::error("dotfile::version", message).at(wanted.span).with_hint(hint)].into())
}

/// What Kapitan prints for a version that is not its own.
fn notice(wanted: &str, order: Ordering) -> String {
    let advice = if order == Ordering::Greater {
        format!("Upgrade kapitan to '{wanted}' in order to keep results consistent:\n")
    } else {
        format!(
            "Option 1: You can update the version in .kapitan to '{KAPITAN}' and recompile\n\n\
             Option 2: Downgrade kapitan to '{wanted}' in order to keep results consistent:\n"
        )
    };
    format!(
        "\u{1b}[93mCurrent version: {KAPITAN}\nVersion in .kapitan: {wanted}\u{1b}[0m\n\n\
         {advice}\n\
         Docker: docker pull kapicorp/kapitan:{wanted}\n\
         Pip (user): pip3 install --user --upgrade kapitan=={wanted}\n\n\
         Check https://github.com/kapicorp/kapitan#quickstart for more info.\n\n\
         If you know what you're doing, you can skip this check by adding '--ignore-version-check'.\n"
    )
}

/// Kapitan's order of versions: common components are compared as strings, a release candidate is the lower one.
fn compare(left: &str, right: &str) -> Ordering {
    let (left_plain, right_plain) = (left.replace("-rc", ""), right.replace("-rc", ""));
    let components = left_plain.split('.').zip(right_plain.split('.'));
    let mut compared = 0;
    for (left, right) in components {
        compared += 1;
        if left != right {
            return left.cmp(right);
        }
    }
    match (compared == 3, left.contains("-rc"), right.contains("-rc")) {
        (true, true, false) => Ordering::Less,
        (true, false, true) => Ordering::Greater,
        _ => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_in_kapitan() {
        for (left, right, expected) in [
            ("0.36", "0.36.3", Ordering::Equal),
            ("0.36.10", "0.36.3", Ordering::Less),
            ("0.4", "0.36.3", Ordering::Greater),
            ("0.36.3-rc", "0.36.3", Ordering::Less),
            ("0.36.3", "0.36.3-rc", Ordering::Greater),
            ("0.3", "0.36.3", Ordering::Less),
        ] {
            assert_eq!(compare(left, right), expected, "{left} {right}");
        }
    }
}
