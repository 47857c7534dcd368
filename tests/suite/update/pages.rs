//! What the program tells about itself.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use super::installation::{Installation, said};
use super::release::Kit;
use crate::Failure;
use crate::program::Start;

/// The version in all its forms.
pub fn version(kit: &'static Kit) -> Result<(), Failure> {
    let installation = Installation::new(kit)?;
    let short = installation.succeed(&["self", "version"])?;
    if short.trim_end() != format!("kapstan {}", kit.version) {
        return Err(format!("it says `{short}`"));
    }
    let long = installation.succeed(&["self", "version", "--verbose"])?;
    for word in ["target: ", "commit: ", "reproduces: Kapitan ", "\n  clap 4."] {
        if !long.contains(word) {
            return Err(format!("it does not say `{word}`:\n{long}"));
        }
    }
    let json = installation.succeed(&["self", "version", "--verbose", "-o", "json"])?;
    let json: serde_json::Value = serde_json::from_str(&json).map_err(|e| e.to_string())?;
    let names: Vec<_> =
        json["dependencies"].as_array().into_iter().flatten().map(|row| &row["name"]).collect();
    if names.len() < 50 || names.iter().any(|name| name.as_str().is_none_or(|name| name == "libtest-mimic")) {
        return Err(format!("the dependencies are {names:?}"));
    }
    Ok(())
}

/// Each shell gets a script for the name that the program is started with, without what is hidden; those that are here can read theirs.
pub fn completions(kit: &'static Kit) -> Result<(), Failure> {
    let installation = Installation::new(kit)?;
    let folder = installation.home();
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    for (shell, mark, check) in [
        ("bash", "complete -F _NAME ", &["bash", "-n"][..]),
        ("zsh", "#compdef NAME", &["zsh", "-n"]),
        ("fish", "complete -c NAME ", &["fish", "--no-execute"]),
        ("powershell", "-CommandName 'NAME'", &[]),
    ] {
        for name in ["kapstan", "kapitan"] {
            let arguments = ["completions", shell].map(String::from);
            let start =
                Start { name, arguments: &arguments, folder: &folder, stdin: "", env: &BTreeMap::new() };
            let script = said(&kit.program.run(&start, &folder.join("links"))?, 0)?;
            for word in [&*mark.replace("NAME", name), "rollback", "inventory-path", "explain"] {
                if !script.contains(word) {
                    return Err(format!("the script for {shell} does not hold `{word}`"));
                }
            }
            // The hidden command, its part of a script, and a hidden flag.
            for word in ["Renamed to refs", "__secrets", "mp-method"] {
                if script.contains(word) {
                    return Err(format!("the script for {shell} offers `{word}`"));
                }
            }
            let file = folder.join(format!("{name}.{shell}"));
            fs::write(&file, script).map_err(|e| e.to_string())?;
            let Some((program, flags)) = check.split_first() else { continue };
            // A shell that is not here cannot look at its script.
            if let Ok(ended) = Command::new(program).args(flags).arg(&file).output()
                && !ended.status.success()
            {
                return Err(format!("{program}: {}", String::from_utf8_lossy(&ended.stderr)));
            }
        }
    }
    Ok(())
}

/// Every command has a page, and the page is the one that is printed alone.
pub fn manual(kit: &'static Kit) -> Result<(), Failure> {
    let installation = Installation::new(kit)?;
    let listed = installation.succeed(&["man", "--output", "pages"])?;
    for (page, command) in [
        ("kapstan.1", &["man"][..]),
        ("kapstan-compile.1", &["man", "compile"]),
        ("kapstan-compile.1", &["man", "c"]),
        ("kapstan-inventory-explain.1", &["man", "inventory", "explain"]),
        ("kapstan-self-update.1", &["man", "self", "update"]),
    ] {
        let text = fs::read_to_string(installation.home().join("pages").join(page));
        let text = text.map_err(|e| format!("{page}: {e}"))?;
        if !listed.lines().any(|line| line == page) || text != installation.succeed(command)? {
            return Err(format!("{page} is not what {command:?} prints"));
        }
        for word in [".TH kapstan", ".SH NAME", ".SH SYNOPSIS"] {
            if !text.contains(word) {
                return Err(format!("{page} does not hold `{word}`"));
            }
        }
    }
    if listed.contains("secrets") { Err("a hidden command has a page".into()) } else { Ok(()) }
}

/// These commands look at no repository, so that a broken one does not matter.
pub fn outside_of_repositories(kit: &'static Kit) -> Result<(), Failure> {
    let installation = Installation::new(kit)?;
    fs::create_dir_all(installation.home()).map_err(|e| e.to_string())?;
    fs::write(installation.home().join(".kapitan"), "a: [").map_err(|e| e.to_string())?;
    for arguments in
        [&["self", "version"][..], &["completions", "bash"], &["man"], &["self", "uninstall", "--dry-run"]]
    {
        installation.succeed(arguments)?;
    }
    Ok(())
}
