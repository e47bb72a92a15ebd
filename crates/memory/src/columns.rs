//! The columns of the index, made from the records when a query first needs them.

use std::collections::HashSet;
use std::sync::Arc;

use lead_workspace_api::{AccountField, LeadField};
use lead_workspace_index::{ChangeKind, Column, ColumnBuilder, ColumnId, Columns};
use lead_workspace_logic::filter::Value;
use lead_workspace_logic::{custom, size_rank};

use crate::Workspace;
use crate::fields::{folded, one};

impl Workspace {
    /// Returns columns.
    pub(crate) fn columns(&mut self, ids: impl IntoIterator<Item = ColumnId>) -> Columns {
        let columns = ids.into_iter().map(|id| {
            let column = self.columns.get(&id).cloned().unwrap_or_else(|| {
                let column = Arc::new(self.column(id));
                self.columns.insert(id, Arc::clone(&column));
                column
            });
            (id, column)
        });
        columns.collect()
    }

    /// Drops the columns that changes of records change.
    pub(crate) fn changed(&mut self, kind: ChangeKind) {
        self.columns.retain(|id, _| !id.changed_by().meets(kind));
    }

    /// Gives leads one value of a field in its column.
    pub(crate) fn set(&mut self, field: LeadField, leads: &[i64], value: &Value) {
        if let Some(column) = self.columns.get_mut(&ColumnId::Lead(field)) {
            let rows: HashSet<u32> = leads.iter().map(|number| row(*number)).collect();
            let values: Vec<_> = rows.iter().map(|row| (*row, value.clone())).collect();
            Arc::make_mut(column).change(&rows, &values);
        }
    }

    fn column(&self, id: ColumnId) -> Column {
        let leads = self.leads.iter().map(|lead| (lead.number, lead));
        let accounts = self
            .accounts
            .iter()
            .map(|account| (account.number, account));
        match id {
            ColumnId::Lead(field) => build(id, leads, |lead| self.lead_values(lead, field)),
            ColumnId::CompanySizeRank => build(id, leads, |lead| {
                ranks(self.lead_values(lead, LeadField::CompanySize))
            }),
            ColumnId::Custom(number) => {
                let key = self.custom_keys.key(number).unwrap_or_default();
                build(id, leads, |lead| {
                    let data = lead.row.custom_data.as_deref().unwrap_or_default();
                    let found = custom::written(data, key);
                    found.map(|(value, _)| value).into_iter().collect()
                })
            }
            ColumnId::Account(field) => {
                build(id, accounts, |account| self.account_values(account, field))
            }
            ColumnId::StaffRank => build(id, accounts, |account| {
                ranks(self.account_values(account, AccountField::StaffCountRange))
            }),
            ColumnId::NetworkUsername => build(id, accounts, |account| {
                folded(account.row.network_username.as_deref())
            }),
            ColumnId::AccountId => {
                build(id, accounts, |account| one(account.row.account_id.as_str()))
            }
        }
    }
}

fn build<R>(
    id: ColumnId,
    records: impl Iterator<Item = (i64, R)>,
    values: impl Fn(R) -> Vec<Value>,
) -> Column {
    let mut builder = ColumnBuilder::new(id.has_many());
    for (number, record) in records {
        for value in values(record) {
            builder.push(row(number), (&value).into());
        }
    }
    builder.build()
}

/// The index numbers rows as the workspace numbers leads and accounts.
fn row(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

/// Returns what sizes are ordered by.
fn ranks(sizes: Vec<Value>) -> Vec<Value> {
    let ranks = sizes.into_iter().filter_map(|size| match size {
        Value::Text(size) => size_rank(&size).map(Value::Integer),
        _ => None,
    });
    ranks.collect()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use lead_workspace_index::ColumnId;
    use serde_json::{Value, json};

    use crate::Workspace;
    use crate::test_workspace::{send_at, workspace};

    /// Half a year after the end of the demo data, so that scoring gives other scores.
    const LATER: Timestamp = Timestamp::constant(180 * 24 * 3600, 0);

    fn send(workspace: &mut Workspace, method: &str, path: &str, body: &Value) {
        send_at(workspace, LATER, method, path, body);
    }

    #[test]
    fn columns_have_the_values_of_the_records_after_each_change() {
        let mut workspace = workspace(60);
        let ids = workspace.leads.iter().map(|lead| lead.row.lead_id.clone());
        let ids: Vec<String> = ids.collect();
        let lead = format!("/api/leads/{}", ids[3]);
        let rejected = json!({"approval_status": "rejected"});
        let filtered = json!({"lead_ids": &ids[..9], "approval_status": "filtered"});
        let file = "Full name,Company,Industry,Deal size\nAna Diaz,Acme,Steel,50000\n";
        let changes: [&dyn Fn(&mut Workspace); 6] = [
            &|workspace| send(workspace, "PATCH", &lead, &rejected),
            &|workspace| send(workspace, "PATCH", "/api/leads", &filtered),
            &|workspace| send(workspace, "DELETE", &lead, &json!({})),
            &|workspace| {
                workspace.import("leads.csv", file, LATER).unwrap();
            },
            &|workspace| {
                send(workspace, "POST", "/api/leads/score", &json!({}));
                assert!(workspace.run_step(LATER));
            },
            &|workspace| {
                send(workspace, "POST", "/api/accounts/score", &json!({}));
                while workspace.run_step(LATER) {}
            },
        ];
        for change in changes {
            let custom = (0..4).map(ColumnId::Custom);
            workspace.columns(ColumnId::ALL.into_iter().chain(custom));
            change(&mut workspace);
            for (id, column) in &workspace.columns {
                assert_eq!(column.without_unused(), workspace.column(*id), "{id:?}");
            }
        }
    }
}
