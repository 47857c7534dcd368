//! Tags in texts and in documents: compiling and revealing them.

use crate::error::{Error, Raised};
use crate::python::type_name;
use crate::reference::{decoded_text, encoded_again, no_sub_variable, not_a_mapping, path_text};
use crate::references::{Context, References};
use crate::secret_text;
use crate::tag::{Replacement, Tag, may_hold_tag, sub_variable, substitute, without_sub_variables};
use kapstan_document::{Map, Node, Text, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Deeper documents are refused; Kapitan gives up at about a third of it.
const MAX_DEPTH: usize = 1000;

impl References {
    /// The text of an output file with its tags compiled, or revealed where the run reveals.
    ///
    /// Compiling puts in the data of plain references and hashes (or payloads) for all others; it creates references
    /// that are not there and have functions. A text without tags is returned as it is. Fails at the first tag that
    /// has no reference, whose hash differs, or whose value is no string.
    pub fn process_text(&self, text: Text, context: &Context<'_>) -> Result<Text, Error> {
        let done = if self.settings.reveal {
            self.reveal_text(&text, context)?
        } else {
            self.compile_text(&text, context)?
        };
        Ok(done.map_or(text, Text::from))
    }

    /// The document of an output file with the tags in its strings compiled, or revealed where the run reveals. Keys
    /// are left alone. What holds no tags stays shared; places are kept. Fails as [`References::process_text`] does,
    /// with the place of the string.
    pub fn process_node(&self, node: Node, context: &Context<'_>) -> Result<Node, Error> {
        if self.settings.reveal { self.reveal_node(node, context) } else { self.compile_node(node, context) }
    }

    /// The text with its tags compiled; none if it has no tags.
    pub fn compile_text(&self, text: &str, context: &Context<'_>) -> Result<Option<String>, Error> {
        substitute(text, |tag| self.compile_tag(tag, context).map(replacement))
    }

    /// The text with its tags revealed; none if it has no tags.
    pub fn reveal_text(&self, text: &str, context: &Context<'_>) -> Result<Option<String>, Error> {
        substitute(text, |tag| {
            let revealed = self.reveal_tag(tag, context);
            revealed.map(replacement).map_err(|error| self.with_near_name(error, tag))
        })
    }

    /// The document with its tags compiled.
    ///
    /// The values of a mapping that use `||reveal:` are tried again after the others, so that the reference they
    /// depend on may stand behind them. Lists go strictly in order. Behaviour: Kapitan's `compile_obj`.
    pub fn compile_node(&self, node: Node, context: &Context<'_>) -> Result<Node, Error> {
        self.walk(node, &mut |text| self.compile_text(text, context), true)
    }

    /// The document with its tags revealed.
    pub fn reveal_node(&self, node: Node, context: &Context<'_>) -> Result<Node, Error> {
        self.walk(node, &mut |text| self.reveal_text(text, context), false)
    }

    fn walk(&self, node: Node, process: Process<'_>, retries: bool) -> Result<Node, Error> {
        let mut walk = Walk { process, retries, done: FxHashMap::default() };
        Ok(walk.node(&node, 0)?.unwrap_or(node))
    }

    fn compile_tag(&self, tag: &Tag<'_>, context: &Context<'_>) -> Result<Value, Error> {
        match self.get(tag, context).and_then(|reference| reference.compile()) {
            Err(error) if error.is(Raised::FromFunction) => {
                self.generate(tag, context)?;
                self.get(tag, context)?.compile()
            }
            Err(error) if error.is(Raised::Key) => {
                let peer_text = format!("Could not find ref backend for tag: {}", tag.shown());
                Err(self.with_near_name(error, tag).raised_again(Raised::Ref, peer_text))
            }
            other => other,
        }
    }

    fn reveal_tag(&self, tag: &Tag<'_>, context: &Context<'_>) -> Result<Value, Error> {
        let environment = &*self.host.environment;
        // Kapitan looks for a sub-variable in all of the tag, its functions included.
        let Some(path) = sub_variable(tag.text) else {
            let reference = self.get(tag, context)?;
            let secret = reference.reveal(environment)?;
            let Some(path) = &reference.sub_variable else { return Ok(secret) };
            let path = path_text(path)?;
            let secret = secret_text::load(&secret)?;
            if secret.as_map().is_none() {
                return Err(not_a_mapping("Revealer: revealed secret is not in embedded yaml, ", path));
            }
            let missing = || {
                let peer_text = format!("Revealer: cannot access {} sub-variable key {path}", tag.shown());
                no_sub_variable(path, peer_text)
            };
            return secret_text::descend(&secret, path)?.ok_or_else(missing);
        };
        let whole = without_sub_variables(tag.text);
        let whole = Tag::at_start(&whole)?;
        let reference = self.get(&whole, context)?;
        let secret = reference.reveal(environment)?;
        let secret = if reference.is_encoded() { decoded_text(&secret)? } else { secret };
        let secret = secret_text::load(&secret)?;
        if secret.as_map().is_none() {
            let peer_text = format!(
                "Revealer: revealed secret is not in yaml, cannot access {path} sub-variable at {}",
                tag.text
            );
            return Err(not_a_mapping("", path).raised_again(Raised::Ref, peer_text));
        }
        let Some(value) = secret_text::descend(&secret, path)? else {
            let peer_text = format!("Revealer: cannot access {} sub-variable key {path}", tag.text);
            return Err(no_sub_variable(path, peer_text));
        };
        if reference.is_encoded() { encoded_again(&value) } else { Ok(value) }
    }
}

/// How the join of Python's `re.sub` takes a value.
fn replacement(value: Value) -> Replacement {
    match value {
        Value::Str(text) => Replacement::Text((*text).to_owned()),
        Value::Null => Replacement::Nothing,
        other => Replacement::Unfit(type_name(&other)),
    }
}

type Process<'a> = &'a mut dyn FnMut(&str) -> Result<Option<String>, Error>;

/// A pass over a document.
struct Walk<'a> {
    process: Process<'a>,
    /// Whether values of mappings are tried again after the others.
    retries: bool,
    /// Mappings that were changed, by their address: what was shared stays shared.
    done: FxHashMap<usize, (Arc<Map>, Node)>,
}

impl Walk<'_> {
    /// The node as it becomes; none where nothing changes.
    fn node(&mut self, node: &Node, depth: usize) -> Result<Option<Node>, Error> {
        if depth > MAX_DEPTH {
            let message = format!("the document is nested more than {MAX_DEPTH} levels deep");
            return Err(Error::new("refs::too-deep", message).at(node.span));
        }
        match &node.value {
            Value::Str(text) => self.string(text, node),
            Value::Seq(items) => self.sequence(items, node, depth),
            Value::Map(map) => self.mapping(map, node, depth),
            _ => Ok(None),
        }
    }

    fn string(&mut self, text: &str, node: &Node) -> Result<Option<Node>, Error> {
        if !may_hold_tag(text) {
            return Ok(None);
        }
        let done = (self.process)(text).map_err(|error| error.at(node.span))?;
        Ok(done.map(|text| Node::new(text, node.span)))
    }

    fn sequence(&mut self, items: &[Node], node: &Node, depth: usize) -> Result<Option<Node>, Error> {
        let mut changed: Option<Vec<Node>> = None;
        for (at, item) in items.iter().enumerate() {
            if let Some(item) = self.node(item, depth + 1)? {
                changed.get_or_insert_with(|| items.to_vec())[at] = item;
            }
        }
        Ok(changed.map(|items| Node::new(items, node.span)))
    }

    fn mapping(&mut self, map: &Arc<Map>, node: &Node, depth: usize) -> Result<Option<Node>, Error> {
        let address = Arc::as_ptr(map).addr();
        if let Some((_, done)) = self.done.get(&address) {
            return Ok(Some(Node { value: done.value.clone(), span: node.span }));
        }
        let mut changed: Vec<(usize, Node)> = Vec::new();
        let mut waiting: Vec<usize> = Vec::new();
        for (at, value) in map.values().enumerate() {
            match self.node(value, depth + 1) {
                Ok(Some(value)) => changed.push((at, value)),
                Ok(None) => {}
                Err(error) if self.may_wait(value, &error) => waiting.push(at),
                Err(error) => return Err(error),
            }
        }
        self.retry(map, waiting, depth, &mut changed)?;
        if changed.is_empty() {
            return Ok(None);
        }
        changed.sort_by_key(|(at, _)| *at);
        let mut changed = changed.into_iter().peekable();
        let mut result = (**map).clone();
        for (at, (_, slot)) in result.iter_mut().enumerate() {
            if let Some((_, value)) = changed.next_if(|(next, _)| *next == at) {
                *slot = value;
            }
        }
        let result = Node::new(result, node.span);
        // The mapping is kept too: its address must not be given to another one meanwhile.
        self.done.insert(address, (map.clone(), result.clone()));
        Ok(Some(result))
    }

    /// Whether a value of a mapping is tried again: it uses the function `reveal`, and what it reveals may come into
    /// being by then.
    fn may_wait(&self, value: &Node, error: &Error) -> bool {
        self.retries && error.is_retried() && value.as_str().is_some_and(|text| text.contains("||reveal:"))
    }

    /// Tries values again for as long as that gets any further; then the first one that still fails decides.
    fn retry(
        &mut self,
        map: &Map,
        mut waiting: Vec<usize>,
        depth: usize,
        changed: &mut Vec<(usize, Node)>,
    ) -> Result<(), Error> {
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut still = Vec::new();
            let mut first_error = None;
            for at in waiting {
                let Some((_, value)) = map.at(at) else { continue };
                match self.node(value, depth + 1) {
                    Ok(value) => changed.extend(value.map(|value| (at, value))),
                    Err(error) if self.may_wait(value, &error) => {
                        first_error.get_or_insert(error);
                        still.push(at);
                    }
                    Err(error) => return Err(error),
                }
            }
            match first_error {
                Some(error) if still.len() == before => return Err(error),
                _ => waiting = still,
            }
        }
        Ok(())
    }
}
