//! Check of URLs from untrusted data.

/// Returns the URL if it is safe in a link or a picture. It must be `http` or `https`, and contain
/// nothing that a browser would interpret as something else.
pub fn web_address(text: &str) -> Option<&str> {
    let text = text.trim();
    let (scheme, rest) = text.split_once(':')?;
    let known = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let host = rest.strip_prefix("//")?.split(['/', '?', '#']).next()?;
    // Text before an @ makes one host look like another.
    let plain = !host.is_empty() && !host.contains('@');
    let clean = !text.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\');
    (known && plain && clean).then_some(text)
}
