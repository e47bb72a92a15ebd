//! Facets of the filter sidebar: their values and the order of the values.

use lead_workspace_api::shapes::FacetOption;
use lead_workspace_api::{FacetItem, Facets, ListRef, Raw};

use super::filters::{Facet, filter_labels};

/// Returns the facets that have values, in sidebar order. Facets that are always searched are
/// included without values.
pub fn options_by_facet(facets: Facets) -> Vec<(Facet, Vec<FacetOption>)> {
    let texts = |texts: Option<Vec<String>>| {
        let texts = texts.into_iter().flatten();
        texts.map(|text| named(&text, &text, None)).collect()
    };
    let lists = lists_of(facets.lists);
    let all = vec![
        (Facet::Company, Vec::new()),
        (Facet::IcpTier, texts(facets.icp_tiers)),
        (Facet::CompanySize, read(facets.company_sizes)),
        (Facet::IntentType, texts(facets.intent_types)),
        (Facet::Title, Vec::new()),
        (Facet::Industry, Vec::new()),
        (Facet::Location, Vec::new()),
        (Facet::List, lists),
        (Facet::DiscoveryList, read(facets.discovery_lists)),
        (Facet::Campaign, read(facets.campaigns)),
        (Facet::Signal, read(facets.signals)),
        (Facet::SignalRun, read(facets.signal_runs)),
        (Facet::ImportJob, read(facets.import_jobs)),
        (Facet::FeedPost, read(facets.feed_posts)),
        (Facet::Reply, read(facets.reply_classifications)),
        (Facet::ChatLabel, read(facets.chat_labels)),
        (Facet::NetworkAccount, read(facets.network_accounts)),
    ];
    let has_values =
        |(facet, options): &(Facet, Vec<FacetOption>)| facet.is_searched() || !options.is_empty();
    all.into_iter().filter(has_values).collect()
}

/// Returns the facets of the response that could not be read completely.
pub fn unreadable(facets: &Facets) -> Vec<Facet> {
    let mut odd: Vec<Facet> = Vec::new();
    for problem in &facets.problems {
        let name = problem.at.split(['.', '[']).next().unwrap_or_default();
        let facet = match name {
            "icp_tiers" => Facet::IcpTier,
            "company_sizes" => Facet::CompanySize,
            "intent_types" => Facet::IntentType,
            "lists" => Facet::List,
            "discovery_lists" => Facet::DiscoveryList,
            "campaigns" => Facet::Campaign,
            "signals" => Facet::Signal,
            "signal_runs" => Facet::SignalRun,
            "import_jobs" => Facet::ImportJob,
            "feed_posts" => Facet::FeedPost,
            "reply_classifications" => Facet::Reply,
            "chat_labels" => Facet::ChatLabel,
            "network_accounts" => Facet::NetworkAccount,
            _ => continue,
        };
        if !odd.contains(&facet) {
            odd.push(facet);
        }
    }
    odd
}

/// Returns all lists of the response, discovery lists included, unique and sorted by name.
pub fn lists(facets: Facets) -> Vec<FacetOption> {
    let mut lists = lists_of(facets.lists);
    lists.extend(read(facets.discovery_lists));
    lists.sort_by(|one, other| (&one.label, &one.value).cmp(&(&other.label, &other.value)));
    lists.dedup_by(|one, other| one.value == other.value);
    lists
}

/// What accounts can be filtered by. The contract has no facets of accounts, so the values are those of the leads,
/// without their counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccountFacets {
    pub lists: Vec<FacetOption>,
    pub tiers: Vec<FacetOption>,
    pub sizes: Vec<FacetOption>,
}

impl AccountFacets {
    pub fn new(mut facets: Facets) -> Self {
        let tiers = facets.icp_tiers.take().into_iter().flatten();
        let mut sizes = read(facets.company_sizes.take());
        for size in &mut sizes {
            size.count = None;
        }
        Self {
            lists: lists(facets),
            tiers: tiers.map(|tier| named(&tier, &tier, None)).collect(),
            sizes,
        }
    }
}

fn lists_of(lists: Option<Vec<ListRef>>) -> Vec<FacetOption> {
    let lists = lists.into_iter().flatten().filter_map(|list| {
        let id = list.list_id?;
        let name = list.list_name.unwrap_or_default();
        Some(named(id.as_str(), &name, None))
    });
    lists.collect()
}

fn read(options: Option<Vec<Raw>>) -> Vec<FacetOption> {
    let options = FacetOption::read_all(options.as_deref().unwrap_or_default());
    options
        .into_iter()
        .filter(|option| !option.value.is_empty())
        .map(|option| named(&option.value, &option.label, option.count))
        .collect()
}

/// Reads the results of a search within a facet. Results without a value are skipped.
pub fn search_results(facet: Facet, items: Option<Vec<FacetItem>>) -> Vec<FacetOption> {
    let items = items.into_iter().flatten().filter_map(|item| {
        let value = item.value.filter(|value| !value.is_empty())?;
        let label = item
            .label
            .filter(|label| !label.is_empty() && *label != value);
        Some(FacetOption {
            label: label.unwrap_or_else(|| default_label(facet, &value)),
            value,
            count: item.count,
        })
    });
    items.collect()
}

/// Returns the label of a value that has no label. Free text stays as it is; a token is converted
/// to words.
pub fn default_label(facet: Facet, value: &str) -> String {
    if facet.is_searched() {
        value.to_owned()
    } else {
        filter_labels::plain(value)
    }
}

fn named(value: &str, label: &str, count: Option<u64>) -> FacetOption {
    let label = if label.is_empty() || label == value {
        filter_labels::plain(value)
    } else {
        label.to_owned()
    };
    FacetOption {
        value: value.to_owned(),
        label,
        count,
    }
}

/// Returns the options with the counts of `counted` where the server listed them without a count.
pub fn fill_counts(options: &[FacetOption], counted: &[FacetOption]) -> Vec<FacetOption> {
    let options = options.iter().map(|option| {
        let known = counted.iter().find(|known| known.value == option.value);
        FacetOption {
            count: option.count.or(known.and_then(|known| known.count)),
            ..option.clone()
        }
    });
    options.collect()
}

/// Keeps the values whose label matches, and the selected ones, which must stay visible.
pub fn retain_matching(
    options: Vec<FacetOption>,
    chosen: &[String],
    holds: impl Fn(&str) -> bool,
) -> Vec<FacetOption> {
    let stays = |option: &FacetOption| chosen.contains(&option.value) || holds(&option.label);
    options.into_iter().filter(stays).collect()
}

/// Orders the values: selected values that are pinned first, then all others. Selected values that
/// `options` does not contain are put before them.
pub fn arrange_options(
    options: &[FacetOption],
    pinned: &[String],
    chosen: &[String],
    label: impl Fn(&str) -> String,
) -> Vec<FacetOption> {
    let is_known = |value: &String| options.iter().any(|option| option.value == *value);
    let missing = chosen.iter().filter(|value| !is_known(value));
    let missing = missing.map(|value| FacetOption {
        value: value.clone(),
        label: label(value),
        count: None,
    });
    let is_pinned =
        |option: &&FacetOption| pinned.contains(&option.value) && chosen.contains(&option.value);
    let first = options.iter().filter(is_pinned);
    let rest = options.iter().filter(|option| !is_pinned(option));
    missing.chain(first.cloned()).chain(rest.cloned()).collect()
}
