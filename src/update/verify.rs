use super::keys::Keys;
use super::release::{LARGEST_LIST, LARGEST_SIGNATURE, SIGNATURE_ENDS, hex};
use super::{Outcome, file_problem, problem};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A release of which a folder holds the list of sums and some of the files.
#[derive(Debug)]
pub(crate) struct Proved {
    /// Its version, which is signed.
    pub(crate) version: String,
    /// The files that are there and have the sum that was signed, as the list orders them.
    pub(crate) files: Vec<String>,
    /// The files that are not there.
    pub(crate) absent: Vec<String>,
}

/// Proves a downloaded release: the signature beside the list of sums, and each listed file that lies beside it.
///
/// Fails where no signature is by one of the keys, where it is for another version than the one that is wanted, and for
/// a file with another sum.
pub(crate) fn verify(list: &Path, version: Option<&str>, keys: &Keys) -> Outcome<Proved> {
    let sums = read(list, LARGEST_LIST)?;
    let said = keys.said(&sums, &signatures(list)?)?;
    let mut versions = said.iter().filter_map(|comment| comment.strip_prefix("kapstan "));
    let found = match version {
        Some(version) => versions.find(|found| *found == version),
        None => versions.next(),
    };
    let found = found.ok_or_else(|| {
        let wanted =
            version.map_or("a release of kapstan".to_owned(), |version| format!("kapstan {version}"));
        problem(
            "update::signature",
            format!("the signature is one for `{}`, not for {wanted}", said.join("` and `")),
        )
    })?;
    let mut proved = Proved { version: found.to_owned(), files: Vec::new(), absent: Vec::new() };
    let folder = list.parent().unwrap_or(Path::new(""));
    for line in String::from_utf8_lossy(&sums).lines() {
        let Some((sum, name)) = line.split_once([' ', '\t']) else { continue };
        let name = name.trim_start_matches([' ', '*']);
        if Path::new(name).file_name().is_none_or(|only| only != name) {
            return Err(problem(
                "update::digest",
                format!("the list names `{name}`, which is not a file beside it"),
            ));
        }
        let file = folder.join(name);
        match digest(&file) {
            Ok(found) if found == sum => proved.files.push(name.to_owned()),
            Ok(_) => {
                let message = format!("`{}` is not the file that was signed", file.display());
                return Err(problem("update::digest", message));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => proved.absent.push(name.to_owned()),
            Err(error) => return Err(file_problem("read", &file, &error)),
        }
    }
    Ok(proved)
}

fn signatures(list: &Path) -> Outcome<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    let beside = |end: &str| {
        let mut name = list.as_os_str().to_owned();
        name.push(end);
        name
    };
    for end in SIGNATURE_ENDS {
        let signature = beside(end);
        if Path::new(&signature).exists() {
            found.push(read(Path::new(&signature), LARGEST_SIGNATURE)?);
        }
    }
    if found.is_empty() {
        let expected = beside(SIGNATURE_ENDS[0]);
        let message = format!("there is no signature: no `{}`", Path::new(&expected).display());
        return Err(problem("update::signature", message));
    }
    Ok(found)
}

fn read(path: &Path, largest: u64) -> Outcome<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(largest + 1).read_to_end(&mut bytes))
        .map_err(|error| file_problem("read", path, &error))?;
    if bytes.len() as u64 > largest {
        return Err(problem(
            "update::too-large",
            format!("`{}` is no part of a release: it is too large", path.display()),
        ));
    }
    Ok(bytes)
}

fn digest(path: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    io::copy(&mut File::open(path)?, &mut digest)?;
    Ok(hex(&digest.finalize()))
}
