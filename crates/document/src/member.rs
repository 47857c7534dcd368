//! Strings that are members of an enumeration in Kapitan's models.

use crate::{Node, Text};
use std::sync::LazyLock;

/// A member of an enumeration that Python derives from `str`: it is that string everywhere, but `repr` shows it as
/// `<InputTypes.JINJA2: 'jinja2'>`, and a YAML dumper that is not the safe one writes it with a tag.
///
/// It is told by the identity of the shared string, as Python tells it by the class of the object: [`Member::text`] is
/// one string in the whole program, and what is made from it (upper case, joined) is an ordinary string.
#[derive(Debug)]
pub struct Member {
    enumeration: &'static Enumeration,
    text: Text,
    /// What stands below the tag in YAML.
    arguments: Vec<Node>,
}

#[derive(Debug)]
struct Enumeration {
    name: &'static str,
    /// The tag of the class in YAML.
    tag: &'static str,
    members: &'static [&'static str],
}

/// The enumerations whose members an inventory shows.
static ENUMERATIONS: [Enumeration; 3] = [
    Enumeration {
        name: "InputTypes",
        tag: "!!python/object/apply:kapitan.inventory.model.input_types.InputTypes",
        members: &[
            "jsonnet",
            "jinja2",
            "helm",
            "kadet",
            "copy",
            "remove",
            "external",
            "kustomize",
            "cuelang",
        ],
    },
    Enumeration {
        name: "OutputType",
        tag: "!!python/object/apply:kapitan.inventory.model.input_types.OutputType",
        members: &["json", "yaml", "yml", "plain", "toml", "auto"],
    },
    Enumeration {
        name: "KapitanDependencyTypes",
        tag: "!!python/object/apply:kapitan.inventory.model.dependencies.KapitanDependencyTypes",
        members: &["helm", "http", "https", "git", "oci"],
    },
];

static MEMBERS: LazyLock<Vec<Member>> = LazyLock::new(|| {
    let members = ENUMERATIONS.iter().flat_map(|enumeration| {
        enumeration.members.iter().map(move |text| Member {
            enumeration,
            text: Text::from(*text),
            arguments: vec![Node::from(*text)],
        })
    });
    members.collect()
});

impl Member {
    /// The member of an enumeration (`InputTypes`, `OutputType`, `KapitanDependencyTypes`) that is this text.
    pub fn named(enumeration: &str, text: &str) -> Option<&'static Self> {
        MEMBERS.iter().find(|member| member.enumeration.name == enumeration && &*member.text == text)
    }

    /// The member that a string is; none for other strings, whatever they say.
    pub fn of(text: &str) -> Option<&'static Self> {
        // No enumeration has longer members.
        if text.len() > 9 {
            return None;
        }
        MEMBERS.iter().find(|member| std::ptr::eq(&*member.text, text))
    }

    /// The string that it is.
    pub fn text(&self) -> Text {
        self.text.clone()
    }

    /// What `repr` shows: `<InputTypes.JINJA2: 'jinja2'>`.
    pub fn repr(&self) -> String {
        format!("<{}.{}: '{}'>", self.enumeration.name, self.text.to_ascii_uppercase(), self.text)
    }

    /// Its tag in YAML, and the sequence that stands below it.
    pub(crate) fn tagged(&self) -> (&'static str, &[Node]) {
        (self.enumeration.tag, &self.arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_told_by_identity() {
        let jinja2 = Member::named("InputTypes", "jinja2").unwrap();
        let text = jinja2.text();
        assert_eq!(Member::of(&text).map(Member::repr).as_deref(), Some("<InputTypes.JINJA2: 'jinja2'>"));
        assert_eq!(Member::of(&text.clone()[..5]).map(Member::repr), None);
        assert!(Member::of("jinja2").is_none());
        assert!(Member::named("OutputType", "jinja2").is_none());
    }
}
