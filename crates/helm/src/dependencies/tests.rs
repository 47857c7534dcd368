use super::*;
use crate::chart::{Limits, LoadOptions};
use crate::values::{Coalescer, Nulls, plain, table_of};
use crate::{Chart, yaml};
use kapstan_diagnostic::Sources;
use kapstan_files::Memory;
use kapstan_gotemplate::Value;
use std::path::Path;

/// The values that templates of the chart see, with these files and values given by the user, or Helm's text.
fn values(
    files: &[(&str, &str)],
    user: &str,
    profile: Profile,
) -> std::result::Result<(String, Vec<String>), String> {
    let memory =
        files.iter().fold(Memory::new(), |memory, (name, text)| memory.with(format!("c/{name}"), *text));
    let sources = Sources::new();
    let options = LoadOptions { profile, limits: Limits::default(), sources: &sources };
    let chart = Chart::load(&memory, Path::new("c"), &options).unwrap();
    let source = sources.add("user", user.as_bytes());
    let user = yaml::with_doubles(yaml::read(user.as_bytes(), source).unwrap());
    let user = table_of(&user).unwrap();
    let text = |error: crate::Error| error.text().to_owned();
    let mut tree = Tree::new(&chart).map_err(text)?;
    let mut warnings = Vec::new();
    process(&mut tree, &user, profile, &mut warnings).map_err(text)?;
    let mut coalescer = Coalescer::new(profile, Nulls::Remove);
    let values = coalescer.chart(&tree, &user).map_err(text)?;
    warnings.extend(coalescer.warnings);
    let lines = warnings.into_iter().filter_map(|warning| warning.peer_text).collect();
    Ok((plain(&Value::Map(values)), lines))
}

fn check(files: &[(&str, &str)], user: &str, new: &str, old: &str) {
    assert_eq!(values(files, user, Profile::V4_2).unwrap().0, new);
    assert_eq!(values(files, user, Profile::V3).unwrap().0, old);
}

const ROOT: (&str, &str) = ("Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n");
const SUB: (&str, &str) = ("charts/s/Chart.yaml", "apiVersion: v2\nname: s\nversion: 1.0.0\n");

#[test]
fn nulls_take_out_what_they_meet() {
    let files = [ROOT, ("values.yaml", "a: 1\nb: {x: 1, z: null}\nc: null\nl: [1]\n")];
    check(
        &files,
        "a: null\nb: {x: null, w: null}\nk: null\nl: []\n",
        "map[b:map[w:<nil>] k:<nil> l:[]]",
        "map[b:map[w:<nil> z:<nil>] c:<nil> k:<nil> l:[]]",
    );
}

#[test]
fn subcharts_get_their_part_and_globals() {
    let files = [
        ROOT,
        SUB,
        ("values.yaml", "s: {a: null, b: 2}\nglobal: {g: 1, t: {x: {p: 1}}}\n"),
        ("charts/s/values.yaml", "a: 1\nb: 1\nc: 1\nglobal: {h: 1, t: {x: {q: 2}, w: 3}}\n"),
    ];
    // What lies deep within globals is shared by both charts, so that each gets what the other adds.
    let expected = "map[global:map[g:1 t:map[x:map[p:1 q:2]]] s:map[a:1 b:2 c:1 global:map[g:1 h:1 t:map[w:3 x:map[p:1 q:2]]]]]";
    let (new, warnings) = values(&files, "", Profile::V4_2).unwrap();
    assert_eq!((new.as_str(), warnings.len()), (expected, 0));
}

#[test]
fn what_does_not_fit_is_reported() {
    let files = [ROOT, SUB, ("values.yaml", "t: {x: {p: 1}}\nv: 1\n")];
    let (shown, warnings) = values(&files, "t: {x: 1}\nv: {a: 1}\n", Profile::V4_2).unwrap();
    assert_eq!(
        shown,
        "map[global:map[] s:map[global:map[]] t:map[x:1] v:map[a:1]]".replace("global:map[] s", "s")
    );
    assert!(warnings.contains(
        &"level=INFO msg=\"warning: cannot overwrite table with non table for c.t.x (map[p:1])\"".to_owned()
    ));
    assert!(warnings.contains(&"level=INFO msg=\"warning: skipped value for c.v: Not a table.\"".to_owned()));
    let error = values(&files, "s: text\n", Profile::V4_2).unwrap_err();
    assert_eq!(error, "type mismatch on s: %!t(string=text)");
}

#[test]
fn tags_conditions_and_aliases_choose_subcharts() {
    let root = "apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies:\n\
        - {name: s, version: 1.x, alias: one, condition: 'one.use,all.use'}\n\
        - {name: s, version: 1.x, alias: two, tags: [web, db]}\n";
    let files = [("Chart.yaml", root), SUB, ("charts/s/values.yaml", "v: 1\n")];
    let both = "map[one:map[global:map[] v:1] two:map[global:map[] v:1]]";
    check(&files, "", both, both);
    let off = "map[one:map[use:false] tags:map[db:false] two:map[v:2]]";
    check(&files, "one: {use: false}\ntags: {db: false}\ntwo: {v: 2}\n", off, off);
    let on = "map[all:map[use:false] tags:map[db:false web:true] two:map[global:map[] v:1]]";
    check(&files, "all: {use: false}\ntags: {db: false, web: true}\n", on, on);
    let (_, warnings) = values(&files, "one: {use: 3}\n", Profile::V4_2).unwrap();
    assert_eq!(warnings, ["level=WARN msg=\"returned non-bool value\" path=one.use chart=one"]);
    let (_, warnings) = values(&files, "one: {use: 3}\n", Profile::V3).unwrap();
    let line = "dependencies.go:64: Warning: Condition path 'one.use' for chart one returned non-bool value";
    assert_eq!(warnings, [line]);
}

#[test]
fn parents_take_over_what_they_import() {
    let root = "apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies:\n\
        - {name: s, version: 1.0.0, import-values: [data, {child: in, parent: to.here}, gone]}\n";
    let files = [
        ("Chart.yaml", root),
        SUB,
        ("values.yaml", "k: parent\n"),
        ("charts/s/values.yaml", "exports: {data: {k: child, m: 1}}\nin: {z: 2}\n"),
    ];
    let (shown, warnings) = values(&files, "", Profile::V4_2).unwrap();
    assert_eq!(
        shown,
        "map[k:parent m:1 s:map[exports:map[data:map[k:child m:1]] global:map[] in:map[z:2]] to:map[here:map[z:2]]]"
    );
    assert_eq!(warnings, [r#"level=WARN msg="ImportValues missing table" error="\"gone\" is not a table""#]);
}

#[test]
fn missing_subcharts_are_named() {
    let sources = Sources::new();
    let options = LoadOptions { profile: Profile::V4_2, limits: Limits::default(), sources: &sources };
    let files = Memory::new().with(
        "c/Chart.yaml",
        "apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies: [{name: a, version: 1}, {name: b, version: 1}]\n",
    );
    let chart = Chart::load(&files, Path::new("c"), &options).unwrap();
    let error = super::check(&chart, Profile::V4_2).unwrap_err();
    assert!(error.text().ends_with("found in Chart.yaml, but missing in charts/ directory: a, b"));
}
