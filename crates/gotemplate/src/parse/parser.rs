use super::ast::{Branch, Invocation, Node, Pipe, Source, Tree};
use super::error::ParseError;
use super::lexer::Lexer;
use super::literal::unquote;
use super::token::{Token, TokenKind};
use crate::functions::Functions;
use crate::stack::StackLimit;
use crate::value::Text;
use std::rc::Rc;

/// Parses a text: gives the template it is, under its name, and those it defines.
///
/// Fails in Go's words, and where it nests deeper than the stack allows.
pub(crate) fn parse(
    name: &Text,
    text: &Text,
    functions: &Functions,
    stack: StackLimit,
) -> Result<Vec<Rc<Tree>>, ParseError> {
    let source = Rc::new(Source { name: name.clone(), text: text.clone() });
    let mut parser = Parser {
        lexer: Lexer::new(text),
        pending: Vec::new(),
        last_line: 1,
        scope: Scope::default(),
        source: &source,
        functions,
        stack,
        trees: Vec::new(),
    };
    let root = parser.file()?;
    parser.add(name.clone(), root)?;
    Ok(parser.trees.into_iter().map(Rc::new).collect())
}

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    /// Tokens that were read and put back; the next one is the last.
    pending: Vec<Token<'a>>,
    /// The line of the last token that came from the lexer: the one in error texts.
    pub last_line: usize,
    pub scope: Scope,
    source: &'a Rc<Source>,
    pub functions: &'a Functions,
    stack: StackLimit,
    trees: Vec<Tree>,
}

/// What begins anew in each definition.
pub(super) struct Scope {
    /// The names that are declared, in order.
    pub variables: Vec<Rc<[u8]>>,
    range_depth: usize,
    /// The line where the action that is being read starts; 0 outside of actions.
    action_line: usize,
    pub parentheses: usize,
}

impl Default for Scope {
    fn default() -> Self {
        Self { variables: vec![Rc::from(*b"$")], range_depth: 0, action_line: 0, parentheses: 0 }
    }
}

/// How a list of nodes ended.
enum Ending {
    End,
    Else,
}

impl Ending {
    fn name(&self) -> &'static str {
        match self {
            Self::End => "{{end}}",
            Self::Else => "{{else}}",
        }
    }
}

/// What an action turned out to be.
enum Action {
    Node(Node),
    Ending(Ending),
}

pub(super) type Outcome<T> = Result<T, ParseError>;

impl<'a> Parser<'a> {
    pub(super) fn next(&mut self) -> Token<'a> {
        if let Some(token) = self.pending.pop() {
            return token;
        }
        let token = self.lexer.next();
        self.last_line = token.line;
        token
    }

    pub(super) fn put_back(&mut self, token: Token<'a>) {
        self.pending.push(token);
    }

    pub(super) fn peek(&mut self) -> &Token<'a> {
        if self.pending.is_empty() {
            let token = self.next();
            self.pending.push(token);
        }
        self.pending.last().expect("one was just put there")
    }

    pub(super) fn next_non_space(&mut self) -> Token<'a> {
        loop {
            let token = self.next();
            if token.kind != TokenKind::Space {
                return token;
            }
        }
    }

    pub(super) fn peek_non_space(&mut self) -> &Token<'a> {
        let token = self.next_non_space();
        self.put_back(token);
        self.peek()
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Outcome<T> {
        Err(ParseError { name: self.source.name.clone(), line: self.last_line, message: message.into() })
    }

    pub(super) fn unexpected<T>(&self, token: &Token<'_>, context: &str) -> Outcome<T> {
        let mut message = token.describe();
        if token.kind != TokenKind::Error {
            return self.error(format!("unexpected {message} in {context}"));
        }
        let started = self.scope.action_line;
        if started != 0 && started != token.line {
            let lead = if message.ends_with(" action") { "" } else { " in action" };
            message.push_str(&format!("{lead} started at {}:{started}", self.source.name));
        }
        self.error(message)
    }

    pub(super) fn expect(&mut self, kind: TokenKind, context: &str) -> Outcome<Token<'a>> {
        let token = self.next_non_space();
        if token.kind == kind { Ok(token) } else { self.unexpected(&token, context) }
    }

    pub(super) fn check_depth(&self) -> Outcome<()> {
        if self.stack.is_used_up() { self.error("max expression depth exceeded") } else { Ok(()) }
    }

    /// Adds a template; one that is not empty stays as it is.
    fn add(&mut self, name: Text, root: Vec<Node>) -> Outcome<()> {
        let tree = Tree { name, source: Rc::clone(self.source), root };
        match self.trees.iter_mut().find(|other| other.name == tree.name) {
            None => self.trees.push(tree),
            Some(other) if other.is_empty() => *other = tree,
            Some(_) if tree.is_empty() => {}
            Some(_) => {
                let name = crate::format::quote(&tree.name);
                return self.error(format!("template: multiple definition of template {name}"));
            }
        }
        Ok(())
    }

    /// The whole text: like a list, and definitions besides.
    fn file(&mut self) -> Outcome<Vec<Node>> {
        let mut nodes = Vec::new();
        loop {
            let kind = self.peek().kind;
            if kind == TokenKind::End {
                return Ok(nodes);
            }
            if kind == TokenKind::LeftDelimiter {
                let delimiter = self.next();
                let token = self.next_non_space();
                if token.kind == TokenKind::Define {
                    self.definition()?;
                    continue;
                }
                self.put_back(token);
                self.put_back(delimiter);
            }
            match self.text_or_action()? {
                Action::Node(node) => nodes.push(node),
                Action::Ending(ending) => return self.error(format!("unexpected {}", ending.name())),
            }
        }
    }

    fn definition(&mut self) -> Outcome<()> {
        const CONTEXT: &str = "define clause";
        let outer = std::mem::take(&mut self.scope);
        let token = self.next_non_space();
        let name = self.template_name(&token, CONTEXT)?;
        self.expect(TokenKind::RightDelimiter, CONTEXT)?;
        let (nodes, ending) = self.list()?;
        if let Ending::Else = ending {
            return self.error(format!("unexpected {} in {CONTEXT}", ending.name()));
        }
        self.add(name, nodes)?;
        self.scope = outer;
        Ok(())
    }

    /// Nodes up to an end or else.
    fn list(&mut self) -> Outcome<(Vec<Node>, Ending)> {
        self.check_depth()?;
        let mut nodes = Vec::new();
        while self.peek_non_space().kind != TokenKind::End {
            match self.text_or_action()? {
                Action::Node(node) => nodes.push(node),
                Action::Ending(ending) => return Ok((nodes, ending)),
            }
        }
        self.error("unexpected EOF")
    }

    fn text_or_action(&mut self) -> Outcome<Action> {
        let token = self.next_non_space();
        match token.kind {
            TokenKind::Text => Ok(Action::Node(Node::Text((&*token.text).into()))),
            TokenKind::LeftDelimiter => {
                self.scope.action_line = token.line;
                let action = self.action()?;
                self.scope.action_line = 0;
                Ok(action)
            }
            _ => self.unexpected(&token, "input"),
        }
    }

    fn action(&mut self) -> Outcome<Action> {
        let token = self.next_non_space();
        Ok(Action::Node(match token.kind {
            TokenKind::Block => self.block()?,
            TokenKind::Break => self.leave(Node::Break, "{{break}}")?,
            TokenKind::Continue => self.leave(Node::Continue, "{{continue}}")?,
            TokenKind::Else => return self.otherwise(),
            TokenKind::EndKeyword => {
                self.expect(TokenKind::RightDelimiter, "end")?;
                return Ok(Action::Ending(Ending::End));
            }
            TokenKind::If => Node::If(self.branch("if")?),
            TokenKind::Range => Node::Range(self.branch("range")?),
            TokenKind::With => Node::With(self.branch("with")?),
            TokenKind::Template => self.invocation()?,
            _ => {
                self.put_back(token);
                Node::Action(self.pipeline("command", TokenKind::RightDelimiter)?)
            }
        }))
    }

    fn leave(&mut self, node: Node, spelling: &str) -> Outcome<Node> {
        let token = self.next_non_space();
        if token.kind != TokenKind::RightDelimiter {
            return self.unexpected(&token, spelling);
        }
        if self.scope.range_depth == 0 {
            return self.error(format!("{spelling} outside {{{{range}}}}"));
        }
        Ok(node)
    }

    /// After `else`: a following `if` or `with` is left for [`Self::branch`].
    fn otherwise(&mut self) -> Outcome<Action> {
        if !matches!(self.peek_non_space().kind, TokenKind::If | TokenKind::With) {
            self.expect(TokenKind::RightDelimiter, "else")?;
        }
        Ok(Action::Ending(Ending::Else))
    }

    fn branch(&mut self, keyword: &'static str) -> Outcome<Branch> {
        self.check_depth()?;
        let visible = self.scope.variables.len();
        let pipe = self.pipeline(keyword, TokenKind::RightDelimiter)?;
        let is_range = usize::from(keyword == "range");
        self.scope.range_depth += is_range;
        let (body, ending) = self.list()?;
        self.scope.range_depth -= is_range;
        let otherwise = match ending {
            Ending::End => None,
            Ending::Else => Some(self.else_list(keyword)?),
        };
        self.scope.variables.truncate(visible);
        Ok(Branch { pipe, body, otherwise })
    }

    /// `{{else if}}` stands for an else that holds nothing but an if, and shares its end; `with` alike.
    fn else_list(&mut self, keyword: &str) -> Outcome<Vec<Node>> {
        let kind = self.peek().kind;
        if keyword == "if" && kind == TokenKind::If {
            self.next();
            return Ok(vec![Node::If(self.branch("if")?)]);
        }
        if keyword == "with" && kind == TokenKind::With {
            self.next();
            return Ok(vec![Node::With(self.branch("with")?)]);
        }
        let (nodes, ending) = self.list()?;
        match ending {
            Ending::End => Ok(nodes),
            Ending::Else => self.error(format!("expected end; found {}", ending.name())),
        }
    }

    /// A block defines a template where it stands and calls it.
    fn block(&mut self) -> Outcome<Node> {
        const CONTEXT: &str = "block clause";
        let token = self.next_non_space();
        let name = self.template_name(&token, CONTEXT)?;
        let pipe = self.pipeline(CONTEXT, TokenKind::RightDelimiter)?;
        let clause_line = self.last_line;
        let outer = std::mem::take(&mut self.scope);
        let (nodes, ending) = self.list()?;
        if let Ending::Else = ending {
            self.last_line = clause_line;
            return self.error(format!("unexpected {} in {CONTEXT}", ending.name()));
        }
        self.add(name.clone(), nodes)?;
        self.scope = outer;
        Ok(Node::Template(Invocation { position: token.position, name, pipe: Some(pipe) }))
    }

    fn invocation(&mut self) -> Outcome<Node> {
        const CONTEXT: &str = "template clause";
        let token = self.next_non_space();
        let name = self.template_name(&token, CONTEXT)?;
        let next = self.next_non_space();
        let mut pipe: Option<Pipe> = None;
        if next.kind != TokenKind::RightDelimiter {
            self.put_back(next);
            pipe = Some(self.pipeline(CONTEXT, TokenKind::RightDelimiter)?);
        }
        Ok(Node::Template(Invocation { position: token.position, name, pipe }))
    }

    fn template_name(&self, token: &Token<'_>, context: &str) -> Outcome<Text> {
        if !matches!(token.kind, TokenKind::String | TokenKind::RawString) {
            return self.unexpected(token, context);
        }
        unquote(&token.text).map(Text::from).or_else(|message| self.error(message))
    }
}
