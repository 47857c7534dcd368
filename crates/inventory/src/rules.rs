use crate::problem;
use fancy_regex::Regex;
use kapstan_diagnostic::{Diagnostic, Span};
use kapstan_document::{Map, Node, Text, Value, python};

/// What `reclass-config.yml` decides, with Kapitan's defaults.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) is_reclass_rs: bool,
    pub(crate) nodes_uri: String,
    pub(crate) classes_uri: String,
    pub(crate) compose_node_name: bool,
    pub(crate) allow_scalar_over_dict: bool,
    pub(crate) allow_scalar_over_list: bool,
    pub(crate) allow_list_over_scalar: bool,
    pub(crate) allow_dict_over_scalar: bool,
    pub(crate) allow_none_override: bool,
    pub(crate) automatic_parameters: bool,
    pub(crate) class_mappings: Vec<(String, Span)>,
    pub(crate) class_mappings_match_path: bool,
    pub(crate) default_environment: Node,
    pub(crate) group_errors: bool,
    /// The patterns of missing classes that may be ignored; none where none may be.
    pub(crate) ignore_class_notfound: Option<Vec<Regex>>,
    pub(crate) ignore_class_notfound_warning: bool,
    pub(crate) ignore_overwritten_missing_references: bool,
    pub(crate) strict_constant_parameters: bool,
    pub(crate) literal_dots: bool,
    pub(crate) syntax: Syntax,
}

/// The marks with which values and keys ask for something.
#[derive(Clone, Debug)]
pub(crate) struct Syntax {
    pub(crate) delimiter: String,
    pub(crate) override_prefix: Option<char>,
    pub(crate) constant_prefix: Option<char>,
    pub(crate) escape: String,
    pub(crate) reference: (String, String),
    pub(crate) query: (String, String),
    /// `${path::default}`, the queries left as text, tabs kept: reclass-rs.
    pub(crate) is_reclass_rs: bool,
}

impl Default for Syntax {
    fn default() -> Self {
        Self {
            delimiter: ":".into(),
            override_prefix: Some('~'),
            constant_prefix: Some('='),
            escape: "\\".into(),
            reference: ("${".into(), "}".into()),
            query: ("$[".into(), "]".into()),
            is_reclass_rs: false,
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            is_reclass_rs: false,
            nodes_uri: "targets".into(),
            classes_uri: "classes".into(),
            compose_node_name: false,
            allow_scalar_over_dict: false,
            allow_scalar_over_list: false,
            allow_list_over_scalar: false,
            allow_dict_over_scalar: false,
            allow_none_override: true,
            automatic_parameters: true,
            class_mappings: Vec::new(),
            class_mappings_match_path: false,
            default_environment: "base".into(),
            group_errors: true,
            ignore_class_notfound: None,
            ignore_class_notfound_warning: true,
            ignore_overwritten_missing_references: true,
            strict_constant_parameters: true,
            literal_dots: false,
            syntax: Syntax::default(),
        }
    }
}

impl Rules {
    /// Takes over what the configuration file says; keys that nobody knows are left aside, as the peers do.
    ///
    /// Fails for values that cannot be used at all.
    pub(crate) fn configure(&mut self, config: &Map) -> Result<(), Diagnostic> {
        self.read_switches(config);
        read_text(config, "nodes_uri", &mut self.nodes_uri)?;
        read_text(config, "classes_uri", &mut self.classes_uri)?;
        let storage = config.get("storage_type");
        if storage.is_some_and(|storage| storage.as_str() != Some("yaml_fs")) && !self.is_reclass_rs {
            let problem = Diagnostic::error(problem::CONFIG, "`storage_type` can only be `yaml_fs`");
            return Err(problem.at(storage.map_or(Span::NONE, |storage| storage.span)));
        }
        if let Some(environment) = config.get("default_environment")
            && !self.is_reclass_rs
        {
            self.default_environment = environment.clone();
        }
        self.class_mappings = strings(config, "class_mappings")?;
        self.literal_dots = strings(config, "reclass_rs_compat_flags")?
            .iter()
            .any(|(flag, _)| flag.eq_ignore_ascii_case("composenodenameliteraldots"));
        self.read_missing_classes(config)?;
        if !self.is_reclass_rs {
            self.syntax.configure(config)?;
        }
        Ok(())
    }

    fn read_switches(&mut self, config: &Map) {
        let switch = |name: &str, value: &mut bool| {
            if let Some(node) = config.get(name) {
                *value = node.value.is_truthy();
            }
        };
        switch("compose_node_name", &mut self.compose_node_name);
        switch("class_mappings_match_path", &mut self.class_mappings_match_path);
        switch("ignore_overwritten_missing_references", &mut self.ignore_overwritten_missing_references);
        if self.is_reclass_rs {
            return;
        }
        switch("allow_scalar_over_dict", &mut self.allow_scalar_over_dict);
        switch("allow_scalar_over_list", &mut self.allow_scalar_over_list);
        switch("allow_list_over_scalar", &mut self.allow_list_over_scalar);
        switch("allow_dict_over_scalar", &mut self.allow_dict_over_scalar);
        switch("allow_none_override", &mut self.allow_none_override);
        switch("automatic_parameters", &mut self.automatic_parameters);
        switch("group_errors", &mut self.group_errors);
        switch("ignore_class_notfound_warning", &mut self.ignore_class_notfound_warning);
        switch("strict_constant_parameters", &mut self.strict_constant_parameters);
    }

    fn read_missing_classes(&mut self, config: &Map) -> Result<(), Diagnostic> {
        if !config.get("ignore_class_notfound").is_some_and(|ignore| ignore.value.is_truthy()) {
            return Ok(());
        }
        let mut patterns = strings(config, "ignore_class_notfound_regexp")?;
        if !config.contains("ignore_class_notfound_regexp") {
            patterns.push((".*".into(), Span::NONE));
        }
        let is_anchored = !self.is_reclass_rs;
        let compile = |(pattern, span): &(String, Span)| {
            let whole = if is_anchored { format!(r"\A(?:{pattern})") } else { pattern.clone() };
            Regex::new(&whole).map_err(|error| problem::bad_pattern(pattern, &error.to_string(), *span))
        };
        self.ignore_class_notfound = Some(patterns.iter().map(compile).collect::<Result<_, _>>()?);
        Ok(())
    }

    /// Whether a class of this name may be missing.
    pub(crate) fn may_be_missing(&self, class: &str) -> bool {
        let patterns = self.ignore_class_notfound.as_deref().unwrap_or_default();
        patterns.iter().any(|pattern| pattern.is_match(class).unwrap_or(false))
    }
}

impl Syntax {
    fn configure(&mut self, config: &Map) -> Result<(), Diagnostic> {
        read_text(config, "delimiter", &mut self.delimiter)?;
        read_text(config, "escape_character", &mut self.escape)?;
        read_prefix(config, "dict_key_override_prefix", &mut self.override_prefix);
        read_prefix(config, "dict_key_constant_prefix", &mut self.constant_prefix);
        read_sentinels(config, "reference_sentinels", &mut self.reference)?;
        read_sentinels(config, "export_sentinels", &mut self.query)
    }

    /// Whether a string must be looked at more closely: it may hold a reference or a query.
    pub(crate) fn has_sentinel(&self, text: &str) -> bool {
        // Nearly no string holds the first byte of a sentinel.
        let common = self.reference.0.starts_with('$') && self.query.0.starts_with('$');
        if common && !text.as_bytes().contains(&b'$') {
            return false;
        }
        text.contains(&self.reference.0) || text.contains(&self.query.0) && !self.is_reclass_rs
    }
}

fn read_text(config: &Map, name: &str, value: &mut String) -> Result<(), Diagnostic> {
    let Some(node) = config.get(name) else { return Ok(()) };
    let text = node.as_str().filter(|text| !text.is_empty());
    let Some(text) = text else { return Err(problem::config_type(name, "a string", node)) };
    text.clone_into(value);
    Ok(())
}

/// Only the first character of a key is ever looked at, so a longer prefix is never found.
fn read_prefix(config: &Map, name: &str, value: &mut Option<char>) {
    let Some(node) = config.get(name) else { return };
    let text = python::str(&node.value).into_owned();
    let mut characters = text.chars();
    *value = characters.next().filter(|_| characters.next().is_none());
}

fn read_sentinels(config: &Map, name: &str, value: &mut (String, String)) -> Result<(), Diagnostic> {
    let Some(node) = config.get(name) else { return Ok(()) };
    let texts = node.as_seq().map(|items| items.iter().filter_map(Node::as_str).collect::<Vec<_>>());
    match texts.as_deref() {
        Some([open, close]) if !open.is_empty() && !close.is_empty() => {
            *value = ((*open).to_owned(), (*close).to_owned());
            Ok(())
        }
        _ => Err(problem::config_type(name, "a sequence of two strings", node)),
    }
}

/// A setting that may be one string or a sequence of strings.
fn strings(config: &Map, name: &str) -> Result<Vec<(String, Span)>, Diagnostic> {
    let Some(node) = config.get(name) else { return Ok(Vec::new()) };
    let one = |node: &Node| node.as_str().map(|text| (text.to_owned(), node.span));
    match &node.value {
        Value::Null => Ok(Vec::new()),
        Value::Str(text) => Ok(vec![(text.to_string(), node.span)]),
        Value::Seq(items) => items
            .iter()
            .map(|item| one(item).ok_or_else(|| problem::config_type(name, "a sequence of strings", item)))
            .collect(),
        _ => Err(problem::config_type(name, "a sequence of strings", node)),
    }
}

/// The text of the environment, as the peer would print it.
pub(crate) fn environment_text(node: &Node) -> Text {
    match &node.value {
        Value::Str(text) => text.clone(),
        value => python::str(value).into(),
    }
}
