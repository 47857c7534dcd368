//! Paths, URLs and names of hosts.

use super::{give, host};
use crate::functions::{Call, CallError, Function, Outcome};
use crate::standard::path;
use crate::standard::url::{self, Url};
use crate::value::{ANY_MAP, Map, Type, Value};
use Type::{Bool, String as Str};

const MAPS: Type = Type::Map(&ANY_MAP);

/// The functions for paths of the system are those for slashes: Helm's are compared on Unix.
pub(super) const ROWS: &[Function] = &[
    Function::new("base", &[Str], Str, |call| give(path::base(call.text(0)))),
    Function::new("dir", &[Str], Str, |call| give(path::directory(call.text(0)))),
    Function::new("clean", &[Str], Str, |call| give(path::clean(call.text(0)))),
    Function::new("ext", &[Str], Str, |call| give(path::extension(call.text(0)))),
    Function::new("isAbs", &[Str], Bool, |call| give(path::is_absolute(call.text(0)))),
    Function::new("osBase", &[Str], Str, |call| give(path::base(call.text(0)))),
    Function::new("osDir", &[Str], Str, |call| give(path::directory(call.text(0)))),
    Function::new("osClean", &[Str], Str, |call| give(path::clean(call.text(0)))),
    Function::new("osExt", &[Str], Str, |call| give(path::extension(call.text(0)))),
    Function::new("osIsAbs", &[Str], Bool, |call| give(path::is_absolute(call.text(0)))),
    Function::new("getHostByName", &[Str], Str, host_by_name),
    Function::new("urlParse", &[Str], MAPS, url_parse),
    Function::new("urlJoin", &[MAPS], Str, url_join),
];

/// The first address of a host; nothing where the network is not to be asked.
fn host_by_name(call: &mut Call<'_>) -> Outcome {
    let Some(look_up) = host::names(call) else { return give("") };
    match look_up(&call.str(0)).first() {
        Some(address) => give(address.as_str()),
        // sprig takes one of the addresses by chance, without a look at how many there are.
        None => Err(CallError::new("invalid argument to Intn")),
    }
}

fn url_parse(call: &mut Call<'_>) -> Outcome {
    let url = url::parse(call.text(0)).map_err(|why| format!("unable to parse url: {why}"))?;
    let hostname = url.hostname().to_vec();
    let parts = [
        ("scheme", url.scheme),
        ("host", url.host),
        ("hostname", hostname),
        ("path", url.path),
        ("query", url.raw_query),
        ("opaque", url.opaque),
        ("fragment", url.fragment),
        ("userinfo", url.user.map(|user| user.text()).unwrap_or_default()),
    ];
    Ok(Value::map(parts.map(|(name, part)| (name, Value::str(part)))))
}

fn url_join(call: &mut Call<'_>) -> Outcome {
    let map = call.map(0);
    let mut url = Url {
        scheme: part(&map, "scheme")?,
        host: part(&map, "host")?,
        path: part(&map, "path")?,
        raw_query: part(&map, "query")?,
        opaque: part(&map, "opaque")?,
        fragment: part(&map, "fragment")?,
        user: None,
    };
    let user = part(&map, "userinfo")?;
    if !user.is_empty() {
        let address = [b"proto://", user.as_slice(), b"@host"].concat();
        let parsed =
            url::parse(&address).map_err(|why| format!("unable to parse userinfo in dict: {why}"))?;
        url.user = parsed.user;
    }
    give(url.text())
}

fn part(map: &Map, key: &str) -> Result<Vec<u8>, CallError> {
    match map.get(key) {
        None => Ok(Vec::new()),
        Some(Value::Str(text)) => Ok(text.to_vec()),
        Some(Value::Nil) => Err("runtime error: invalid memory address or nil pointer dereference".into()),
        Some(value) => Err(format!(
            "unable to parse {key} key, must be of type string, but {} found",
            value.kind().name()
        )
        .into()),
    }
}
