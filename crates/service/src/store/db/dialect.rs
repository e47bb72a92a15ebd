//! Translates the text of a statement for PostgreSQL.
//!
//! | Statement | PostgreSQL |
//! |---|---|
//! | `?1` | `$1` |
//! | `json_each(?1) page`, with `page.value` | `unnest($1) page (value)` |
//! | `instr(text, word)`, also with `> 0` | `(text LIKE holding(word))` |
//! | `text LIKE pattern`, which ignores the case of ASCII letters | `text ILIKE pattern` |
//! | `INDEXED BY name` | nothing |
//! | `/*postgres FOR UPDATE */` | `FOR UPDATE` |
//!
//! Literals and comments stay as they are. `fold` and `holding` are functions in the database (tables.sql).

/// The start of a comment whose text only PostgreSQL reads.
const ONLY_POSTGRES: &str = "/*postgres ";

/// Words that may follow `json_each(?1)` and are not its alias.
const NO_ALIAS: [&str; 8] = [
    "JOIN", "LEFT", "WHERE", "ORDER", "GROUP", "LIMIT", "UNION", "ON",
];

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
    if word == "LIKE" {
        out.push_str("ILIKE");
        return Some(after);
    }
    if !after.starts_with('(') {
        return None;
    }
    match word {
        "json_each" => {
            let (list, after) = arguments(after)?;
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
        "instr" => {
            let (both, after) = arguments(after)?;
            let (text, word) = both.split_at(comma(both)?);
            let (text, word) = (translate(text), translate(word[1..].trim_start()));
            out.push_str(&format!("({text} LIKE holding({word}))"));
            Some(after.strip_prefix(" > 0").unwrap_or(after))
        }
        _ => None,
    }
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

/// Splits `(…)` into what is inside and what follows.
fn arguments(text: &str) -> Option<(&str, &str)> {
    let end = at_depth(text, |char, depth| char == ')' && depth == 1)?;
    Some((&text[1..end], &text[end + 1..]))
}

/// The place of the comma between two arguments.
fn comma(text: &str) -> Option<usize> {
    at_depth(text, |char, depth| char == ',' && depth == 0)
}

/// The place of the first character outside of literals for which `is_it` holds, by the number of open parentheses.
fn at_depth(text: &str, is_it: impl Fn(char, u32) -> bool) -> Option<usize> {
    let (mut depth, mut at) = (0, 0);
    while let Some(char) = text[at..].chars().next() {
        if let Some(length) = opaque(&text[at..]) {
            at += length;
            continue;
        }
        if is_it(char, depth) {
            return Some(at);
        }
        match char {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += char.len_utf8();
    }
    None
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
            "SELECT 'a ?1 instr(b, c) ''json_each(?1) '' ?2'",
            "SELECT \"?1 INDEXED BY\" -- ?1 instr(a, b)\n, 1",
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
            "a IN (SELECT value FROM json_each(?2))",
            "a IN (SELECT value FROM unnest($2) one (value))",
        );
        becomes(
            "FROM json_each(?1)\n  WHERE value > 1",
            "FROM unnest($1) one (value)\n  WHERE value > 1",
        );
    }

    #[test]
    fn a_search_for_a_part_is_a_pattern() {
        becomes(
            "(instr(l.name_key, ?2) > 0 OR b)",
            "((l.name_key LIKE holding($2)) OR b)",
        );
        becomes(
            "instr(replace(fold(value), '_,)', ' '), ?3))",
            "(replace(fold(value), '_,)', ' ') LIKE holding($3)))",
        );
    }

    #[test]
    fn a_pattern_ignores_the_case_of_letters() {
        becomes(
            "(a LIKE ?1 ESCAPE '\\' OR b = 'LIKE')",
            "(a ILIKE $1 ESCAPE '\\' OR b = 'LIKE')",
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
