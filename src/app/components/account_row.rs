//! An account as a row of the grid, and as a tile on phones.

use super::avatar::avatar;
use super::cells::{bold, cell, checkbox, date, fit, named, points, text};
use super::format;
use super::grid_row::{Rendered, SamePlace};
use super::markup::Markup;
use crate::app::model::account::AccountItem;
use crate::app::model::columns::{ACCOUNT_COLUMNS, AccountCell};

/// An account to render, with the state that changes independently of it.
#[derive(PartialEq)]
pub struct AccountRowProps {
    pub account: SamePlace<AccountItem>,
    pub selected: bool,
    /// Index in the whole list.
    pub index: u64,
    /// Whether it is a tile, as on phones.
    pub is_tile: bool,
}

impl Rendered for AccountRowProps {
    fn markup(&self) -> Markup {
        match self.is_tile {
            true => account_tile(self),
            false => account_row(self),
        }
    }
}

/// Renders a row: the checkbox, and a cell for each column in the default order.
fn account_row(shown: &AccountRowProps) -> Markup {
    let cells = ACCOUNT_COLUMNS.iter();
    frame("row", shown)
        .child(cell("").child(checkbox(&shown.account.name, shown.selected)))
        .children(cells.map(|column| account_cell(column.cell, shown)))
}

fn account_cell(content: AccountCell, shown: &AccountRowProps) -> Markup {
    let account = &*shown.account;
    match content {
        AccountCell::Fit => fit(
            points(account.score, account.previous_score, why(account)),
            account.tier.as_deref(),
        ),
        AccountCell::Name => named(&account.name),
        AccountCell::Text(get) => text(get(account)),
        AccountCell::Date(get) => date(get(account)),
        AccountCell::Leads => text(leads(account).as_deref()),
        AccountCell::Score => {
            points(account.score, account.previous_score, why(account)).class("number")
        }
    }
}

/// When an account was scored is not known.
fn why(account: &AccountItem) -> Option<String> {
    Some(format::reason(account.reasoning.as_deref()?, None))
}

/// Returns the number of leads, such as `3 of 6 approved`; only `6` if the server does not count the approved ones.
fn leads(account: &AccountItem) -> Option<String> {
    let leads = format::number(account.leads?);
    Some(match account.approved {
        Some(approved) => [&format::number(approved), " of ", &leads, " approved"].concat(),
        None => leads,
    })
}

/// Renders the same row as a tile, where there is no room for columns.
fn account_tile(shown: &AccountRowProps) -> Markup {
    let account = &*shown.account;
    let facts = [&account.industry, &account.size, &account.location];
    let facts: Vec<&str> = facts.into_iter().flatten().map(String::as_str).collect();
    let leads = match account.approved {
        Some(_) => leads(account),
        None => account.leads.map(|leads| format::count(leads, "lead")),
    };
    let score = points(account.score, account.previous_score, None);
    frame("row tile", shown)
        .child(cell("check").child(checkbox(&account.name, shown.selected)))
        .child(
            cell("who")
                .child(avatar(&account.initials, account.logo.as_deref()))
                .child(bold(&account.name)),
        )
        .child(cell("sub").text(facts.join(" · ")))
        .child(fit(score, account.tier.as_deref()))
        .child(cell("leads").text(leads.unwrap_or_default()))
}

/// Returns the element of a row or tile, with the attributes that other code uses to find it.
fn frame(class: &'static str, shown: &AccountRowProps) -> Markup {
    Markup::new("div")
        .class(class)
        .attr("role", "row")
        .attr("data-account-id", shown.account.id.clone())
        .attr("aria-rowindex", (shown.index + 2).to_string())
        .flag("aria-selected", shown.selected)
}
