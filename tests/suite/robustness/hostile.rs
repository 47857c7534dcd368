//! Inputs made to exhaust: each ends in an ordinary error, or in an ordinary result, and soon.

use super::repository::{Repository, succeeded};
use crate::Failure;
use crate::program::Program;

const TEMPLATE: &str = "{input_type: jinja2, input_paths: [a.txt], output_path: .}";
const JSONNET: &str = "{input_type: jsonnet, input_paths: [a.jsonnet], output_path: .}";
/// Deeper than any stack that recurses once a level.
const DEEP: usize = 200_000;

/// Nine aliases in every one of forty levels: more values than atoms.
pub fn alias_bomb(program: &Program) -> Result<(), Failure> {
    let repository = Repository::with_items(&[])?;
    let mut text = String::from("parameters:\n  l0: &l0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..40 {
        let aliases = vec![format!("*l{}", level - 1); 9].join(", ");
        text += &format!("  l{level}: &l{level} [{aliases}]\n");
    }
    repository.write("inventory/targets/bomb.yml", &text)?;
    repository.with_old_output()?.expect_refusal(program, &["bomb.yml"])
}

/// The same by references of the inventory.
pub fn reference_bomb(program: &Program) -> Result<(), Failure> {
    let repository = Repository::with_items(&[])?;
    let mut text = String::from("parameters:\n  l0: xxxxxxxxxx\n");
    for level in 1..40 {
        text += &format!("  l{level}: {}\n", format!("${{l{}}}", level - 1).repeat(9));
    }
    repository.write("inventory/targets/bomb.yml", &text)?;
    repository.with_old_output()?.expect_refusal(program, &["bomb.yml"])
}

/// Brackets in brackets.
pub fn deep_flow_sequences(program: &Program) -> Result<(), Failure> {
    let repository = Repository::new()?;
    let text = format!("parameters:\n  a: {}{}\n", "[".repeat(DEEP), "]".repeat(DEEP));
    repository.write("inventory/targets/deep.yml", &text)?;
    repository.with_old_output()?.expect_refusal(program, &["deep.yml"])
}

/// Mappings in mappings, each a column further.
pub fn deep_block_mappings(program: &Program) -> Result<(), Failure> {
    let repository = Repository::new()?;
    let mut text = String::from("parameters:\n");
    for level in 1..3000 {
        text += &format!("{}a:\n", " ".repeat(level));
    }
    repository.write("inventory/targets/deep.yml", &text)?;
    repository.with_old_output()?.expect_refusal(program, &["deep.yml"])
}

/// A thousand classes, each including the next, are no cycle.
pub fn long_class_chain(program: &Program) -> Result<(), Failure> {
    const LONG: usize = 1000;
    let repository = Repository::new()?;
    for number in 0..LONG {
        let next = if number + 1 < LONG { format!("classes: [c{}]\n", number + 1) } else { String::new() };
        repository.write(
            &format!("inventory/classes/c{number}.yml"),
            &format!("{next}parameters: {{last: {number}}}\n"),
        )?;
    }
    repository.write("inventory/targets/t.yml", "classes: [c0]\n")?;
    let ended = repository.run(program, &["inventory", "-t", "t", "-p", "parameters.last"])?;
    succeeded(&ended)?;
    match ended.stdout.as_slice() {
        b"0\n...\n" => Ok(()),
        other => Err(format!("printed {}", String::from_utf8_lossy(other))),
    }
}

/// References in the paths of references.
pub fn deep_references(program: &Program) -> Result<(), Failure> {
    let repository = Repository::new()?;
    let text = format!("parameters:\n  a: {}{}\n", "${".repeat(DEEP), "}".repeat(DEEP));
    repository.write("inventory/targets/deep.yml", &text)?;
    repository.with_old_output()?.expect_refusal(program, &["deep.yml"])
}

/// Parentheses in parentheses.
pub fn deep_jinja2_expression(program: &Program) -> Result<(), Failure> {
    let repository = Repository::with_items(&[TEMPLATE])?;
    repository.write("a.txt", &format!("{{{{ {}1{} }}}}", "(".repeat(DEEP), ")".repeat(DEEP)))?;
    repository.with_old_output()?.expect_refusal(program, &["a.txt"])
}

/// Arrays in arrays.
pub fn deep_jsonnet_expression(program: &Program) -> Result<(), Failure> {
    let repository = Repository::with_items(&[JSONNET])?;
    repository.write("a.jsonnet", &format!("{}1{}", "[".repeat(DEEP), "]".repeat(DEEP)))?;
    repository.with_old_output()?.expect_refusal(program, &["a.jsonnet"])
}

/// Loops in loops, for hours if nothing stops them.
pub fn endless_jinja2_loop(program: &Program) -> Result<(), Failure> {
    let repository = Repository::with_items(&[TEMPLATE])?;
    let open: String = "abcdefgh".chars().map(|n| format!("{{% for {n} in range(99999) %}}")).collect();
    repository.write("a.txt", &format!("{open}x{}", "{% endfor %}".repeat(8)))?;
    repository.with_old_output()?.expect_refusal(program, &["a.txt"])
}
