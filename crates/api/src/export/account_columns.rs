//! The columns of exported accounts.

use serde_json::{Map, Value, json};

use super::Place::{First, Last, List, More};
use super::{ExportColumn, Exported, text};
use crate::account::Account;

impl Exported for Account {
    const HAS_CUSTOM: bool = false;
    const COLUMNS: &'static [ExportColumn<Self>] = &ACCOUNT_COLUMNS;

    fn alias(list_column: &str) -> Option<&'static [&'static str]> {
        match list_column {
            "fit" => Some(&[]),
            "lead_count" => Some(&["lead_count", "approved_count"]),
            _ => None,
        }
    }

    fn custom(&self) -> Map<String, Value> {
        Map::new()
    }
}

/// The columns, those of the list in its default order.
pub const ACCOUNT_COLUMNS: [ExportColumn<Account>; 16] = columns! {
    First "account_id" |of| json!(of.id);
    List "name" |of| text(of.name.as_ref());
    List "industry" |of| text(of.industry.as_ref());
    List "staff_count_range" |of| text(of.staff_count_range.as_ref());
    List "location" |of| text(of.location.as_ref());
    List "lead_count" |of| json!(of.lead_count);
    List "approved_count" |of| json!(of.approved_count);
    List "created_at" |of| json!(of.created_at);
    List "tagline" |of| text(of.tagline.as_ref());
    More "description" |of| text(of.description.as_ref());
    More "network_url" |of| text(of.network_url.as_ref());
    More "network_username" |of| text(of.network_username.as_ref());
    More "logo_url" |of| text(of.logo_url.as_ref());
    Last "icp_score" |of| json!(of.icp_score);
    Last "icp_tier" |of| text(of.icp_tier.as_ref());
    Last "icp_reason" |of| text(of.icp_reasoning.as_ref());
};
