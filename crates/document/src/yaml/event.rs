use std::borrow::Cow;

/// A place in a YAML text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// In bytes, from 0.
    pub offset: usize,
    /// From 0.
    pub line: u32,
    /// In characters, from 0.
    pub column: u32,
}

/// A step of a YAML stream, with the place where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event<'a> {
    /// What it is.
    pub kind: EventKind<'a>,
    /// Its first character.
    pub start: Mark,
    /// The character behind it.
    pub end: Mark,
}

/// The kinds of events, as libyaml's parser emits them. Text is borrowed from the input where it stands there as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind<'a> {
    /// The stream begins.
    StreamStart,
    /// The stream ends; nothing follows.
    StreamEnd,
    /// A document begins.
    DocumentStart {
        /// With `---`.
        explicit: bool,
        /// The `%YAML` directive.
        version: Option<(u32, u32)>,
        /// The `%TAG` directives: handle and prefix.
        tags: Vec<(String, String)>,
    },
    /// A document ends.
    DocumentEnd {
        /// With `...`.
        explicit: bool,
    },
    /// `*anchor`.
    Alias {
        /// The name without `*`.
        anchor: &'a str,
    },
    /// A scalar.
    Scalar(ScalarEvent<'a>),
    /// A sequence begins.
    SequenceStart(CollectionEvent<'a>),
    /// A sequence ends.
    SequenceEnd,
    /// A mapping begins.
    MappingStart(CollectionEvent<'a>),
    /// A mapping ends.
    MappingEnd,
}

/// What may stand in front of the content of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties<'a> {
    /// The name behind `&`.
    pub anchor: Option<&'a str>,
    /// The tag with its handle resolved: `tag:yaml.org,2002:str`.
    pub tag: Option<Cow<'a, str>>,
}

/// What a scalar event carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalarEvent<'a> {
    /// Anchor and tag, where there is one of them. They lie elsewhere because they are rare, and events are moved often.
    pub properties: Option<Box<Properties<'a>>>,
    /// The content, escapes and folding done.
    pub value: Cow<'a, str>,
    /// How it is written.
    pub style: ScalarStyle,
    /// The tag may be left out when the content is written plain.
    pub plain_implicit: bool,
    /// The tag may be left out when the content is written in any other style.
    pub quoted_implicit: bool,
}

impl<'a> ScalarEvent<'a> {
    /// The name behind `&`.
    pub fn anchor(&self) -> Option<&'a str> {
        self.properties.as_ref()?.anchor
    }

    /// The tag with its handle resolved.
    pub fn tag(&self) -> Option<&Cow<'a, str>> {
        self.properties.as_ref()?.tag.as_ref()
    }
}

/// What the start of a sequence or mapping carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionEvent<'a> {
    /// As those of a scalar.
    pub properties: Option<Box<Properties<'a>>>,
    /// The tag may be left out.
    pub implicit: bool,
    /// Written with brackets or braces.
    pub flow: bool,
}

impl<'a> CollectionEvent<'a> {
    /// The name behind `&`.
    pub fn anchor(&self) -> Option<&'a str> {
        self.properties.as_ref()?.anchor
    }

    /// The tag with its handle resolved.
    pub fn tag(&self) -> Option<&Cow<'a, str>> {
        self.properties.as_ref()?.tag.as_ref()
    }
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarStyle {
    /// Without any sign.
    Plain,
    /// `'...'`
    SingleQuoted,
    /// `"..."`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// A comment, told on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// At its `#`.
    pub start: Mark,
    /// Behind its last character, before the line break.
    pub end: Mark,
}
