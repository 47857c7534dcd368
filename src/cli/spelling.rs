use std::ffi::OsString;

/// Kapitan's options of several letters behind one dash, which other parsers take for several options.
const LONG_SHORTS: &[(&str, &[&str], &str)] = &[
    ("-J2F", &["compile", "c"], "--jinja2-filters"),
    ("-b64", &["refs", "r"], "--base64"),
    ("-rf", &["refs", "r"], "--ref-file"),
];

/// The command line with those options spelled out.
pub(crate) fn spell_out(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut command: Option<String> = None;
    let mut is_literal = false;
    let mut spelled = Vec::new();
    for (position, argument) in arguments.enumerate() {
        let text = argument.to_str().unwrap_or_default();
        is_literal |= text == "--";
        if position > 0 && command.is_none() && !text.starts_with('-') {
            command = Some(text.to_owned());
        }
        let long = LONG_SHORTS.iter().find_map(|(short, commands, long)| {
            let rest = text.strip_prefix(short)?;
            let is_it = commands.contains(&command.as_deref()?) && (rest.is_empty() || rest.starts_with('='));
            is_it.then(|| format!("{long}{rest}"))
        });
        spelled.push(match long {
            Some(long) if !is_literal => long.into(),
            _ => argument,
        });
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::spell_out;

    #[test]
    fn options_of_several_letters_are_spelled_out_where_they_belong() {
        for (given, expected) in [
            ("kapstan compile -J2F f.py", "kapstan compile --jinja2-filters f.py"),
            ("kapstan refs -rf=a -b64", "kapstan refs --ref-file=a --base64"),
            ("kapstan refs -r -f x", "kapstan refs -r -f x"),
            ("kapstan compile -rf", "kapstan compile -rf"),
            ("kapstan refs -- -rf", "kapstan refs -- -rf"),
        ] {
            let spelled = spell_out(given.split(' ').map(Into::into));
            let spelled: Vec<_> = spelled.iter().map(|word| word.to_str().unwrap()).collect();
            assert_eq!(spelled.join(" "), expected);
        }
    }
}
