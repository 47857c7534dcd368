//! Writes down what the program is made of, for `kapstan self version`: the target, and the crates from outside.
//!
//! The crates are read from `Cargo.lock`, which names for each crate what it needs on any target. Only what tests and
//! benches need is left out, which the workspace's manifests tell. Both are read line by line, as Cargo writes them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A crate in the lock file.
struct Package {
    name: String,
    version: String,
    is_ours: bool,
    needs: Vec<String>,
}

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=Cargo.lock");
    // What include_dir puts into the program: it does not say so itself.
    println!("cargo:rerun-if-changed=dist/keys");
    println!("cargo:rerun-if-changed=skeleton");
    println!("cargo:rustc-env=KAPSTAN_TARGET={}", env::var("TARGET").expect("Cargo sets it"));
    let packages = packages(&read(&root.join("Cargo.lock")));
    let mut text = String::from("&[\n");
    for (name, version) in outside(&root, &packages) {
        writeln!(text, "    Dependency {{ name: {name:?}, version: {version:?} }},").expect("strings grow");
    }
    text.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it")).join("dependencies.rs");
    fs::write(&out, text).expect("the folder for it is there");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn packages(lock: &str) -> Vec<Package> {
    lock.split("[[package]]").skip(1).map(package).collect()
}

fn package(block: &str) -> Package {
    let value = |key: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""));
        line.map(|line| line.trim_end_matches('"').to_owned())
    };
    let needs = block.lines().filter_map(|line| line.strip_prefix(" \"")?.strip_suffix("\","));
    Package {
        name: value("name").expect("packages have names"),
        version: value("version").expect("packages have versions"),
        is_ours: value("source").is_none(),
        needs: needs.map(str::to_owned).collect(),
    }
}

/// Name and version of every crate from outside that the program reaches.
fn outside(root: &Path, packages: &[Package]) -> BTreeSet<(String, String)> {
    let mut versions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, package) in packages.iter().enumerate() {
        versions.entry(&package.name).or_default().push(index);
    }
    // What is needed is named `name`, or `name version` where there are several versions.
    let find = |need: &str| {
        let mut words = need.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next());
        let all = versions.get(name).map(Vec::as_slice).unwrap_or_default();
        all.iter().copied().find(|index| version.is_none_or(|version| packages[*index].version == version))
    };
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<usize> = find("kapstan").into_iter().collect();
    while let Some(index) = waiting.pop() {
        if !reached.insert(index) {
            continue;
        }
        let package = &packages[index];
        let needed = package.is_ours.then(|| needed_outside_tests(root, &package.name));
        let is_needed = |need: &str| {
            let name = need.split(' ').next().unwrap_or_default();
            needed.as_ref().is_none_or(|names| names.contains(name))
        };
        waiting.extend(package.needs.iter().filter(|need| is_needed(need)).filter_map(|need| find(need)));
    }
    let outside = reached.into_iter().map(|index| &packages[index]).filter(|package| !package.is_ours);
    outside.map(|package| (package.name.clone(), package.version.clone())).collect()
}

/// What a crate of ours needs to be built, other than its tests.
fn needed_outside_tests(root: &Path, name: &str) -> BTreeSet<String> {
    let folder = match name {
        "kapstan" => root.to_path_buf(),
        _ => root.join("crates").join(name.strip_prefix("kapstan-").unwrap_or(name)),
    };
    let path = folder.join("Cargo.toml");
    println!("cargo:rerun-if-changed={}", path.display());
    let mut is_needed = false;
    let mut names = BTreeSet::new();
    for line in read(&path).lines() {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            is_needed = section == "dependencies" || section.ends_with(".dependencies");
            is_needed &= !section.starts_with("workspace");
        } else if is_needed && line.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let end = line.find(['.', ' ', '=']).unwrap_or(line.len());
            names.insert(line[..end].to_owned());
        }
    }
    names
}
