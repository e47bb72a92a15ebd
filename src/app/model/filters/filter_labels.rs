//! Labels and texts for filters and sort orders.

use lead_workspace_api::{
    AccountField, AccountSort, FieldKind, LeadField, LeadSort, Operator, SortDir,
};

use super::lead_sort_column::LeadSortColumn;

/// Returns the label of a field of leads.
pub fn field(field: LeadField) -> &'static str {
    use LeadField as F;
    match field {
        F::Name => "Name",
        F::Headline => "Headline",
        F::ApprovalStatus => "Status",
        F::CreatedAt => "Created",
        F::Location => "Location",
        F::ConnectionsCount => "Connections",
        F::FollowerCount => "Followers",
        F::IsPremium => "Premium",
        F::Title => "Title",
        F::Company => "Company",
        F::Industry => "Industry",
        F::CompanySize => "Company size",
        F::CompanyLocation => "Company location",
        F::CompanyTagline => "Company tagline",
        F::CompanyFoundedYear => "Year founded",
        F::IcpScore => "ICP score",
        F::IcpTier => "ICP tier",
        F::CampaignLeadStatus => "State in campaign",
        F::Connection => "Connection",
        F::Reply => "Reply state",
        F::Sender => "Sender",
        F::CurrentNode => "Current step",
        F::RateLimitedBy => "Rate limited by",
        F::HasPendingApproval => "Has pending approval",
        F::IntentType => "Intent",
        F::ListId => "List id",
        F::CampaignId => "Campaign id",
        F::SignalId => "Signal id",
        F::SignalRunId => "Signal run id",
        F::ImportJobId => "Import id",
        F::FeedPost => "Feed post id",
        F::ReplyClassification => "Reply",
        F::ChatLabel => "Chat label",
        F::NetworkAccount => "Network account",
        F::AccountId => "Account id",
    }
}

/// Returns the label of a field of accounts.
pub fn account_field(field: AccountField) -> &'static str {
    use AccountField as F;
    match field {
        F::Name => "Name",
        F::Industry => "Industry",
        F::StaffCountRange => "Size",
        F::Location => "Location",
        F::LeadCount => "Leads",
        F::IcpScore => "ICP score",
        F::CreatedAt => "Created",
        F::IcpTier => "ICP tier",
        F::ListId => "List id",
        F::IsPromoted => "Promoted",
    }
}

/// Returns the text of an operator, to be placed between field and value.
pub fn operator(operator: Operator, kind: FieldKind) -> &'static str {
    let is_time = kind == FieldKind::Time;
    match operator {
        Operator::Eq => "is",
        Operator::Neq => "is not",
        Operator::In => "is one of",
        Operator::NotIn => "is none of",
        Operator::Gt if is_time => "is after",
        Operator::Gt => "is more than",
        Operator::Gte if is_time => "is on or after",
        Operator::Gte => "is at least",
        Operator::Lt if is_time => "is before",
        Operator::Lt => "is less than",
        Operator::Lte if is_time => "is on or before",
        Operator::Lte => "is at most",
        Operator::Between => "is between",
        Operator::Contains => "contains",
        Operator::NotContains => "does not contain",
        Operator::StartsWith => "starts with",
        Operator::IsSet => "is set",
        Operator::IsNotSet => "is not set",
    }
}

/// Returns all operators, those that are most useful for this type first.
pub fn operators(kind: FieldKind) -> Vec<Operator> {
    use Operator as O;
    let first: &[O] = match kind {
        FieldKind::Text => &[O::Contains, O::NotContains, O::StartsWith, O::Eq, O::Neq],
        FieldKind::Number => &[O::Gte, O::Lte, O::Between, O::Eq, O::Neq, O::Gt, O::Lt],
        FieldKind::Time => &[O::Gte, O::Lte, O::Between, O::Eq, O::Gt, O::Lt],
        FieldKind::Flag => &[O::Eq],
        FieldKind::Token => &[O::Eq, O::Neq, O::In, O::NotIn],
    };
    let all = O::ALL.iter().filter(|one| !first.contains(one));
    first.iter().chain(all).copied().collect()
}

/// Converts a token to words: `not_interested` to `Not interested`. Other text stays as it is.
pub fn plain(value: &str) -> String {
    let is_word = value.starts_with(|first: char| first.is_ascii_lowercase())
        && value
            .bytes()
            .all(|letter| letter.is_ascii_lowercase() || letter == b'_');
    let mut word = value.to_owned();
    if is_word {
        word = word.replace('_', " ");
        word[..1].make_ascii_uppercase();
    }
    word
}

/// Describes the sort order, after the number of leads: `best fit first`.
pub fn order(sort: LeadSortColumn, dir: SortDir) -> String {
    let falls = dir == SortDir::Desc;
    let by = |column: &str| ["by ", column, if falls { ", descending" } else { "" }].concat();
    let sort = match sort {
        LeadSortColumn::Lead(sort) => sort,
        LeadSortColumn::Custom(name) => return by(name.key()),
    };
    let words = match (sort, falls) {
        (LeadSort::IcpScore | LeadSort::IcpTier, _) => {
            // In ascending order, tiers begin with the best, and scores end with it.
            let best = falls == (sort == LeadSort::IcpScore);
            if best {
                "best fit first"
            } else {
                "lowest fit first"
            }
        }
        (LeadSort::CreatedAt, true) => "newest first",
        (LeadSort::CreatedAt, false) => "oldest first",
        _ => return by(&column(sort)),
    };
    words.to_owned()
}

/// Describes the sort order, after the number of accounts: `newest first`.
pub fn account_order(sort: AccountSort, dir: SortDir) -> &'static str {
    match (sort, dir) {
        (AccountSort::CreatedAt, SortDir::Desc) => "newest first",
        (AccountSort::CreatedAt, SortDir::Asc) => "oldest first",
        (AccountSort::IcpScore, SortDir::Desc) => "best fit first",
        (AccountSort::IcpScore, SortDir::Asc) => "lowest fit first",
        (AccountSort::LeadCount, SortDir::Desc) => "most leads first",
        (AccountSort::LeadCount, SortDir::Asc) => "fewest leads first",
        (AccountSort::StaffCountRange, SortDir::Desc) => "largest first",
        (AccountSort::StaffCountRange, SortDir::Asc) => "smallest first",
        (AccountSort::Name, SortDir::Asc) => "by name",
        (AccountSort::Name, SortDir::Desc) => "by name, descending",
        (AccountSort::Industry, SortDir::Asc) => "by industry",
        (AccountSort::Industry, SortDir::Desc) => "by industry, descending",
        (AccountSort::Location, SortDir::Asc) => "by location",
        (AccountSort::Location, SortDir::Desc) => "by location, descending",
    }
}

/// Returns the name of a column for use within a sentence.
fn column(sort: LeadSort) -> String {
    let known = sort.as_str().parse::<LeadField>().ok();
    let mut column = known.map_or("the column", field).to_owned();
    column[..1].make_ascii_lowercase();
    column
}
