//! The contract as data, for the generators.

use lead_workspace_api::shapes::{
    AccountLead, CampaignRef, ListScore, ProfileData, PulseCampaign, PulseChat, Shape,
};
use lead_workspace_api::{
    Account, AccountDetail, AccountDetailQuery, AccountField, AccountPulse, AccountQuery,
    AccountScoring, AccountSort, BestSignal, CampaignMembership, Change, Changes, CurrentAccount,
    CustomField, CustomKind, Endpoint, FacetContext, FacetItem, FacetSearch, FacetSearchResult,
    Facets, FieldKind, FieldSpec, Intent, Job, LeadDetail, LeadField, LeadFields, LeadListItem,
    LeadListMembership, LeadQuery, LeadScoring, LeadSort, LeadUpdated, LeadsUpdated, ListRef,
    Model, NewApprovalStatus, Nurture, Operator, ParamSpec, Request, Row, ScoringStarted, SortDir,
    StreamChanges, Wire, endpoints, for_each_endpoint, for_each_extension,
};

/// An object in a response.
pub struct ModelSpec {
    pub name: &'static str,
    pub doc: &'static str,
    pub fields: Vec<FieldSpec>,
}

pub struct RequestSpec {
    pub name: &'static str,
    pub doc: &'static str,
    pub params: Vec<ParamSpec>,
}

/// A closed set of values.
pub struct ChoiceSpec {
    pub name: &'static str,
    pub doc: &'static str,
    pub texts: &'static [&'static str],
}

/// The filterable fields of one kind.
pub struct FilterFields {
    /// The row that the fields belong to, e.g. `Lead`.
    pub noun: &'static str,
    pub kind: FieldKind,
    pub names: Vec<&'static str>,
}

pub struct OperationSpec {
    pub name: &'static str,
    /// The contract's name for its response.
    pub response: String,
}

macro_rules! models {
    ($($model:ty),* $(,)?) => {
        vec![$(ModelSpec {
            name: <$model>::NAME,
            doc: <$model>::DOC,
            fields: <$model>::fields(),
        },)*]
    };
}

/// Returns every response model. Models that are nested in others come after them.
pub fn models() -> Vec<ModelSpec> {
    models![
        LeadListItem,
        LeadDetail,
        CurrentAccount,
        Intent,
        ListRef,
        LeadListMembership,
        CampaignMembership,
        Nurture,
        LeadUpdated,
        LeadsUpdated,
        Account,
        AccountDetail,
        AccountPulse,
        BestSignal,
        Facets,
        FacetSearchResult,
        FacetItem,
        ScoringStarted,
        LeadFields,
        CustomField,
        Changes,
        Change,
        Job,
    ]
}

/// Returns the name of the field that identifies a row; `None` for a model that is no row of a page.
pub fn row_id(model: &str) -> Option<&'static str> {
    match model {
        LeadListItem::NAME => Some(LeadListItem::ID),
        Account::NAME => Some(Account::ID),
        _ => None,
    }
}

/// Returns the shapes that the contract leaves open, as our service sends them.
pub fn shapes() -> Vec<ModelSpec> {
    models![
        ListScore,
        ProfileData,
        CampaignRef,
        PulseCampaign,
        PulseChat,
        AccountLead
    ]
}

macro_rules! requests {
    ($($request:ty),* $(,)?) => {
        vec![$(RequestSpec {
            name: <$request>::NAME,
            doc: <$request>::DOC,
            params: <$request>::params(),
        },)*]
    };
}

/// Returns the parameters that a caller passes as one object.
pub fn requests() -> Vec<RequestSpec> {
    requests![
        LeadQuery,
        FacetContext,
        FacetSearch,
        LeadScoring,
        AccountQuery,
        AccountDetailQuery,
        AccountScoring,
    ]
}

macro_rules! choices {
    ($($choice:ident),* $(,)?) => {
        vec![$(ChoiceSpec {
            name: stringify!($choice),
            doc: $choice::DOC,
            texts: $choice::TEXTS,
        },)*]
    };
}

/// Returns the closed sets of values that a caller chooses from.
pub fn choices() -> Vec<ChoiceSpec> {
    choices![
        NewApprovalStatus,
        LeadSort,
        AccountSort,
        SortDir,
        CustomKind
    ]
}

/// Returns every filter operator with its meaning.
pub fn operators() -> impl Iterator<Item = (&'static str, &'static str)> {
    let docs = Operator::DOCS.iter().copied();
    Operator::TEXTS.iter().copied().zip(docs)
}

/// Returns the filterable fields, grouped by kind.
pub fn filter_fields() -> Vec<FilterFields> {
    let kinds = [
        FieldKind::Text,
        FieldKind::Token,
        FieldKind::Time,
        FieldKind::Number,
        FieldKind::Flag,
    ];
    let leads = kinds.map(|kind| {
        let fields = LeadField::ALL.iter().filter(|field| field.kind() == kind);
        FilterFields {
            noun: "Lead",
            kind,
            names: fields.map(|field| field.as_str()).collect(),
        }
    });
    let accounts = kinds.map(|kind| {
        let fields = AccountField::ALL.iter();
        let fields = fields.filter(|field| field.kind() == kind);
        FilterFields {
            noun: "Account",
            kind,
            names: fields.map(|field| field.as_str()).collect(),
        }
    });
    leads.into_iter().chain(accounts).collect()
}

macro_rules! operations {
    ($(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {
        vec![$(OperationSpec {
            name: endpoints::$type::NAME,
            response: <endpoints::$type as Endpoint>::Response::name(),
        },)*]
    };
}

pub fn operations() -> Vec<OperationSpec> {
    let mut operations: Vec<OperationSpec> = for_each_endpoint!(operations);
    let more: Vec<OperationSpec> = for_each_extension!(operations);
    operations.extend(more);
    // Of the operations of our service, the one with a method in JavaScript.
    operations.push(OperationSpec {
        name: endpoints::GetLeadFields::NAME,
        response: <endpoints::GetLeadFields as Endpoint>::Response::name(),
    });
    // The data of an event of the stream of changes.
    operations.push(OperationSpec {
        name: StreamChanges::NAME,
        response: Changes::name(),
    });
    operations
}
