//! Check of absolute URLs from users and from untrusted data.

/// Returns the URL without surrounding whitespace if it is an absolute `http` or `https` URL that no
/// browser interprets as anything else. This makes it safe in a link or a picture.
pub fn web_url(text: &str) -> Option<&str> {
    let text = text.trim();
    let (scheme, rest) = text.split_once(':')?;
    let is_http = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let host = rest.strip_prefix("//")?.split(['/', '?', '#']).next()?;
    // Text before an @ makes one host look like another.
    let is_plain_host = !host.is_empty() && !host.contains('@');
    let is_forbidden = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    (is_http && is_plain_host && !text.contains(is_forbidden)).then_some(text)
}
