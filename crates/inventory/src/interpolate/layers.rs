//! What several rendered layers of one value come to.

use crate::merge::{clean, merge};
use crate::problem;
use crate::rules::Rules;
use crate::tree::{Kind, Tree};
use kapstan_diagnostic::Diagnostic;
use kapstan_document::Span;

/// Joins a further layer; `base_kind` and `new_kind` say what the layers were before they were rendered, for messages.
///
/// Behaviour: reclass. Mappings merge, sequences are appended, scalars replace; null is replaced by anything; the rest
/// is an error unless the inventory's configuration allows it.
pub(super) fn join(base: Tree, new: Tree, rules: &Rules) -> Result<Tree, Mismatch> {
    if base.is_null() {
        return Ok(new);
    }
    if base.is_dict() {
        return match &new {
            _ if new.is_dict() => join_dicts(base, new, rules).map_err(Mismatch::Key),
            _ if new.is_list() => Err(Mismatch::Kinds),
            _ if rules.allow_scalar_over_dict || rules.allow_none_override && new.is_null() => Ok(new),
            _ => Err(Mismatch::Kinds),
        };
    }
    if base.is_list() {
        return match &new {
            _ if new.is_list() => Ok(append(&base, &new)),
            _ if new.is_dict() => Err(Mismatch::Kinds),
            _ if rules.allow_scalar_over_list || rules.allow_none_override && new.is_null() => Ok(new),
            _ => Err(Mismatch::Kinds),
        };
    }
    match &new {
        _ if new.is_dict() && !rules.allow_dict_over_scalar => Err(Mismatch::Kinds),
        _ if new.is_list() && !rules.allow_list_over_scalar => Err(Mismatch::Kinds),
        _ if new.is_list() => {
            let mut items = vec![base];
            items.extend(new.to_items().unwrap_or_default());
            Ok(Tree::list(items, new.span()))
        }
        _ => Ok(new),
    }
}

/// Why layers cannot be joined.
pub(super) enum Mismatch {
    Kinds,
    Key(Diagnostic),
}

impl Mismatch {
    pub(super) fn into_diagnostic(self, path: &str, new: (Kind, Span), base: (Kind, Span)) -> Diagnostic {
        match self {
            Self::Kinds => problem::type_mismatch(path, new, base),
            Self::Key(problem) => problem,
        }
    }
}

fn join_dicts(base: Tree, new: Tree, rules: &Rules) -> Result<Tree, Diagnostic> {
    let syntax = &rules.syntax;
    let base = clean(base, syntax)?;
    merge(Some(base), clean(new, syntax)?, syntax)
}

fn append(base: &Tree, new: &Tree) -> Tree {
    let mut items = base.to_items().unwrap_or_default();
    items.extend(new.to_items().unwrap_or_default());
    Tree::list(items, new.span())
}
