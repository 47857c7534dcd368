use super::field::{Absent, Field, Shape, field, nullable};

/// What a compile item is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputType {
    /// Templates with Jinja2.
    Jinja2,
    /// A program outside.
    External,
    /// Files as they are.
    Copy,
    /// Python components.
    Kadet,
    /// Jsonnet files.
    Jsonnet,
    /// Helm charts.
    Helm,
    /// Removes files.
    Remove,
    /// Kustomizations.
    Kustomize,
    /// CUE modules.
    Cuelang,
}

/// An input type as its model describes it.
#[derive(Debug)]
pub struct InputTypeRow {
    /// Which one.
    pub input_type: InputType,
    /// The word in `input_type:`.
    pub name: &'static str,
    /// Fields of every item that differ here.
    changed: &'static [Field],
    /// Fields that only this type has.
    own: &'static [Field],
}

/// The fields of every item, in the order in which Kapitan shows them.
const COMMON: [Field; 9] = [
    nullable("name", Shape::Text, Absent::Null),
    field("input_type", Shape::Text, Absent::Required),
    field("input_paths", Shape::Texts, Absent::Required),
    field("output_path", Shape::Text, Absent::Required),
    field("input_params", Shape::Mapping, Absent::NoEntries),
    nullable("continue_on_compile_error", Shape::Flag, Absent::Flag(false)),
    field("output_type", Shape::OutputType, Absent::Text("yaml")),
    nullable("ignore_missing", Shape::Flag, Absent::Flag(false)),
    nullable("prune", Shape::Flag, Absent::Flag(true)),
];

const UNPRUNED: Field = nullable("prune", Shape::Flag, Absent::Flag(false));

/// Every input type, in the order in which Kapitan lists them.
pub const INPUT_TYPES: &[InputTypeRow] = &[
    row(
        InputType::Jinja2,
        "jinja2",
        &[
            nullable("output_type", Shape::OutputType, Absent::Text("plain")),
            nullable("ignore_missing", Shape::Flag, Absent::Flag(true)),
        ],
        &[
            nullable("suffix_remove", Shape::Flag, Absent::Flag(false)),
            nullable("suffix_stripped", Shape::Text, Absent::Text(".j2")),
        ],
    ),
    row(
        InputType::External,
        "external",
        &[],
        &[
            field("env_vars", Shape::TextMapping, Absent::NoEntries),
            field("args", Shape::Texts, Absent::NoItems),
        ],
    ),
    row(InputType::Copy, "copy", &[field("ignore_missing", Shape::Flag, Absent::Flag(false))], &[]),
    row(InputType::Kadet, "kadet", &[UNPRUNED], &[nullable("input_value", Shape::Mapping, Absent::Null)]),
    row(InputType::Jsonnet, "jsonnet", &[UNPRUNED], &[]),
    row(
        InputType::Helm,
        "helm",
        &[field("output_type", Shape::OutputType, Absent::Text("auto")), UNPRUNED],
        &[
            field("helm_params", Shape::Mapping, Absent::NoEntries),
            nullable("helm_values", Shape::Mapping, Absent::NoEntries),
            nullable("helm_values_files", Shape::Texts, Absent::NoItems),
            nullable("helm_path", Shape::Text, Absent::Null),
            nullable("kube_version", Shape::Text, Absent::Null),
        ],
    ),
    row(InputType::Remove, "remove", &[nullable("output_path", Shape::Text, Absent::Null)], &[]),
    row(
        InputType::Kustomize,
        "kustomize",
        &[UNPRUNED],
        &[
            nullable("namespace", Shape::Text, Absent::Null),
            nullable("patches", Shape::Mapping, Absent::NoEntries),
            nullable("patches_strategic", Shape::Mapping, Absent::NoEntries),
            nullable("patches_json", Shape::Mapping, Absent::NoEntries),
        ],
    ),
    row(
        InputType::Cuelang,
        "cuelang",
        &[],
        &[
            nullable("input", Shape::Mapping, Absent::Null),
            nullable("input_fill_path", Shape::Text, Absent::Null),
            nullable("output_yield_path", Shape::Text, Absent::Null),
            nullable("output_filename", Shape::Text, Absent::Text("output.yaml")),
        ],
    ),
];

const fn row(
    input_type: InputType,
    name: &'static str,
    changed: &'static [Field],
    own: &'static [Field],
) -> InputTypeRow {
    InputTypeRow { input_type, name, changed, own }
}

impl InputTypeRow {
    /// The row of a name in `input_type:`.
    pub fn named(name: &str) -> Option<&'static Self> {
        INPUT_TYPES.iter().find(|row| row.name == name)
    }

    /// All fields in the order in which Kapitan shows them.
    pub(super) fn fields(&self) -> Vec<Field> {
        let changed = |common: &Field| self.changed.iter().find(|field| field.name == common.name).copied();
        COMMON
            .iter()
            .map(|common| changed(common).unwrap_or(*common))
            .chain(self.own.iter().copied())
            .collect()
    }
}

impl InputType {
    /// The word in `input_type:`.
    pub fn name(self) -> &'static str {
        INPUT_TYPES.iter().find(|row| row.input_type == self).map_or("", |row| row.name)
    }
}
