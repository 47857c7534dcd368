//! URLs, as Go's package `net/url` reads and writes them.

use super::strings;
use crate::format::quote;
use std::net::Ipv6Addr;

/// The parts of a URL; those without `raw` in their name are unescaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Url {
    pub(crate) scheme: Vec<u8>,
    pub(crate) opaque: Vec<u8>,
    pub(crate) user: Option<User>,
    pub(crate) host: Vec<u8>,
    pub(crate) path: Vec<u8>,
    pub(crate) raw_query: Vec<u8>,
    pub(crate) fragment: Vec<u8>,
}

/// Who asks; a password may be empty and yet given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct User {
    name: Vec<u8>,
    password: Option<Vec<u8>>,
}

impl User {
    /// `name:password`, escaped.
    pub(crate) fn text(&self) -> Vec<u8> {
        let mut out = escape(&self.name, Part::User);
        if let Some(password) = &self.password {
            out.push(b':');
            out.extend(escape(password, Part::User));
        }
        out
    }
}

/// Which characters stand for themselves depends on where they are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Host,
    Zone,
    User,
    Fragment,
}

/// Reads a URL. An error is Go's text for it.
pub(crate) fn parse(text: &[u8]) -> Result<Url, String> {
    let (address, fragment) =
        cut(text, b'#').map_or((text, b"".as_slice()), |(before, after)| (before, after));
    let mut url = parse_address(address).map_err(|why| format!("parse {}: {why}", quote(address)))?;
    url.fragment =
        unescape(fragment, Part::Fragment).map_err(|why| format!("parse {}: {why}", quote(text)))?;
    Ok(url)
}

fn parse_address(text: &[u8]) -> Result<Url, String> {
    if text.iter().any(|byte| *byte < b' ' || *byte == 0x7F) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    let mut url = Url::default();
    if text == b"*" {
        url.path = b"*".to_vec();
        return Ok(url);
    }
    let (scheme, rest) = split_scheme(text)?;
    url.scheme = scheme.to_ascii_lowercase();
    let (mut rest, query) = cut(rest, b'?').unwrap_or((rest, b""));
    url.raw_query = query.to_vec();
    if !rest.starts_with(b"/") {
        if !scheme.is_empty() {
            url.opaque = rest.to_vec();
            return Ok(url);
        }
        if rest.split(|byte| *byte == b'/').next().is_some_and(|first| first.contains(&b':')) {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    if rest.starts_with(b"//") && (!scheme.is_empty() || !rest.starts_with(b"///")) {
        let authority = &rest[2..];
        let end = authority.iter().position(|byte| *byte == b'/').unwrap_or(authority.len());
        (url.user, url.host) = parse_authority(&url.scheme, &authority[..end])?;
        rest = &authority[end..];
    }
    url.path = unescape(rest, Part::Path)?;
    Ok(url)
}

/// What stands before the first `at`, and what after it.
fn cut(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = memchr::memchr(at, text)?;
    Some((&text[..place], &text[place + 1..]))
}

fn split_scheme(text: &[u8]) -> Result<(&[u8], &[u8]), String> {
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return Err("missing protocol scheme".to_owned()),
            b':' => return Ok((&text[..at], &text[at + 1..])),
            _ => break,
        }
    }
    Ok((b"", text))
}

fn parse_authority(scheme: &[u8], authority: &[u8]) -> Result<(Option<User>, Vec<u8>), String> {
    let Some(at) = authority.iter().rposition(|byte| *byte == b'@') else {
        return Ok((None, parse_host(scheme, authority)?));
    };
    let host = parse_host(scheme, &authority[at + 1..])?;
    let user = &authority[..at];
    let known = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(byte);
    if !user.iter().all(known) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    let user = match cut(user, b':') {
        None => User { name: unescape(user, Part::User)?, password: None },
        Some((name, password)) => {
            User { name: unescape(name, Part::User)?, password: Some(unescape(password, Part::User)?) }
        }
    };
    Ok((Some(user), host))
}

fn parse_host(scheme: &[u8], host: &[u8]) -> Result<Vec<u8>, String> {
    match host.iter().rposition(|byte| *byte == b'[') {
        Some(0) => return parse_literal(host),
        Some(_) => return Err("invalid IP-literal".to_owned()),
        None => {}
    }
    if let Some(first) = host.iter().position(|byte| *byte == b':') {
        // Addresses of databases name several hosts; those of the web have one colon at most.
        let strict = scheme == b"http" || scheme == b"https";
        let colon = if strict { first } else { host.iter().rposition(|byte| *byte == b':').unwrap_or(first) };
        check_port(&host[colon..])?;
    }
    unescape(host, Part::Host)
}

/// `[address]:port`.
fn parse_literal(host: &[u8]) -> Result<Vec<u8>, String> {
    let Some(close) = host.iter().rposition(|byte| *byte == b']') else {
        return Err("missing ']' in host".to_owned());
    };
    let port = &host[close + 1..];
    check_port(port)?;
    let name = &host[1..close];
    let zone = strings::index(name, b"%25").unwrap_or(name.len());
    let mut address = unescape(&name[..zone], Part::Host)?;
    address.extend(unescape(&name[zone..], Part::Zone)?);
    let bare = address.split(|byte| *byte == b'%').next().unwrap_or_default();
    let bare = String::from_utf8_lossy(bare);
    if bare.parse::<Ipv6Addr>().is_err() {
        if bare.parse::<std::net::Ipv4Addr>().is_ok() {
            return Err("invalid IP-literal".to_owned());
        }
        return Err(format!("invalid host: ParseAddr({}): unable to parse IP", quote(&address)));
    }
    Ok([b"[".as_slice(), &address, b"]", port].concat())
}

fn check_port(port: &[u8]) -> Result<(), String> {
    if is_port(port) { Ok(()) } else { Err(format!("invalid port {} after host", quote(port))) }
}

/// Nothing, or a colon and digits.
fn is_port(port: &[u8]) -> bool {
    match port {
        [] => true,
        [b':', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

fn unescape(text: &[u8], part: Part) -> Result<Vec<u8>, String> {
    let invalid = |escape: &[u8]| Err(format!("invalid URL escape {}", quote(escape)));
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        if *byte == b'%' {
            let Some(value) = rest.get(1..3).and_then(hexadecimal) else {
                return invalid(&rest[..rest.len().min(3)]);
            };
            let is_percent = rest[1..3] == *b"25";
            let refused = match part {
                Part::Host => value < 0x80 && !is_percent,
                Part::Zone => !is_percent && value != b' ' && escapes(value, Part::Host),
                _ => false,
            };
            if refused {
                return invalid(&rest[..3]);
            }
            out.push(value);
            rest = &rest[3..];
            continue;
        }
        if matches!(part, Part::Host | Part::Zone) && byte.is_ascii() && escapes(*byte, part) {
            return Err(format!("invalid character {} in host name", quote(&[*byte])));
        }
        out.push(*byte);
        rest = after;
    }
    Ok(out)
}

fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(digits[0])? << 4 | digit(digits[1])?)
}

fn escape(text: &[u8], part: Part) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for byte in text {
        if escapes(*byte, part) {
            out.extend(format!("%{byte:02X}").bytes());
        } else {
            out.push(*byte);
        }
    }
    out
}

/// Whether a character can not stand for itself.
fn escapes(byte: u8, part: Part) -> bool {
    let itself: &[u8] = match part {
        Part::Path => b"$&+,/:;=@",
        Part::User => b"$&+,;=",
        Part::Fragment => b"!$&()*+,/:;=?@",
        Part::Host | Part::Zone => b"!\"$&'()*+,:;<=>[]",
    };
    !(byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) || itself.contains(&byte))
}

impl Url {
    /// The host without its port and without the brackets of a literal address.
    pub(crate) fn hostname(&self) -> &[u8] {
        let mut host = self.host.as_slice();
        if let Some(colon) = host.iter().rposition(|byte| *byte == b':')
            && is_port(&host[colon..])
        {
            host = &host[..colon];
        }
        host.strip_prefix(b"[").and_then(|inner| inner.strip_suffix(b"]")).unwrap_or(host)
    }

    /// The URL as text, built from the parts.
    pub(crate) fn text(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.scheme.is_empty() {
            out.extend_from_slice(&self.scheme);
            out.push(b':');
        }
        if self.opaque.is_empty() {
            self.push_hierarchy(&mut out);
        } else {
            out.extend_from_slice(&self.opaque);
        }
        if !self.raw_query.is_empty() {
            out.push(b'?');
            out.extend_from_slice(&self.raw_query);
        }
        if !self.fragment.is_empty() {
            out.push(b'#');
            out.extend(escape(&self.fragment, Part::Fragment));
        }
        out
    }

    fn push_hierarchy(&self, out: &mut Vec<u8>) {
        let has_authority = !self.host.is_empty() || self.user.is_some();
        if has_authority || !self.scheme.is_empty() && !self.path.is_empty() {
            out.extend_from_slice(b"//");
        }
        if let Some(user) = &self.user {
            out.extend(user.text());
            out.push(b'@');
        }
        out.extend(escape(&self.host, Part::Host));
        let path = if self.path == b"*" { b"*".to_vec() } else { escape(&self.path, Part::Path) };
        if !path.is_empty() && !path.starts_with(b"/") && !self.host.is_empty() {
            out.push(b'/');
        }
        // A colon in the first name would make a scheme of it.
        if out.is_empty()
            && path.split(|byte| *byte == b'/').next().is_some_and(|first| first.contains(&b':'))
        {
            out.extend_from_slice(b"./");
        }
        out.extend(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_parts() {
        let url =
            parse(b"HTTP://user:p%40ss@example.com:8080/a%20b?x=1&y#fr%41g").expect("it is well formed");
        assert_eq!(url.scheme, b"http");
        assert_eq!(url.user.as_ref().map(User::text), Some(b"user:p%40ss".to_vec()));
        assert_eq!(
            (url.host.as_slice(), url.hostname()),
            (b"example.com:8080".as_slice(), b"example.com".as_slice())
        );
        assert_eq!(
            (url.path.as_slice(), url.raw_query.as_slice()),
            (b"/a b".as_slice(), b"x=1&y".as_slice())
        );
        assert_eq!(url.fragment, b"frAg");
        assert_eq!(url.text(), b"http://user:p%40ss@example.com:8080/a%20b?x=1&y#frAg");
        assert_eq!(parse(b"mailto:a@b").expect("it is opaque").opaque, b"a@b");
        assert_eq!(parse(b"http://[::1]:80/").expect("it is a literal").hostname(), b"::1");
    }

    #[test]
    fn refuses_with_the_texts_of_go() {
        for (text, expected) in [
            (":x", r#"parse ":x": missing protocol scheme"#),
            ("a b:c", r#"parse "a b:c": first path segment in URL cannot contain colon"#),
            ("http://a b/", r#"parse "http://a b/": invalid character " " in host name"#),
            ("/%zz#x", r#"parse "/%zz": invalid URL escape "%zz""#),
            ("http://h:x/", r#"parse "http://h:x/": invalid port ":x" after host"#),
            ("http://[::1/", r#"parse "http://[::1/": missing ']' in host"#),
            ("x\n", r#"parse "x\n": net/url: invalid control character in URL"#),
        ] {
            assert_eq!(parse(text.as_bytes()).expect_err("it must be refused"), expected);
        }
    }
}
