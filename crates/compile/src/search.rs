use kapstan_files::{Files, glob, is_pattern};
use std::io;
use std::path::{Path, PathBuf};

/// What an input path stands for: every match in every search path, links that lead nowhere included.
///
/// The matches of the last search path come first, so that where two write the same file, the first search path has
/// the last word. (In Kapitan the order is that of a hash.)
pub(crate) fn find_inputs(
    files: &dyn Files,
    input_path: &str,
    search_paths: &[PathBuf],
) -> io::Result<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> = Vec::new();
    for search_path in search_paths.iter().rev() {
        let candidate = search_path.join(input_path);
        let matches = if is_pattern(input_path) {
            glob(files, &candidate)?
        } else {
            Vec::from_iter(files.lies_at(&candidate)?.then_some(candidate))
        };
        for path in matches {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    Ok(found)
}

/// The path with `.` and `..` resolved by name; none where it would lead above its start.
pub(crate) fn normal(path: &Path) -> Option<PathBuf> {
    use std::path::Component;
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => normal.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(normal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kapstan_files::Memory;

    #[test]
    fn the_first_search_path_comes_last() {
        let files = Memory::new().with("lib/t/a", "").with("t/a", "").with("lib/t/b", "");
        let search_paths = [PathBuf::from(""), PathBuf::from("lib")];
        let found = |path: &str| find_inputs(&files, path, &search_paths).unwrap();
        assert_eq!(found("t/a"), ["lib/t/a", "t/a"].map(PathBuf::from));
        assert_eq!(found("t/*"), ["lib/t/a", "lib/t/b", "t/a"].map(PathBuf::from));
        assert!(found("x").is_empty());
    }

    #[test]
    fn paths_that_lead_out_have_no_normal_form() {
        assert_eq!(normal(Path::new("a/../b/./c")), Some("b/c".into()));
        assert_eq!(normal(Path::new("a/../../b")), None);
        assert_eq!(normal(Path::new("/a")), None);
    }
}
