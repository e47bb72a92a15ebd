//! Columns of the account fields.

use lead_workspace_api::AccountField;

use super::{FieldStorage, StoredField, TextForm};
use crate::store::columns::ColumnId;

impl StoredField for AccountField {
    fn storage(self) -> FieldStorage {
        let column = match self {
            Self::Name => "a.name_key",
            Self::Industry => "a.industry_key",
            Self::StaffCountRange => "a.staff_count_range",
            Self::Location => "a.location_key",
            Self::LeadCount => "a.lead_count",
            Self::IcpScore => "a.icp_score",
            Self::CreatedAt => "a.created_at",
            Self::IcpTier => "a.icp_tier",
            Self::ListId => "list_id",
            Self::IsPromoted => "a.is_promoted",
        };
        let through = (self == Self::ListId)
            .then_some("a.id IN (SELECT account FROM account_list_items WHERE tenant = ?1");
        let rank = (self == Self::StaffCountRange).then_some("a.staff_rank");
        FieldStorage {
            column,
            rank,
            through,
            text: TextForm::of(AccountField::kind(self)),
        }
    }
    fn id(self) -> Option<ColumnId> {
        Some(ColumnId::of_account_field(self, self.storage().column))
    }
}
