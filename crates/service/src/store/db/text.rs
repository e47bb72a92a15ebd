//! The text of a statement for a server, and what its plans depend on.

use std::borrow::Cow;

use super::dialect::translate;
use super::param::{Bound, Params};

/// Before the parameter with the workspace.
const OF_WORKSPACE: &str = "tenant = $";

pub(super) enum Text<'a> {
    /// Not translated. A plan is good for all values.
    Plain(&'a str),
    /// For Citus, with the number of the workspace in it: any plan of it runs on one shard.
    OfWorkspace(String),
    /// For Citus: a plan for any values might run on all servers, so it must not be kept.
    OfAny(String),
}

impl<'a> Text<'a> {
    pub fn of(sql: &'a str, params: Params<'_>, has_citus: bool) -> Self {
        if !has_citus {
            return Self::Plain(sql);
        }
        let text = translate(sql);
        match with_workspace(&text, params) {
            Some(text) => Self::OfWorkspace(text),
            None => Self::OfAny(text),
        }
    }

    /// Returns the text for the server.
    pub fn translated(&self) -> Cow<'_, str> {
        match self {
            Self::Plain(text) => translate(text).into(),
            Self::OfWorkspace(text) | Self::OfAny(text) => text.into(),
        }
    }

    /// Returns what a prepared statement is found by, if it may be kept.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Plain(text) => Some(text),
            Self::OfWorkspace(text) => Some(text),
            Self::OfAny(_) => None,
        }
    }
}

/// Writes the number of the workspace into a statement, wherever its parameter is compared with a `tenant`. `None` if it is
/// not.
fn with_workspace(sql: &str, params: Params<'_>) -> Option<String> {
    let mut parts = sql.split(OF_WORKSPACE);
    let mut out = parts.next()?.to_owned();
    let mut is_written = false;
    for part in parts {
        let end = part
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(part.len());
        let place = part[..end].parse().unwrap_or(0_usize);
        let value = place.checked_sub(1).and_then(|place| params.get(place));
        match value.map(|value| value.bound()) {
            Some(Bound::Integer(tenant)) => {
                is_written = true;
                out.push_str(&format!("tenant = '{tenant}'::bigint{}", &part[end..]));
            }
            _ => out.extend([OF_WORKSPACE, part]),
        }
    }
    is_written.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::db::params;

    #[test]
    fn the_workspace_is_written_where_it_is_compared() {
        let sql = "SELECT $1 FROM leads l WHERE l.tenant = $1 AND id = $12 AND EXISTS
            (SELECT 1 FROM chats WHERE tenant = $1 AND tenant = l.tenant AND name = $2)";
        let written = "SELECT $1 FROM leads l WHERE l.tenant = '7'::bigint AND id = $12 AND EXISTS
            (SELECT 1 FROM chats WHERE tenant = '7'::bigint AND tenant = l.tenant AND name = $2)";
        let text = Text::of(sql, params![7_i64, "text"], true);
        assert_eq!(text.translated(), written);
        assert_eq!(text.key(), Some(written));
    }

    #[test]
    fn a_statement_that_compares_no_workspace_is_not_kept() {
        let none = None::<i64>;
        for sql in [
            "INSERT INTO leads (tenant) VALUES ($1)",
            "SELECT 1 FROM leads WHERE $2 IS NULL OR tenant = $2",
        ] {
            let text = Text::of(sql, params![7_i64, none], true);
            assert_eq!(text.translated(), sql);
            assert_eq!(text.key(), None);
        }
    }
}
