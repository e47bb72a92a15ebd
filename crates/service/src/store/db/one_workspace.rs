//! The check of debug builds that a statement sees one workspace only.
//!
//! Each table of workspaces in a statement must have its `tenant` compared with a value, or with the `tenant`
//! of a table for which that holds. So every test of a statement is also a test that it does not forget it.

use crate::store::tables::OF_WORKSPACES;

/// Returns a table of workspaces whose `tenant` a statement does not compare, if there is one.
pub(super) fn unconstrained(sql: &str) -> Option<String> {
    let mut statement = Statement::default();
    statement.read(&tokens(sql));
    statement.unconstrained()
}

/// Whether a statement names a table of workspaces.
pub(super) fn names_table(sql: &str) -> bool {
    let mut statement = Statement::default();
    statement.read(&tokens(sql));
    !statement.tables.is_empty()
}

/// The scope of a table that no column in the statement belongs to.
const NONE: usize = usize::MAX;

/// A table in a statement.
struct Named<'a> {
    table: &'a str,
    alias: &'a str,
    scope: usize,
    is_constrained: bool,
}

/// A comparison of the column `tenant`; its other side is none if it is not such a column.
struct Comparison<'a> {
    scope: usize,
    side: &'a str,
    other: Option<&'a str>,
}

#[derive(Default)]
struct Statement<'a> {
    tables: Vec<Named<'a>>,
    comparisons: Vec<Comparison<'a>>,
    /// For each SELECT, the one around it.
    parents: Vec<Option<usize>>,
}

impl<'a> Statement<'a> {
    fn read(&mut self, tokens: &[&'a str]) {
        let mut scope = self.scope_in(None);
        let mut around = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let next = |more: usize| tokens.get(at + more).copied().unwrap_or_default();
            match *token {
                "(" => {
                    around.push(scope);
                    if matches!(next(1), "SELECT" | "WITH") {
                        scope = self.scope_in(Some(scope));
                    }
                }
                ")" => scope = around.pop().unwrap_or_default(),
                "UNION" | "EXCEPT" | "INTERSECT" => scope = self.scope_in(self.parents[scope]),
                "FROM" | "JOIN" | "UPDATE" | "INTO" if OF_WORKSPACES.contains(&next(1)) => {
                    let alias = [next(2), next(3)].into_iter().find(|word| *word != "AS");
                    let alias = alias.filter(|word| word.starts_with(|c: char| c.is_lowercase()));
                    let columns = tokens[at..].iter().skip_while(|word| **word != "(");
                    let mut columns = columns.take_while(|word| **word != ")");
                    let is_inserted = *token == "INTO";
                    self.tables.push(Named {
                        table: next(1),
                        alias: alias.unwrap_or(next(1)),
                        // The SELECT of an INSERT does not see its table.
                        scope: if is_inserted { NONE } else { scope },
                        is_constrained: is_inserted && columns.any(|word| *word == "tenant"),
                    });
                }
                "=" | "IN" => {
                    let before = at.checked_sub(1).map_or("", |before| tokens[before]);
                    let sides = [before, if *token == "=" { next(1) } else { "" }];
                    for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                        if is_tenant(side) {
                            let other = Some(other).filter(|other| is_tenant(other));
                            self.comparisons.push(Comparison { scope, side, other });
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn scope_in(&mut self, parent: Option<usize>) -> usize {
        self.parents.push(parent);
        self.parents.len() - 1
    }

    /// Finds the table that a column `tenant` belongs to.
    fn table_of(&self, column: &str, scope: usize) -> Option<usize> {
        let alias = column.strip_suffix(".tenant");
        let mut scope = Some(scope);
        while let Some(within) = scope {
            let found = self.tables.iter().position(|named| {
                named.scope == within && alias.is_none_or(|alias| alias == named.alias)
            });
            if found.is_some() {
                return found;
            }
            scope = self.parents[within];
        }
        None
    }

    fn unconstrained(mut self) -> Option<String> {
        // A comparison can make another one complete, so there are at most as many rounds as tables.
        for _ in 0..self.tables.len() {
            for at in 0..self.comparisons.len() {
                let Comparison { scope, side, other } = self.comparisons[at];
                let other = other.and_then(|other| self.table_of(other, scope));
                let is_value = other.is_none_or(|other| self.tables[other].is_constrained);
                if let Some(side) = self.table_of(side, scope).filter(|_| is_value) {
                    self.tables[side].is_constrained = true;
                }
            }
        }
        let table = self.tables.iter().find(|named| !named.is_constrained);
        table.map(|named| named.table.to_owned())
    }
}

fn is_tenant(word: &str) -> bool {
    word == "tenant" || word.ends_with(".tenant")
}

/// Splits a statement into words and signs; a text in quotes is left out.
fn tokens(sql: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = sql.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '?');
        let end = if first == '\'' {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, more) = rest.split_at(end);
        if first != '\'' {
            tokens.push(token);
        }
        rest = more.trim_start();
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::unconstrained;

    #[test]
    fn a_statement_that_sees_one_workspace_is_accepted() {
        for sql in [
            "SELECT 1 FROM leads WHERE tenant = ?1 AND id = ?2",
            "SELECT 1 FROM leads AS l WHERE (?2 IS NULL OR l.tenant = ?1)",
            "UPDATE leads SET icp_score = 1 WHERE ?1 = tenant",
            "DELETE FROM leads WHERE tenant = ?1 AND id IN (SELECT id FROM leads WHERE tenant = ?1)",
            "SELECT (SELECT 1 FROM chats h WHERE h.lead = l.id AND h.tenant = l.tenant)
             FROM leads l WHERE l.tenant = ?1",
            "SELECT 1 FROM leads l CROSS JOIN chats h JOIN campaigns c ON c.tenant = h.tenant
             WHERE h.tenant = l.tenant AND l.tenant = ?1",
            "INSERT INTO versions (tenant, version) VALUES (?1, 1)
             ON CONFLICT (tenant) DO UPDATE SET version = versions.version + 1",
            "INSERT INTO job_targets (tenant, target) SELECT tenant, id FROM leads WHERE tenant = ?1",
            "SELECT tenant_id FROM tenants",
        ] {
            assert_eq!(unconstrained(sql), None, "{sql}");
        }
    }

    #[test]
    fn a_statement_that_sees_other_workspaces_is_found() {
        for (sql, table) in [
            ("SELECT tenant FROM leads WHERE id = ?1", "leads"),
            (
                "UPDATE jobs SET status = 'tenant = 1' WHERE id = ?1",
                "jobs",
            ),
            ("INSERT INTO versions VALUES (?1, 1)", "versions"),
            (
                "INSERT INTO job_targets (tenant, target) SELECT 1, id FROM leads",
                "leads",
            ),
            (
                "SELECT 1 FROM leads l JOIN chats h ON h.lead = l.id WHERE l.tenant = ?1",
                "chats",
            ),
            (
                "SELECT 1 FROM leads l JOIN chats h ON h.tenant = l.tenant",
                "leads",
            ),
            (
                "DELETE FROM leads WHERE id IN (SELECT id FROM leads WHERE tenant = ?1)",
                "leads",
            ),
            (
                "SELECT 1 FROM lists WHERE tenant = ?1 UNION SELECT 1 FROM signals",
                "signals",
            ),
        ] {
            assert_eq!(unconstrained(sql).as_deref(), Some(table), "{sql}");
        }
    }
}
