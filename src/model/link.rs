//! Addresses that came with the data, and may be anything.

/// The address, if it may stand in a link or a picture: `http` or `https`, and nothing that a
/// browser would read as something else.
pub fn web_address(text: &str) -> Option<&str> {
    let text = text.trim();
    let (scheme, rest) = text.split_once(':')?;
    let known = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let host = rest.strip_prefix("//")?.split(['/', '?', '#']).next()?;
    // A name before an @ makes one host look like another.
    let plain = !host.is_empty() && !host.contains('@');
    let clean = !text.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\');
    (known && plain && clean).then_some(text)
}
