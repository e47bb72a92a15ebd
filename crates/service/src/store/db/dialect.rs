//! Translates the text of a statement for PostgreSQL.
//!
//! | Statement | PostgreSQL |
//! |---|---|
//! | `?1` | `$1` |
//! | `json_each(?1) page`, with `page.value` | `unnest($1) page (value)` |
//! | `INDEXED BY name` | nothing |
//! | `/*postgres FOR UPDATE */` | `FOR UPDATE` |
//! | `IN (SELECT value FROM json_each(?1))` | `= ANY($1)`, and with `NOT` `<> ALL($1)` |
//!
//! Literals and comments stay as they are.

/// The start of a comment whose text only PostgreSQL reads.
const ONLY_POSTGRES: &str = "/*postgres ";

/// Words that may follow `json_each(?1)` and are not its alias.
const NO_ALIAS: [&str; 8] = [
    "JOIN", "LEFT", "WHERE", "ORDER", "GROUP", "LIMIT", "UNION", "ON",
];

/// A list of values to compare with, up to its parameter.
const IN_LIST: &str = " (SELECT value FROM json_each(";

/// Returns the statement for PostgreSQL.
pub fn translate(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len() + 16);
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        if let Some(inner) = rest.strip_prefix(ONLY_POSTGRES) {
            let (inner, after) = inner.split_once("*/").unwrap_or((inner, ""));
            out.push_str(inner);
            rest = after;
        } else if let Some(length) = opaque(rest) {
            let (text, after) = rest.split_at(length);
            out.push_str(text);
            rest = after;
        } else if first == '?' {
            out.push('$');
            rest = &rest[1..];
        } else if is_word(first) {
            let (word, after) = split_word(rest);
            rest = translate_word(word, after, &mut out).unwrap_or_else(|| {
                out.push_str(word);
                after
            });
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// Translates what begins with this word, if it differs, and returns what follows.
fn translate_word<'a>(word: &str, after: &'a str, out: &mut String) -> Option<&'a str> {
    if word == "INDEXED" {
        let name = after.trim_start().strip_prefix("BY")?;
        let (_, after) = split_word(name.trim_start());
        return Some(after);
    }
    let (operator, list) = match word {
        "NOT" => ("<> ALL", after.strip_prefix(" IN")),
        "IN" => ("= ANY", Some(after)),
        _ => ("", None),
    };
    if let Some(list) = list {
        let (list, after) = list.strip_prefix(IN_LIST)?.split_once("))")?;
        out.push_str(&format!("{operator}({})", translate(list)));
        return Some(after);
    }
    if word != "json_each" {
        return None;
    }
    let (list, after) = after.strip_prefix('(')?.split_once(')')?;
    let (alias, beyond) = split_word(after.trim_start());
    let has_alias = !alias.is_empty() && !NO_ALIAS.contains(&alias);
    let (alias, after) = if has_alias {
        (alias, beyond)
    } else {
        ("one", after)
    };
    out.push_str(&format!("unnest({}) {alias} (value)", translate(list)));
    Some(after)
}

fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

/// Splits the word at the start, which may be empty, from the rest.
fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(|char| !is_word(char)).unwrap_or(text.len());
    text.split_at(end)
}

/// The length of the literal, quoted name or comment at the start, if there is one.
fn opaque(text: &str) -> Option<usize> {
    let (start, end) = match text.as_bytes() {
        // A doubled quote is read as two literals.
        [b'\'', ..] => (1, "'"),
        [b'"', ..] => (1, "\""),
        [b'-', b'-', ..] => (2, "\n"),
        [b'/', b'*', ..] => (2, "*/"),
        _ => return None,
    };
    let found = text[start..].find(end);
    Some(found.map_or(text.len(), |at| start + at + end.len()))
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[track_caller]
    fn becomes(sqlite: &str, postgres: &str) {
        assert_eq!(translate(sqlite), postgres);
    }

    #[test]
    fn parameters_have_the_sign_of_postgresql() {
        becomes(
            "SELECT ?1 FROM t WHERE a = ?12",
            "SELECT $1 FROM t WHERE a = $12",
        );
    }

    #[test]
    fn literals_names_and_comments_stay() {
        for text in [
            "SELECT 'a ?1 ''json_each(?1) '' ?2'",
            "SELECT \"?1 INDEXED BY\" -- ?1 json_each(?1)\n, 1",
            "SELECT /* ?1 INDEXED BY x */ 'ä?'",
        ] {
            becomes(text, text);
        }
        becomes("SELECT 'it''s ?1', ?1", "SELECT 'it''s ?1', $1");
        becomes("SELECT 'ä', ?1", "SELECT 'ä', $1");
    }

    #[test]
    fn a_list_is_an_array() {
        becomes(
            "FROM json_each(?1) page JOIN t ON t.id = page.value",
            "FROM unnest($1) page (value) JOIN t ON t.id = page.value",
        );
        becomes(
            "a IN (SELECT value FROM json_each(?2)) AND b",
            "a = ANY($2) AND b",
        );
        becomes(
            "NOT a AND b NOT IN (SELECT value FROM json_each(?1))",
            "NOT a AND b <> ALL($1)",
        );
        becomes(
            "a IN (SELECT value FROM json_each(?2) WHERE b)",
            "a IN (SELECT value FROM unnest($2) one (value) WHERE b)",
        );
        becomes(
            "FROM json_each(?1)\n  WHERE value > 1",
            "FROM unnest($1) one (value)\n  WHERE value > 1",
        );
    }

    #[test]
    fn the_choice_of_an_index_is_left_out() {
        becomes(
            "FROM leads INDEXED BY leads_by_tenant WHERE",
            "FROM leads  WHERE",
        );
    }

    #[test]
    fn a_comment_can_be_for_postgresql() {
        becomes("LIMIT 1 /*postgres FOR UPDATE */)", "LIMIT 1 FOR UPDATE )");
    }
}
