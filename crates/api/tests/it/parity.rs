//! Compares the code with the contract document, in both directions: every field, type, default, limit, sort
//! column, path, method and parameter must be in both.

use std::collections::BTreeMap;

use lead_workspace_api::{
    Account, AccountDetail, AccountPulse, AccountSort, BestSignal, CampaignMembership,
    CurrentAccount, Endpoint, ErrorEntry, FacetItem, FacetSearchResult, Facets, Input, Intent,
    LeadDetail, LeadListItem, LeadListMembership, LeadSort, LeadUpdated, LeadsUpdated, ListRef,
    Model, NewApprovalStatus, Nurture, Page, ParamKind, Request, ScoringStarted, endpoints,
    for_each_endpoint, limits,
};

use crate::spec::{self, Fields, Operation, Param};

fn code<T: Model>() -> Fields {
    T::fields()
        .into_iter()
        .map(|field| (field.name.to_owned(), field.ty))
        .collect()
}

#[track_caller]
fn same(model: &str, document: Fields, code: Fields) {
    assert!(!document.is_empty(), "{model}: the document has no fields");
    assert_eq!(
        code, document,
        "{model}: code on the left, document on the right"
    );
}

#[test]
fn models_match_their_tables() {
    same(
        "LeadListItem",
        spec::fields("Lead list item"),
        code::<LeadListItem>(),
    );
    same("ListRef", spec::fields("ListRef"), code::<ListRef>());
    same(
        "CurrentAccount",
        spec::fields("CurrentAccount"),
        code::<CurrentAccount>(),
    );
    same("Intent", spec::fields("Intent"), code::<Intent>());
    same(
        "LeadDetail",
        spec::fields("Lead detail"),
        code::<LeadDetail>(),
    );
    same("Facets", spec::fields("Facets response"), code::<Facets>());
    same(
        "FacetSearchResult",
        spec::fields("Facet search response"),
        code::<FacetSearchResult>(),
    );
}

#[test]
fn models_match_their_sentences() {
    same(
        "LeadListMembership",
        spec::sentence("LeadListMembership: "),
        code::<LeadListMembership>(),
    );
    same(
        "CampaignMembership",
        spec::sentence("CampaignMembership: "),
        code::<CampaignMembership>(),
    );
    same("Nurture", spec::sentence("Nurture: "), code::<Nurture>());
    same(
        "FacetItem",
        spec::sentence("FacetItem: "),
        code::<FacetItem>(),
    );
    same(
        "LeadUpdated",
        spec::sentence("Single lead update: "),
        code::<LeadUpdated>(),
    );
    same(
        "LeadsUpdated",
        spec::sentence("Bulk lead update: "),
        code::<LeadsUpdated>(),
    );
    same(
        "ScoringStarted",
        spec::sentence("Scoring start (leads and accounts): "),
        code::<ScoringStarted>(),
    );
}

#[test]
fn page_envelope() {
    let mut document = spec::fields("Paged envelope");
    assert_eq!(document[0], ("data".into(), "array of items".into()));
    document[0].1 = "array of LeadListItem".into();
    same("Page", document, code::<Page<LeadListItem>>());
}

#[test]
fn accounts() {
    // The document gives the neutral name in a note below the table.
    assert!(spec::section("Account (element").contains("Use network_id as the field name"));
    let mut document = spec::fields("Account (element");
    for (name, _) in &mut document {
        if name == "linkedin_id" {
            *name = "network_id".into();
        }
    }
    // The one field of an account that the contract does not have. Other servers leave it out.
    let mut extended = document.clone();
    assert!(document.iter().all(|(name, _)| name != "approved_count"));
    extended.push(("approved_count".into(), "integer".into()));
    same("Account", extended, code::<Account>());

    document.extend(spec::sentence("Account detail adds: "));
    same("AccountDetail", document, code::<AccountDetail>());
}

#[test]
fn pulse() {
    let mut document = spec::fields("Account pulse response");
    let best_signal = document.iter_mut().find(|(name, _)| name == "best_signal");
    let best_signal = best_signal.expect("best_signal in the document");
    assert_eq!(best_signal.1, "object");
    best_signal.1 = "BestSignal".into();
    same("AccountPulse", document, code::<AccountPulse>());

    let row = spec::table(spec::section("Account pulse response"));
    let best_signal = row
        .iter()
        .find(|row| row[0] == "best_signal")
        .expect("the row best_signal");
    let names = best_signal[1]
        .trim_start_matches("object: ")
        .trim_end_matches(" (all strings)");
    let document = names
        .split(", ")
        .map(|name| (name.to_owned(), "string".to_owned()))
        .collect();
    same("BestSignal", document, code::<BestSignal>());
}

#[test]
fn validation_error() {
    let text = spec::section("Errors");
    let list = text
        .split_once("Each entry has: ")
        .expect("the entry's members")
        .1;
    let document: Vec<&str> = list
        .split("), ")
        .map(|part| part.split(" (").next().unwrap_or(part))
        .collect();
    let entry = serde_json::to_value(ErrorEntry::default()).unwrap();
    let code: Vec<&str> = entry
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let sorted = |mut names: Vec<&'static str>| {
        names.sort_unstable();
        names
    };
    let code: Vec<&'static str> = code
        .into_iter()
        .map(|name| &*name.to_owned().leak())
        .collect();
    assert_eq!(sorted(code), sorted(document));
    assert!(entry["loc"].is_array() && entry["ctx"].is_object());
}

#[test]
fn statuses() {
    let rows = spec::table(spec::section("States and transitions"));
    let document: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(NewApprovalStatus::TEXTS, document);
}

#[test]
fn sort_columns() {
    let operations = spec::operations();
    let columns = |operation: &str| {
        let params = &operations[operation].params;
        params
            .iter()
            .find(|param| param.name == "sort_by")
            .expect("sort_by")
            .one_of
            .clone()
    };
    assert_eq!(LeadSort::TEXTS, columns("POST /api/leads/query"));
    assert_eq!(LeadSort::TEXTS.len(), 24);
    assert_eq!(AccountSort::TEXTS, columns("POST /api/accounts/query"));
    assert_eq!(AccountSort::TEXTS.len(), 7);
}

#[test]
fn limits_table() {
    let rows = spec::table(spec::section("Limits"));
    let value = |limit: &str| {
        rows.iter()
            .find(|row| row[0] == limit)
            .unwrap_or_else(|| panic!("the limit {limit}"))[2]
            .clone()
    };
    assert_eq!(value("page"), "integer >= 1, default 1");
    assert_eq!(value("page_size"), "1 to 100, default 50");
    assert_eq!(value("limit"), "1 to 100, default 20");
    assert_eq!(rows.len(), 4, "a new limit in the document");
}

fn code_params<T: Request>() -> Vec<Param> {
    T::params()
        .into_iter()
        .map(|param| Param {
            name: param.name.to_owned(),
            ty: param.ty,
            required: param.required,
            default: param.default.to_string(),
            // The limits of texts and arrays are ours; see below.
            range: param
                .range
                .filter(|_| param.schema["type"] == "integer")
                .map(|range| (*range.start(), *range.end())),
            one_of: param.one_of.iter().map(|&text| text.to_owned()).collect(),
        })
        .collect()
}

fn compare<E: Endpoint>(document: &mut BTreeMap<String, Operation>) {
    let title = format!("{} {}", E::METHOD.as_str(), E::PATH);
    let operation = document
        .remove(&title)
        .unwrap_or_else(|| panic!("{title} is not in the document"));
    assert_eq!(
        (operation.method.as_str(), operation.path.as_str()),
        (E::METHOD.as_str(), E::PATH)
    );
    assert_eq!(
        code_params::<E::Params>(),
        operation.params,
        "{title}: code on the left, document on the right"
    );
    let input = match () {
        () if operation.params.is_empty() => Input::Nothing,
        () if E::METHOD == endpoints::Method::Get => Input::Query,
        () => Input::Body,
    };
    assert_eq!(E::INPUT, input, "{title}");
    for id in E::PATH_IDS {
        assert!(E::PATH.contains(&format!("{{{id}}}")), "{title}");
        assert!(
            operation
                .prose
                .contains(&format!("Path parameter {id} (string)")),
            "{title}"
        );
    }
    assert_eq!(E::PATH.matches('{').count(), E::PATH_IDS.len(), "{title}");
}

/// Every limit of a text or array that we added: request, parameter, maximum, words.
type Ours = Vec<(&'static str, &'static str, u32, Option<u32>)>;

fn ours<E: Endpoint>() -> Ours {
    let mut found = Ours::new();
    for param in E::Params::params() {
        let ours = param.kind() != ParamKind::Number;
        if let Some(range) = param.range.as_ref().filter(|_| ours) {
            found.push((E::NAME, param.name, *range.end(), param.words));
        }
    }
    found
}

#[test]
fn undocumented_limits() {
    let mut found = Ours::new();
    macro_rules! all {
        ($(
            #[doc = $summary:literal]
            $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
                $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
        )*) => { $(found.extend(ours::<endpoints::$type>());)* };
    }
    for_each_endpoint!(all);
    let (characters, words) = (limits::SEARCH_CHARACTERS, Some(limits::SEARCH_WORDS));
    let expected: Ours = vec![
        ("query_leads", "filters", limits::FILTERS, None),
        ("query_leads", "search", characters, words),
        ("search_lead_facet", "field", characters, None),
        ("search_lead_facet", "q", characters, None),
        ("update_leads", "lead_ids", limits::IDS, None),
        ("score_leads", "lead_ids", limits::IDS, None),
        ("score_leads", "lead_list_ids", limits::IDS, None),
        ("query_accounts", "filters", limits::FILTERS, None),
        ("query_accounts", "search", characters, words),
        ("score_accounts", "account_ids", limits::IDS, None),
    ];
    assert_eq!(found, expected);
}

macro_rules! compare_all {
    ($(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {
        #[test]
        fn operations() {
            let mut document = spec::operations();
            assert_eq!(document.len(), 12);
            $(compare::<endpoints::$type>(&mut document);)*
            assert!(document.is_empty(), "not in the code: {:?}", document.keys());
        }

        #[test]
        fn names_are_camel_case_in_javascript() {
            $({
                let mut words = stringify!($name).split('_');
                let first = words.next().unwrap_or_default().to_owned();
                let camel = words.fold(first, |name, word| {
                    let (head, tail) = word.split_at(1);
                    name + &head.to_uppercase() + tail
                });
                assert_eq!(stringify!($js), camel);
            })*
        }
    };
}

for_each_endpoint!(compare_all);
