//! Parses the package's type declarations: names, signatures, documentation, examples.
//!
//! They follow one simple format (one comment before each declaration), so a line-based parser is enough.

use anyhow::{Context, Result, bail};

/// A declaration or one of its members.
pub struct Item {
    pub name: String,
    /// The source text, without the members.
    pub signature: String,
    pub doc: Doc,
    pub members: Vec<Item>,
}

/// A parsed doc comment.
#[derive(Default)]
pub struct Doc {
    /// The text before the first tag.
    pub text: String,
    /// The tags in order, e.g. `("throws", "…")`. An example keeps its line breaks.
    pub tags: Vec<(String, String)>,
}

impl Doc {
    pub fn tag<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.tags.iter().filter(move |(tag, _)| tag == name);
        named.map(|(_, text)| text.as_str())
    }

    fn read(comment: &[&str]) -> Self {
        let mut doc = Self::default();
        for line in comment {
            let line = line.trim().trim_start_matches("/**");
            let line = line.trim_end_matches("*/");
            let line = line.strip_prefix('*').unwrap_or(line);
            let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
            // Examples may be fenced or not.
            if line.starts_with("```") {
                continue;
            }
            if let Some(tag) = line.strip_prefix('@') {
                let (tag, text) = tag.split_once(' ').unwrap_or((tag, ""));
                doc.tags.push((tag.to_owned(), text.to_owned()));
            } else {
                let text = match doc.tags.last_mut() {
                    Some((_, text)) => text,
                    None => &mut doc.text,
                };
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(line);
            }
        }
        doc.text = doc.text.trim().to_owned();
        for (_, text) in &mut doc.tags {
            *text = text.trim().to_owned();
        }
        doc
    }
}

/// Returns every exported declaration of a file.
pub fn read(file: &str) -> Result<Vec<Item>> {
    let lines: Vec<&str> = file.lines().collect();
    let mut items = Vec::new();
    let mut rest = lines.as_slice();
    while let Some((item, after)) = next(rest, "export ")? {
        items.push(item);
        rest = after;
    }
    Ok(items)
}

/// Returns the next declaration that has a comment, and the lines after it.
fn next<'a, 'b>(lines: &'a [&'b str], opening: &str) -> Result<Option<(Item, &'a [&'b str])>> {
    let Some(start) = lines.iter().position(|line| line.trim().starts_with("/**")) else {
        return Ok(None);
    };
    let lines = &lines[start..];
    let end = lines
        .iter()
        .position(|line| line.trim_end().ends_with("*/"));
    let (comment, lines) = lines.split_at(end.context("a comment without an end")? + 1);
    // A comment on the whole file.
    if comment.iter().any(|line| line.contains("@module")) {
        return next(lines, opening);
    }
    let first = lines.first().context("a comment without a declaration")?;
    let first = first.trim();
    if !first.starts_with(opening) {
        bail!("not a declaration of the package: {first}");
    }
    let block = ["interface", "class"]
        .iter()
        .any(|word| first.starts_with(&format!("{opening}{word} ")) && !opening.is_empty());
    let (length, members) = if block {
        let length = match first.ends_with('}') {
            true => 1,
            false => {
                1 + lines
                    .iter()
                    .position(|line| *line == "}")
                    .context("no end")?
            }
        };
        (length, members(&lines[1..length.max(1)])?)
    } else {
        (statement(lines)?, Vec::new())
    };
    let signature = if block {
        first
            .trim_end_matches('}')
            .trim_end_matches('{')
            .trim()
            .to_owned()
    } else {
        dedent(&lines[..length])
    };
    let item = Item {
        name: name(first, opening),
        signature,
        doc: Doc::read(comment),
        members,
    };
    Ok(Some((item, &lines[length..])))
}

fn members(lines: &[&str]) -> Result<Vec<Item>> {
    let mut found = Vec::new();
    let mut rest = lines;
    while let Some((item, after)) = next(rest, "")? {
        found.push(item);
        rest = after;
    }
    Ok(found)
}

/// Returns the number of lines of a declaration that ends with a semicolon.
fn statement(lines: &[&str]) -> Result<usize> {
    let mut depth = 0_i32;
    for (index, line) in lines.iter().enumerate() {
        let count = |set: &str| line.chars().filter(|char| set.contains(*char)).count();
        depth += i32::try_from(count("([{"))? - i32::try_from(count(")]}"))?;
        if depth == 0 && line.ends_with(';') {
            return Ok(index + 1);
        }
    }
    bail!("a declaration without an end");
}

/// Returns the declared name.
fn name(line: &str, opening: &str) -> String {
    let line = line.strip_prefix(opening).unwrap_or(line);
    let kinds = [
        "interface ",
        "class ",
        "type ",
        "const ",
        "function ",
        "static ",
        "get ",
        "readonly ",
        "protected ",
    ];
    let line = kinds
        .iter()
        .find_map(|kind| line.strip_prefix(kind))
        .unwrap_or(line);
    if line.starts_with("[Symbol.dispose]") {
        return "[Symbol.dispose]".to_owned();
    }
    let end = line.find(|char: char| !char.is_alphanumeric() && char != '_');
    line[..end.unwrap_or(line.len())].to_owned()
}

fn dedent(lines: &[&str]) -> String {
    let indent = lines[0].len() - lines[0].trim_start().len();
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| line.get(indent..).unwrap_or(line))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::read;

    const FILE: &str = "\
import type { A } from \"./a.js\";

/** One. */
export type One = \"a\" | \"b\";

/**
 * Two.
 *
 * @throws {@link X} now
 * and then.
 *
 * @example
 * two({
 *   a: 1,
 * });
 */
export class Two extends One {
  private constructor();

  /** A method. */
  static method(
    a: string,
  ): void;
}
";

    #[test]
    fn declarations_are_read_with_their_members() {
        let items = read(FILE).expect("plain declarations");
        assert_eq!(items[0].name, "One");
        assert_eq!(items[0].signature, "export type One = \"a\" | \"b\";");
        let two = &items[1];
        assert_eq!(two.signature, "export class Two extends One");
        assert_eq!(two.doc.text, "Two.");
        assert_eq!(
            two.doc.tag("throws").next(),
            Some("{@link X} now\nand then.")
        );
        assert_eq!(two.doc.tag("example").next(), Some("two({\n  a: 1,\n});"));
        assert_eq!(two.members[0].name, "method");
        assert_eq!(
            two.members[0].signature,
            "static method(\n  a: string,\n): void;"
        );
    }

    #[test]
    fn an_unexported_declaration_is_an_error() {
        assert!(read("/** A. */\ntype A = 1;\n").is_err());
    }
}
