use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, Command};
use std::any::TypeId;
use std::ffi::OsString;
use std::path::PathBuf;

/// Kapitan's options of several letters behind one dash, which other parsers take for several options.
const LONG_SHORTS: &[(&str, &str)] = &[("-J2F", "jinja2-filters"), ("-b64", "base64"), ("-rf", "ref-file")];

/// Options that Kapitan does not have: an abbreviation that fits one of Kapitan's too stands for Kapitan's.
const OWN: &[&str] = &["message-format", "color", "diff", "helm-compat"];

/// The parser's table, made like Python's argparse: the last occurrence of an option wins, also where it takes several
/// values; values may be empty or negative numbers; integers are written as in Python.
pub(super) fn as_argparse(command: Command) -> Command {
    // Helm's options follow Helm.
    if ["helm", "template"].contains(&command.get_name()) {
        return command;
    }
    command.mut_args(lenient).mut_subcommands(as_argparse)
}

fn lenient(option: Arg) -> Arg {
    if !option.get_action().takes_values() {
        return option;
    }
    let value = option.get_value_parser().type_id();
    let option = option.action(ArgAction::Set).allow_negative_numbers(true);
    if value == TypeId::of::<PathBuf>() {
        option.value_parser(OsStringValueParser::new().map(PathBuf::from))
    } else if value == TypeId::of::<i64>() {
        option.value_parser(integer)
    } else {
        option
    }
}

/// An integer as Python's `int` reads it: blanks around it, a sign, underscores between digits. Numbers that are too
/// large become the largest.
pub(super) fn integer(text: &str) -> Result<i64, String> {
    let trimmed = text.trim();
    let (is_negative, digits) = match trimmed.strip_prefix(['-', '+']) {
        Some(digits) => (trimmed.starts_with('-'), digits),
        None => (false, trimmed),
    };
    let is_digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    if !digits.split('_').all(is_digits) {
        return Err("not an integer".to_owned());
    }
    let add = |number: i64, digit: u8| number.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    let number = digits.bytes().filter(|byte| *byte != b'_').fold(0, add);
    Ok(if is_negative { -number } else { number })
}

/// The command line as the parser wants it: Kapitan's options of several letters behind one dash, and abbreviations of
/// its long options, are spelled out.
///
/// `program` is built. Behaviour: Python's argparse, except that an abbreviation is looked up in its own command only.
pub(super) fn spell_out(program: &Command, arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut command = program;
    let mut is_literal = false;
    let mut is_value = false;
    let mut spelled = Vec::new();
    for (position, argument) in arguments.enumerate() {
        let text = argument.to_str().unwrap_or_default();
        is_literal |= text == "--";
        if position == 0 || is_literal {
            spelled.push(argument);
        } else if text.starts_with('-') {
            let full = full_name(command, text);
            is_value = takes_value(command, full.as_deref().unwrap_or(text));
            spelled.push(full.map_or(argument, OsString::from));
        } else {
            if !is_value {
                command = command.find_subcommand(text).unwrap_or(command);
            }
            is_value = false;
            spelled.push(argument);
        }
    }
    spelled
}

/// The option with its whole name, where the command line has less than that.
fn full_name(command: &Command, text: &str) -> Option<String> {
    let (name, value) = text.split_at(text.find('=').unwrap_or(text.len()));
    let long = match name.strip_prefix("--") {
        Some(start) if !start.is_empty() => abbreviated(command, start)?,
        Some(_) => return None,
        None => of_one_dash(command, name)?,
    };
    Some(format!("--{long}{value}"))
}

fn abbreviated<'c>(command: &'c Command, start: &str) -> Option<&'c str> {
    let mut fitting = longs(command).filter(|long| long.starts_with(start) && !OWN.contains(long));
    let (found, is_only) = (fitting.next()?, fitting.next().is_none());
    let is_whole = longs(command).any(|long| long == start);
    (is_only && !is_whole).then_some(found)
}

fn of_one_dash(command: &Command, name: &str) -> Option<&'static str> {
    let letter = name.chars().nth(1)?;
    let is_known = command.get_arguments().any(|option| option.get_short() == Some(letter));
    let fits = |short: &str| short == name || (!is_known && short.starts_with(name));
    let has = |long: &str| longs(command).any(|other| other == long);
    LONG_SHORTS.iter().find(|(short, long)| fits(short) && has(long)).map(|(_, long)| *long)
}

fn longs(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter_map(Arg::get_long)
}

/// Whether the next word belongs to the option.
fn takes_value(command: &Command, text: &str) -> bool {
    let is_it = |option: &Arg| match text.strip_prefix("--") {
        Some(long) => option.get_long() == Some(long),
        None => option.get_short().is_some_and(|short| text.chars().nth(1) == Some(short) && text.len() == 2),
    };
    command.get_arguments().any(|option| is_it(option) && option.get_action().takes_values())
}

#[cfg(test)]
mod tests {
    use super::{integer, spell_out};
    use crate::cli::arguments::Arguments;
    use clap::CommandFactory;

    #[test]
    fn options_are_spelled_out_where_they_belong() {
        let mut program = Arguments::command();
        program.build();
        for (given, expected) in [
            ("kapstan compile -J2F f.py", "kapstan compile --jinja2-filters f.py"),
            ("kapstan refs -rf=a -b64", "kapstan refs --ref-file=a --base64"),
            ("kapstan refs -r -f x -b", "kapstan refs -r -f x --base64"),
            ("kapstan compile -rf -J2", "kapstan compile -rf -J2"),
            ("kapstan refs -- -rf", "kapstan refs -- -rf"),
            ("kapstan --mp-method fork r -rf a", "kapstan --mp-method fork r --ref-file a"),
            ("kapstan --color never r -rf a", "kapstan --color never r --ref-file a"),
            ("kapstan c --targ a --co", "kapstan c --targets a --compose-target-name"),
            ("kapstan c --indent=3 --ind=4 --p", "kapstan c --indent=3 --indent=4 --p"),
            ("kapstan l --c=x", "kapstan l --compiled-path=x"),
            ("kapstan i --topics check --c", "kapstan i --topics check --compose-target-name"),
        ] {
            let spelled = spell_out(&program, given.split(' ').map(Into::into));
            let spelled: Vec<_> = spelled.iter().map(|word| word.to_str().unwrap()).collect();
            assert_eq!(spelled.join(" "), expected);
        }
    }

    #[test]
    fn integers_are_written_as_in_python() {
        let good = [("4", 4), (" -1 ", -1), ("+0_3", 3), ("1_000", 1000), ("99999999999999999999", i64::MAX)];
        for (text, number) in good {
            assert_eq!(integer(text), Ok(number), "{text}");
        }
        for text in ["", "-", "1__0", "_1", "0x1", "1.5", "++1", "a"] {
            assert!(integer(text).is_err(), "{text}");
        }
    }
}
