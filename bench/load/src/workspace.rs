//! The leads of the workspace with their statuses, as the service has them stored.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::connection::{Connection, request};

pub const STATUSES: [&str; 4] = ["approved", "pending_approval", "rejected", "filtered"];

const PAGE: usize = 100;

/// A lead's id, and its status as an index of `STATUSES`.
pub struct Lead {
    pub id: String,
    pub status: usize,
}

pub struct Workspace {
    /// In the order of their ids.
    pub leads: Vec<Lead>,
}

impl Workspace {
    /// Reads the oldest leads, at most `most`: an import may have added others.
    pub async fn read(address: SocketAddr, key: &str, most: usize) -> Result<Self> {
        let mut connection = Connection::open(address).await?;
        let mut leads = Vec::new();
        for page in 1.. {
            let body = json!({"page": page, "page_size": PAGE, "sort_by": "created_at", "sort_dir": "asc"});
            let request = request("POST", "/api/leads/query", key, &body.to_string());
            let response = connection.send(&request).await?;
            ensure!(
                response.status == 200,
                "a page of leads answered {}",
                response.status
            );
            let page: Value = serde_json::from_slice(response.body)?;
            for lead in page["data"].as_array().context("a page has no leads")? {
                let status = lead["approval_status"].as_str();
                let status = STATUSES.iter().position(|known| Some(*known) == status);
                leads.push(Lead {
                    id: lead["lead_id"]
                        .as_str()
                        .context("a lead has no id")?
                        .to_owned(),
                    status: status.context("a lead has no known status")?,
                });
            }
            if page["has_more"] != true || leads.len() >= most {
                break;
            }
        }
        ensure!(!leads.is_empty(), "the workspace is empty");
        leads.truncate(most);
        leads.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(Self { leads })
    }
}
