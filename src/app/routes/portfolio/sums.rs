//! Sums and shares of all accounts on the page.

use super::members::{Shown, all};
use crate::app::components::dom::{El, b, div, section, span};
use crate::app::components::format;
use crate::app::model::account_pulse::reply_rate::Rate;
use crate::app::model::portfolio_group::{PortfolioSums, percent};
use crate::app::reactive::{Memo, memo};
use crate::app::state::AppState;

pub fn sums(app: AppState, shown: Shown) -> El {
    let sums = memo(move |_| match shown.with(Option::is_some) {
        true => PortfolioSums::new(&all(app, shown)),
        false => PortfolioSums::default(),
    });
    let is_empty = memo(move |_| shown.with(|groups| groups.as_ref().is_some_and(Vec::is_empty)));
    section()
        .class("sums")
        .attr("aria-label", "Sums of this page")
        .prop("hidden", move || is_empty.get().into())
        .child(figure(sums, "leads", |sums| {
            let approved = sums.approved.map(format::number);
            let approved = approved.map(|approved| approved + " approved");
            let leads = sums.funnel.leads;
            (
                leads,
                noun(leads, "lead", "leads"),
                approved,
                (sums.approved, leads),
            )
        }))
        .child(figure(sums, "talking", |sums| {
            let (talking, leads) = (sums.funnel.talking, sums.funnel.leads);
            let share = share(talking, leads, " of leads");
            (talking, "in conversation", share, (talking, leads))
        }))
        .child(figure(sums, "replied", |sums| {
            let (replied, talking) = (sums.funnel.replied, sums.funnel.talking);
            let share = share(replied, talking, " of conversations");
            (replied, "replied", share, (replied, talking))
        }))
        .child(figure(sums, "interested", |sums| {
            let (some, all) = (sums.interested, Some(sums.accounts));
            let share = share(some, all, " of accounts");
            (
                some,
                noun(some, "account interested", "accounts interested"),
                share,
                (some, all),
            )
        }))
}

/// Number, what it counts, what more there is to say about it, and the part and the whole of the bar.
type Figure = (
    Option<u64>,
    &'static str,
    Option<String>,
    (Option<u64>, Option<u64>),
);

/// Renders a number with a bar as its background. While the number is not known, its place is kept.
fn figure(sums: Memo<PortfolioSums>, kind: &str, read: fn(&PortfolioSums) -> Figure) -> El {
    let figure = move || sums.with(read);
    let bar = move || {
        let (_, _, _, (part, whole)) = figure();
        // Without a length there is no bar: an empty one would say that there are none.
        let percent = part.zip(whole).map(|(part, whole)| percent(part, whole));
        percent.map_or_else(String::new, |percent| [&*percent.to_string(), "%"].concat())
    };
    let number = move || figure().0.map_or_else(|| "–".to_owned(), format::number);
    let words = move || {
        let (_, noun, more, _) = figure();
        let more = more.map(|more| [", ", &more].concat());
        [noun, more.as_deref().unwrap_or_default()].concat()
    };
    div()
        .class(kind)
        .style("--long", bar)
        .child(b().child(number))
        .child(" ")
        .child(span().child(words))
}

fn noun(count: Option<u64>, one: &'static str, many: &'static str) -> &'static str {
    if count == Some(1) { one } else { many }
}

fn share(part: Option<u64>, whole: Option<u64>, of: &str) -> Option<String> {
    Some([&*Rate::new(part, whole)?.words(), of].concat())
}
