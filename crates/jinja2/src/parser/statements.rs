use super::expressions::TupleRules;
use super::{Ends, Parser};
use crate::ast::{Block, Expr, ExprKind, For, If, MacroBody, OutputPart, Stmt, StmtKind, Use};
use crate::error::{Outcome, quoted};
use crate::lexer::Token;
use crate::text::is_space;
use kapstan_document::Text;

impl Parser<'_> {
    /// Text and tags up to one of the ends (whose name is then the current token) or to the end of the template.
    pub(super) fn body(&mut self, ends: Option<Ends>) -> Outcome<Vec<Stmt>> {
        self.stack.check()?;
        self.ends.extend(ends);
        let mut body = Vec::new();
        let mut output = Vec::new();
        loop {
            match self.token() {
                Token::Data(_) => {
                    if let (line, Token::Data(text)) = self.next()? {
                        output.push((line, OutputPart::Data(text)));
                    }
                }
                Token::VariableBegin => {
                    self.next()?;
                    let expr = self.tuple(TupleRules::default())?;
                    self.expect_token(&Token::VariableEnd)?;
                    output.push((expr.line, OutputPart::Expr(expr)));
                }
                Token::BlockBegin => {
                    flush(&mut output, &mut body);
                    self.next()?;
                    if ends.is_some_and(|ends| ends.iter().any(|end| self.is_name(end))) {
                        self.ends.pop();
                        return Ok(body);
                    }
                    body.push(self.statement()?);
                    self.expect_token(&Token::BlockEnd)?;
                }
                _ => break,
            }
        }
        flush(&mut output, &mut body);
        if ends.is_some() {
            self.ends.pop();
        }
        Ok(body)
    }

    /// The body of a tag, from the end of the tag on.
    fn statements(&mut self, ends: Ends) -> Outcome<Vec<Stmt>> {
        self.skip_op(":")?;
        self.expect_token(&Token::BlockEnd)?;
        let body = self.body(Some(ends))?;
        if *self.token() == Token::End {
            self.ends.push(ends);
            return self.fail_at_tag(None, self.line());
        }
        Ok(body)
    }

    fn statements_and_end(&mut self, ends: Ends) -> Outcome<Vec<Stmt>> {
        let body = self.statements(ends)?;
        self.next()?;
        Ok(body)
    }

    fn fail_at_tag<T>(&self, name: Option<&str>, line: u32) -> Outcome<T> {
        let looking = self.ends.last().map(|ends| ends.map_join(" or "));
        let mut message = match name {
            None => "Unexpected end of template.".to_owned(),
            Some(name) => format!("Encountered unknown tag {}.", quoted(name)),
        };
        if let Some(looking) = looking {
            let is_expected = name.is_some_and(|name| self.ends.iter().any(|ends| ends.contains(&name)));
            message += &if is_expected {
                format!(
                    " You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for \
                     {looking}."
                )
            } else {
                format!(" Jinja was looking for the following tags: {looking}.")
            };
        }
        if let Some(tag) = self.tags.last() {
            message += &format!(" The innermost block that needs to be closed is {}.", quoted(tag));
        }
        self.fail(message, line)
    }

    fn statement(&mut self) -> Outcome<Stmt> {
        let line = self.line();
        let Token::Name(tag) = self.token().clone() else {
            return self.fail("tag name expected", line);
        };
        let parse: fn(&mut Self, u32) -> Outcome<StmtKind> = match &*tag {
            "for" => Self::for_loop,
            "if" => Self::if_else,
            "block" => Self::block,
            "extends" => Self::extends,
            "print" => Self::print,
            "macro" => Self::macro_definition,
            "include" => Self::include,
            "from" => Self::import_names,
            "import" => Self::import,
            "set" => Self::set,
            "with" => Self::with,
            "autoescape" => Self::autoescape,
            "call" => Self::call_block,
            "filter" => Self::filter_block,
            "do" => Self::do_expression,
            _ => return self.fail_at_tag(Some(&tag), line),
        };
        self.tags.push(tag);
        self.next()?;
        let kind = parse(self, line)?;
        self.tags.pop();
        Ok(Stmt { line, kind })
    }

    fn do_expression(&mut self, _line: u32) -> Outcome<StmtKind> {
        self.tuple(TupleRules::default()).map(StmtKind::Do)
    }

    fn set(&mut self, _line: u32) -> Outcome<StmtKind> {
        let target = self.target(TupleRules { with_namespace: true, ..TupleRules::default() })?;
        if self.skip_op("=")? {
            return Ok(StmtKind::Set(target, self.tuple(TupleRules::default())?));
        }
        let filter = self.block_filters(false)?;
        Ok(StmtKind::SetBlock(target, filter, self.statements_and_end(&["endset"])?))
    }

    fn for_loop(&mut self, _line: u32) -> Outcome<StmtKind> {
        let target = self.target(TupleRules { end: Some("in"), ..TupleRules::default() })?;
        self.expect_word("in")?;
        let rules = TupleRules { without_condition: true, end: Some("recursive"), ..TupleRules::default() };
        let iter = self.tuple(rules)?;
        let test = if self.skip_name("if")? { Some(self.expression()?) } else { None };
        let recursive = self.skip_name("recursive")?;
        let body = self.statements(&["endfor", "else"])?;
        let is_over = self.is_name("endfor");
        self.next()?;
        let otherwise = if is_over { Vec::new() } else { self.statements_and_end(&["endfor"])? };
        Ok(StmtKind::For(Box::new(For { target, iter, body, otherwise, test, recursive })))
    }

    fn if_else(&mut self, mut line: u32) -> Outcome<StmtKind> {
        let mut arms = Vec::new();
        loop {
            let test = self.tuple(TupleRules { without_condition: true, ..TupleRules::default() })?;
            let body = self.statements(&["elif", "else", "endif"])?;
            arms.push(If { line, test, body });
            let is_elif = self.is_name("elif");
            let is_else = self.is_name("else");
            self.next()?;
            line = self.line();
            if is_elif {
                continue;
            }
            let otherwise = if is_else { self.statements_and_end(&["endif"])? } else { Vec::new() };
            return Ok(StmtKind::If { arms, otherwise });
        }
    }

    fn with(&mut self, _line: u32) -> Outcome<StmtKind> {
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        while *self.token() != Token::BlockEnd {
            if !targets.is_empty() {
                self.expect_op(",")?;
            }
            let mut target = self.target(TupleRules::default())?;
            set_use(&mut target, Use::Param);
            targets.push(target);
            self.expect_op("=")?;
            values.push(self.expression()?);
        }
        let body = self.statements_and_end(&["endwith"])?;
        Ok(StmtKind::With { targets, values, body })
    }

    fn autoescape(&mut self, _line: u32) -> Outcome<StmtKind> {
        let value = self.expression()?;
        Ok(StmtKind::Autoescape(value, self.statements_and_end(&["endautoescape"])?))
    }

    fn block(&mut self, line: u32) -> Outcome<StmtKind> {
        let (_, name) = self.expect_name()?;
        let scoped = self.skip_name("scoped")?;
        let required = self.skip_name("required")?;
        if self.is_op("-") {
            let message = "Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use \
                           an underscore instead.";
            return self.fail(message, self.line());
        }
        let body = self.statements_and_end(&["endblock"])?;
        if required && !body.iter().all(is_blank_output) {
            return self.fail("Required blocks can only contain comments or whitespace", self.line());
        }
        self.skip_name(&name)?;
        Ok(StmtKind::Block(Block { line, name, scoped, required, body }))
    }

    fn extends(&mut self, _line: u32) -> Outcome<StmtKind> {
        self.expression().map(StmtKind::Extends)
    }

    fn is_context_rule(&mut self) -> Outcome<bool> {
        Ok((self.is_name("with") || self.is_name("without"))
            && matches!(self.look()?, Token::Name(word) if &**word == "context"))
    }

    /// `with context` or `without context`, if it stands here.
    fn context_rule(&mut self) -> Outcome<Option<bool>> {
        if !self.is_context_rule()? {
            return Ok(None);
        }
        let with = self.is_name("with");
        self.next()?;
        self.next()?;
        Ok(Some(with))
    }

    fn include(&mut self, _line: u32) -> Outcome<StmtKind> {
        let template = self.expression()?;
        let ignore_missing =
            self.is_name("ignore") && matches!(self.look()?, Token::Name(word) if &**word == "missing");
        if ignore_missing {
            self.next()?;
            self.next()?;
        }
        let with_context = self.context_rule()?.unwrap_or(true);
        Ok(StmtKind::Include { template, ignore_missing, with_context })
    }

    fn import(&mut self, _line: u32) -> Outcome<StmtKind> {
        let template = self.expression()?;
        self.expect_word("as")?;
        let (_, target) = self.name_target()?;
        let with_context = self.context_rule()?.unwrap_or(false);
        Ok(StmtKind::Import { template, target, with_context })
    }

    fn import_names(&mut self, _line: u32) -> Outcome<StmtKind> {
        let template = self.expression()?;
        self.expect_word("import")?;
        let mut names: Vec<(Text, Option<Text>)> = Vec::new();
        let with_context = loop {
            if !names.is_empty() {
                self.expect_op(",")?;
            }
            if !matches!(self.token(), Token::Name(_)) {
                self.expect_name()?;
            }
            if let Some(with_context) = self.context_rule()? {
                break with_context;
            }
            let (line, name) = self.name_target()?;
            if name.starts_with('_') {
                return self.fail("names starting with an underline can not be imported", line);
            }
            let alias = if self.skip_name("as")? { Some(self.name_target()?.1) } else { None };
            names.push((name, alias));
            match self.context_rule()? {
                Some(with_context) => break with_context,
                None if !self.is_op(",") => break false,
                None => {}
            }
        };
        Ok(StmtKind::FromImport { template, names, with_context })
    }

    fn print(&mut self, _line: u32) -> Outcome<StmtKind> {
        let mut parts = Vec::new();
        while *self.token() != Token::BlockEnd {
            if !parts.is_empty() {
                self.expect_op(",")?;
            }
            parts.push(OutputPart::Expr(self.expression()?));
        }
        Ok(StmtKind::Output(parts))
    }

    fn signature(&mut self) -> Outcome<(Vec<Expr>, Vec<Expr>)> {
        let (mut params, mut defaults) = (Vec::new(), Vec::new());
        self.expect_op("(")?;
        while !self.is_op(")") {
            if !params.is_empty() {
                self.expect_op(",")?;
            }
            let (line, name) = self.name_target()?;
            if self.skip_op("=")? {
                defaults.push(self.expression()?);
            } else if !defaults.is_empty() {
                return self.fail("non-default argument follows default argument", self.line());
            }
            params.push(self.node(ExprKind::Name(name, Use::Param), line)?);
        }
        self.expect_op(")")?;
        Ok((params, defaults))
    }

    fn macro_definition(&mut self, _line: u32) -> Outcome<StmtKind> {
        let (_, name) = self.name_target()?;
        let (params, defaults) = self.signature()?;
        let body = self.statements_and_end(&["endmacro"])?;
        Ok(StmtKind::Macro(name, MacroBody { params, defaults, body }))
    }

    fn call_block(&mut self, line: u32) -> Outcome<StmtKind> {
        let (params, defaults) = if self.is_op("(") { self.signature()? } else { (Vec::new(), Vec::new()) };
        let call = self.expression()?;
        if !matches!(call.kind, ExprKind::Call(..)) {
            return self.fail("expected call", line);
        }
        let body = self.statements_and_end(&["endcall"])?;
        Ok(StmtKind::CallBlock(Box::new(call), MacroBody { params, defaults, body }))
    }

    fn filter_block(&mut self, _line: u32) -> Outcome<StmtKind> {
        let Some(filter) = self.block_filters(true)? else {
            return self.fail("expected a filter", self.line());
        };
        Ok(StmtKind::FilterBlock(filter, self.statements_and_end(&["endfilter"])?))
    }

    fn target(&mut self, rules: TupleRules) -> Outcome<Expr> {
        let mut target = self.tuple(TupleRules { simple: true, ..rules })?;
        set_use(&mut target, Use::Store);
        if !can_assign(&target) {
            return self.fail(format!("can't assign to {}", quoted(target.kind.name())), target.line);
        }
        Ok(target)
    }

    fn name_target(&mut self) -> Outcome<(u32, Text)> {
        let (line, name) = self.expect_name()?;
        if matches!(&*name, "true" | "false" | "none" | "True" | "False" | "None") {
            return self.fail("can't assign to 'name'", line);
        }
        Ok((line, name))
    }
}

fn flush(output: &mut Vec<(u32, OutputPart)>, body: &mut Vec<Stmt>) {
    if let Some((line, _)) = output.first() {
        let line = *line;
        let parts = output.drain(..).map(|(_, part)| part).collect();
        body.push(Stmt { line, kind: StmtKind::Output(parts) });
    }
}

fn is_blank_output(stmt: &Stmt) -> bool {
    let StmtKind::Output(parts) = &stmt.kind else { return false };
    parts.iter().all(|part| matches!(part, OutputPart::Data(text) if text.chars().all(is_space)))
}

fn set_use(target: &mut Expr, how: Use) {
    match &mut target.kind {
        ExprKind::Name(_, used) => *used = how,
        ExprKind::Tuple(items) => items.iter_mut().for_each(|item| set_use(item, how)),
        _ => {}
    }
}

fn can_assign(target: &Expr) -> bool {
    match &target.kind {
        ExprKind::Name(..) | ExprKind::NamespaceAttr(..) => true,
        ExprKind::Tuple(items) => items.iter().all(can_assign),
        _ => false,
    }
}

trait MapJoin {
    fn map_join(&self, separator: &str) -> String;
}

impl MapJoin for Ends {
    fn map_join(&self, separator: &str) -> String {
        self.iter().map(|end| quoted(end)).collect::<Vec<_>>().join(separator)
    }
}
