use crate::format::quote;
use std::borrow::Cow;

/// What a piece of a template is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// What cannot be: the text is the message.
    Error,
    End,
    Text,
    LeftDelimiter,
    RightDelimiter,
    LeftParenthesis,
    RightParenthesis,
    Space,
    Pipe,
    /// `=`
    Assign,
    /// `:=`
    Declare,
    /// Any other ASCII character.
    Character,
    CharacterConstant,
    Number,
    /// Like `1+2i`.
    Complex,
    Bool,
    String,
    RawString,
    Identifier,
    Field,
    Variable,
    /// A lone `.`.
    Dot,
    Nil,
    Block,
    Break,
    Continue,
    Define,
    Else,
    EndKeyword,
    If,
    Range,
    Template,
    With,
}

impl TokenKind {
    /// The keyword of that spelling.
    pub(crate) fn keyword(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"block" => Self::Block,
            b"break" => Self::Break,
            b"continue" => Self::Continue,
            b"define" => Self::Define,
            b"else" => Self::Else,
            b"end" => Self::EndKeyword,
            b"if" => Self::If,
            b"range" => Self::Range,
            b"nil" => Self::Nil,
            b"template" => Self::Template,
            b"with" => Self::With,
            _ => return None,
        })
    }

    fn is_keyword(self) -> bool {
        matches!(
            self,
            Self::Dot
                | Self::Nil
                | Self::Block
                | Self::Break
                | Self::Continue
                | Self::Define
                | Self::Else
                | Self::EndKeyword
                | Self::If
                | Self::Range
                | Self::Template
                | Self::With
        )
    }
}

/// A piece of a template and where it starts.
#[derive(Clone, Debug)]
pub(crate) struct Token<'a> {
    pub kind: TokenKind,
    /// In bytes from the start of the text.
    pub position: usize,
    /// From 1.
    pub line: usize,
    pub text: Cow<'a, [u8]>,
}

impl Token<'_> {
    /// As error texts name it.
    pub(crate) fn describe(&self) -> String {
        match self.kind {
            TokenKind::End => "EOF".to_owned(),
            TokenKind::Error => String::from_utf8_lossy(&self.text).into_owned(),
            kind if kind.is_keyword() => format!("<{}>", String::from_utf8_lossy(&self.text)),
            _ if self.text.len() > 10 => {
                let length = crate::unicode::chars(&self.text).take(10).map(|(_, length)| length).sum();
                format!("{}...", quote(&self.text[..length]))
            }
            _ => quote(&self.text),
        }
    }
}
