//! The accounts of the page: what is known of them, and their order and groups.

use std::sync::Arc;

use leptos::prelude::*;

use crate::app::model::account_pulse::pulse_queue::Id;
use crate::app::model::portfolio_account::PortfolioAccount;
use crate::app::model::portfolio_group::PortfolioGroup;
use crate::app::model::portfolio_order::{PortfolioOrder, arrange};
use crate::app::model::portfolio_view::PortfolioView;
use crate::app::reactive::{Memo, memo};
use crate::app::state::AppState;
use crate::app::state::portfolio_accounts::PortfolioPage;

/// Accounts in groups; `None` while their order is not known.
pub type Shown = Memo<Option<Vec<PortfolioGroup>>>;

/// Returns an account with its pulse, tracked.
pub fn member(app: AppState, id: &Id) -> PortfolioAccount {
    PortfolioAccount {
        summary: app.pulses.summary(id),
        pulse: app.pulses.status(id).value().cloned(),
        id: Arc::clone(id),
    }
}

pub fn members<'a>(app: AppState, ids: impl IntoIterator<Item = &'a Id>) -> Vec<PortfolioAccount> {
    ids.into_iter().map(|id| member(app, id)).collect()
}

/// Returns all accounts that are shown.
pub fn all(app: AppState, shown: Shown) -> Vec<PortfolioAccount> {
    shown.with(|groups| {
        let groups = groups.iter().flatten();
        members(app, groups.flat_map(|group| &group.ids))
    })
}

/// Returns the accounts once everything is known that decides where they are, so that no row moves under the pointer.
pub fn shown(app: AppState, view: Memo<PortfolioView>) -> Shown {
    let page = memo(move |_| {
        app.portfolio.page.with(|page| match page.error() {
            None => page.value().cloned(),
            Some(_) => None,
        })
    });
    let order = memo(move |_| view.with(|view| view.order));
    // Stays true: retrying a single account must not reorder the rows.
    let ready = memo(move |before: Option<&Ready>| {
        let (page, order) = (page.get(), order.get());
        let same = before.filter(|before| before.page == page && before.order == order);
        let is_ready =
            same.is_some_and(|before| before.is_ready) || is_known(app, page.as_deref(), order);
        Ready {
            page,
            order,
            is_ready,
        }
    });
    memo(move |_| {
        let Ready { page, is_ready, .. } = ready.get();
        let page = page.filter(|_| is_ready)?;
        let mut members = untrack(|| members(app, &page.ids));
        Some(view.with(|view| {
            if view.is_sorted_here() {
                arrange(&mut members, view.order);
            }
            view.grouping.groups(&members)
        }))
    })
}

#[derive(Clone, PartialEq)]
struct Ready {
    page: Option<Arc<PortfolioPage>>,
    order: PortfolioOrder,
    is_ready: bool,
}

/// Whether the record of each account is known, and its pulse if the order needs it. One that failed is sorted without.
fn is_known(app: AppState, page: Option<&PortfolioPage>, order: PortfolioOrder) -> bool {
    let is_known = |id: &Id| {
        let status = app.pulses.status(id);
        let has_pulse = !order.needs_pulses() || status.value().is_some();
        status.error().is_some() || (has_pulse && app.pulses.summary(id).is_some())
    };
    page.is_some_and(|page| page.ids.iter().all(is_known))
}
