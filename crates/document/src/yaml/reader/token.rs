use crate::yaml::{Mark, ScalarStyle};
use std::borrow::Cow;

/// What the scanner hands to the parser.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) start: Mark,
    pub(super) end: Mark,
}

#[derive(Debug)]
pub(super) enum TokenKind<'a> {
    StreamStart,
    StreamEnd,
    VersionDirective(u32, u32),
    /// Boxed, as [`TokenKind::Tag`] is: both are rare, and all tokens are as big as the biggest kind.
    TagDirective(Box<TagDirective>),
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(&'a str),
    Anchor(&'a str),
    Tag(Box<Tag<'a>>),
    Scalar(Cow<'a, str>, ScalarStyle),
}

#[derive(Clone, Debug)]
pub(super) struct TagDirective {
    pub(super) handle: String,
    pub(super) prefix: String,
}

#[derive(Debug)]
pub(super) struct Tag<'a> {
    /// Empty where the suffix is the whole tag.
    pub(super) handle: &'a str,
    pub(super) suffix: Cow<'a, str>,
}
