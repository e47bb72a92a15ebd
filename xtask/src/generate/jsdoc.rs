//! Converts Rust doc comments to JSDoc.

/// Returns a comment for a member, with the lines of `more` at its end. Tags (`@…`) are separate lines.
pub fn jsdoc(indent: &str, doc: &str, more: &[String]) -> String {
    let mut lines: Vec<String> = doc
        .lines()
        .map(|line| links(line.strip_prefix(' ').unwrap_or(line)))
        .collect();
    lines.extend(more.iter().cloned());
    if let [line] = lines.as_slice() {
        return format!("{indent}/** {line} */\n");
    }
    let mut out = format!("{indent}/**\n");
    for line in lines {
        let line = format!("{indent} * {line}");
        out += line.trim_end();
        out += "\n";
    }
    out + &format!("{indent} */\n")
}

/// Converts Rust's links (``[`Name`](crate::path::Name)``) to JSDoc links.
fn links(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("[`") {
        out += before;
        let Some((name, after)) = after.split_once("`]") else {
            rest = after;
            break;
        };
        out += &format!("{{@link {name}}}");
        rest = match after.strip_prefix('(').and_then(|to| to.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::jsdoc;

    #[test]
    fn one_line_stays_one_line() {
        assert_eq!(jsdoc("  ", " The lead.\n", &[]), "  /** The lead. */\n");
    }

    #[test]
    fn links_use_javascript_names() {
        let doc = " See [`A`](crate::A), [`B`].\n\n And more.\n";
        let expected = "/**\n * See {@link A}, {@link B}.\n *\n * And more.\n * From 1.\n */\n";
        assert_eq!(jsdoc("", doc, &["From 1.".to_owned()]), expected);
    }
}
