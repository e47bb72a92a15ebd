//! The columns of the index.

use lead_workspace_api::{AccountField, AccountSort, LeadField, custom_field, custom_field_key};

use crate::ChangeKind;

/// What the rows of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    Leads,
    Accounts,
}

/// A column: the values of a field, or what else queries need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnId {
    /// A field of leads. [`LeadField::AccountId`] has the row number of the account.
    Lead(LeadField),
    /// What the company sizes of leads are ordered by.
    CompanySizeRank,
    /// A custom field of leads, by the number of its key; see [`CustomKeys`](crate::CustomKeys). 0 is a key that no lead has.
    Custom(u16),
    /// A field of accounts.
    Account(AccountField),
    /// What the sizes of accounts are ordered by.
    StaffRank,
    /// The user names of accounts, folded.
    NetworkUsername,
    /// The ids of accounts.
    AccountId,
}

use AccountField as A;
use ColumnId::{Account, Lead};
use LeadField as L;

impl ColumnId {
    /// What names an account.
    pub(crate) const NAMES_OF_ACCOUNTS: [Self; 2] = [Account(A::Name), Self::AccountId];

    /// Every column but those of custom fields, those first that a review needs first.
    pub const ALL: [Self; 49] = [
        Lead(L::ApprovalStatus),
        Lead(L::IcpScore),
        Lead(L::IcpTier),
        Lead(L::CreatedAt),
        Lead(L::CompanySize),
        Lead(L::Title),
        Lead(L::ListId),
        Lead(L::CampaignId),
        Lead(L::IntentType),
        Lead(L::ImportJobId),
        Lead(L::SignalId),
        Lead(L::Company),
        Lead(L::Name),
        Lead(L::Headline),
        Self::CompanySizeRank,
        Lead(L::Location),
        Lead(L::Industry),
        Lead(L::ReplyClassification),
        Lead(L::ChatLabel),
        Lead(L::NetworkAccount),
        Lead(L::SignalRunId),
        Lead(L::FeedPost),
        Lead(L::Connection),
        Lead(L::Reply),
        Lead(L::CampaignLeadStatus),
        Lead(L::Sender),
        Lead(L::CurrentNode),
        Lead(L::RateLimitedBy),
        Lead(L::HasPendingApproval),
        Lead(L::ConnectionsCount),
        Lead(L::FollowerCount),
        Lead(L::IsPremium),
        Lead(L::CompanyLocation),
        Lead(L::CompanyTagline),
        Lead(L::CompanyFoundedYear),
        Lead(L::AccountId),
        // Accounts have fewer rows, and nothing above needs them.
        Account(A::IsPromoted),
        Account(A::LeadCount),
        Account(A::IcpScore),
        Account(A::CreatedAt),
        Account(A::Name),
        Account(A::Industry),
        Account(A::Location),
        Self::NetworkUsername,
        Account(A::StaffCountRange),
        Self::StaffRank,
        Account(A::IcpTier),
        Account(A::ListId),
        Self::AccountId,
    ];

    /// Returns what the rows of the column are.
    pub fn table(self) -> Table {
        match self {
            Lead(_) | Self::CompanySizeRank | Self::Custom(_) => Table::Leads,
            Account(_) | Self::StaffRank | Self::NetworkUsername | Self::AccountId => {
                Table::Accounts
            }
        }
    }

    /// Returns whether a row can have several values.
    pub fn has_many(self) -> bool {
        matches!(
            self,
            Lead(L::ListId | L::CampaignId | L::SignalId | L::SignalRunId | L::FeedPost)
                | Account(A::ListId)
        )
    }

    /// Returns what has to change for the column to change.
    pub fn changed_by(self) -> ChangeKind {
        match self {
            Lead(L::ApprovalStatus) => ChangeKind::STATUS,
            Lead(L::IcpScore | L::IcpTier) => ChangeKind::SCORE,
            Lead(L::ListId) => ChangeKind::LIST,
            Lead(L::CampaignId) => ChangeKind::CAMPAIGN,
            Lead(L::SignalId | L::SignalRunId | L::FeedPost) => ChangeKind::INTENT,
            Lead(_) | Self::CompanySizeRank | Self::Custom(_) => ChangeKind::LEAD,
            Account(A::ListId) => ChangeKind::ACCOUNT_LIST,
            _ => ChangeKind::ACCOUNT,
        }
    }

    /// Returns a name that stays the same, for what is saved.
    pub fn name(self) -> String {
        match self {
            Lead(field) => format!("leads.{}", field.as_str()),
            Account(field) => format!("accounts.{}", field.as_str()),
            Self::Custom(number) => custom_field(&number.to_string()),
            other => format!("{other:?}"),
        }
    }

    /// Returns the column with a [name](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        if let Some(number) = custom_field_key(name) {
            return number.parse().ok().map(Self::Custom);
        }
        Self::ALL.into_iter().find(|id| id.name() == name)
    }

    /// Returns the columns that a facet needs: the field, and what a search in its values looks into.
    pub(crate) fn with_names(self) -> impl Iterator<Item = Self> {
        let names = (self == Lead(L::AccountId)).then_some(Self::NAMES_OF_ACCOUNTS);
        std::iter::once(self).chain(names.into_iter().flatten())
    }

    /// Returns what accounts are sorted by.
    pub fn sort_of_accounts(by: AccountSort) -> Self {
        match by.as_str().parse().unwrap_or(A::IcpScore) {
            A::StaffCountRange => Self::StaffRank,
            field => Account(field),
        }
    }
}

impl From<LeadField> for ColumnId {
    fn from(field: LeadField) -> Self {
        Self::Lead(field)
    }
}

impl Table {
    /// Returns a column that every row has a value of.
    pub(crate) fn rows(self) -> ColumnId {
        match self {
            Self::Leads => Lead(L::ApprovalStatus),
            Self::Accounts => Account(A::IsPromoted),
        }
    }

    /// Returns the columns that a search looks into.
    pub(crate) fn searched(self) -> [ColumnId; 4] {
        match self {
            Self::Leads => [
                Lead(L::Name),
                Lead(L::Headline),
                Lead(L::Title),
                Lead(L::Company),
            ],
            Self::Accounts => [
                Account(A::Name),
                ColumnId::NetworkUsername,
                Account(A::Industry),
                Account(A::Location),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use lead_workspace_api::{AccountSort, FilterField, LeadSort};

    use super::{A, Account, ColumnId, L, Lead};
    use crate::CustomKeys;

    #[test]
    fn every_field_and_sort_has_a_column() {
        let all: HashSet<ColumnId> = ColumnId::ALL.into_iter().collect();
        assert_eq!(all.len(), ColumnId::ALL.len());
        for field in <L as FilterField>::ALL {
            assert!(all.contains(&Lead(*field)), "{field}");
        }
        for field in <A as FilterField>::ALL {
            assert!(all.contains(&Account(*field)), "{field}");
        }
        for by in LeadSort::ALL {
            let id = CustomKeys::default().sort_of_leads(&(*by).into());
            let id = id.unwrap().name();
            assert!(id == "CompanySizeRank" || id == format!("leads.{by}"));
        }
        for by in AccountSort::ALL {
            let id = ColumnId::sort_of_accounts(*by).name();
            assert!(id == "StaffRank" || id == format!("accounts.{by}"));
        }
    }

    #[test]
    fn a_column_is_found_by_its_name() {
        for id in ColumnId::ALL.into_iter().chain([ColumnId::Custom(417)]) {
            assert_eq!(ColumnId::named(&id.name()), Some(id));
        }
        assert_eq!(ColumnId::named("custom_data.Deal size"), None);
    }
}
