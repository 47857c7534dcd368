/// How PyYAML's dumper is set up. The named constructors are the ways in which Kapitan uses it; what a caller's flags
/// decide stands in the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// Blanks per level; 2 where it is not between 2 and 9.
    pub indent: usize,
    /// The column behind which lines are broken; 80 where it is not more than twice the indentation.
    pub width: usize,
    /// Whether a sequence under a key is indented.
    pub indent_sequences: bool,
    /// How strings with a line feed are written.
    pub multiline: MultilineStyle,
    /// Whether null is written as nothing instead of `null`.
    pub null_as_empty: bool,
    /// Whether strings of digits that Go would read as numbers are quoted: those that begin with `0`, and those longer
    /// than six digits.
    pub quote_digits: bool,
    /// Whether `---` stands before the first document too.
    pub explicit_start: bool,
    /// Which shared values get an anchor.
    pub aliases: Aliases,
    /// Whether members of enumerations get the tag of their class, as in every dumper of Python but the safe one.
    pub tag_members: bool,
}

/// How strings with a line feed are written, where the style can hold them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MultilineStyle {
    /// `|`, with the lines as they are.
    #[default]
    Literal,
    /// `>`, with long lines broken.
    Folded,
    /// In double quotes.
    DoubleQuotes,
    /// As any other string: in single quotes where possible.
    Quoted,
}

/// Which values that appear several times are written once, with an anchor: `&id001` and `*id001`.
///
/// What is the same is told by the identity of the shared value, for dates and timestamps by their place in a text, as Python
/// tells it by the identity of the object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Aliases {
    /// None: every value is written out.
    #[default]
    Never,
    /// Dates and timestamps only: all that is left shared where Kapitan shows an inventory.
    Timestamps,
    /// Mappings, sets and timestamps, but not sequences: Kapitan copies these before it writes.
    ExceptSequences,
    /// All containers and timestamps.
    Always,
}

impl MultilineStyle {
    /// The style of Kapitan's `--yaml-multiline-string-style` and `parameters.multiline_string_style`; every name that
    /// is not one of `literal`, `folded`, `double-quotes` stands for [`MultilineStyle::Quoted`].
    pub fn from_name(name: &str) -> Self {
        match name {
            "literal" => Self::Literal,
            "folded" => Self::Folded,
            "double-quotes" => Self::DoubleQuotes,
            _ => Self::Quoted,
        }
    }
}

impl WriteOptions {
    /// What the inputs compile to: sequences indented, width 80.
    pub fn compiled(multiline: MultilineStyle, indent: usize) -> Self {
        Self { indent, indent_sequences: true, multiline, ..Self::plain() }
    }

    /// `kapitan inventory`: sequences indented, width 80, strings quoted.
    pub fn inventory(indent: usize) -> Self {
        Self { indent, indent_sequences: true, aliases: Aliases::Timestamps, ..Self::plain() }
    }

    /// `kapitan inventory --flat`: sequences not indented, width 10000.
    pub fn inventory_flat(indent: usize) -> Self {
        Self { indent, width: 10_000, aliases: Aliases::Timestamps, tag_members: true, ..Self::plain() }
    }

    /// `yaml.dump` and `yaml.safe_dump` as they come: reference files, the `yaml` filter of Jinja2, `yaml_dump` of
    /// jsonnet, the output of kustomize, `searchvar --pretty-print`. Sequences not indented, width 80.
    pub fn plain() -> Self {
        Self {
            indent: 2,
            width: 80,
            indent_sequences: false,
            multiline: MultilineStyle::Quoted,
            null_as_empty: false,
            quote_digits: false,
            explicit_start: false,
            aliases: Aliases::Never,
            tag_members: false,
        }
    }

    /// The values file that is handed to helm: as plain, with strings of digits quoted.
    pub fn helm_values() -> Self {
        Self { quote_digits: true, ..Self::plain() }
    }

    /// `kapitan refs --reveal` of a YAML file: sequences indented, `---` before every document.
    pub fn revealed() -> Self {
        Self { indent_sequences: true, explicit_start: true, ..Self::plain() }
    }

    /// The indentation that takes effect.
    pub(super) fn best_indent(&self) -> usize {
        if (2..10).contains(&self.indent) { self.indent } else { 2 }
    }

    /// The width that takes effect.
    pub(super) fn best_width(&self) -> usize {
        if self.width > self.best_indent() * 2 { self.width } else { 80 }
    }
}
